"""A screen with nothing but the subtasks of a task, to press keys on."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual import on
from textual.app import ComposeResult
from textual.containers import VerticalScroll

from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.actions.card_actions import CardActions
from tui.actions.tasks.cards import Cards
from tui.actions.tasks.history import HistoryActions
from tui.config.drafts import Drafts
from tui.context import Context
from tui.model.board import BoardView
from tui.model.detail import TaskDetail
from tui.model.task import Task
from tui.screens.base import CallboardScreen
from tui.screens.task.subtask_list import SubtaskList
from tui.store.events import StoreEvent
from tui.widgets.bars import Notice


class SubtaskScreen(CallboardScreen):
    """The subtasks of one task."""

    CSS = "SubtaskList { height: auto; width: 100%; }"
    actions_of = (CardActions, HistoryActions)

    def __init__(self, context: Context, task_id: int) -> None:
        super().__init__(context)
        self.task_id = task_id
        self.tasks = Cards(self, 1, chosen=self._chosen, changed=self._changed)
        self.subtasks = SubtaskList(self.tasks, self.status)
        self.actions.offer(CardActions(self.tasks, lambda _: None))
        self.actions.offer(HistoryActions(self, lambda: 1))
        self.actions.offer(self.subtasks)
        self.detail: TaskDetail | None = None
        self.opened: list[str] = []
        self.chosen: tuple[Task, ...] = ()

    def compose(self) -> ComposeResult:
        yield self.bar
        with VerticalScroll(can_focus=False):
            yield self.subtasks
        yield self.status

    def on_mount(self) -> None:
        self._show()
        self.subtasks.focus()

    @property
    def waits_for(self) -> str:
        return self.subtasks.waits_for

    def own_notice(self) -> Notice | None:
        line = self.subtasks.line(self.size.width)
        return Notice(line) if line is not None else None

    def _chosen(self) -> tuple[Task, ...]:
        return self.chosen or (self.subtasks.chosen if self.focused is self.subtasks else ())

    def _changed(self) -> None:
        self.subtasks.changed()

    @on(SubtaskList.OpenRequested)
    def note(self, event: SubtaskList.OpenRequested) -> None:
        self.opened.append(event.subtask.title)

    def hear(self, event: StoreEvent) -> None:
        self.tasks.hear(event)
        super().hear(event)
        self._show()

    def _show(self) -> None:
        self.detail = self.store.detail(self.task_id)
        self.subtasks.show(self.detail)
        self.status.draw()


class SubtaskDriver(Driver):
    """A person at the subtasks of a task."""

    store: FakeStore
    screen: SubtaskScreen

    @property
    def shown(self) -> SubtaskList:
        """The subtasks."""
        return self.screen.subtasks

    @property
    def said(self) -> str:
        """The status line."""
        return self.screen.status.words

    @property
    def groups(self) -> dict[str, list[str]]:
        """The groups with the titles in them, as they are drawn."""
        found = self.shown.detail.groups if self.shown.detail is not None else None
        return {each.title: [one.title for one in each.subtasks] for each in found or ()}

    @property
    def here(self) -> str | None:
        """The title at the cursor: of a subtask, or of a group."""
        row = self.shown.row
        if row is None or row.group is None:
            return None
        return row.group.title if row.subtask is None else row.subtask.title


@asynccontextmanager
async def at_subtasks(
    *details: TaskDetail,
    view: BoardView | None = None,
    size: tuple[int, int] = (80, 24),
    drafts: Drafts | None = None,
) -> AsyncIterator[SubtaskDriver]:
    """The subtasks of the first of these tasks, ready for keys."""
    store = FakeStore(view or small(), details=details)
    async with opened(store, size=size, drafts=drafts) as driver:
        person = SubtaskDriver(driver.app, driver.pilot)
        person.store = store
        person.screen = SubtaskScreen(driver.app.context, details[0].task.id)
        await person.app.push_screen(person.screen)
        await person.press("home")
        yield person
