"""The rows of the columns: cards, and under swimlanes a heading for each lane, and blanks.

Each lane has the same number of rows in all columns, so that they scroll together.
"""

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple, overload

from tui.model.colors import drawable
from tui.model.moving import lift
from tui.model.moving.cursor import Cursor
from tui.model.moving.grid import Grid
from tui.model.moving.lift import Lift, Row, RowKind, Rows
from tui.model.task import Task
from tui.text.cells import cut, fit, width as cell_width
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.painted import Line, fitted

NEW = "{task.new:n}"


class LaneHeading(NamedTuple):
    """The heading of a lane in one column; only the first column in view has the title."""

    title: str
    color: str
    cards: str
    is_folded: bool


ColumnRow = Row | LaneHeading | None
"""A row of a column; None is a blank one below the cards of a lane."""


class LaneRows(Sequence[ColumnRow]):
    """The rows of all lanes in a column; `heights` are the rows of each lane below its heading."""

    def __init__(
        self,
        headings: Sequence[LaneHeading],
        cells: Sequence[Sequence[Row]],
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
            return tuple(self[each] for each in range(*index.indices(len(self))))
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


class HeadingFace(NamedTuple):
    """Everything the heading of a lane shows in a column; its rule goes on in the next one."""

    heading: LaneHeading
    width: int
    is_current: bool

    def lines(self) -> list[Line]:
        heading = self.heading
        edge, role = (glyphs.BAR, "cursor") if self.is_current else (" ", "strong")
        sign = (glyphs.FOLDED if heading.is_folded else glyphs.UNFOLDED) if heading.title else ""
        chip = glyphs.CHIP if heading.color else ""
        count = f" {heading.cards} " if heading.cards else ""
        begin = f"{edge}{sign} " if sign else ""
        room = self.width - cell_width(begin) - len(chip) - cell_width(count)
        title = cut(heading.title, max(0, room - 1))
        rule = glyphs.FRAME.across * (room - cell_width(title))
        line = (
            (begin, role),
            (chip, drawable(heading.color)),
            (title, role),
            (count, "quiet"),
            (rule, "line"),
        )
        return [fitted(line, self.width, "line")]


class BlankFace(NamedTuple):
    """Everything a blank row shows; a note if the cursor is on it."""

    width: int
    height: int
    is_current: bool

    def lines(self) -> list[Line]:
        if not self.is_current:
            return [()] * self.height
        note = fit(f"{glyphs.BAR}no card here · {keyed(NEW)} makes one", self.width)
        return [((note, "cursor"),), *[()] * (self.height - 1)]


def column_rows(
    grid: Grid,
    lifted: Lift | None,
    gap: Cursor | None,
    view: Sequence[int],
    folded: Collection[int],
) -> Mapping[int, Sequence[ColumnRow]]:
    """The rows of the columns in `view` by their indexes; a lane is as high as its longest cell.

    A lane without cards in view is its heading alone.

    The cards of `folded` columns are not drawn. The lane that cards are lifted over is.
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


def _cell_rows(grid: Grid, cell: int, lifted: Lift | None, gap: Cursor | None) -> Rows:
    rows = lift.rows(lifted, grid.cells, grid.cells.stages[cell].id)
    if gap is None or gap.stage != cell:
        return rows
    blank = Row(Task(0, grid.cells.board.id, None, ""), RowKind.GAP)
    return Rows(rows.lane, start=gap.row, end=gap.row, inserted=(blank,))


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
