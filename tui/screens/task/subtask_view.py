"""The subtasks of a task as drawn, with the cursor, the marks and the lifted ones.

It is as high as it has rows, for a pane that scrolls; the row of the cursor is brought into sight
in that pane, and only lines that changed are drawn again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Self, cast

from textual.geometry import Region, Size
from textual.message import Message
from textual.widget import Widget

from tui.model import lift
from tui.model.detail import Part, SubtaskGroup, TaskDetail
from tui.model.lift import Lift, RowKind
from tui.model.people import NO_INITIALS, Initials
from tui.model.subtasks import (
    RowKey,
    Spot,
    SubtaskRow,
    index_of,
    lanes,
    nearest,
    new_ids,
    renamed,
    rows,
)
from tui.model.task import Task
from tui.screens.task.subtask_lines import SubtaskState, subtask_line
from tui.text.cells import fit, split
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line


def wall_clock() -> datetime:
    """The time on the wall, without a zone, as due dates are."""
    return datetime.now().astimezone().replace(tzinfo=None)


class SubtaskView(LineList):
    """What is drawn of the subtasks of an opened task; `now` is wall-clock time without a zone."""

    @dataclass(eq=False, repr=False)
    class CursorMoved(Message):
        """The cursor is on another row; `row_y` is its line in the widget."""

        row_y: int

    @dataclass(eq=False, repr=False)
    class LiftChanged(Message):
        """Subtasks were picked up, carried or put back; `lost` when news took them away."""

        lift: Lift | None
        lost: bool = False

    def __init__(self, now: Callable[[], datetime] = wall_clock) -> None:
        super().__init__()
        self.detail: TaskDetail | None = None
        self.lanes = lanes(None)
        self.lift: Lift | None = None
        self.marks: frozenset[int] = frozenset()
        self.gap: Spot | None = None
        self.rows: tuple[SubtaskRow, ...] = ()
        self._key: RowKey | None = None
        self._index = 0
        self._now = now
        self._initials = NO_INITIALS

    def show(self, detail: TaskDetail | None, initials: Initials = NO_INITIALS) -> None:
        """Draw these subtasks from now on; the cursor, marks and lift stay with what they hold."""
        self._initials = initials
        if _is_another(self.detail, detail):
            self.forget()
        ids = new_ids(self.detail, detail)
        before, self.detail, self.lanes = self.lanes, detail, lanes(detail)
        present = {task.id for task in self.lanes.all_tasks()}
        self.marks = frozenset(ids.get(mark, mark) for mark in self.marks) & present
        self._key = None if self._key is None else self._key.renamed(ids)
        self.gap = None if self.gap is None else self.gap.renamed(ids)
        lifted, self.lift = self.lift, None
        if lifted is not None:
            self.lift = lift.kept_between(renamed(lifted, ids), before, self.lanes)
        self.show_rows()
        if lifted is not None:
            self.post_message(self.LiftChanged(self.lift, lost=self.lift is None))

    def forget(self) -> None:
        """Show nothing until another task is shown, with the cursor at its top."""
        self._index, self._key, self.lift, self.gap = 0, None, None, None
        self.detail, self.lanes, self.marks = None, lanes(None), frozenset()

    @property
    def row(self) -> SubtaskRow | None:
        """The row of the cursor; None where there are no rows."""
        return self.rows[self._index] if self._index < len(self.rows) else None

    @property
    def group(self) -> SubtaskGroup | None:
        """The group that the cursor is in."""
        return self.row.group if self.row is not None else None

    @property
    def current(self) -> Task | None:
        """The subtask at the cursor; None on the heading of a group."""
        found = self.row.subtask if self.row is not None else None
        return self.detail.find(found.id) if found is not None and self.detail is not None else None

    @property
    def chosen(self) -> tuple[Task, ...]:
        """What an action works on: the marked subtasks in order, else the one at the cursor."""
        if self.marks and self.detail is not None:
            return tuple(task for task in self.detail.subtasks() if task.id in self.marks)
        return (self.current,) if self.current is not None else ()

    @property
    def has_the_keys(self) -> bool:
        """Whether keys come here, or will once a dialog is answered."""
        return self.is_attached and self.screen.focused is self

    @property
    def row_y(self) -> int:
        """The line of the cursor in this widget."""
        return self._index

    def put_back(self) -> bool:
        """Put what is lifted back, or take the marks off; whether there was anything."""
        if self.lift is not None:
            self.carry(None)
            return True
        had_marks, self.marks = bool(self.marks), frozenset()
        self.show_rows()
        return had_marks

    def carry(self, lifted: Lift | None) -> None:
        """Have this lifted from now on; None puts back what was in it."""
        self.lift = lifted
        self.show_rows()
        self.post_message(self.LiftChanged(lifted))

    def go_to(self, index: int) -> None:
        """Put the cursor on the row of that number, or on the nearest."""
        index = nearest(self.rows, index)
        if self.rows:
            self._key = self.rows[index].key
        self.show_rows()
        self.post_message(self.CursorMoved(self._index))

    def go_to_subtask(self, subtask_id: int) -> None:
        """Put the cursor on a subtask, now or when it comes."""
        self._key = RowKey(0, subtask_id)
        self.show_rows()
        self.post_message(self.CursorMoved(self._index))

    def go_to_group(self, group_id: int) -> None:
        """Put the cursor on the heading of a group, now or when it comes."""
        self._key = RowKey(group_id)
        self.show_rows()
        self.post_message(self.CursorMoved(self._index))

    def show_rows(self) -> None:
        """Draw what is held now, with the row of the cursor in sight."""
        self.rows = rows(self.detail, self.lanes, self.lift, self.gap)
        self._find_cursor()
        self.redraw(layout=True)
        self.call_after_refresh(self.bring_into_sight)

    def bring_into_sight(self) -> None:
        """Scroll whatever this lies in so that the row of the cursor can be seen."""
        if not self.is_attached or not (self.has_the_keys or self.gap is not None):
            return
        y = next((i for i, row in enumerate(self.rows) if row.kind is RowKind.GAP), self._index)
        region, child = Region(0, y, 1, 1), cast("Widget", self)
        while isinstance(child.parent, Widget):
            outer = child.parent
            region = region.translate(child.virtual_region.offset)
            if outer.is_scrollable and outer.allow_vertical_scroll:
                outer.scroll_to_region(region, animate=False, force=True, immediate=True)
                return
            child = outer

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As high as there are lines."""
        del container, viewport
        return max(1, len(self._all_lines(width)))

    def focus(self, scroll_visible: bool = False) -> Self:
        """Take the focus; not the whole list is brought into sight but the row of the cursor."""
        return super().focus(scroll_visible)

    def on_focus(self) -> None:
        """Show where the cursor is."""
        self.show_rows()

    def on_blur(self) -> None:
        """Show no cursor where the keys go elsewhere."""
        self.show_rows()

    def _find_cursor(self) -> None:
        """Find the row that the cursor stands on; one that went leaves it near where it was."""
        if self.lift is not None:
            ghosts = (i for i, row in enumerate(self.rows) if row.kind is RowKind.GHOST)
            self._index = next(ghosts, 0)
            self._key = RowKey(self.lift.stage_id, self.lift.tasks[0].id)
            return
        found = index_of(self.rows, self._key)
        self._index = nearest(self.rows, self._index) if found is None else found
        if found is None and self._key is not None and self._key.group_id and self.row is not None:
            self._key = self.row.key

    def lines_now(self, size: Size) -> list[Line]:
        return self._all_lines(size.width)

    def _all_lines(self, width: int) -> list[Line]:
        words = self.words
        if words and not self.rows:
            return [((fit(line, width), "meta"),) for line in _wrapped(f" {words}", width)]
        now = self._now().replace(second=0, microsecond=0)
        shows_cursor = self.has_the_keys and self.gap is None
        lines = []
        for index, row in enumerate(self.rows):
            state = SubtaskState(
                is_current=shows_cursor and index == self._index,
                is_marked=row.subtask is not None and row.subtask.id in self.marks,
                is_pending=self._is_pending(row),
            )
            lines.append(subtask_line(row, width, now, state, self._initials))
        return lines

    def _is_pending(self, row: SubtaskRow) -> bool:
        """Whether what is drawn in a row has a change on its way."""
        if self.detail is None:
            return False
        if row.subtask is not None:
            return row.subtask.id in self.detail.pending_of("task")
        return row.group is not None and row.group.id in self.detail.pending_of("subtask_group")

    @property
    def words(self) -> str:
        """What is said where there are no rows: why there are none, or which key makes one."""
        if self.detail is None or (
            self.detail.groups is None and Part.SUBTASKS not in self.detail.why
        ):
            return "the subtasks are being loaded …"
        if self.detail.groups is None:
            return self.detail.why[Part.SUBTASKS]
        return "no subtasks yet · n makes one · P pastes a list"


def _is_another(before: TaskDetail | None, after: TaskDetail | None) -> bool:
    """Whether another task is shown; one that has got its id of the service is the same."""
    if before is None or after is None or before.task.id == after.task.id:
        return False
    return not before.task.id < 0 < after.task.id


def _wrapped(text: str, width: int) -> list[str]:
    """A text on as many lines as it needs."""
    lines, rest = [], text
    while rest and width > 1:
        head, after = split(rest, width)
        if after and " " in head.strip():
            cut = head.rstrip().rfind(" ")
            head, after = rest[:cut], rest[cut:]
        lines.append(head)
        rest = after and f" {after.lstrip()}"
    return lines
