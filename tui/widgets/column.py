"""A stage as drawn: a frame with a heading, and as many of its cards as there is room for.

The rule it keeps: only visible lines are ever drawn, and only lines that changed are drawn again.
It draws its frame and its place in the list itself and scrolls by whole cards, because borders,
scrollbars and virtual sizes cost a layout or kilobytes at every step. It is told everything it
shows and never decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.geometry import Region
from textual.strip import Strip

from tui.model.lift import Row, RowKind
from tui.text.cells import cut, fit, width as cell_width
from tui.widgets import glyphs
from tui.widgets.card import CardLine, CardState, Density, Look, card_lines
from tui.widgets.painted import Painted

COLLAPSED_WIDTH = 3


ROLES = {
    role: f"{group}--{role}"
    for group, roles in (
        ("column", ("frame", "heading", "active", "limit", "empty")),
        ("card", ("title", "cursor", "marked", "closed", "meta", "people", "high", "late")),
        ("card", ("soon", "pending", "bar", "mark", "ghost", "outline", "gap")),
    )
    for role in roles
}
"""The component class of each role that a card or a column names."""


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
    over_limit: bool = False


class Column(Painted):
    """One stage of a board, drawn line by line."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(ROLES.values())
    GROUND = "card--title"

    def __init__(self, face: ColumnFace) -> None:
        super().__init__()
        self.face = face
        self.cursor: int | None = None
        self.top = 0
        self.is_collapsed = False

    @property
    def window(self) -> int:
        """How many whole cards there is room for."""
        return max(1, (self.size.height - 2) // self.face.look.density)

    def show(self, face: ColumnFace, cursor: int | None, *, collapsed: bool = False) -> None:
        """Draw this from now on, with the cursor on a row; None where the cursor is elsewhere."""
        if face == self.face and collapsed == self.is_collapsed:
            self.move_cursor(cursor)
            return
        self.face = face
        self.cursor = cursor
        self.is_collapsed = collapsed
        self.set_class(collapsed, "-collapsed")
        self._scroll_to_cursor()
        self.refresh()

    def move_cursor(self, cursor: int | None) -> None:
        """Put the cursor on another row, drawing only what that changes."""
        if cursor == self.cursor:
            return
        before, self.cursor = self.cursor, cursor
        if (before is None) != (cursor is None):
            self._refresh_line(0)
        if self._scroll_to_cursor():
            self.refresh()
            return
        for row in (before, cursor):
            if row is not None:
                self._refresh_cursor(row)

    def scroll_cards(self, rows: int) -> None:
        """Scroll without moving the cursor, as a mouse wheel does."""
        top = max(0, min(self.top + rows, len(self.face.rows) - self.window))
        if top != self.top:
            self.top = top
            self.refresh()

    def bring_into_view(self, row: int) -> None:
        """Scroll so that a row is in sight."""
        if not self.top <= row < self.top + self.window:
            self.top = max(0, min(row - self.window // 2, len(self.face.rows) - self.window))
            self.refresh()

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
        """Where the text of a row's first line is drawn, inside this widget."""
        y = 1 + (row - self.top) * self.face.look.density
        return Region(2, y, max(1, self.size.width - 4), 1)

    def on_resize(self) -> None:
        """Keep the cursor in sight when there is less room."""
        self._scroll_to_cursor()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        width = self.size.width
        if self.is_collapsed:
            return self._collapsed_line(y)
        if y == 0:
            return self._named(self._heading(width))
        if y == self.size.height - 1:
            return self._named(self._foot(width))
        return self._named(self._body(y - 1, width - 2))

    def _body(self, y: int, width: int) -> CardLine:
        """One line between heading and foot."""
        frame = glyphs.FRAME.down, "frame"
        offset, part = divmod(y, self.face.look.density)
        row = self.top + offset
        if row < len(self.face.rows):
            return (frame, *self._card(row, width)[part], frame)
        note = "no cards · n new" if not self.face.rows and y == 0 else ""
        return frame, (fit(f" {note}", width), "empty"), frame

    def _card(self, row: int, width: int) -> list[CardLine]:
        """The lines of the card in a row."""
        drawn = self.face.rows[row]
        state = CardState(
            kind=drawn.kind,
            is_current=row == self.cursor,
            is_marked=drawn.task.id in self.face.marks,
            is_pending=drawn.task.id in self.face.pending,
        )
        return card_lines(drawn.task, width, self.face.look, state)

    def _heading(self, width: int) -> CardLine:
        """The upper edge: number, title and count; a sign where the cursor is."""
        box = glyphs.FRAME
        here = glyphs.HERE if self.cursor is not None else " "
        count = f" {self.face.count} "
        room = width - cell_width(count) - 4
        title = cut(f"{self.face.number} {self.face.title}", max(0, room))
        line = box.across * (room - cell_width(title))
        return (
            (box.top_left, "frame"),
            (here, "active"),
            (title, "active" if self.cursor is not None else "heading"),
            (f" {line}", "frame"),
            (count, "limit" if self.face.over_limit else "frame"),
            (box.top_right, "frame"),
        )

    def _foot(self, width: int) -> CardLine:
        """The lower edge; it says which cards are in sight when not all are."""
        box = glyphs.FRAME
        rows, last = len(self.face.rows), min(self.top + self.window, len(self.face.rows))
        note = f" {self.top + 1}–{last}/{rows} " if rows > self.window else ""
        line = box.across * max(0, width - 3 - cell_width(note))
        text = f"{box.bottom_left}{line}{note}{box.across}{box.bottom_right}"
        return ((fit(text, width), "frame"),)

    def _collapsed_line(self, y: int) -> Strip:
        """One line of a collapsed column: its number, then its title downwards."""
        box = glyphs.FRAME
        role = "active" if self.cursor is not None else "heading"
        if y == 0:
            return self._named(
                ((fit(f"{box.top_left}{self.face.number}{box.top_right}", 3), role),)
            )
        if y == self.size.height - 1:
            edge = f"{box.bottom_left}{box.across}{box.bottom_right}"
            return self._named(((edge, "frame"),))
        letters = f" {self.face.title} {self.face.count}"
        letter = fit(letters[y - 1], 1) if y <= len(letters) else " "
        return self._named(((box.down, "frame"), (letter, role), (box.down, "frame")))

    def _scroll_to_cursor(self) -> bool:
        """Bring the cursor into sight, by half a window at an edge; whether that scrolled."""
        before, window, rows = self.top, self.window, len(self.face.rows)
        if self.cursor is not None and not self.top <= self.cursor < self.top + window:
            self.top = self.cursor - window // 2
        self.top = max(0, min(self.top, rows - window))
        return self.top != before

    def _refresh_cursor(self, row: int) -> None:
        """Draw what the cursor changes of a card: its bar, and the line of its title."""
        density = self.face.look.density
        y = 1 + (row - self.top) * density
        if self.face.rows and row < len(self.face.rows):
            if self.face.rows[row].kind is not RowKind.CARD:
                self.refresh(Region(0, y, self.size.width, density))
                return
            self.refresh(Region(1, y, self.size.width - 2, 1))
            if density is not Density.COMPACT:
                self.refresh(Region(1, y + 1, 1, density - 1))

    def _refresh_line(self, y: int) -> None:
        """Draw one line again."""
        self.refresh(Region(0, y, self.size.width, 1))

    def _named(self, line: CardLine) -> Strip:
        """A line with the roles of a card or a column given their full names."""
        return self.strip(tuple((text, ROLES.get(role, role)) for text, role in line))
