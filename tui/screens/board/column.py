"""A column: a frame with a heading, and as many cards of a stage as there is room for.

Only visible lines that differ from what was drawn before are drawn. It draws its frame and its
scroll position itself and scrolls by whole cards, because borders, scrollbars and virtual sizes
cost a layout or kilobytes at every step.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from textual.geometry import Region, Size

from tui.model.lift import Row
from tui.model.task import Task
from tui.screens.board.card import CardLine, CardState, Look, card_lines, title_lines
from tui.text.cells import cut, fit, width as cell_width
from tui.widgets import glyphs
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line, Span

COLLAPSED_WIDTH = 3


@dataclass(frozen=True, slots=True)
class ColumnFace:
    """Everything a column shows, but the cursor."""

    number: int
    stage_id: int
    title: str
    count: str
    rows: Sequence[Row]
    look: Look
    marks: frozenset[int] = frozenset()
    pending: frozenset[int] = frozenset()
    news: Collection[int] = frozenset()
    over_limit: bool = False
    outside: tuple[int, int] = (0, 0)
    """How many columns are out of view beyond this one, to the left and to the right."""


class DrawnCard(NamedTuple):
    """The lines of a card, and what they were drawn from."""

    task: Task
    width: int
    look: Look
    state: CardState
    lines: list[Line]


class Column(LineList):
    """One stage of a board, drawn line by line."""

    def __init__(self, face: ColumnFace) -> None:
        super().__init__()
        self.face = face
        self.cursor: int | None = None
        self.top = 0
        self.is_collapsed = False
        self._cards: dict[int, DrawnCard] = {}
        self._share: int | None = None

    @property
    def window(self) -> int:
        """How many whole cards there is room for."""
        return max(1, (self.size.height - 2) // self.face.look.density)

    def show(self, face: ColumnFace, cursor: int | None, *, collapsed: bool = False) -> None:
        """Draw this from now on, with the cursor on a row; None where the cursor is elsewhere."""
        self.face = face
        self.is_collapsed = collapsed
        self.set_class(collapsed, "-collapsed")
        self.move_cursor(cursor)

    def move_cursor(self, cursor: int | None) -> None:
        """Put the cursor on another row, and bring it into sight by half a window at an edge."""
        self.cursor = cursor
        if cursor is not None and not self.top <= cursor < self.top + self.window:
            self.top = cursor - self.window // 2
        self._have_at_top(self.top)

    def take_width(self, cells: int | None) -> None:
        """Be so wide from now on; None shares the room that there is."""
        if cells != self._share:
            self._share = cells
            self.styles.width = cells

    def bring_into_view(self, row: int) -> None:
        """Scroll so that a row is in sight."""
        if not self.top <= row < self.top + self.window:
            self._have_at_top(row - self.window // 2)

    def scroll_cards(self, rows: int) -> None:
        """Scroll without moving the cursor, as a mouse wheel does."""
        self._have_at_top(self.top + rows)

    def row_at(self, y: int) -> int | None:
        """The row drawn at a line of this widget; None on the frame or below the last card."""
        if not 0 < y < self.size.height - 1:
            return None
        row = self.top + (y - 1) // self.face.look.density
        return row if row < len(self.face.rows) else None

    def slot_at(self, y: int) -> int:
        """The row a card dropped at a line of this widget would get."""
        density = self.face.look.density
        row = self.top + (max(0, y - 1) + density // 2) // density
        return min(row, len(self.face.rows))

    def region_of(self, row: int) -> Region:
        """Where the title of a row is drawn, inside this widget."""
        y = 1 + (row - self.top) * self.face.look.density
        width = max(1, self.size.width - 3)
        title = title_lines(self.face.rows[row].task, width, self.face.look.density)
        return Region(2, y, width, len(title))

    def on_resize(self) -> None:
        """Keep the cursor in sight when there is less room."""
        self.move_cursor(self.cursor)

    def _have_at_top(self, top: int) -> None:
        """Have this row at the top, as far as the list goes, and draw what that changes."""
        self.top = max(0, min(top, len(self.face.rows) - self.window))
        self.redraw()

    def lines_now(self, size: Size) -> list[Line]:
        width, height = size
        if width < COLLAPSED_WIDTH or height < 2:  # noqa: PLR2004 (heading and foot)
            return []
        if self.is_collapsed:
            return [self._collapsed_line(y) for y in range(height)]
        return [self._heading(width), *self._body(width, height - 2), self._foot(width)]

    def _body(self, width: int, height: int) -> list[Line]:
        """The lines between heading and foot."""
        down = glyphs.FRAME.down
        last = min(len(self.face.rows), self.top + height // self.face.look.density + 1)
        before, self._cards = self._cards, {}
        for row in range(self.top, last):
            self._cards[row] = self._card(row, width - 2, before.get(row))
        lines = [line for card in self._cards.values() for line in card.lines]
        if not self.face.rows:
            note = " no cards · n new" if self.cursor is not None else " no cards"
            lines.append(((down, "frame"), (fit(note, width - 2), "empty"), (down, "frame")))
        blank: Line = ((f"{down}{' ' * (width - 2)}{down}", "frame"),)
        return [*lines[:height], *[blank] * (height - len(lines))]

    def _card(self, row: int, width: int, before: DrawnCard | None) -> DrawnCard:
        """The card in a row; as it was drawn `before` where nothing of it differs."""
        drawn = self.face.rows[row]
        task, look = drawn.task, self.face.look
        state = CardState(
            kind=drawn.kind,
            is_current=row == self.cursor,
            is_marked=task.id in self.face.marks,
            is_pending=task.id in self.face.pending,
            is_news=task.id in self.face.news,
        )
        if before is not None and before.task is task and before[1:4] == (width, look, state):
            return before
        lines = [_framed(line) for line in card_lines(task, width, look, state)]
        return DrawnCard(task, width, look, state, lines)

    def _heading(self, width: int) -> Line:
        """The upper edge: number, title and count; a sign where the cursor is."""
        box = glyphs.FRAME
        here = glyphs.HERE if self.cursor is not None else " "
        count = f" {self.face.count} "
        room = width - cell_width(count) - 4
        title = cut(f"{self.face.number} {self.face.title}", max(0, room))
        line = box.across * (room - cell_width(title))
        return (
            (box.top_left, "frame"),
            (f"{here}{title}", "active" if self.cursor is not None else "heading"),
            (f" {line}", "frame"),
            (count, "limit" if self.face.over_limit else "count"),
            (box.top_right, "frame"),
        )

    def _foot(self, width: int) -> Line:
        """The lower edge; it says which cards are in view, and how many columns are not."""
        box = glyphs.FRAME
        before, after = self.face.outside
        left = f" {glyphs.LEFT} {before} " if before else ""
        right = f" {after} {glyphs.RIGHT} " if after else ""
        rows, last = len(self.face.rows), min(self.top + self.window, len(self.face.rows))
        note = f" {self.top + 1}–{last}/{rows} " if rows > self.window else ""
        room = width - 3 - cell_width(left) - cell_width(right)
        if room < cell_width(note):
            note = ""
        return (
            (box.bottom_left, "frame"),
            (left, "heading"),
            (box.across * (room - cell_width(note)), "frame"),
            (note, "count"),
            (box.across, "frame"),
            (right, "heading"),
            (box.bottom_right, "frame"),
        )

    def _collapsed_line(self, y: int) -> Line:
        """One line of a collapsed column: its number, then its title downwards."""
        box = glyphs.FRAME
        role = "active" if self.cursor is not None else "heading"
        if y == 0:
            return ((fit(f"{box.top_left}{self.face.number}{box.top_right}", 3), role),)
        if y == self.size.height - 1:
            return (self._collapsed_foot(),)
        letters = f" {self.face.title} {self.face.count}"
        letter = fit(letters[y - 1], 1) if y <= len(letters) else " "
        return (box.down, "frame"), (letter, role), (box.down, "frame")

    def _collapsed_foot(self) -> Span:
        """The lower edge of a collapsed column."""
        box = glyphs.FRAME
        before, after = self.face.outside
        if before:
            return f"{glyphs.LEFT}{before}{box.bottom_right}"[:COLLAPSED_WIDTH], "heading"
        if after:
            return f"{box.bottom_left}{after}{glyphs.RIGHT}"[-COLLAPSED_WIDTH:], "heading"
        return f"{box.bottom_left}{box.across}{box.bottom_right}", "frame"


def _framed(line: CardLine) -> Line:
    """A line of a card between the strokes of the column; the left one goes with the card's edge.

    Fewer changes of looks are fewer bytes: a step of the cursor draws six such edges.
    """
    down = glyphs.FRAME.down
    (edge, role), *rest = line
    return (f"{down}{edge}", role if edge.strip() else "frame"), *rest, (down, "frame")
