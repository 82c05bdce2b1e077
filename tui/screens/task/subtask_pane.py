"""The section with the subtasks: submits the changes that the user makes in their list."""

from collections.abc import Callable

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical

from tui.actions.tasks.cards import Cards
from tui.model.board import BoardView
from tui.model.detail import TaskDetail
from tui.model.moving import lift
from tui.model.moving.lift import Lift
from tui.screens.board_lines import drop_or_cancel
from tui.screens.status_line import StatusLine
from tui.screens.task.subtask_actions import SubtaskActions
from tui.screens.task.subtask_list import DROP_FIRST, SubtaskList
from tui.text.cells import cut, width as cell_width
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.line_input import LineInput
from tui.widgets.painted import Line

TITLE_WIDTH = 36
GROUP_WIDTH = 24
KEYS_WIDTH = 46
"""About how many cells of the status line are not titles."""
NARROW = 60
"""Below this width the status line of a move leaves out the origin."""


class SubtaskPane(Vertical):
    """The list of subtasks of the task that `find` returns; messages go to `status`."""

    def __init__(
        self, tasks: Cards, status: StatusLine, find: Callable[[], TaskDetail | None]
    ) -> None:
        super().__init__()
        self.list = SubtaskList(tasks.now)
        self.actions = SubtaskActions(tasks, self.list, find)
        self._tasks = tasks
        self._status = status

    def compose(self) -> ComposeResult:
        yield self.list

    def line(self, width: int) -> Line | None:
        """The lifted subtasks, or the number of marked ones; None if there are neither."""
        if self.list.lift is not None:
            return moving_line(self.list.lift, self.list.lanes, width)
        if self.list.marks:
            marked = f" {len(self.list.marks)} marked"
            keys = keyed("  every action works on all · {subtask.put-back:esc}")
            return ((marked, "hand"), (keys, "quiet"))
        return None

    @property
    def waits_for(self) -> str:
        """How to end the move that blocks most keys while a subtask is lifted."""
        is_moving = self.list.lift is not None
        return keyed(DROP_FIRST) if is_moving else ""

    def changed(self) -> None:
        """Clear the marks, after their subtasks were changed."""
        if self.list.lift is None:
            self.list.put_back()

    @on(SubtaskList.LiftChanged)
    def say_lifted(self, event: SubtaskList.LiftChanged) -> None:
        self._status.clear()
        if event.lost:
            said = "the lifted subtask was removed: nothing was moved"
            self._tasks.say(said, error=True)

    @on(SubtaskList.CursorMoved)
    def say_marked(self) -> None:
        self._status.draw()

    @on(SubtaskList.NothingThere)
    def say_why_nothing(self, event: SubtaskList.NothingThere) -> None:
        self._tasks.say(event.why)

    @on(SubtaskList.DropRequested)
    async def move_subtasks(self, event: SubtaskList.DropRequested) -> None:
        await self.actions.move(event.lift)

    @on(LineInput.Done)
    async def take_title(self, event: LineInput.Done) -> None:
        event.stop()
        await self.actions.take_title(event)

    @on(LineInput.GivenUp)
    def leave_title(self, event: LineInput.GivenUp) -> None:
        event.stop()
        self.actions.leave_title(event)

    @on(LineInput.LinesPasted)
    def take_lines(self, event: LineInput.LinesPasted) -> None:
        event.stop()
        self.actions.take_lines(event)


def moving_line(lifted: Lift, shown: BoardView, width: int) -> Line:
    """The status line of a move: the lifted subtasks, target, origin, and keys to drop or cancel.

    If `width` is small the titles are cut, so that the keys are visible.
    """
    over, home = shown.stage(lifted.stage_id), shown.stage(lifted.home_stage_id)
    names = [lifted.tasks[0].title, over.title if over else "", home.title if home else ""]
    if sum(map(cell_width, names)) > width - KEYS_WIDTH:
        room = max(16, width - KEYS_WIDTH)
        names = [cut(names[0], room // 2), *(cut(name, room // 4) for name in names[1:])]
    title, to, origin = (
        cut(name, most)
        for name, most in zip(names, (TITLE_WIDTH, GROUP_WIDTH, GROUP_WIDTH), strict=True)
    )
    count = len(lift.others(lifted, shown, lifted.stage_id)) + len(lifted.tasks)
    what = f"“{title}”" if len(lifted.tasks) == 1 else f"{len(lifted.tasks)} subtasks"
    return (
        (f" MOVING {what}", "hand"),
        (f"  {glyphs.ARROW}  {to} {lifted.row + 1}/{count}", "name"),
        (f"   from {origin} {lifted.home_row + 1}" if width >= NARROW else "", "quiet"),
        *drop_or_cancel("{subtask.open:↵}", "{subtask.put-back:esc}"),
    )
