"""The list of subtasks as drawn, with cursor, marks and lifted subtasks.

Its height is its number of rows. It lies in a scrolling container, which is scrolled to the row at
the cursor; only lines that changed are redrawn.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Self, cast

from textual.geometry import Region, Size
from textual.message import Message
from textual.widget import Widget

from tui.model.detail import Part, SubtaskGroup, TaskDetail
from tui.model.moving import lift
from tui.model.moving.lift import Lift, RowKind
from tui.model.moving.subtasks import (
    RowKey,
    Spot,
    SubtaskRow,
    index_of,
    lanes,
    nearest,
    new_ids,
    rows,
)
from tui.model.people import NO_INITIALS, Initials
from tui.model.task import Task
from tui.screens.task.subtask_lines import SubtaskState, subtask_line
from tui.text.cells import fit
from tui.text.keyed import keyed
from tui.text.spans import Span, wrap
from tui.widgets.line_input import LineInput
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line

NOTHING = "there is no subtask here"
_INDENT, _HEADING_INDENT = 6, 2
"""Where the titles of subtasks and of groups begin."""


class SubtaskFace(NamedTuple):
    """Everything a row shows."""

    row: SubtaskRow
    width: int
    now: datetime
    state: SubtaskState
    initials: Initials

    def lines(self) -> list[Line]:
        return [subtask_line(*self)]


class SubtaskView(LineList[SubtaskRow]):
    """Draws the subtasks of an opened task; `now` gives wall-clock time without a zone."""

    class CursorMoved(Message):
        """The cursor moved to another row."""

    @dataclass(eq=False, repr=False)
    class LiftChanged(Message):
        """Subtasks were lifted, moved or dropped; `lost` if a remote change removed them."""

        lift: Lift | None
        lost: bool = False

    def __init__(self, now: Callable[[], datetime]) -> None:
        super().__init__()
        self.detail: TaskDetail | None = None
        self.lanes = lanes(None)
        self.lift: Lift | None = None
        self.marks: frozenset[int] = frozenset()
        self.gap: Spot | None = None
        self.typed: LineInput | None = None
        self._key: RowKey | None = None
        self._now = now
        self._initials = NO_INITIALS

    def show(self, detail: TaskDetail | None, initials: Initials = NO_INITIALS) -> None:
        """Draw the subtasks of a task; cursor, marks and lift stay on their subtasks."""
        self._initials = initials
        if _are_different(self.detail, detail):
            self.forget()
        ids = new_ids(self.detail, detail)
        before, self.detail, self.lanes = self.lanes, detail, lanes(detail)
        present = {task.id for task in self.lanes.all_tasks()}
        self.marks = frozenset(ids.get(mark, mark) for mark in self.marks) & present
        self._key = None if self._key is None else self._key.renamed(ids)
        self.gap = None if self.gap is None else self.gap.renamed(ids)
        lifted, self.lift = self.lift, None
        if lifted is not None:
            self.lift = lift.kept_between(lifted, before, self.lanes, ids)
        self.show_rows()
        if lifted is not None:
            self.post_message(self.LiftChanged(self.lift, lost=self.lift is None))

    def forget(self) -> None:
        """Clear the list, before another task is shown."""
        self.begin()
        self._key, self.lift, self.gap = None, None, None
        self.detail, self.lanes, self.marks = None, lanes(None), frozenset()

    @property
    def room(self) -> int:
        """The number of rows, because all of them are drawn."""
        return len(self.rows)

    @property
    def group(self) -> SubtaskGroup | None:
        return self.row.group if self.row is not None else None

    @property
    def current(self) -> Task | None:
        """The subtask at the cursor; None on the heading of a group."""
        found = self.row.subtask if self.row is not None else None
        return self.detail.find(found.id) if found is not None and self.detail is not None else None

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
    def spot(self) -> Spot:
        """Where a new subtask goes: below the cursor; with the cursor on a heading, first in it."""
        if self.group is None:
            return Spot()
        return Spot(self.group.id, None if self.current is None else self.current.id)

    def open_input(self, typed: LineInput, gap: Spot | None = None) -> None:
        """Open an input for a new title at a gap, else over the title at the cursor."""
        self.typed, self.gap = typed, gap
        self.show_rows()
        typed.add_class("in-place")
        self.mount(typed)
        typed.focus()

    def close_input(self) -> None:
        typed, self.typed, self.gap = self.typed, None, None
        self.screen.set_focus(self, scroll_visible=False)
        if typed is not None:
            typed.remove()
        self.show_rows()

    def put_back(self) -> bool:
        """Cancel the lift, else clear the marks; whether there was either."""
        if self.lift is not None:
            self.carry(None)
            return True
        had_marks, self.marks = bool(self.marks), frozenset()
        self.show_rows()
        return had_marks

    def carry(self, lifted: Lift | None) -> None:
        """Lift subtasks, or move the lifted ones; None cancels the lift."""
        self.lift = lifted
        self.show_rows()
        self.post_message(self.LiftChanged(lifted))

    def go_to(self, row: int) -> None:
        """Move the cursor to a row, or the nearest one that can have it."""
        found = nearest(self.rows, row)
        self._move_to(self.rows[found].key if self.rows else self._key)

    def go_to_subtask(self, subtask_id: int) -> None:
        """Move the cursor to a subtask, now or as soon as it is listed."""
        self._move_to(RowKey(0, subtask_id))

    def go_to_group(self, group_id: int) -> None:
        """Move the cursor to the heading of a group, now or as soon as it is listed."""
        self._move_to(RowKey(group_id))

    def show_rows(self) -> None:
        """Rebuild and redraw the rows, keeping the cursor visible."""
        self.rows = rows(self.detail, self.lanes, self.lift, self.gap)
        self._update_cursor()
        self.shows_cursor = self.has_the_keys and self.gap is None
        self.redraw()
        self._place_input()
        self.call_after_refresh(self.keep_in_sight)

    def keep_in_sight(self) -> None:
        """Scroll the container so that the row at the cursor is visible."""
        if not self.is_attached or not (self.has_the_keys or self.gap is not None):
            return
        region, child = Region(0, self._typed_row, 1, 1), cast("Widget", self)
        while isinstance(child.parent, Widget):
            outer = child.parent
            region = region.translate(child.virtual_region.offset)
            if outer.is_scrollable and outer.allow_vertical_scroll:
                outer.scroll_to_region(region, animate=False, force=True, immediate=True)
                return
            child = outer

    def focus(self, scroll_visible: bool = False) -> Self:
        """Take the focus without scrolling to the whole list; `show_rows` scrolls to the cursor."""
        return super().focus(scroll_visible)

    def on_resize(self) -> None:
        self.redraw()
        self._place_input()

    def on_focus(self) -> None:
        self.show_rows()

    def on_blur(self) -> None:
        self.show_rows()

    @property
    def _typed_row(self) -> int:
        """The row of the gap, else of the cursor."""
        return next((i for i, row in enumerate(self.rows) if row.kind is RowKind.GAP), self.cursor)

    def _place_input(self) -> None:
        """Put the input where the title of its row is drawn now."""
        if self.typed is None or not self.rows:
            return
        row = self._typed_row
        is_heading = self.gap.is_group if self.gap else self.rows[row].is_heading
        indent = _HEADING_INDENT if is_heading else _INDENT
        self.typed.styles.offset = (indent, row)
        self.typed.styles.width = max(1, self.size.width - indent - 1)

    def _update_cursor(self) -> None:
        """Find the row of the cursor; if that is gone, take the nearest one."""
        if self.lift is not None:
            ghosts = (i for i, row in enumerate(self.rows) if row.kind is RowKind.GHOST)
            self.cursor = next(ghosts, 0)
            self._key = RowKey(self.lift.stage_id, self.lift.tasks[0].id)
            return
        found = index_of(self.rows, self._key)
        self.cursor = nearest(self.rows, self.cursor) if found is None else found
        if found is None and self._key is not None and self._key.group_id and self.row is not None:
            self._key = self.row.key

    def lines_now(self, size: Size) -> list[Line]:
        if self.rows:
            return self.row_lines()
        lines = wrap([Span(self.words)], size.width - 1)
        words = (" " + "".join(text for text, _ in line) for line in lines)
        return [((fit(line, size.width), "meta"),) for line in words]

    def face_of(self, row: int) -> SubtaskFace:
        shown = self.rows[row]
        state = SubtaskState(
            is_current=self.is_current(row),
            is_marked=shown.subtask is not None and shown.subtask.id in self.marks,
            is_pending=self._is_pending(shown),
        )
        now = self._now().replace(second=0, microsecond=0)
        return SubtaskFace(shown, self.drawn_size.width, now, state, self._initials)

    def _move_to(self, key: RowKey | None) -> None:
        self._key = key
        self.show_rows()
        self.post_message(self.CursorMoved())

    def _is_pending(self, row: SubtaskRow) -> bool:
        """Whether the subtask or group of a row has a pending change."""
        if self.detail is None:
            return False
        if row.subtask is not None:
            return row.subtask.id in self.detail.pending_of("task")
        return row.group is not None and row.group.id in self.detail.pending_of("subtask_group")

    @property
    def words(self) -> str:
        """The text of an empty list: why it is empty, or which key adds a subtask."""
        if self.detail is None or (
            self.detail.groups is None and Part.SUBTASKS not in self.detail.why
        ):
            return "loading subtasks …"
        if self.detail.groups is None:
            return self.detail.why[Part.SUBTASKS]
        return keyed(
            "no subtasks yet · {subtask.new:n} makes one · {subtask.paste:P} pastes a list"
        )


def _are_different(before: TaskDetail | None, after: TaskDetail | None) -> bool:
    """Whether these are different tasks; a local id replaced by the service's is the same task."""
    if before is None or after is None or before.task.id == after.task.id:
        return False
    return not before.task.id < 0 < after.task.id
