"""A column of the board: a heading, the visible cards of a stage, and its width.

It draws itself and scrolls by whole cards, because the borders, scrollbars and virtual sizes of
Textual cost a layout, or kilobytes of output, at each step. Its rows are cards, and under swimlanes
a heading for each lane, and blanks: each lane has the same number of rows in all columns, so that
they scroll together.
"""

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, overload

from textual.geometry import Region, Size

from tui.model.board import Stage, StageKind
from tui.model.colors import drawable
from tui.model.moving import lift
from tui.model.moving.cursor import TITLE, Cursor
from tui.model.moving.grid import Grid
from tui.model.moving.lift import Lift, RowKind, StageRow, StageRows
from tui.model.task import Task
from tui.record import record
from tui.screens.board.card import CardLook, CardState, card_height, card_lines, title_lines
from tui.text.cells import cut, fit, width as cell_width
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.line_list import Face, LineList, down
from tui.widgets.painted import Line, fitted

if TYPE_CHECKING:
    from tui.screens.board.typed_row import TypedRow

GAP = 1
"""The blank cells at the right of each column, which belong to its widget."""
COLLAPSED_WIDTH = 3 + GAP
LEAST_WIDTH = 22 + GAP
"""The least width of a column, unless it is shown alone."""
HEADING_LINES = 2
"""The title of a column and the rule below it."""
NEW = "{task.new:n}"
_SIGNS = {
    StageKind.BACKLOG: glyphs.OPEN,
    StageKind.ACTIVE: glyphs.NOW,
    StageKind.DONE: glyphs.DONE,
}


class LaneHeading(NamedTuple):
    """The heading of a lane in one column, whose rule goes on in the next one.

    Only the first column in view has the title.
    """

    title: str
    color: str
    cards: str
    is_folded: bool
    width: int = 0
    is_current: bool = False

    def lines(self) -> list[Line]:
        edge, role = (glyphs.BAR, "cursor") if self.is_current else (" ", "strong")
        sign = (glyphs.FOLDED if self.is_folded else glyphs.UNFOLDED) if self.title else ""
        chip = glyphs.CHIP if self.color else ""
        count = f" {self.cards} " if self.cards else ""
        begin = f"{edge}{sign} " if sign else ""
        room = self.width - cell_width(begin) - len(chip) - cell_width(count)
        title = cut(self.title, max(0, room - 1))
        line = (
            (begin, role),
            (chip, drawable(self.color)),
            (title, role),
            (count, "quiet"),
            (glyphs.FRAME.across * (room - cell_width(title)), "line"),
        )
        return [fitted(line, self.width, "line")]


ColumnRow = StageRow | LaneHeading | None
"""A row of a column; None is a blank one below the cards of a lane."""


class LaneRows(Sequence[ColumnRow]):
    """The rows of all lanes in a column; `heights` are the rows of each lane below its heading."""

    def __init__(
        self,
        headings: Sequence[LaneHeading],
        cells: Sequence[Sequence[StageRow]],
        heights: Sequence[int],
    ) -> None:
        self.headings = headings
        self._cells = cells
        self._heights = heights
        self._starts = list(accumulate((height + 1 for height in heights), initial=0))

    def __len__(self) -> int:
        return self._starts[-1]

    @overload
    def __getitem__(self, index: int) -> ColumnRow: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ColumnRow]: ...
    def __getitem__(self, index: int | slice) -> ColumnRow | Sequence[ColumnRow]:
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(len(self))))
        lane, row = self.at(index)
        if row is None:
            return self.headings[lane]
        cell = self._cells[lane]
        return cell[row] if row < len(cell) else None

    def at(self, index: int) -> tuple[int, int | None]:
        """The lane at an index, and the row in it; None for the heading."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        lane = bisect_right(self._starts, index) - 1
        return lane, index - self._starts[lane] - 1 if index > self._starts[lane] else None

    @property
    def end(self) -> int:
        """The index behind the last card, or heading with a title."""
        ends = (
            start + 1 + min(height, len(cell))
            for start, height, cell, heading in zip(
                self._starts, self._heights, self._cells, self.headings, strict=False
            )
            if cell or heading.title
        )
        return max(ends, default=0)

    def index_of(self, lane: int, row: int) -> int:
        """The index of a row of a lane; of its heading if the lane has no rows."""
        return self._starts[lane] + min(row + 1, self._heights[lane])


class BlankFace(NamedTuple):
    """Everything a blank row shows; a note if the cursor is on it."""

    width: int
    height: int
    is_current: bool

    def lines(self) -> list[Line]:
        if not self.is_current:
            return [()] * self.height
        note = fit(f"{glyphs.BAR}no cards · {keyed(NEW)} to add one", self.width)
        return [((note, "cursor"),), *[()] * (self.height - 1)]


@record
class ColumnFace:
    """Everything a column shows, except the cursor."""

    stage: Stage
    number: int
    count: str
    rows: Sequence[ColumnRow]
    look: CardLook
    kind: StageKind = StageKind.ACTIVE
    marks: frozenset[int] = frozenset()
    pending: frozenset[int] = frozenset()
    news: Collection[int] = frozenset()
    over_limit: bool = False
    is_folded: bool = False
    is_lifted: bool = False
    is_filtered: bool = False
    is_of_empty_board: bool = False
    destination: str = ""
    """Where the lifted cards would be dropped."""
    typed: "TypedRow | None" = None
    has_input: bool = False
    """Whether the input of the typed row is in this column."""


class CardFace(NamedTuple):
    """Everything a card in a column shows."""

    task: Task
    width: int
    look: CardLook
    state: CardState

    def lines(self) -> list[Line]:
        return card_lines(self.task, self.width, self.look, self.state)


class BoardColumn(LineList[ColumnRow]):
    """One stage of a board, drawn line by line."""

    by_rows = True
    wheel = 0  # the deck scrolls it, under swimlanes with the other columns

    def __init__(self, face: ColumnFace) -> None:
        super().__init__()
        self.above = HEADING_LINES
        self._take_face(face)
        self.shows_cursor = self._is_on_title = False
        self._place: int | None = None
        self._share: int | None = None

    @property
    def room(self) -> int:
        # Under swimlanes the heading of the top lane may take the first line, see `_body`.
        return max(1, super().room - isinstance(self.rows, LaneRows))

    @property
    def window(self) -> int:
        """How many whole cards fit."""
        return max(1, (self.room + self.blank_below) // card_height(self.face.look.density))

    def show(self, face: ColumnFace, cursor: int | None) -> None:
        """Draw these contents if they differ; `cursor` as in `move_cursor`."""
        # The size too: a resized column has not been drawn in its new one yet.
        is_same = (cursor, face, self.size) == (self._place, self.face, self.drawn_size)
        self._take_face(face)  # also an equal one: its tasks are compared by identity then
        if not is_same:
            self.move_cursor(cursor)

    def _take_face(self, face: ColumnFace) -> None:
        self.face, self.rows = face, face.rows
        self.blank_below = card_height(face.look.density) - face.look.density
        self.set_class(face.is_folded, "-collapsed")

    def move_cursor(self, cursor: int | None) -> None:
        """Move the cursor to a row or to the title; None if it is in another column."""
        self._place, self.shows_cursor = cursor, cursor is not None
        self._is_on_title = cursor == TITLE or (cursor is not None and not self.rows)
        self.go_to(cursor or 0)

    def is_current(self, row: int) -> bool:
        return row == self.cursor and self.shows_cursor and not self._is_on_title

    def take_width(self, cells: int | None) -> None:
        """Set the width; None divides the space evenly among the columns.

        Setting even the same style lays out and writes the whole board.
        """
        if cells != self._share:
            self._share = cells
            self.styles.width = cells

    def row_at(self, y: int) -> int | None:
        return super().row_at(y - (self._top_lane is not None))

    def slot_at(self, y: int) -> int:
        """The row that a card dropped at line `y` of this widget gets."""
        lines = max(0, y - self.above - (self._top_lane is not None))
        lines += self.face.look.density // 2
        return down(self.top, lines, len(self.rows), self.height).row

    def region_of(self, row: int) -> Region:
        """The region of this widget with the title of a row."""
        width, drawn = max(1, self.drawn_size.width - GAP - 2), self.rows[row]
        task = drawn.task if isinstance(drawn, StageRow) else None
        lines = title_lines(task, width, self.face.look.density) if task is not None else [""]
        y = self.above + (self._top_lane is not None) + (self.offset_of(row) or 0)
        return Region(1, y, width, len(lines))

    def height(self, row: int) -> int:
        has_headings = isinstance(self.rows, LaneRows)
        if has_headings and isinstance(self.rows[row], LaneHeading):
            return 1
        usual, typed = card_height(self.face.look.density), self.face.typed
        if typed is None or row != typed.row:
            return usual
        return typed.height(usual, self.blank_below)

    def lines_now(self, size: Size) -> list[Line]:
        width, height = size
        if width < COLLAPSED_WIDTH or height < HEADING_LINES:
            return []
        if self.face.is_folded:
            return [self._folded_line(y) for y in range(height)]
        rule: Line = (
            (glyphs.FRAME.across * (width - GAP), "hand" if self.face.is_lifted else "line"),
        )
        return [self._heading(width - GAP), rule, *self._body(width, height - HEADING_LINES)]

    def _body(self, width: int, height: int) -> list[Line]:
        lines = self.row_lines()
        if self._top_lane is not None:
            lines = [*self._top_lane._replace(width=width).lines(), *lines]
        if not self.rows:
            lines += self._note(width - GAP)
        return [*lines[:height], *[()] * (height - len(lines))]

    def _note(self, width: int) -> list[Line]:
        # What an empty column says: with the cursor in the room of a card.
        nothing = "no matches" if self.face.is_filtered else "no cards"
        if not self.shows_cursor:
            return [(), ((fit(f" {nothing}", width), "quiet"),)]
        writes = f"{keyed(NEW)} to add a card"
        if self.face.is_filtered:
            notes = [nothing]
        elif self.face.is_of_empty_board:
            notes = [nothing, writes, "or paste a list"]
        else:
            notes = [writes]
        notes += [""] * (self.face.look.density - len(notes))
        return [((fit(f"{glyphs.BAR}{note}", width), "cursor"),) for note in notes]

    def shows(self, task_id: int) -> bool:
        """Whether a card is in sight."""
        first, last = self.in_sight
        rows = () if self.face.is_folded else self.rows[first : last + 1]
        return any(isinstance(row, StageRow) and row.task.id == task_id for row in rows)

    @property
    def hidden(self) -> tuple[int, int]:
        """How many rows are out of sight, above and below."""
        if self.face.is_folded or not self.rows or not self.drawn_size.height:
            return 0, 0
        if isinstance(self.rows, LaneRows):
            bottom = down(self.top, self.room, len(self.rows), self.height)
            return self.top.row, max(0, self.rows.end - bottom.row)
        return self.top.row, max(0, len(self.rows) - self.top.row - self.window)

    @property
    def _top_lane(self) -> LaneHeading | None:
        if not isinstance(self.rows, LaneRows) or self.top.row >= len(self.rows):
            return None
        lane, row = self.rows.at(self.top.row)
        return None if row is None else self.rows.headings[lane]

    def face_of(self, row: int) -> Face:
        face, typed = self._usual_face(row), self.face.typed
        if typed is None or row != typed.row:
            return face
        from tui.screens.board.typed_row import TallFace, TypedFace

        height = self.height(row)
        if not self.face.has_input:
            return TallFace(face, height)
        return TypedFace(face, typed, self.drawn_size.width - GAP, height)

    def _usual_face(self, row: int) -> Face:
        drawn, face = self.rows[row], self.face
        width = self.drawn_size.width
        if isinstance(drawn, LaneHeading):
            return drawn._replace(width=width, is_current=self.is_current(row))
        if drawn is None:
            height = card_height(face.look.density)
            return BlankFace(width - GAP, height, self.is_current(row))
        task = drawn.task
        state = CardState(
            drawn.kind,
            is_current=self.is_current(row),
            is_marked=task.id in face.marks,
            is_pending=task.id in face.pending,
            is_news=task.id in face.news,
            destination=face.destination,
        )
        return CardFace(task, width - GAP, face.look, state)

    def _heading(self, width: int) -> Line:
        face = self.face
        is_on_title = self.shows_cursor and self._is_on_title and bool(self.rows)
        edge, role = " ", "strong"
        if face.is_lifted:
            edge, role = glyphs.BAR, "hand"
        elif is_on_title:
            edge, role = glyphs.BAR, "cursor"
        elif self.shows_cursor:
            edge, role = glyphs.HERE, "accent"
        chip = glyphs.CHIP if face.stage.color else ""
        sign = _SIGNS[face.kind]
        count = f"!{face.count}" if face.over_limit else face.count
        room = width - cell_width(count) - cell_width(f"{face.number}") - len(chip) - 6
        title = fit(face.stage.title, max(0, room))
        number = role if self.shows_cursor or face.is_lifted else "quiet"
        if face.is_lifted or is_on_title:  # one span for the whole line
            text = f"{edge}{face.number} {chip}{title} {sign} {count} "
            return ((fit(text, width), role),)
        return (
            (f"{edge}{face.number} ", number),
            (chip, drawable(face.stage.color)),
            (f"{title} ", role),
            (f"{sign} ", "quiet"),
            (count, "warn" if face.over_limit else "quiet"),
            (" ", "text"),
        )

    def _folded_line(self, y: int) -> Line:
        role = "hand" if self.face.is_lifted else "accent" if self.shows_cursor else "strong"
        if y == 1:
            return ((glyphs.FRAME.across * (COLLAPSED_WIDTH - GAP), "line"),)
        count = self.face.count.partition(" ")[0]
        letters = f" {self.face.stage.title} {count}"
        text = f"{self.face.number}" if y == 0 else letters[y - 2 : y - 1]
        role = role if y == 0 or y - 2 <= len(self.face.stage.title) else "quiet"
        return ((f" {fit(text, 1)} ", f"{role}/card"),)


def column_rows(
    grid: Grid,
    lifted: Lift | None,
    gap: Cursor | None,
    view: Sequence[int],
    folded: Collection[int],
) -> Mapping[int, Sequence[ColumnRow]]:
    """The rows of the columns in `view` by their indexes; a lane is as high as its longest cell.

    A lane without cards in view is its heading alone. The cards of `folded` columns are not drawn.
    A folded lane is drawn open while cards are lifted over it.
    """
    depth = grid.depth
    cells = {
        index: [
            _cell_rows(grid, cell, lifted, gap)
            for cell in range(index * depth, (index + 1) * depth)
        ]
        for index in view
    }
    if not grid.lanes:
        return {index: rows for index, (rows,) in cells.items()}
    drawn = [index for index in view if index not in folded]
    over = grid.over(lifted)[1] if lifted is not None else None
    closed = [grid.is_folded(lane) and lane != over for lane in range(depth)]
    heights = [
        0 if closed[lane] else max((len(cells[index][lane]) for index in drawn), default=0)
        for lane in range(depth)
    ]
    return {
        index: LaneRows(
            _headings(grid, index, closed, has_titles=index == (drawn or view)[0]),
            rows if index in drawn else [()] * depth,
            heights,
        )
        for index, rows in cells.items()
    }


def _cell_rows(grid: Grid, cell: int, lifted: Lift | None, gap: Cursor | None) -> StageRows:
    rows = lift.rows(lifted, grid.cells, grid.cells.stages[cell].id)
    if gap is None or gap.stage != cell:
        return rows
    blank = StageRow(Task(0, grid.cells.board.id, None, ""), RowKind.GAP)
    return StageRows(rows.lane, start=gap.row, end=gap.row, inserted=(blank,))


def _headings(
    grid: Grid, index: int, closed: Sequence[bool], *, has_titles: bool
) -> list[LaneHeading]:
    # The first column has the titles and the numbers of cards of the lanes. Elsewhere a folded lane
    # has its number of cards in this column.
    cells = [len(grid.cells.in_stage(cell.id)) for cell in grid.cells.stages]
    return [
        LaneHeading(lane.title, lane.color, str(sum(cells[place :: grid.depth])), closed[place])
        if has_titles
        else LaneHeading(
            "", "", str(cells[index * grid.depth + place] or "") * closed[place], False
        )
        for place, lane in enumerate(grid.lanes)
    ]


def columns_in_view(widths: Sequence[int], room: int, first: int, over: int) -> range:
    """The columns to show: as many as fit into `room`, from `first` on unless that hides `over`.

    `widths` are the least widths of all columns.
    """
    first, end = min(first, over), over + 1
    while first < over and sum(widths[first:end]) > room:
        first += 1
    while end < len(widths) and sum(widths[first : end + 1]) <= room:
        end += 1
    while first > 0 and sum(widths[first - 1 : end]) <= room:
        first -= 1
    return range(first, end)


def shares(room: int, view: range, folded: Sequence[bool]) -> Mapping[int, int | None]:
    """The widths of the columns in view; None divides the room evenly.

    If not all are in view, the widths are fixed, so that scrolling does not change them: a column
    whose width changes is drawn twice.
    """
    unfolded = [index for index, is_folded in enumerate(folded) if not is_folded]
    count = sum(index in view for index in unfolded)
    if count == len(unfolded):
        return dict.fromkeys(view)
    room -= COLLAPSED_WIDTH * (len(view) - count)
    widths: dict[int, int | None] = dict.fromkeys(view)
    for index in unfolded:
        if index in view:
            nth = unfolded.index(index) % count
            # Differences of rounded edges add up to the room exactly.
            widths[index] = room * (nth + 1) // count - room * nth // count
    return widths
