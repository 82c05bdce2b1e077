"""The rows of a column under swimlanes: a heading for each lane, its cards, and blanks.

Each lane has the same number of rows in all columns, so that they scroll together.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple, overload

from tui.model.colors import drawable
from tui.model.moving.lift import Row
from tui.text.cells import cut, fit, width as cell_width
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span, fitted


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
    """Everything the heading of a lane shows in a column."""

    heading: LaneHeading
    width: int
    is_current: bool
    sides: Span

    def lines(self) -> list[Line]:
        """A rule across the column with title and count; the bar of the cursor if it is there."""
        heading, (down, frame) = self.heading, self.sides
        edge, role = (glyphs.BAR, "cursor") if self.is_current else (" ", "heading")
        sign = (glyphs.FOLDED if heading.is_folded else glyphs.UNFOLDED) if heading.title else ""
        chip = glyphs.CHIP if heading.color else ""
        count = f" {heading.cards}" if heading.cards else ""
        begin = f"{edge}{sign} " if sign else edge
        room = self.width - cell_width(begin) - len(chip) - cell_width(count) - 1
        title = cut(heading.title, max(0, room))
        blank = " " if title else ""
        rule = glyphs.FRAME.across * (room - cell_width(title) - len(blank))
        line = (
            (begin, role),
            (chip, drawable(heading.color)),
            (title, role),
            (f"{blank}{rule}", frame),
            (f"{count} ", "count"),
        )
        return [((down, frame), *fitted(line, self.width, frame), (down, frame))]


class BlankFace(NamedTuple):
    """Everything a blank row shows; a note if the cursor is on it."""

    width: int
    height: int
    is_current: bool
    sides: Span

    def lines(self) -> list[Line]:
        """Blank lines between the sides of the column."""
        down, frame = self.sides
        blank: Line = ((f"{down}{' ' * self.width}{down}", frame),)
        if not self.is_current:
            return [blank] * self.height
        note = fit(f"{glyphs.BAR}no card here · n new", self.width)
        return [((down, frame), (note, "cursor"), (down, frame)), *[blank] * (self.height - 1)]
