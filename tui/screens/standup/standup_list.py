"""The list of a standup: rows, and where there is room the cards of a speaker in columns."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Offset, Size

from tui.model.standup.report import Standup
from tui.screens.standup.cards import NOTHING, CardColumn, CardMark, Drawing, card_lines, drawn
from tui.screens.standup.part import StandupPart
from tui.widgets.keys import quiet_keys
from tui.widgets.painted import Line
from tui.widgets.row_list import Heading, RowList, RowSource

WIDE = 100
"""From this width on the cards of a speaker are in columns."""
_TALL = 31
"""From this height on, cards have blank lines around their details."""
_NO_LINES: Sequence[list[Line]] = ([], [], [])
"""What the parts of the three columns show where rows are drawn."""


class StandupList(RowList):
    """The rows of a standup. The cards of a speaker are in columns below `headings`."""

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "rows",
        ("group-before", "h,left", "group(-1)", "Previous group"),
        ("group-after", "l,right", "group(1)", "Next group"),
    )

    def __init__(self, source: RowSource[Any], report: Callable[[], Standup]) -> None:
        super().__init__(source)
        self._report = report
        self.headings: Sequence[Heading] = ()
        self.drawing: Drawing = NOTHING
        self._parts = [StandupPart() for _ in _NO_LINES]

    @property
    def _groups(self) -> list[range]:
        rows = self.rows
        begins = [
            at for at, row in enumerate(rows) if not at or row.headings != rows[at - 1].headings
        ]
        return [range(*both) for both in pairwise([*begins, len(rows)])]

    @property
    def columns(self) -> Sequence[CardColumn]:
        """The columns of the speaker; none where rows are drawn."""
        if not self.rows or not self.headings or self.drawn_size.width < WIDE:
            return ()
        groups = {self.rows[group.start].headings: group for group in self._groups}
        return [CardColumn(heading, groups.get((heading,), range(0))) for heading in self.headings]

    @property
    def _column(self) -> range:
        return next(group for group in self._groups if self.cursor in group)

    def compose(self) -> ComposeResult:
        yield from self._parts

    def lines_now(self, size: Size) -> list[Line]:
        return [] if self.columns else super().lines_now(size)

    def redraw(self) -> None:
        # `columns` depends on the size, which the base class sets only while it draws.
        self.drawn_size = self.size
        previous, columns = self.drawing, self.columns
        self.drawing = self._drawn(columns) if columns else NOTHING
        for part, lines in zip(self._parts, self.drawing.columns or _NO_LINES, strict=True):
            part.show(lines, self.drawing.width)
        super().redraw()
        # How many cards are out of sight is told by the line below the list.
        if self.drawing.beyond != previous.beyond:
            self.post_scrolled()

    def _drawn(self, columns: Sequence[CardColumn]) -> Drawing:
        report, is_tall = self._report(), self.size.height >= _TALL

        def card(at: int, width: int) -> list[Line]:
            row = self.rows[at]
            mark = CardMark(self.is_current(at), row.key in self.marks)
            return card_lines(row, row.card, report, width, mark, is_tall=is_tall)

        return drawn(columns, self.size, self.cursor, card)

    def keep_in_sight(self) -> None:
        if self.columns:
            self.redraw()
        else:
            super().keep_in_sight()

    def row_under(self, point: Offset) -> int | None:
        if not self.columns:
            return super().row_under(point)
        places = self.drawing.places.items()
        return next((row for row, place in places if place.contains(*point)), None)

    def scroll(self, by: int) -> None:
        if self.columns:
            self.action_move(1 if by > 0 else -1)
        else:
            super().scroll(by)

    def action_move(self, by: int) -> None:
        if self.columns:
            self._go_within_column(self.cursor + by)
        else:
            super().action_move(by)

    def action_end(self, end: int) -> None:
        if self.columns:
            self._go_within_column(self._column[end])
        else:
            super().action_end(end)

    def action_page(self, direction: int) -> None:
        if self.columns:
            shown = [row for row in self._column if row in self.drawing.places]
            self._go_within_column(shown[-1] + 1 if direction > 0 else shown[0] - 1)
        else:
            super().action_page(direction)

    def _go_within_column(self, row: int) -> None:
        column = self._column
        self.go_to(min(max(row, column.start), column.stop - 1))

    def action_group(self, by: int) -> None:
        groups = self._groups
        at = next((at for at, group in enumerate(groups) if self.cursor in group), 0) + by
        if 0 <= at < len(groups):
            # In columns the cursor keeps its distance from the top, as far as the next one has
            # cards.
            down = self.cursor - groups[at - by].start if self.columns else 0
            self.go_to(groups[at][min(down, len(groups[at]) - 1)])
