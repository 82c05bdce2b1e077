"""The list of subtasks as drawn, with its keys and mouse handling.

Its height is its number of rows. It lies in a scrolling container, which is scrolled to the row at
the cursor; only lines that changed are redrawn. The keys are those of the board: the ones that move
the cursor move the lifted subtasks while there are any.
"""

from dataclasses import dataclass
from typing import Self, cast

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.widget import Widget

from tui.actions.action import own_bindings
from tui.actions.tasks.cards import Cards
from tui.model.detail import TaskDetail
from tui.model.moving import lift, subtasks
from tui.model.moving.lift import Lift, RowKind
from tui.model.moving.subtasks import (
    RowKey,
    SubtaskRow,
    TitleSpot,
    index_of,
    lanes,
    nearest,
    new_ids,
    rows,
)
from tui.model.people import NO_INITIALS, Initials
from tui.model.task import Task
from tui.screens.status_line import StatusLine
from tui.screens.task.subtask_lines import SubtaskFace, moving_line, named, why_empty
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.cells import fit
from tui.text.keyed import keyed
from tui.text.spans import Span as TextSpan, wrap
from tui.widgets.dragging import MouseDrag
from tui.widgets.keys import quiet_keys
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line
from tui.widgets.title_input import TitleInput

NOTHING = "no subtask here"
DOUBLE = 2
"""How many clicks open a subtask."""
_INDENT, _HEADING_INDENT = 3, 1
"""Where the titles of subtasks and of groups begin."""

KEYS: list[BindingType] = [
    Binding("space", "lift_or_drop", "lift", id="subtask.lift", tooltip="Lift or drop subtask"),
    Binding("enter", "open_or_drop", "open", id="subtask.open", tooltip="Open subtask"),
    *quiet_keys(
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
    ),
]


class SubtaskView(LineList[SubtaskRow], MouseDrag):
    """The groups of subtasks of an opened task, with cursor, marks and lifted subtasks."""

    @dataclass(eq=False, repr=False)
    class OpenRequested(Message):
        """The user wants to open a subtask in a task screen."""

        subtask: Task

    def __init_subclass__(cls) -> None:
        # Decorated methods are keys of the focused list, like those of a screen are its own.
        cls.BINDINGS = own_bindings(cls)
        super().__init_subclass__(can_focus=True, inherit_bindings=False)

    def __init__(self, tasks: Cards, status: StatusLine) -> None:
        super().__init__()
        self._tasks = tasks
        self._status = status
        self.detail: TaskDetail | None = None
        self.lanes = lanes(None)
        self.lift: Lift | None = None
        self.marks: frozenset[int] = frozenset()
        self.gap: TitleSpot | None = None
        self.typed: TitleInput | None = None
        self._typed_lines = 0
        """How many lines the text of the input takes; 0 without an input."""
        self._key: RowKey | None = None
        self._last_mark: int | None = None
        self._initials = NO_INITIALS

    def show(self, detail: TaskDetail | None, initials: Initials = NO_INITIALS) -> None:
        """Draw the subtasks of a task; cursor, marks and lift stay on their subtasks."""
        self._initials = initials
        if self.detail is not None and detail is not None:
            previous_id, shown_id = self.detail.task.id, detail.task.id
            # A local id and the id that the service assigned for it are the same task.
            if previous_id != shown_id and not previous_id < 0 < shown_id:
                self.forget()
        ids = new_ids(self.detail, detail)
        former_lanes, self.detail, self.lanes = self.lanes, detail, lanes(detail)
        present = {task.id for task in self.lanes.all_tasks()}
        self.marks = frozenset(ids.get(mark, mark) for mark in self.marks) & present
        self._key = None if self._key is None else self._key.renamed(ids)
        self.gap = None if self.gap is None else self.gap.renamed(ids)
        lifted, self.lift = self.lift, None
        if lifted is not None:
            self.lift = lift.kept_between(lifted, former_lanes, self.lanes, ids)
        self.show_rows()
        if lifted is not None:
            self._status.clear()
            if self.lift is None:
                self._tasks.say("the lifted subtask was removed: nothing was moved", error=True)

    def forget(self) -> None:
        self.begin()
        self._key, self.lift, self.gap = None, None, None
        self.detail, self.lanes, self.marks = None, lanes(None), frozenset()

    @property
    def room(self) -> int:
        return len(self.rows) + max(0, self._typed_lines - 1)

    @property
    def current(self) -> Task | None:
        """The subtask at the cursor; None on the heading of a group."""
        if self.row is None or self.row.subtask is None or self.detail is None:
            return None
        return self.detail.find(self.row.subtask.id)

    @property
    def chosen(self) -> tuple[Task, ...]:
        """The selection: the marked subtasks in order, else the one at the cursor."""
        if self.marks and self.detail is not None:
            return tuple(task for task in self.detail.subtasks() if task.id in self.marks)
        return (self.current,) if self.current is not None else ()

    @property
    def has_the_keys(self) -> bool:
        """Whether this widget has the focus, or gets it back when a dialog is closed."""
        return self.is_attached and self.screen.focused is self

    @property
    def spot(self) -> TitleSpot:
        """Where a new subtask goes: below the cursor; with the cursor on a heading, first in it."""
        if self.row is None or self.row.group is None:
            return TitleSpot()
        return TitleSpot(self.row.group.id, None if self.current is None else self.current.id)

    def open_input(self, typed: TitleInput, gap: TitleSpot | None = None) -> None:
        """Open an input for a new title at a gap, else over the title at the cursor."""
        self.typed, self.gap = typed, gap
        self.show_rows()
        typed.add_class("in-place")
        self.mount(typed)
        typed.focus()

    def close_input(self) -> None:
        typed, self.typed, self.gap, self._typed_lines = self.typed, None, None, 0
        # Before the input goes: Textual would give its focus to the next widget.
        self.screen.set_focus(self, scroll_visible=False)
        if typed is not None:
            typed.remove()
        self.show_rows()

    def carry(self, lifted: Lift | None) -> None:
        self.lift = lifted
        self.show_rows()
        self._status.clear()

    def go_to(self, row: int) -> None:
        self.go_to_key(self.rows[nearest(self.rows, row)].key if self.rows else self._key)

    def go_to_subtask(self, subtask_id: int) -> None:
        """Move the cursor to a subtask, now or as soon as it is listed."""
        self.go_to_key(RowKey(0, subtask_id))

    def go_to_key(self, key: RowKey | None) -> None:
        self._key = key
        self.show_rows()
        self._status.draw()

    def show_rows(self) -> None:
        self.rows = rows(self.detail, self.lanes, self.lift, self.gap)
        self._update_cursor()
        self.shows_cursor = self.has_the_keys and self.gap is None
        self._measure_input()
        self.redraw()
        self._place_input()
        # The container can scroll to rows only once they are laid out.
        self.call_after_refresh(self.keep_in_sight)

    def keep_in_sight(self) -> None:
        # The rows are all drawn: what scrolls is the container.
        if not self.is_attached or not (self.has_the_keys or self.gap is not None):
            return
        height = max(1, self._typed_lines)
        region, child = Region(0, self._typed_row, 1, height), cast("Widget", self)
        while isinstance(child.parent, Widget):
            outer = child.parent
            region = region.translate(child.virtual_region.offset)
            if outer.is_scrollable and outer.allow_vertical_scroll:
                outer.scroll_to_region(region, animate=False, force=True, immediate=True)
                return
            child = outer

    def focus(self, scroll_visible: bool = False) -> Self:
        # `show_rows` scrolls to the cursor, not to the whole list.
        return super().focus(scroll_visible)

    def on_resize(self) -> None:
        self._measure_input()
        self.redraw()
        self._place_input()

    def on_focus(self) -> None:
        self.show_rows()

    on_blur = on_focus

    @property
    def _typed_row(self) -> int:
        return next((i for i, row in enumerate(self.rows) if row.kind is RowKind.GAP), self.cursor)

    def _measure_input(self) -> None:
        width = self._input_place.width
        has_place = self.typed is not None and bool(self.rows)
        self._typed_lines = self.typed.lines_in(width) if self.typed and has_place else 0

    def _place_input(self) -> None:
        if self.typed is not None and self._typed_lines:
            x, y, width, _ = self._input_place
            self.typed.put(Region(x, y, width, self._typed_lines))

    @property
    def _input_place(self) -> Region:
        row = self._typed_row
        is_over = row < len(self.rows) and self.rows[row].is_heading
        indent = _HEADING_INDENT if (self.gap.is_group if self.gap else is_over) else _INDENT
        return Region(indent, row, max(1, self.size.width - indent - 1), 1)

    def _update_cursor(self) -> None:
        if self.lift is not None:
            ghosts = (i for i, row in enumerate(self.rows) if row.kind is RowKind.GHOST)
            self.cursor = next(ghosts, 0)
            self._key = RowKey(self.lift.stage_id, self.lift.tasks[0].id)
            return
        row = index_of(self.rows, self._key)
        self.cursor = nearest(self.rows, self.cursor) if row is None else row
        # The row at the cursor is gone: take the one at its place. A key without a group is kept,
        # as its subtask is not listed yet.
        if row is None and self._key is not None and self._key.group_id and self.row is not None:
            self._key = self.row.key

    def lines_now(self, size: Size) -> list[Line]:
        if self.rows:
            return self.row_lines()
        lines = wrap([TextSpan(why_empty(self.detail))], size.width - 1)
        words = (" " + "".join(text for text, _ in line) for line in lines)
        return [((fit(line, size.width), "quiet"),) for line in words]

    def face_of(self, row: int) -> SubtaskFace:
        shown, pending = self.rows[row], False
        if self.detail is not None and shown.subtask is not None:
            pending = shown.subtask.id in self.detail.pending_of("task")
        elif self.detail is not None and shown.group is not None:
            pending = shown.group.id in self.detail.pending_of("subtask_group")
        return SubtaskFace(
            shown,
            self.drawn_size.width,
            self._tasks.now().replace(second=0, microsecond=0),
            self._initials,
            is_current=self.is_current(row),
            is_marked=shown.subtask is not None and shown.subtask.id in self.marks,
            is_pending=pending,
            typed_lines=self._typed_lines if row == self._typed_row else 0,
        )

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
            self._tasks.say(f"this card has {len(self.lanes.stages)} groups")

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
            self._tasks.say(f"{NOTHING} to lift")
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
            # The move is awaited in the queue of this widget: moves are submitted in the order of
            # keys.
            self.call_later(self.move_lifted, lift.step(lifted, self.lanes, rows))

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
            self.call_later(self.move_lifted, lifted)

    drag_ended = drop

    async def move_lifted(self, lifted: Lift) -> None:
        if self.detail is None:
            return
        if steps := moves(self.detail, lifted):
            self.go_to_subtask(lifted.tasks[0].id)
            await self._tasks.change(steps)
        else:
            self._tasks.say(f"nothing was moved: {named(lifted.tasks)}")

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
            # From the cursor, not from the press: the list may have scrolled, or reached an end.
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
        drop = keyed("drop the subtask first, or press {subtask.put-back:esc}")
        return drop if self.lift is not None else ""

    def changed(self) -> None:
        if self.lift is None:
            self.action_put_back()


def moves(detail: TaskDetail, lifted: Lift) -> list[Operation]:
    """The moves of dropped subtasks; none if they were dropped where they were."""
    shown = lanes(detail)
    if lift.is_at_home(lifted, shown, shown.in_stage(lifted.stage_id)):
        return []
    return [
        change.MoveSubtask.on(detail, subtask, lifted.stage_id, place)
        for subtask, place in lift.places(lifted, shown)
    ]
