"""The columns of a board side by side, with cursor, marks, and lifted cards or a lifted column.

What the user requests is posted as messages; no task is changed here.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message

from tui.actions.tasks.cards import Cards
from tui.model.board import BoardView
from tui.model.moving import lift, stage_lift
from tui.model.moving.cursor import TITLE, Cursor
from tui.model.moving.grid import Grid, grid
from tui.model.moving.lanes import Grouping, Swimlane, lanes
from tui.model.moving.lift import Lift
from tui.model.moving.stage_lift import StageLift
from tui.model.stage_kinds import kinds_of
from tui.model.task import Task
from tui.screens.board.card import CardLook
from tui.screens.board.column import (
    COLLAPSED_WIDTH,
    LEAST_WIDTH,
    BoardColumn,
    ColumnFace,
    ColumnRow,
    LaneRows,
    column_rows,
    columns_in_view,
    shares,
)
from tui.text.cells import width as cell_width
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span, line_width

if TYPE_CHECKING:
    from tui.screens.board.typed_row import TypedRow

MARGIN = 1
"""The blank cells at the left of the columns; at the right it is the gap of the last column."""
Hidden = tuple[int, int, int]
"""Where a column begins, and how many of its cards are above and below the screen."""


class BoardColumns(Horizontal):
    """The columns of a board and their state; as many columns as fit are shown."""

    @dataclass(eq=False, repr=False)
    class LiftChanged(Message, bubble=False):
        """Something was lifted, moved or dropped; `lost` is what a remote change removed."""

        lost: str = ""

    class CursorMoved(Message, bubble=False):
        """The cursor is on another card, or on none."""

    def __init__(self, whole: BoardView, shown: BoardView, look: CardLook, cards: Cards) -> None:
        super().__init__()
        self.whole = whole
        self.kinds = kinds_of(whole.stages)
        self.shown = shown
        self.look = look
        self.cards = cards
        self.columns: list[BoardColumn] = []
        preferences, board_id = cards.context.preferences, cards.board_id
        self.collapsed = preferences.numbers(board_id, "collapsed")
        self.grouping: Grouping | None = None
        self.folded_lanes: frozenset[int] = frozenset()
        if (grouping := preferences.text(board_id, "lanes")) in list(Grouping):
            self.grouping = Grouping(grouping)
            self.folded_lanes = preferences.numbers(board_id, "folded-lanes")
        self._folds_kept = self._folds
        self.grid = self._grid()
        self.cursor = Cursor().on(self.grid.cells)
        self.lift: Lift | None = None
        self.stage_lift: StageLift | None = None
        self.marks: frozenset[int] = frozenset()
        self.news: Collection[int] = frozenset()
        self.is_zoomed = False
        self.has_gap = False
        self.typed: TypedRow | None = None
        """The row of the gap, or of the card at the cursor, while a title is typed in it."""
        self.aside = 0
        """How many cells at the right are not for columns."""
        self.follow: int | None = None
        """The task that the cursor is put on at each change of the board."""
        self.follow_lane: int | None = None
        """The lane in which the cursor is put on that task; None for the lane of the cursor."""
        self._awaited: int | None = None
        self._is_at_start = True
        """The cursor stays on the first card while others arrive, until the first key or click."""
        self._at_rest = shown  # as if no column was lifted
        self._in_view = range(len(shown.stages))
        self._edge: tuple[object, tuple[Line, Line]] | None = None
        self._rows: Mapping[int, Sequence[ColumnRow]] = {}

    def compose(self) -> ComposeResult:
        self.cursor = self._on_card(self.cursor)
        self._is_at_start &= not self.whole.complete
        self._lay_out()
        self.columns = [BoardColumn(self._face(index)) for index in range(len(self.shown.stages))]
        yield from self.columns

    def on_mount(self) -> None:
        self.redraw()

    def on_resize(self) -> None:
        self.redraw()
        self.call_after_refresh(self.scroll_together)

    @property
    def current(self) -> Task | None:
        """The task under the cursor; None on a title, and where a column or lane is folded."""
        column, lane = self.grid.place_of(self.cursor.stage)
        if not self.shown.stages or self.is_folded(column) or self.grid.is_folded(lane):
            return None
        return self.cursor.task(self.grid.cells)

    @property
    def chosen(self) -> tuple[Task, ...]:
        """The selection: the marked tasks in board order, else the one at the cursor."""
        if self.marks:
            return self.whole.among(self.marks)
        return (self.current,) if self.current else ()

    @property
    def stage_id(self) -> int | None:
        """The stage at the cursor; None on a board without stages."""
        column, _ = self.grid.place_of(self.cursor.stage)
        return self.shown.stages[column].id if self.shown.stages else None

    @property
    def lane(self) -> Swimlane | None:
        """The lane at the cursor; None on a board without lanes."""
        return self.grid.lane_at(self.cursor)

    @property
    def lane_id(self) -> int | None:
        """The id of the lane at the cursor; None on a board without lanes."""
        return self.lane.id if self.lane is not None else None

    def cursor_on(self, task_id: int | None) -> Cursor | None:
        """The cursor on a card, in its present lane if possible; None if that is not shown."""
        return self.grid.find(task_id, self.lane_id)

    def show(
        self,
        whole: BoardView,
        shown: BoardView,
        look: CardLook,
        renamed: Mapping[int, int] = MappingProxyType({}),
    ) -> None:
        """Draw a changed board; the cursor stays on its card, or moves to the one it follows.

        `renamed` maps local ids to those of the service.
        """
        previous_grid, had_card = self.grid, self.current is not None
        lane_id = self.lane_id if self.follow_lane is None else self.follow_lane
        if self.stage_lift is not None:
            # Before `_at_rest` changes: the lift stays beside the stage that was at its left.
            self.stage_lift = stage_lift.settle(self.stage_lift, self._at_rest, shown, renamed)
            self.screen.post_message(self.LiftChanged("" if self.stage_lift else "stage"))
        self.whole, self._at_rest = whole, shown
        self.kinds = kinds_of(whole.stages)
        if look != self.look:  # each card is compared faster with the same one
            self.look = look
        self.shown = stage_lift.arranged(self.stage_lift, shown)
        self.collapsed = _renamed(self.collapsed, renamed)
        self.folded_lanes = _renamed(self.folded_lanes, renamed)
        self.grid = self._grid()
        self.marks = _renamed(self.marks, renamed)
        # Marked cards may be among those that a loading board lacks.
        if self.marks and whole.complete:
            self.marks = frozenset(task.id for task in whole.among(self.marks))
        # The service may assign the id of a new card while it is followed.
        self.follow = renamed.get(self.follow or 0, self.follow)
        lane_id = renamed.get(lane_id or 0, lane_id)
        target = self.grid.find(self.follow, lane_id)
        if target is None and (target := self.grid.find(self._awaited, lane_id)) is not None:
            self._awaited = None
        self.cursor = target or self._cursor_from(previous_grid, renamed, had_card=had_card)
        self._is_at_start &= target is None and not whole.complete
        if self.lift is not None:
            self.lift = self.grid.kept_lift(self.lift, previous_grid, renamed)
            self.screen.post_message(self.LiftChanged("" if self.lift else "card"))
        self.redraw()

    def _cursor_from(self, previous: Grid, renamed: Mapping[int, int], *, had_card: bool) -> Cursor:
        # A cursor that was on a card stays on a card that is drawn.
        if self._is_at_start:
            return self._on_card(Cursor())
        cursor = self.grid.kept(self.cursor, previous, renamed)
        return self._on_card(cursor) if had_card else cursor

    def _on_card(self, cursor: Cursor) -> Cursor:
        folded = [index for index in range(len(self.shown.stages)) if self.is_folded(index)]
        nearest = self.grid.nearest_card(cursor, folded)
        return cursor.on(self.grid.cells) if nearest is None else nearest

    def to_nearest_card(self) -> None:
        """Move the cursor to the nearest card that is drawn, unless it is on one."""
        if self.current is None:
            self.move_cursor(self._on_card(self.cursor))

    def redraw(self) -> None:
        stages, columns = self.shown.stages, self.columns[: len(self.shown.stages)]
        for surplus in self.columns[len(stages) :]:
            surplus.remove()
        added = [BoardColumn(self._face(index)) for index in range(len(columns), len(stages))]
        self.columns = columns + added
        if added:
            # They have no size before they are mounted; the next redraw places them.
            self.mount_all(added)
            self.call_after_refresh(self.redraw)
        # Widgets are reused by index, but a scroll offset belongs to its stage.
        seen = [column for index, column in enumerate(columns) if index in self._in_view]
        tops = {column.face.stage.id: column.top for column in seen}
        folded = [self.is_folded(index) for index in range(len(stages))]
        # Before the first layout there is as much room as in the terminal.
        room = (self.size.width or self.app.size.width - MARGIN) - self.aside
        if self.is_zoomed or not stages:
            self._in_view = range(len(stages))[self.over : self.over + 1]
        else:
            least = [COLLAPSED_WIDTH if is_folded else LEAST_WIDTH for is_folded in folded]
            self._in_view = columns_in_view(least, room, self._in_view.start, self.over)
        self._lay_out()
        widths = shares(room, self._in_view, folded)
        for index, column in enumerate(columns):
            column.set_class(index not in self._in_view, "-aside")
            if index in self._in_view:
                column.take_width(widths[index])
                column.top = tops.get(stages[index].id, column.top)
                column.show(self._face(index), self._cursor_in(index))
        self.scroll_together()

    def _lay_out(self) -> None:
        folded = [index for index in self._in_view if self.is_folded(index)]
        self._rows = column_rows(self.grid, self.lift, self.gap, self._in_view, folded)

    def scroll_together(self, lead: int | None = None) -> None:
        """Under swimlanes, scroll all columns as far as one of them, else that of the cursor."""
        columns, lead = self.columns, self.over if lead is None else lead
        if not self.grid.lanes or lead >= len(columns):
            return
        for column in columns:
            if column.display and column.top != columns[lead].top:
                column.top = columns[lead].top
                column.settle()

    def group(self, grouping: Grouping | None) -> None:
        """Group the cards in lanes; without a grouping end that."""
        previous_grid, had_card = self.grid, self.current is not None
        self.grouping, self.folded_lanes = grouping, frozenset()
        self.grid = self._grid()
        self.cursor = self._cursor_from(previous_grid, {}, had_card=had_card)

    def _grid(self) -> Grid:
        by = lanes(self.whole, self.grouping, self.look.now) if self.grouping else None
        return grid(self.shown, by, self.folded_lanes)

    def drawn_at(self, cursor: Cursor) -> tuple[int, int]:
        """The index of the column of a cursor, and the row there."""
        column, lane = self.grid.place_of(cursor.stage)
        rows = self._rows.get(column)
        if isinstance(rows, LaneRows) and cursor.row != TITLE:
            return column, rows.index_of(lane, cursor.row)
        return column, cursor.row

    def drawn_in(self, column: int, row: int) -> tuple[Cursor, bool]:
        """The card in a row of a column, and whether the row is the heading of its lane.

        A heading is given by the first card of its lane; a row below the last one is the last.
        """
        rows = self._rows[column]
        if not isinstance(rows, LaneRows):
            return Cursor(column, row), False
        lane, in_lane = rows.at(min(row, len(rows) - 1))
        return Cursor(column * self.grid.depth + lane, in_lane or 0), in_lane is None

    def bring_into_sight(self, cursor: Cursor) -> tuple[BoardColumn, int]:
        """Scroll to a row; return its column, and the row there."""
        index, row = self.drawn_at(cursor)
        self.columns[index].bring_into_sight(row)
        self.scroll_together(index)
        return self.columns[index], row

    @property
    def is_lifting(self) -> bool:
        return self.lift is not None or self.stage_lift is not None

    def put_back(self) -> bool:
        """Cancel the lift, else clear the marks; whether there was either."""
        if self.is_lifting:
            self.carry(None)
        elif self.marks:
            self.marks = frozenset()
            self.changed()
        else:
            return False
        return True

    def clear_marks(self) -> None:
        if self.marks and not self.is_lifting:
            self.put_back()

    def carry_to_stage(self, index: int) -> None:
        """Move the lifted column or cards, else the cursor, to a stage."""
        if self.stage_lift is not None:
            self.carry(stage_lift.to_index(self.stage_lift, self.shown, index))
        elif self.lift is not None:
            self.carry(self.grid.lift_at(self.lift, index))
        else:
            self.move_cursor(self.grid.at(self.cursor, index))

    @property
    def gap(self) -> Cursor | None:
        """Where the empty card for a new title is, which is below the cursor; None without one."""
        if not self.has_gap or not self.grid.cells.stages:
            return None
        cell = self.grid.cells.stages[self.cursor.stage]
        last = len(self.grid.cells.in_stage(cell.id))
        return replace(self.cursor, row=min(self.cursor.row + 1, last))

    def open_gap(self) -> Cursor | None:
        """Insert an empty card below the cursor; None on a board without stages."""
        self.has_gap = bool(self.grid.cells.stages)
        if self.gap is not None:
            self.collapsed -= {self.stage_id or 0}
            if self.lane is not None:
                self.fold_lanes(self.folded_lanes - {self.lane.id})
            self.redraw()
        return self.gap

    @property
    def over(self) -> int:
        """The index of the stage of the lifted cards, else of the cursor."""
        if self.lift is not None:
            return self.grid.over(self.lift)[0]
        return self.grid.place_of(self.cursor.stage)[0]

    def is_folded(self, index: int) -> bool:
        """Whether a column is drawn folded; not if it holds the lifted cards or is zoomed."""
        if self.is_zoomed or self.shown.stages[index].id not in self.collapsed:
            return False
        return self.lift is None or self.over != index

    @property
    def _folds(self) -> Mapping[str, frozenset[int]]:
        return {"collapsed": self.collapsed, "folded-lanes": self.folded_lanes}

    def keep_folds(self) -> None:
        """Save which columns and lanes are folded, for the next visit to the board."""
        if (folds := self._folds) != self._folds_kept:
            self._folds_kept = folds
            self.cards.context.preferences.keep(self.cards.board_id, **folds)

    def fold_lanes(self, folded: frozenset[int]) -> None:
        self.folded_lanes = folded
        self.grid = replace(self.grid, folded=folded)

    def move_cursor(self, cursor: Cursor) -> None:
        """Move the cursor; within a column only that one is redrawn."""
        self._awaited, self._is_at_start = None, False
        previous_column, self.cursor = self.over, cursor
        if previous_column != self.over:
            self.redraw()
        elif self.over < len(self.columns):
            self.columns[self.over].move_cursor(self._cursor_in(self.over))
            self.scroll_together()
        self.screen.post_message(self.CursorMoved())

    def changed(self) -> None:
        """Redraw after a change of marks, folds or zoom, and post the card at the cursor."""
        self.redraw()
        self.screen.post_message(self.CursorMoved())

    def carry(self, lifted: Lift | StageLift | None) -> None:
        """Lift cards or a column, or move what is lifted; None cancels the lift."""
        self.lift = lifted if isinstance(lifted, Lift) else None
        column = lifted if isinstance(lifted, StageLift) else None
        if column != self.stage_lift:
            previous_grid, self.stage_lift = self.grid, column
            # From `_at_rest`, so that cancelling restores the order.
            self.shown = stage_lift.arranged(column, self._at_rest)
            self.grid = self._grid()
            self.cursor = self.grid.kept(self.cursor, previous_grid, {})
        self.redraw()
        self.screen.post_message(self.LiftChanged())

    def _face(self, index: int) -> ColumnFace:
        stage = self.shown.stages[index]
        is_filtered = self.shown.tasks is not self.whole.tasks
        total, seen = self.whole.count(stage.id), len(self.shown.in_stage(stage.id))
        count = str(total) if stage.limit is None else f"{total}/{stage.limit}"
        destination = ""
        if self.lift is not None:
            remaining = lift.others(self.lift, self.grid.cells, self.lift.stage_id)
            last = len(remaining) + len(self.lift.tasks)
            destination = f"{glyphs.ARROW} {stage.title} {self.lift.row + 1} of {last}"
        pending = self.whole.pending
        # Only those of this column, so that a change in another one leaves this face equal.
        if self.lift is None:  # else it may be over this column
            pending = frozenset(task.id for task in self.shown.in_stage(stage.id).among(pending))
        typed = self.typed
        has_input = typed is not None and typed.column == index
        return ColumnFace(
            stage,
            number=index + 1,
            count=f"{seen} of {total}" if is_filtered else count,
            rows=self._rows.get(index, ()),
            look=self.look,
            kind=self.kinds[stage.id],
            marks=self.marks,
            pending=pending,
            news=self.news,
            over_limit=not is_filtered and stage.limit is not None and total > stage.limit,
            is_folded=self.is_folded(index),
            is_lifted=self.stage_lift is not None and stage.id == self.stage_lift.stage_id,
            is_filtered=is_filtered,
            is_of_empty_board=self.whole.is_empty,
            destination=destination,
            typed=typed if has_input or self.grid.lanes else None,
            has_input=has_input,
        )

    def shows(self, task_id: int) -> bool:
        """Whether a card is in sight."""
        in_view = self.columns[self._in_view.start : self._in_view.stop]
        return any(column.shows(task_id) for column in in_view)

    def edge_line(self, width: int) -> tuple[Line, Line]:
        """The line below the columns: cards and columns that are out of sight."""
        count_before, count_after = self._in_view.start, len(self.shown.stages) - self._in_view.stop
        in_view = self.columns[count_before : self._in_view.stop]
        drawn = (
            count_before,
            count_after,
            width,
            [(column.face, column.top, column.drawn_size) for column in in_view],
        )
        if self._edge is not None and self._edge[0] == drawn:
            line = self._edge[1]
        else:
            left = self.region.x
            hidden = tuple((column.region.x - left, *column.hidden) for column in in_view)
            line = edge_of(hidden, count_before, count_after, width)
        self._edge = drawn, line  # also if equal: it is compared by identity then
        return line

    def _cursor_in(self, index: int) -> int | None:
        if index != self.over or self.gap is not None:
            return None
        if self.stage_lift is not None:
            return TITLE
        if self.lift is None:
            return self.drawn_at(self.cursor)[1]
        column, lane = self.grid.over(self.lift)
        row = lift.rows(self.lift, self.grid.cells, self.lift.stage_id).start
        return self.drawn_at(Cursor(column * self.grid.depth + lane, row))[1]


def _renamed(ids: frozenset[int], renamed: Mapping[int, int]) -> frozenset[int]:
    return frozenset(renamed.get(own_id, own_id) for own_id in ids)


def edge_of(
    columns: Sequence[Hidden], left_count: int, right_count: int, width: int
) -> tuple[Line, Line]:
    """The edge line of columns, with the numbers of columns before and after them."""
    line: list[Span] = [(f" {glyphs.LEFT} {left_count}" if left_count else "", "strong")]
    right = short = ""
    if right_count:
        right = f"{right_count} more column{'' if right_count == 1 else 's'} {glyphs.RIGHT} "
        short = f"{right_count} {glyphs.RIGHT} "
    for left, above, below in columns:
        words = [
            f"{glyphs.UP} {above}" if above else "",
            f"{glyphs.DOWN} {below} more" * bool(below),
        ]
        start = left + 1
        if left_count and len(line) == 1:
            start = max(start, line_width(line) + 3)
        text = " " * (start - line_width(line)) + "  ".join(filter(None, words))
        if line_width(line) < start and line_width(line) + cell_width(text + short) < width:
            line.append((text, "quiet"))
    if line_width(line) + cell_width(right) >= width:
        right = short
    return tuple(line), ((right, "strong"),)
