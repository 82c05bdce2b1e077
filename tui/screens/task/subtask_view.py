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
from tui.screens.board_lines import due, people, priority
from tui.text.cells import fit, width as cell_width
from tui.text.keyed import keyed
from tui.text.spans import Span as TextSpan, wrap
from tui.widgets import glyphs
from tui.widgets.line_input import LineInput
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line, Span, fitted, line_width

NOTHING = "there is no subtask here"
_INDENT, _HEADING_INDENT = 6, 2
"""Where the titles of subtasks and of groups begin."""

BAR_WIDTH = 10
NAMED = 2
"""How many people a subtask shows at most; the others are counted."""


class SubtaskState(NamedTuple):
    """The state of a row."""

    is_current: bool = False
    is_marked: bool = False
    is_pending: bool = False


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
        if self.detail is not None and detail is not None:
            before, after = self.detail.task.id, detail.task.id
            # A local id that the service has replaced is that of the same task.
            if before != after and not before < 0 < after:
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
            self.post_message(self.LiftChanged(self.lift, lost=self.lift is None))

    def forget(self) -> None:
        self.begin()
        self._key, self.lift, self.gap = None, None, None
        self.detail, self.lanes, self.marks = None, lanes(None), frozenset()

    @property
    def room(self) -> int:
        return len(self.rows)

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
    def spot(self) -> Spot:
        """Where a new subtask goes: below the cursor; with the cursor on a heading, first in it."""
        if self.row is None or self.row.group is None:
            return Spot()
        return Spot(self.row.group.id, None if self.current is None else self.current.id)

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
        self.lift = lifted
        self.show_rows()
        self.post_message(self.LiftChanged(lifted))

    def go_to(self, row: int) -> None:
        """Move the cursor to a row, or the nearest one that can have it."""
        self._move_to(self.rows[nearest(self.rows, row)].key if self.rows else self._key)

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
        # The rows are all drawn: what scrolls is the container.
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
        # `show_rows` scrolls to the cursor, not to the whole list.
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
        return next((i for i, row in enumerate(self.rows) if row.kind is RowKind.GAP), self.cursor)

    def _place_input(self) -> None:
        if self.typed is None or not self.rows:
            return
        row = self._typed_row
        is_heading = self.gap.is_group if self.gap else self.rows[row].is_heading
        indent = _HEADING_INDENT if is_heading else _INDENT
        self.typed.styles.offset = (indent, row)
        self.typed.styles.width = max(1, self.size.width - indent - 1)

    def _update_cursor(self) -> None:
        if self.lift is not None:
            ghosts = (i for i, row in enumerate(self.rows) if row.kind is RowKind.GHOST)
            self.cursor = next(ghosts, 0)
            self._key = RowKey(self.lift.stage_id, self.lift.tasks[0].id)
            return
        row = index_of(self.rows, self._key)
        self.cursor = nearest(self.rows, self.cursor) if row is None else row
        if row is None and self._key is not None and self._key.group_id and self.row is not None:
            self._key = self.row.key

    def lines_now(self, size: Size) -> list[Line]:
        if self.rows:
            return self.row_lines()
        lines = wrap([TextSpan(self.words)], size.width - 1)
        words = (" " + "".join(text for text, _ in line) for line in lines)
        return [((fit(line, size.width), "quiet"),) for line in words]

    def face_of(self, row: int) -> SubtaskFace:
        subtask_row = self.rows[row]
        state = SubtaskState(
            is_current=self.is_current(row),
            is_marked=subtask_row.subtask is not None and subtask_row.subtask.id in self.marks,
            is_pending=self._is_pending(subtask_row),
        )
        now = self._now().replace(second=0, microsecond=0)
        return SubtaskFace(subtask_row, self.drawn_size.width, now, state, self._initials)

    def _move_to(self, key: RowKey | None) -> None:
        self._key = key
        self.show_rows()
        self.post_message(self.CursorMoved())

    def _is_pending(self, row: SubtaskRow) -> bool:
        if self.detail is None:
            return False
        if row.subtask is not None:
            return row.subtask.id in self.detail.pending_of("task")
        return row.group is not None and row.group.id in self.detail.pending_of("subtask_group")

    @property
    def words(self) -> str:
        """The text of an empty list: why it is empty, or which key adds a subtask."""
        if self.detail is None or self.detail.groups is None:
            why = self.detail.why if self.detail is not None else {}
            return why.get(Part.SUBTASKS, "loading subtasks …")
        return keyed(
            "no subtasks yet · {subtask.new:n} makes one · {subtask.paste:P} pastes a list"
        )


def subtask_line(
    row: SubtaskRow,
    width: int,
    now: datetime,
    state: SubtaskState,
    initials: Initials = NO_INITIALS,
) -> Line:
    """The line of a row, exactly `width` cells wide."""
    if row.kind is RowKind.GAP:
        return ((" " * width, "cursor"),)
    if row.kind is RowKind.GHOST and row.subtask is not None:
        title = fit(_title(row.subtask), width - 2)
        return ((f"{glyphs.BAR}{title}{glyphs.BAR_AT_END}", "hand"),)
    if row.kind is RowKind.OUTLINE and row.subtask is not None:
        side = glyphs.OUTLINE.down
        return ((f"{side}{fit(_title(row.subtask), width - 2)}{side}", "quiet"),)
    first = glyphs.MARK if state.is_marked else glyphs.BAR if state.is_current else " "
    role = "cursor" if state.is_current else "mark" if state.is_marked else ""
    if row.subtask is None:
        line = _heading(row.group or SubtaskGroup(0, ""), width - 1, state)
    else:
        line = _subtask(row.subtask, width - 1, now, state, initials)
    if role:
        return ((first + "".join(text for text, _ in line), role),)
    return (first, "text"), *line


def _heading(group: SubtaskGroup, width: int, state: SubtaskState) -> Line:
    done, total = group.done, len(group.subtasks)
    full = done * BAR_WIDTH // total if total else 0
    signs: list[Span] = [(f" {done}/{total}" if total else " empty", "quiet")]
    if total and width >= 4 * BAR_WIDTH:
        signs.append((f" {glyphs.FULL * full}", "good"))
        signs.append((glyphs.EMPTY * (BAR_WIDTH - full), "line"))
    if state.is_pending:
        signs.append((f" {glyphs.ON_THE_WAY}", "warn"))
    room = max(0, width - line_width(signs) - 1)
    title = group.title or "(no title)"
    title = fit(title, min(room, cell_width(title)))
    return fitted([(" ", "text"), (title, "strong"), *signs], width, "text")


def _subtask(
    subtask: Task, width: int, now: datetime, state: SubtaskState, initials: Initials
) -> Line:
    pending: list[Span] = [(glyphs.ON_THE_WAY, "warn")] if state.is_pending else []
    details = (*priority(subtask), *due(subtask, now), *people(subtask, initials, NAMED))
    behind = [*pending, *details]
    while behind and sum(cell_width(text) + 1 for text, _ in behind) > width // 2:
        behind.pop()
    taken = sum(cell_width(text) + 1 for text, _ in behind)
    title = fit(_title(subtask), max(0, width - taken))
    sign_end = title.find(" ", len(title) - len(title.lstrip()))
    facts = ((f" {text}", role) for text, role in behind)
    spans = (
        (title[:sign_end], "good" if subtask.is_closed else "quiet"),
        (title[sign_end:], "quiet" if subtask.is_closed else "text"),
    )
    return fitted([*spans, *facts], width, "text")


def _title(subtask: Task) -> str:
    sign = glyphs.DONE if subtask.is_closed else glyphs.OPEN
    return f"   {sign} {subtask.title or '(no title)'}"
