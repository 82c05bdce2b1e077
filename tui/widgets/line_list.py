"""A list of rows with a cursor, of which as many are drawn as there is room for."""

from collections.abc import Sequence
from typing import ClassVar, Generic, Protocol, TypeVar

from textual import events
from textual.geometry import Size

from tui.widgets.lines import Lines
from tui.widgets.painted import Line
from tui.widgets.spots import Spot, down, offset, up

R = TypeVar("R")


class Face(Protocol):
    """Everything a row shows: while it compares equal, its lines are not laid out again."""

    def lines(self) -> list[Line]:
        """The lines of the row."""


class LineList(Lines, Generic[R]):
    """Draws as many of its `rows` as there is room for, with the one at the cursor in sight.

    A row may take several lines. A subclass says how one looks with `face_of`; it may leave lines
    free `above` and `below` the rows, and draw them in `lines_now`.
    """

    by_rows: ClassVar[bool] = False
    """Scroll by whole rows, and by half the room at an edge, instead of line by line."""
    blank_below: ClassVar[int] = 0
    """So many lines at the end of a row need not be in sight."""
    wheel: ClassVar[int] = 3
    """How far a turn of the mouse wheel scrolls."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[R] = ()
        self.cursor = 0
        self.shows_cursor = True
        self.top = Spot(0, 0)
        self.above = self.below = 0
        self._laid_out: dict[int, tuple[Face, list[Line]]] = {}

    @property
    def room(self) -> int:
        """How many lines of rows there is room for."""
        return max(1, self.drawn_size.height - self.above - self.below)

    @property
    def row(self) -> R | None:
        """The row at the cursor; None where there are no rows."""
        return self.rows[self.cursor] if self.cursor < len(self.rows) else None

    @property
    def in_sight(self) -> tuple[int, int]:
        """The first and the last row of which the head is in sight, or any part."""
        bottom = down(self.top, self.room - 1, len(self.rows), self.height)
        last = max(0, min(bottom.row, len(self.rows) - 1))
        return min(self.top.row + bool(self.top.line), last), last

    def is_current(self, row: int) -> bool:
        """Whether the cursor is drawn on a row."""
        return row == self.cursor and self.shows_cursor

    def face_of(self, row: int) -> Face:
        """What a row shows now; for subclasses."""
        raise NotImplementedError

    def height(self, row: int) -> int:
        """How many lines a row has."""
        return len(self._lines_of(row))

    def begin(self) -> None:
        """Go back to the top; other rows are shown next."""
        self.cursor, self.top = 0, Spot(0, 0)

    def go_to(self, row: int) -> None:
        """Put the cursor on a row, or the first or last one, and bring it into sight."""
        self.cursor = max(0, min(row, len(self.rows) - 1))
        self.keep_in_sight()

    def move(self, by: int) -> None:
        """Go down or up by rows; one that is not all in sight is read through first."""
        begins = self.offset_of(self.cursor)
        if begins is not None and not self.by_rows:
            below = begins + self.height(self.cursor) - self.blank_below - self.room
            half = max(1, self.room // 2)
            if by > 0 and below > 0:
                self.scroll(min(below, half))
                return
            if by < 0 and begins < 0:
                self.scroll(-min(-begins, half))
                return
        self.go_to(self.cursor + by)

    def end(self, end: int) -> None:
        """Go to the first row, or with -1 to the last one."""
        self.go_to(0 if end == 0 else len(self.rows) - 1)

    def page(self, direction: int) -> None:
        """Go down or up by half the room, a row at least."""
        here, half = Spot(self.cursor, 0), self.room // 2
        if direction > 0:
            self.go_to(max(down(here, half, len(self.rows), self.height).row, self.cursor + 1))
        else:
            self.go_to(min(up(here, half, self.height).row, self.cursor - 1))

    def scroll(self, by: int) -> None:
        """Scroll by lines, or by rows, without moving the cursor."""
        self.top = self.scrolled(by)
        self.redraw()

    def scrolled(self, by: int) -> Spot:
        """The top after scrolling by lines, or by rows, as far as the list goes."""
        if self.by_rows:
            return self._within(Spot(max(0, self.top.row + by), 0))
        if by < 0:
            return self._within(up(self.top, -by, self.height))
        return self._within(down(self.top, by, len(self.rows), self.height))

    def keep_in_sight(self) -> None:
        """Scroll as far as is needed to see the row at the cursor, and draw."""
        if self.shows_cursor:
            self.bring_into_sight(self.cursor)
        else:
            self.settle()

    def bring_into_sight(self, row: int) -> None:
        """Scroll as far as is needed to see a row, from its beginning, and draw."""
        self.top = self._within(self.top)
        if self.drawn_size.width and row < len(self.rows):
            here, begins = Spot(row, 0), self.offset_of(row)
            free = max(0, self.room - self.height(row) + self.blank_below)
            if here < self.top or not free or begins is None or begins > free:
                most = self.room // 2 if self.by_rows else 0 if here < self.top else free
                self.top = up(here, min(most, free), self.height)
        self.settle()

    def settle(self) -> None:
        """Leave no room empty below the last row while others are hidden above, and draw."""
        self.top = self._within(self.top)
        self.redraw()

    def row_at(self, y: int) -> int | None:
        """The row that is drawn at a line of this widget."""
        if not 0 <= y - self.above < self.room:
            return None
        row = down(self.top, y - self.above, len(self.rows), self.height).row
        return row if row < len(self.rows) else None

    def offset_of(self, row: int) -> int | None:
        """How many lines below the first one a row begins; None where it is out of sight."""
        return offset(self.top, row, self.room, self.height) if row < len(self.rows) else None

    action_move, action_end, action_page = move, end, page

    def lines_now(self, size: Size) -> list[Line]:
        """The lines of the rows, where there are no others."""
        del size
        return self.row_lines()

    def row_lines(self) -> list[Line]:
        """The lines of the rows in sight, no more than there is room for."""
        before, self._laid_out = self._laid_out, {}
        lines: list[Line] = []
        room, (row, first) = self.room, self.top
        while len(lines) < room and row < len(self.rows):
            if row in before:
                self._laid_out[row] = before[row]
            lines += self._lines_of(row)[first:]
            row, first = row + 1, 0
        return lines[:room]

    def on_resize(self) -> None:
        """Keep the cursor in sight when there is less room."""
        self.drawn_size = self.size
        self.keep_in_sight()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll towards the end."""
        self._turn_wheel(event, self.wheel)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll towards the top."""
        self._turn_wheel(event, -self.wheel)

    def _turn_wheel(self, event: events.MouseEvent, by: int) -> None:
        """Scroll, or leave it to what the list lies in."""
        before = self.top
        self.scroll(by)
        if self.top != before:
            event.stop()

    def _within(self, top: Spot) -> Spot:
        """The nearest top with no room left empty below the last row."""
        rows, room = len(self.rows), self.room
        if not self.drawn_size.width:
            return top
        if top.line and top.row < rows:  # the row may have fewer lines than it had
            top = Spot(top.row, min(top.line, max(0, self.height(top.row) - 1)))
        if rows - top.row <= room:
            top = min(top, up(Spot(rows, 0), room, self.height))
        return Spot(min(top.row + 1, rows - 1), 0) if self.by_rows and top.line else top

    def _lines_of(self, row: int) -> list[Line]:
        """The lines of a row, as they were laid out before where nothing of it differs."""
        face, kept = self.face_of(row), self._laid_out.get(row)
        if kept is None or kept[0] != face:
            kept = self._laid_out[row] = face, face.lines()
        return kept[1]
