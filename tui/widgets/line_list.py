"""A scrolling list of rows with a cursor; only the visible rows are laid out.

Rows may have several lines. As few of their heights as possible are computed.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar, Generic, NamedTuple, Protocol, TypeVar

from textual import events
from textual.geometry import Size
from textual.message import Message

from tui.widgets.painted import Line, PaintedLines

R = TypeVar("R")


_MOST_KEPT = 100

Height = Callable[[int], int]
"""Gives the number of lines of a row; called only for rows that are visible or scrolled past."""


class LineSpot(NamedTuple):
    """A position in a list: a row and a line in it; ordered from the top."""

    row: int
    line: int


def up(spot: LineSpot, lines: int, height: Height) -> LineSpot:
    """The spot `lines` above another one, at most the start of the list."""
    row, line = spot
    while lines > line:
        if row == 0:
            return LineSpot(0, 0)
        lines -= line
        row -= 1
        line = height(row)
    return LineSpot(row, line - lines)


def down(spot: LineSpot, lines: int, rows: int, height: Height) -> LineSpot:
    """The spot `lines` below another one, at most the end of the list."""
    while spot.row < rows:
        left = height(spot.row) - spot.line
        if lines < left:
            return LineSpot(spot.row, spot.line + lines)
        lines -= left
        spot = LineSpot(spot.row + 1, 0)
    return spot


def offset(top: LineSpot, row: int, window: int, height: Height) -> int | None:
    """The line at which a row starts, relative to `top`; None if the row is not visible."""
    if row < top.row:
        return None
    lines = -top.line
    for index in range(top.row, row):
        lines += height(index)
        if lines >= window:
            return None
    return lines


class Face(Protocol):
    """Everything a row shows; its lines are laid out again only when this compares different."""

    def lines(self) -> list[Line]:
        """The lines of the row."""


class LineList(PaintedLines, Generic[R]):
    """Draws the `rows` of its viewport and keeps the row at the cursor visible.

    A row may have several lines. A subclass gives the contents of a row with `face_of`, or its
    lines with `lines_of` where they are cheap; it may reserve lines `above` and `below` the rows
    and draw them in `lines_now`.
    """

    class Scrolled(Message, bubble=False):
        """The visible rows, their number or the size changed; posted to the screen."""

    blank_below: int = 0
    """How many lines at the end of a row may stay outside the viewport."""
    by_rows: ClassVar[bool] = False
    """Scroll by whole rows, and by half a viewport at its edges, instead of line by line."""
    wheel: ClassVar[int] = 3
    """How many lines, or rows, a turn of the mouse wheel scrolls."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[R] = ()
        self.cursor = 0
        self.shows_cursor = True
        self.top = LineSpot(0, 0)
        self.above = self.below = 0
        self._laid_out: dict[int, tuple[Face, list[Line]]] = {}
        self._laid_out_before: dict[int, tuple[Face, list[Line]]] = {}
        self._laid_out_once: dict[int, tuple[Face, list[Line]]] = {}
        """Earlier layouts of rows, reused when the cursor returns to a row or leaves it."""
        self._in_sight = (LineSpot(0, 0), 0, Size(0, 0))

    @property
    def room(self) -> int:
        """The height of the viewport: how many lines are available for rows."""
        return max(1, self.drawn_size.height - self.above - self.below)

    @property
    def row(self) -> R | None:
        """The row at the cursor; None where there are no rows."""
        return self.rows[self.cursor] if self.cursor < len(self.rows) else None

    @property
    def in_sight(self) -> tuple[int, int]:
        """The first row whose first line is visible, and the last row that is visible at all."""
        bottom = down(self.top, self.room - 1, len(self.rows), self.height)
        last = max(0, min(bottom.row, len(self.rows) - 1))
        return min(self.top.row + bool(self.top.line), last), last

    @property
    def out_of_sight(self) -> int:
        """How many rows are below the viewport; none before it has a size."""
        return max(0, len(self.rows) - 1 - self.in_sight[1]) if self.drawn_size.height else 0

    def is_current(self, row: int) -> bool:
        return row == self.cursor and self.shows_cursor

    def face_of(self, row: int) -> Face:
        """What a row shows now; subclasses implement it."""
        raise NotImplementedError

    def height(self, row: int) -> int:
        return len(self.lines_of(row))

    def begin(self) -> None:
        """Reset cursor and scroll offset, before other rows are shown."""
        self.cursor, self.top = 0, LineSpot(0, 0)

    def go_to(self, row: int) -> None:
        """Move the cursor to a row, clamped to the list, and scroll to it."""
        self.cursor = max(0, min(row, len(self.rows) - 1))
        self.keep_in_sight()

    def move(self, by: int) -> None:
        """Move the cursor by rows; first scroll through a row that is not wholly visible."""
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
        """Move the cursor to the first row, or with -1 to the last one."""
        self.go_to(0 if end == 0 else len(self.rows) - 1)

    def page(self, direction: int) -> None:
        """Move the cursor down or up by half a viewport, at least by one row."""
        current, half = LineSpot(self.cursor, 0), self.room // 2
        if direction > 0:
            self.go_to(max(down(current, half, len(self.rows), self.height).row, self.cursor + 1))
        else:
            self.go_to(min(up(current, half, self.height).row, self.cursor - 1))

    def scroll(self, by: int) -> None:
        """Scroll by lines, or by rows if `by_rows`, without moving the cursor."""
        self.top = self.scrolled(by)
        self.redraw()

    def scrolled(self, by: int) -> LineSpot:
        """The scroll offset after scrolling by lines or rows, clamped to the list."""
        if self.by_rows:
            return self._within(LineSpot(max(0, self.top.row + by), 0))
        if by < 0:
            return self._within(up(self.top, -by, self.height))
        return self._within(down(self.top, by, len(self.rows), self.height))

    def keep_in_sight(self) -> None:
        """Scroll as little as needed to show the row at the cursor, and redraw."""
        if self.shows_cursor:
            self.bring_into_sight(self.cursor)
        else:
            self.settle()

    def bring_into_sight(self, row: int) -> None:
        """Scroll as little as needed to show a row from its first line, and redraw."""
        self.top = self._within(self.top)
        if self.drawn_size.width and row < len(self.rows):
            spot, begins = LineSpot(row, 0), self.offset_of(row)
            free = max(0, self.room - self.height(row) + self.blank_below)
            if spot < self.top or not free or begins is None or begins > free:
                most = self.room // 2 if self.by_rows else 0 if spot < self.top else free
                self.top = up(spot, min(most, free), self.height)
        self.settle()

    def settle(self) -> None:
        """Clamp the scroll offset so that no space below the last row is wasted, and redraw."""
        self.top = self._within(self.top)
        self.redraw()

    def row_at(self, y: int) -> int | None:
        """The row drawn at line `y` of this widget, if any."""
        if not 0 <= y - self.above < self.room:
            return None
        row = down(self.top, y - self.above, len(self.rows), self.height).row
        return row if row < len(self.rows) else None

    def offset_of(self, row: int) -> int | None:
        """The viewport line at which a row starts, negative if above; None if not visible."""
        return offset(self.top, row, self.room, self.height) if row < len(self.rows) else None

    action_move, action_end, action_page = move, end, page

    def redraw(self) -> None:
        super().redraw()
        in_sight = (self.top, len(self.rows), self.drawn_size)
        if in_sight != self._in_sight:
            self._in_sight = in_sight
            self.post_scrolled()

    def post_scrolled(self) -> None:
        # Textual does not bubble a message to the parent whose handler caused it.
        if self.is_attached:
            self.screen.post_message(self.Scrolled())

    def lines_now(self, size: Size) -> list[Line]:
        """The lines of the visible rows; subclasses with other lines override it."""
        del size
        return self.row_lines()

    def row_lines(self) -> list[Line]:
        """The lines of the visible rows, at most `room` of them."""
        # Only layouts of the last drawing are kept, so that the cache does not grow by scrolling.
        self._laid_out_before, self._laid_out = self._laid_out, {}
        lines: list[Line] = []
        room, (row, first) = self.room, self.top
        while len(lines) < room and row < len(self.rows):
            lines += self.lines_of(row)[first:]
            row, first = row + 1, 0
        return lines[:room]

    def on_resize(self) -> None:
        self.drawn_size = self.size
        self.keep_in_sight()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._turn_wheel(event, self.wheel)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._turn_wheel(event, -self.wheel)

    def _turn_wheel(self, event: events.MouseEvent, by: int) -> None:
        previous = self.top
        self.scroll(by)
        # At an end of the list the event goes on to the container, which may scroll.
        if self.top != previous:
            event.stop()

    def _within(self, top: LineSpot) -> LineSpot:
        rows, room = len(self.rows), self.room + self.blank_below
        # Before the first layout there is no width, and thus no height of a row.
        if not self.drawn_size.width:
            return top
        # The row may have fewer lines than it had.
        if top.line and top.row < rows:
            top = LineSpot(top.row, min(top.line, max(0, self.height(top.row) - 1)))
        if rows - top.row <= room:
            top = min(top, up(LineSpot(rows, 0), room, self.height))
        return LineSpot(min(top.row + 1, rows - 1), 0) if self.by_rows and top.line else top

    def lines_of(self, row: int) -> list[Line]:
        """The lines of a row; laid out again only if its face changed."""
        face, previous = self.face_of(row), self._laid_out_before
        # A row that was added or removed has moved those below it by one.
        current = self._laid_out.get(row) or previous.get(row)
        near = current, previous.get(row - 1), previous.get(row + 1), self._laid_out_once.get(row)
        for laid_out in near:
            if laid_out is not None and laid_out[0] == face:
                lines = laid_out[1]
                break
        else:
            lines = face.lines()
        if current is not None and current[1] is not lines:
            if len(self._laid_out_once) >= _MOST_KEPT:
                self._laid_out_once.clear()
            self._laid_out_once[row] = current
        # The new face replaces an equal one: the next comparison is then by identity.
        self._laid_out[row] = face, lines
        return lines
