"""The list of subtasks as drawn, with cursor, marks and lifted subtasks.

Its height is its number of rows. It lies in a scrolling container, which is scrolled to the row at
the cursor; only lines that changed are redrawn.
"""

from datetime import datetime
from typing import NamedTuple, Self, cast

from textual.geometry import Region, Size
from textual.widget import Widget

from tui.actions.tasks.cards import Cards
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
from tui.screens.status_line import StatusLine
from tui.text.cells import cut, fit
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


class SubtaskFace(NamedTuple):
    """Everything a row shows."""

    row: SubtaskRow
    width: int
    now: datetime
    initials: Initials = NO_INITIALS
    is_current: bool = False
    is_marked: bool = False
    is_pending: bool = False

    def lines(self) -> list[Line]:
        row, width, subtask = self.row, self.width, self.row.subtask
        if row.kind is RowKind.GAP:
            return [((" " * width, "cursor"),)]
        if subtask is not None and row.kind is RowKind.GHOST:
            title = fit(_title(subtask), width - 2)
            return [((f"{glyphs.BAR}{title}{glyphs.BAR_AT_END}", "hand"),)]
        if subtask is not None and row.kind is RowKind.OUTLINE:
            side = glyphs.OUTLINE.down
            return [((f"{side}{fit(_title(subtask), width - 2)}{side}", "quiet"),)]
        first = glyphs.MARK if self.is_marked else glyphs.BAR if self.is_current else " "
        line = self._heading(width - 1) if subtask is None else self._subtask(subtask, width - 1)
        if self.is_current or self.is_marked:
            text = first + "".join(text for text, _ in line)
            return [((text, "cursor" if self.is_current else "mark"),)]
        return [((first, "text"), *line)]

    def _heading(self, width: int) -> Line:
        group = self.row.group or SubtaskGroup(0, "")
        done, total = group.done, len(group.subtasks)
        full = done * BAR_WIDTH // total if total else 0
        signs: list[Span] = [(f" {done}/{total}" if total else " empty", "quiet")]
        if total and width >= 4 * BAR_WIDTH:
            signs.append((f" {glyphs.FULL * full}", "good"))
            signs.append((glyphs.EMPTY * (BAR_WIDTH - full), "line"))
        if self.is_pending:
            signs.append((f" {glyphs.ON_THE_WAY}", "warn"))
        title = cut(group.title or "(no title)", max(0, width - line_width(signs) - 1))
        return fitted([(" ", "text"), (title, "strong"), *signs], width, "text")

    def _subtask(self, subtask: Task, width: int) -> Line:
        pending: list[Span] = [(glyphs.ON_THE_WAY, "warn")] if self.is_pending else []
        facts = [
            (f" {text}", role)
            for text, role in (
                *pending,
                *priority(subtask),
                *due(subtask, self.now),
                *people(subtask, self.initials, NAMED),
            )
        ]
        while facts and line_width(facts) > width // 2:
            facts.pop()
        title = fit(_title(subtask), max(0, width - line_width(facts)))
        sign_end = title.find(" ", len(title) - len(title.lstrip()))
        sign = (title[:sign_end], "good" if subtask.is_closed else "quiet")
        rest = (title[sign_end:], "quiet" if subtask.is_closed else "text")
        return fitted([sign, rest, *facts], width, "text")


def _title(subtask: Task) -> str:
    sign = glyphs.DONE if subtask.is_closed else glyphs.OPEN
    return f"   {sign} {subtask.title or '(no title)'}"


class SubtaskView(LineList[SubtaskRow]):
    """Draws the subtasks of an opened task."""

    def __init__(self, tasks: Cards, status: StatusLine) -> None:
        super().__init__()
        self._tasks = tasks
        self._status = status
        self.detail: TaskDetail | None = None
        self.lanes = lanes(None)
        self.lift: Lift | None = None
        self.marks: frozenset[int] = frozenset()
        self.gap: Spot | None = None
        self.typed: LineInput | None = None
        self._key: RowKey | None = None
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
            self._status.clear()
            if self.lift is None:
                self._tasks.say("the lifted subtask was removed: nothing was moved", error=True)

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

    def carry(self, lifted: Lift | None) -> None:
        self.lift = lifted
        self.show_rows()
        self._status.clear()

    def go_to(self, row: int) -> None:
        """Move the cursor to a row, or the nearest one that can have it."""
        self.go_to_key(self.rows[nearest(self.rows, row)].key if self.rows else self._key)

    def go_to_subtask(self, subtask_id: int) -> None:
        """Move the cursor to a subtask, now or as soon as it is listed."""
        self.go_to_key(RowKey(0, subtask_id))

    def go_to_key(self, key: RowKey | None) -> None:
        self._key = key
        self.show_rows()
        self._status.draw()

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

    on_blur = on_focus

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
        )


def why_empty(detail: TaskDetail | None) -> str:
    """Why there are no subtasks, or which key adds one."""
    if detail is None or detail.groups is None:
        why = detail.why if detail is not None else {}
        return why.get(Part.SUBTASKS, "loading subtasks …")
    return keyed("no subtasks yet · {subtask.new:n} makes one · {subtask.paste:P} pastes a list")
