"""The list of subtasks with its keys and mouse handling.

The keys are those of the board: the ones that move the cursor move the lifted subtasks while there
are any.
"""

from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.message import Message

from tui.actions.action import bindings
from tui.actions.tasks.cards import Cards
from tui.model.board import BoardView
from tui.model.moving import lift, subtasks
from tui.model.moving.lift import Lift
from tui.model.task import Task
from tui.screens.board_lines import drop_or_cancel
from tui.screens.status_line import StatusLine
from tui.screens.task.subtask_actions import SubtaskActions
from tui.screens.task.subtask_view import NOTHING, SubtaskView
from tui.text.cells import cut, width as cell_width
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.dragging import MouseDrag
from tui.widgets.keys import quiet_keys
from tui.widgets.line_input import LineInput
from tui.widgets.painted import Line

DOUBLE = 2
"""How many clicks open a subtask."""
TITLE_WIDTH = 36
GROUP_WIDTH = 24
KEYS_WIDTH = 46
"""About how many cells of the status line are not titles."""
NARROW = 60
"""Below this width the status line of a move leaves out the origin."""

QUIET_KEYS = quiet_keys(
    "subtask",
    ("put-back", "escape", "put_back", "Cancel move or clear marks"),
    ("move-down", "J,shift+down", "shift(1)", "Move subtask down"),
    ("move-up", "K,shift+up", "shift(-1)", "Move subtask up"),
    ("mark", "v", "mark", "Mark or unmark subtask"),
    ("mark-range", "V", "mark_range", "Mark subtasks from the last mark"),
    ("stay", "tab,shift+tab", "stay", "Stay while moving"),
    ("down", "j,down", "go(1)", "Next row"),
    ("up", "k,up", "go(-1)", "Previous row"),
    ("first", "home", "end(0)", "First row"),
    ("top", "g g", "end(0)", "First row"),
    ("last", "G,end", "end(-1)", "Last row"),
    ("group-before", "h,left", "group(-1)", "Previous group"),
    ("group-after", "l,right", "group(1)", "Next group"),
    ("page-down", "ctrl+d,pagedown", "go(10)", "Ten rows down"),
    ("page-up", "ctrl+u,pageup", "go(-10)", "Ten rows up"),
    *(
        (f"group-{n}", str(n), f"carry_to({n - 1})", "Move to group by number")
        for n in range(1, 10)
    ),
)


class SubtaskList(SubtaskView, MouseDrag, can_focus=True, inherit_bindings=False):
    """The groups of subtasks of a task as one focusable widget, with the actions on them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "lift_or_drop", "lift", id="subtask.lift", tooltip="Lift or drop subtask"),
        Binding("enter", "open_or_drop", "open", id="subtask.open", tooltip="Open subtask"),
        *QUIET_KEYS,
        *bindings(SubtaskActions),
    ]

    @dataclass(eq=False, repr=False)
    class OpenRequested(Message):
        """The user wants to open a subtask in a task screen."""

        subtask: Task

    def __init__(self, tasks: Cards, status: StatusLine) -> None:
        super().__init__(tasks, status)
        self.actions = SubtaskActions(tasks, self)
        self._last_mark: int | None = None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        del parameters
        if action in ("carry_to", "stay"):
            return self.lift is not None
        if action == "put_back":
            return self.lift is not None or bool(self.marks)
        carrying = {"go", "end", "group", "shift", "lift_or_drop", "open_or_drop"}
        return True if self.lift is None or action in carrying else None

    def action_go(self, rows: int) -> None:
        if self.lift is None:
            self.go_to(self.cursor + rows)
        else:
            self.carry(lift.step(self.lift, self.lanes, rows))

    def action_end(self, end: int) -> None:
        if self.lift is None:
            self.go_to(0 if end == 0 else len(self.rows) - 1)
        else:
            self.carry(lift.to_end(self.lift, self.lanes, last=end != 0))

    def action_group(self, by: int) -> None:
        if self.lift is not None:
            self.carry(subtasks.to_group(self.lift, self.lanes, by))
            return
        headings = [index for index, row in enumerate(self.rows) if row.is_heading]
        if by < 0:
            self.go_to(max((index for index in headings if index < self.cursor), default=0))
        elif after := [index for index in headings if index > self.cursor]:
            self.go_to(after[0])

    def action_carry_to(self, index: int) -> None:
        if self.lift is not None and index < len(self.lanes.stages):
            self.carry(lift.to_stage(self.lift, self.lanes, index))
        else:
            self._tasks.say(f"this task has {len(self.lanes.stages)} groups")

    def action_stay(self) -> None:
        self._tasks.say(self.waits_for)

    def action_put_back(self) -> None:
        if self.lift is not None:
            self.carry(None)
        else:
            self.marks = frozenset()
            self.show_rows()
            self._status.draw()

    def action_lift_or_drop(self) -> None:
        if self.lift is not None:
            self.drop()
        elif not self.chosen:
            self._tasks.say(f"{NOTHING} to pick up")
        else:
            self.carry(self._lifted(self.current or self.chosen[0]))

    def action_open_or_drop(self) -> None:
        if self.lift is not None:
            self.drop()
        elif self.current is None:
            self._tasks.say(f"{NOTHING} to open")
        else:
            self.post_message(self.OpenRequested(self.current))

    def action_shift(self, rows: int) -> None:
        if self.lift is not None:
            self.action_end(0 if rows < 0 else -1)
            return
        if not self.chosen:
            self._tasks.say(f"{NOTHING} to move")
            return
        chosen = self.chosen
        lifted = self._lifted(self.current if self.current in chosen else chosen[0])
        if lifted is not None:
            self.call_later(self.actions.move, lift.step(lifted, self.lanes, rows))

    def _lifted(self, at: Task) -> Lift | None:
        return lift.lift(self.lanes, [subtask.id for subtask in self.chosen], at.id)

    def action_mark(self) -> None:
        if self.current is None:
            self._tasks.say(f"{NOTHING} to mark")
            return
        self.marks ^= {self.current.id}
        self._last_mark = self.current.id
        self.go_to(self.cursor + 1)

    def action_mark_range(self) -> None:
        ids = [row.subtask.id if row.subtask is not None else 0 for row in self.rows]
        start = ids.index(self._last_mark) if self._last_mark in ids else self.cursor
        low, high = sorted((start, self.cursor))
        self.marks |= {subtask_id for subtask_id in ids[low : high + 1] if subtask_id}
        self.go_to(self.cursor)

    def drop(self) -> None:
        lifted = self.lift
        if lifted is not None:
            self.carry(None)
            self.call_later(self.actions.move, lifted)

    drag_ended = drop

    def pressed_at(self, point: Offset) -> bool:
        row = point.y - self.region.y
        if self.lift is None and self.gap is None and 0 <= row < len(self.rows):
            self.focus()
            self.go_to(row)
        return self.lift is not None or self.current is not None

    def drag_started(self) -> None:
        if self.lift is None and self.current is not None:
            ids = self.marks if self.current.id in self.marks else {self.current.id}
            self.carry(lift.lift(self.lanes, ids, self.current.id))

    def dragged_to(self, point: Offset) -> None:
        if self.lift is not None:
            rows = point.y - self.region.y - self.cursor
            self.carry(lift.step(self.lift, self.lanes, rows))

    def on_click(self, event: events.Click) -> None:
        if event.chain == DOUBLE and self.lift is None and self.current is not None:
            self.action_open_or_drop()

    def line(self, width: int) -> Line | None:
        """The lifted subtasks, or the number of marked ones; None if there are neither."""
        if self.lift is not None:
            return moving_line(self.lift, self.lanes, width)
        if self.marks:
            keys = keyed("  every action works on all · {subtask.put-back:esc}")
            return ((f" {len(self.marks)} marked", "hand"), (keys, "quiet"))
        return None

    @property
    def waits_for(self) -> str:
        """What most keys say while subtasks are lifted."""
        drop = keyed("drop the subtask first, or press {subtask.put-back:esc}")
        return drop if self.lift is not None else ""

    def changed(self) -> None:
        if self.lift is None:
            self.action_put_back()

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
        (f"  {glyphs.ARROW}  {to} {lifted.row + 1}/{count}", "strong"),
        (f"   from {origin} {lifted.home_row + 1}" if width >= NARROW else "", "quiet"),
        *drop_or_cancel("{subtask.open:↵}", "{subtask.put-back:esc}"),
    )
