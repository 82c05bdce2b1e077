"""The archived cards of a board: search, restore, delete.

A service that has no list of them is asked for what its activities and the cache name.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import ClassVar

from textual.binding import BindingType

from tui.actions.old import Action, bindings
from tui.actions.tasks.context import named
from tui.actions.tasks.history import HISTORY_ACTIONS
from tui.actions.tasks.removing import what_goes
from tui.client.capabilities import Feature
from tui.context import Context
from tui.model.board import BoardView, Place
from tui.model.task import Task
from tui.navigation import TaskRequested
from tui.screens.lists.content import TABLE_WIDTH, ListContext
from tui.screens.lists.screen import ListScreen
from tui.store import operations as change
from tui.store.events import PendingState
from tui.store.online import archive
from tui.store.online.archive import ArchivedTasks
from tui.store.protocol import Store
from tui.text.cells import fit
from tui.text.clean import counted
from tui.text.dates import age
from tui.widgets.painted import Line

_STAGE_WIDTH, _AGE_WIDTH, _SHORT_AGE_WIDTH = 18, 16, 6
_WIDE = 60
"""From this width on, the stages are shown."""


class ArchivedCards:
    """The archived cards of a board, last archived first; `now` is the wall-clock time."""

    row, opens = "archived card", "archived.open"
    move = None

    def __init__(self, store: Store, board_id: int, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now
        self.board_id = board_id
        self._found = ArchivedTasks()
        self._deleted: set[int] = set()

    @property
    def title(self) -> str:
        return "Archived cards" if self._found.is_complete else "Archived cards, as far as known"

    @property
    def view(self) -> BoardView | None:
        return self._store.board(self.board_id)

    async def load(self) -> None:
        """Show what is cached, then what the service reports."""
        known = await self._store.archived_tasks(self.board_id)
        if not self._found.tasks:
            self._found = ArchivedTasks(archive.in_order(known), is_complete=False)
        remote = await self._store.service()
        view = self.view
        active = set() if view is None else {task.id for task in view.all_tasks()}
        self._found = await archive.archived_tasks(
            remote, self.board_id, known=known, active=active, before=self._found
        )

    def rows(self) -> Sequence[Task]:
        """Those that are not restored or deleted meanwhile, as far as that was not refused."""
        for waiting in self._store.pending(self.board_id):
            if isinstance(waiting.operation, change.DeleteTask):
                is_refused = waiting.state is PendingState.REFUSED
                keep = self._deleted.discard if is_refused else self._deleted.add
                keep(waiting.operation.task.id)
        view = self.view
        hidden = set(self._deleted)
        if view is not None:
            hidden.update(task.id for task in view.all_tasks())
        return [task for task in self._found.tasks if task.id not in hidden]

    def key(self, row: Task) -> int:
        return row.id

    def words(self, row: Task) -> str:
        return row.title

    def line(self, row: Task, width: int) -> Line:
        width = min(width, TABLE_WIDTH)
        is_wide = width >= _WIDE
        when = self._when(row, is_wide=is_wide)
        room = max(1, width - 2 - len(when) - (_STAGE_WIDTH if is_wide else 0))
        return (
            (" ", "title"),
            (fit(row.title or "(no title)", room), "closed" if row.is_closed else "title"),
            (" ", "title"),
            (fit(self.stage_of(row), _STAGE_WIDTH) if is_wide else "", "meta"),
            (when, "count"),
        )

    def stage_of(self, row: Task) -> str:
        stage = None if self.view is None else self.view.stage(row.stage_id)
        return "(archived stage)" if stage is None else stage.title

    def _when(self, row: Task, *, is_wide: bool) -> str:
        if row.archived_at is None:
            return " " * (_AGE_WIDTH if is_wide else _SHORT_AGE_WIDTH)
        count, unit = age(min(row.archived_at, self._now()), self._now())
        if is_wide:
            return f"{counted(count, unit)} ago ".rjust(_AGE_WIDTH)
        return f"{count}{unit[0]} ".rjust(_SHORT_AGE_WIDTH)

    def empty(self) -> tuple[str, str]:
        if self._found.is_complete:
            return "no archived cards", "{task.archive:A} on a card archives it"
        return "this service does not list archived cards", "its latest activity names none"


class OpenCard(Action[ListContext[Task]]):
    """Shows the card in the task screen."""

    id, keys, label = "archived.open", "o", "Open card"

    async def run(self, on: ListContext[Task]) -> None:
        row = on.need_row()
        if row is not None:
            on.host.post_message(TaskRequested(on.board_id, row.id))


class RestoreCards(Action[ListContext[Task]]):
    """Brings the cards back to the top of their stages."""

    id, keys, label, hint = "archived.restore", "A", "Restore card", "restore"
    changes_board = True

    async def run(self, on: ListContext[Task]) -> None:
        rows, view = on.need_rows(), on.store.board(on.board_id)
        if not rows:
            return
        back = [row for row in rows if view is not None and view.stage(row.stage_id) is not None]
        if not back:
            on.say(
                f"the stage of {named(rows)} is archived",
                hint="restore the stage first: {stage.archived:S R} on the board",
            )
            return
        left = len(rows) - len(back)
        more = f"; {counted(left, 'card')} stayed: the stage is archived" if left else ""
        await on.submit(
            f"restored {named(back)}{more}",
            *(change.RestoreTask.on(row) for row in reversed(back)),
        )


class DeleteCards(Action[ListContext[Task]]):
    """Asks for confirmation, then deletes the cards for good."""

    id, keys, label, hint = "archived.delete", "D", "Delete card", "delete"
    asks = changes_board = True
    needs = Feature.TASK_DELETION

    async def run(self, on: ListContext[Task]) -> None:
        rows = on.need_rows()
        if not rows:
            return
        if await on.confirm(f"Delete {named(rows)}?", what_goes(rows)):
            await on.submit(
                f"deleted {named(rows)}", *(change.DeleteTask(row, Place()) for row in rows)
            )


ACTIONS: tuple[Action[ListContext[Task]], ...] = (
    OpenCard(),
    RestoreCards(),
    DeleteCards(),
    *HISTORY_ACTIONS,
)


class ArchivedCardsScreen(ListScreen):
    """The archived cards of a board."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    def __init__(self, context: Context, board_id: int) -> None:
        content = ArchivedCards(context.store, board_id, context.now)
        super().__init__(context, board_id, content, ACTIONS)


SCREEN = ArchivedCardsScreen
