"""A task by itself: its fields in words, and its description to read.

The rule it keeps: the keys that change a task are those of the board; what they change is shown at
once, because the screen draws what the store has.
"""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.model.task import Task
from tui.screens.context import Context
from tui.screens.task_actions import TaskActions
from tui.screens.task_lines import description, fields
from tui.store.protocol import BoardChanged, StoreEvent
from tui.theme import stylesheet
from tui.widgets.line_input import LineInput


class TaskScreen(TaskActions):
    """One task of a board."""

    CSS_PATH = stylesheet("task.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter", "back", "back", id="task.back", tooltip="Back to the board"),
        Binding(
            "[", "neighbour(-1)", "Previous", id="task.previous", show=False,
            tooltip="The card above this one",
        ),
        Binding(
            "]", "neighbour(1)", "Next", id="task.next", show=False,
            tooltip="The card below this one",
        ),
        Binding(
            "j,down", "scroll(1)", "Down", id="task.scroll-down", show=False, tooltip="Scroll down"
        ),
        Binding("k,up", "scroll(-1)", "Up", id="task.scroll-up", show=False, tooltip="Scroll up"),
        Binding(
            "ctrl+d,pagedown", "page(1)", "Page down", id="task.page-down", show=False,
            tooltip="Scroll down half a page",
        ),
        Binding(
            "ctrl+u,pageup", "page(-1)", "Page up", id="task.page-up", show=False,
            tooltip="Scroll up half a page",
        ),
    ]  # fmt: skip

    def __init__(self, context: Context, board_id: int, task_id: int) -> None:
        super().__init__(context, board_id)
        self.task_id = task_id

    def compose(self) -> ComposeResult:
        """The title, the fields, the description."""
        yield self.bar
        with VerticalScroll(id="task-body", can_focus=False):
            yield Static(id="task-title")
            yield Static(id="task-fields")
            yield Static(id="task-description")
        yield self.status

    def on_mount(self) -> None:
        """Draw the task, and draw it again when it changes."""
        self.show_task()
        self.show_status()

    def on_resize(self) -> None:
        """Wrap the description to the new width."""
        self.call_after_refresh(self.show_task)

    @property
    def chosen_tasks(self) -> tuple[Task, ...]:
        """The task shown, while the board has it."""
        task = self.view.task(self.task_id) if self.view else None
        return (task,) if task else ()

    def show_task(self) -> None:
        """Draw the task as the store has it now."""
        view, tasks = self.view, self.chosen_tasks
        if view is None or not tasks:
            self.query_one("#task-fields", Static).update(
                Content("This task is no longer on the board.\n\nesc goes back")
            )
            return
        task, stage = tasks[0], view.stage(tasks[0].stage_id)
        number = "new" if task.is_local else f"#{task.id}"
        where = f"   {number} in {stage.title if stage else ''}"
        self.bar.say(((f" {view.board.title}", "name"), (where, "quiet")))
        body = self.query_one("#task-body", VerticalScroll)
        width = max(20, body.size.width - 4)
        self.query_one("#task-title", Static).update(Content(task.title))
        self.query_one("#task-fields", Static).update(fields(task, stage, self.context.now()))
        self.query_one("#task-description", Static).update(description(task, width))

    def edit_title(self, task: Task) -> None:
        """Type a new title in the place of the old one."""
        typed = LineInput("title", task.title)
        shown = self.query_one("#task-title", Static)
        shown.display = False
        self.query_one("#task-body").mount(typed, before=shown)
        typed.focus()

    @on(LineInput.Done)
    async def take_title(self, event: LineInput.Done) -> None:
        """Give the task its new title."""
        self._end_typing(event.input)
        if self.chosen_tasks:
            await self.retitle(self.chosen_tasks[0], event.text)

    @on(LineInput.GivenUp)
    def leave_title(self, event: LineInput.GivenUp) -> None:
        """Leave the title as it was."""
        self._end_typing(event.input)

    def action_back(self) -> None:
        """Take an error off the screen, else go back to the board."""
        if not self.hush():
            self.dismiss()

    def action_neighbour(self, by: int) -> None:
        """Show the card above or below this one in its stage."""
        tasks, view = self.chosen_tasks, self.view
        if not tasks or view is None or tasks[0].stage_id is None:
            return
        lane = view.in_stage(tasks[0].stage_id)
        index = next(i for i, each in enumerate(lane) if each.id == self.task_id) + by
        if not 0 <= index < len(lane):
            self.say("this is the first card here" if by < 0 else "this is the last card here")
            return
        self.task_id = lane[index].id
        self.query_one("#task-body", VerticalScroll).scroll_home(animate=False)
        self.show_task()
        if self.task_id in self.store.changed_by_others(self.board_id):
            self.run_worker(self.store.looked_at(self.board_id, self.task_id), group="looked")

    def action_scroll(self, lines: int) -> None:
        """Scroll by lines."""
        self.query_one("#task-body", VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_page(self, direction: int) -> None:
        """Scroll by half a page."""
        body = self.query_one("#task-body", VerticalScroll)
        body.scroll_relative(y=direction * max(1, body.size.height // 2), animate=False)

    def _end_typing(self, typed: LineInput) -> None:
        """Put the title back in the place of the input."""
        typed.remove()
        self.query_one("#task-title", Static).display = True
        self.set_focus(None)

    def hear(self, event: StoreEvent) -> None:
        """Draw the task again when its board changed."""
        super().hear(event)
        if isinstance(event, BoardChanged) and event.board_id == self.board_id:
            self.task_id = event.renamed.get(self.task_id, self.task_id)
            self.show_task()
