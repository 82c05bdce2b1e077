"""A thread as drawn: as many of its comments as there is room for.

Only comments in sight are laid out, and their lines are kept for as long as neither they nor the
width change, so that a thread of a thousand scrolls as one of ten.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from textual import events
from textual.geometry import Size
from textual.message import Message

from tui.model.comment import Comment, Rows, ThreadRow, row_of
from tui.screens.thread.lines import Look, row_lines, words
from tui.text.cells import fit
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line

LayOut = Callable[[Comment, int, frozenset[str]], list[Line]]
"""Lays out the words of a comment in a width."""

_WHEEL_LINES = 3
Height = Callable[[int], int]
"""How many lines a row has, one at least; asked for only of rows in sight or passed over."""


class Spot(NamedTuple):
    """A line of the list: the row and the line in it. Spots are ordered from the top."""

    row: int
    line: int


@dataclass(frozen=True, slots=True)
class ThreadFace:
    """Everything a thread shows, but the cursor.

    `note` is said on a line of its own at the end, or, with `note_first`, at the top.
    """

    rows: Rows
    look: Look
    note: str = ""
    note_first: bool = False


class LaidOut(NamedTuple):
    """The words of a comment, and what they were laid out from."""

    comment: Comment
    width: int
    logins: frozenset[str]
    lines: list[Line]


class DrawnRow(NamedTuple):
    """The lines of a row, and what they were drawn from."""

    row: ThreadRow
    look: Look
    width: int
    is_current: bool
    lines: list[Line]


class ThreadView(LineList):
    """The comments of a task, drawn line by line."""

    @dataclass(eq=False, repr=False)
    class CursorMoved(Message):
        """The cursor is on another comment, or another part of it is in sight."""

        view: "ThreadView"

    def __init__(self, face: ThreadFace, lay_out: LayOut = words) -> None:
        super().__init__()
        self.face = face
        self.cursor = 0
        self._top = Spot(0, 0)
        self._lay_out = lay_out
        self._laid_out: dict[int, LaidOut] = {}
        self._rows: dict[int, DrawnRow] = {}

    @property
    def current(self) -> ThreadRow | None:
        """The row at the cursor; None where there are no comments."""
        return self.face.rows[self.cursor] if self.cursor < len(self.face.rows) else None

    @property
    def window(self) -> int:
        """How many lines of comments there is room for."""
        return max(1, self.size.height - bool(self.face.note))

    def show(self, face: ThreadFace, follow: Comment | None) -> None:
        """Draw this from now on, with the cursor on a comment, which stays where it was drawn."""
        was_at = self._offset()
        found = row_of(face.rows, follow)
        known = {row.comment.id for row in face.rows}
        self._laid_out = {key: kept for key, kept in self._laid_out.items() if key in known}
        self.face = face
        last = max(0, len(face.rows) - 1)
        self.cursor = min(self.cursor if found is None else found, last)
        here = Spot(self.cursor, 0)
        if not face.rows or self._top.row > last:
            self._top = here
        elif was_at is not None and was_at > 0:
            self._top = up(here, was_at, self._height)
        elif was_at is not None:
            self._top = Spot(self.cursor, min(-was_at, self._height(self.cursor) - 1))
        self._settle()

    def begin(self) -> None:
        """Begin at the top of another thread."""
        self.cursor, self._top = 0, Spot(0, 0)
        self.face = ThreadFace((), self.face.look)

    def move(self, by: int) -> None:
        """Go to the next or previous comment; one taller than the window is read through first."""
        if not self.face.rows:
            return
        begins = self._offset()
        if begins is not None:
            rest = begins + self._height(self.cursor) - 1 - self.window
            if by > 0 and rest > 0:
                self._scroll(min(rest, self._step))
                return
            if by < 0 and begins < 0:
                self._scroll(-min(-begins, self._step))
                return
        self.go_to(self.cursor + by)

    def go_to(self, row: int) -> None:
        """Put the cursor on a row, or the first or last one, and bring it into sight."""
        if self.face.rows:
            self.cursor = max(0, min(row, len(self.face.rows) - 1))
            self._bring_into_view()

    def page(self, direction: int) -> None:
        """Scroll by half a window, and take the cursor along."""
        if not self.face.rows:
            return
        before = self._top
        self._top = self._moved(direction * self._step)
        self._settle(draw=False)
        if self._top == before:
            self.cursor = 0 if direction < 0 else len(self.face.rows) - 1
        else:
            first, last = self.in_sight
            self.cursor = max(first, min(self.cursor, last))
        self._draw()

    def on_resize(self) -> None:
        """Lay out for the new width, with the cursor in sight."""
        if self.face.rows:
            self._bring_into_view()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the comment that was clicked."""
        drawn = self._drawn_rows()
        y = event.y - (bool(self.face.note) and self.face.note_first)
        if 0 <= y < len(drawn):
            self.go_to(drawn[y][0])

    def on_mouse_scroll_down(self) -> None:
        """Scroll towards the end."""
        self._scroll(_WHEEL_LINES)

    def on_mouse_scroll_up(self) -> None:
        """Scroll towards the top."""
        self._scroll(-_WHEEL_LINES)

    @property
    def _step(self) -> int:
        return max(1, self.window // 2)

    def _scroll(self, lines: int) -> None:
        """Scroll without moving the cursor."""
        if self.face.rows:
            self._top = self._moved(lines)
            self._settle()

    def _bring_into_view(self) -> None:
        """Scroll as little as is needed to see the comment at the cursor, from its beginning."""
        here, begins = Spot(self.cursor, 0), self._offset()
        height = self._height(self.cursor) - 1
        is_above = self._top > here
        if is_above or height >= self.window:
            self._top = here
        elif begins is None or begins + height > self.window:
            self._top = up(here, self.window - height, self._height)
        self._settle()

    def _settle(self, *, draw: bool = True) -> None:
        """Leave no room empty below the last comment while there are some above; draw."""
        if not self.size.width:
            return
        missing = self.window - len(self._drawn_rows())
        if missing > 0:
            self._top = up(self._top, missing, self._height)
        if draw:
            self._draw()

    def _draw(self) -> None:
        """Draw the lines that have changed."""
        self.post_message(self.CursorMoved(self))
        self.redraw()

    def lines_now(self, size: Size) -> list[Line]:
        width = size.width
        lines: list[Line] = []
        before, self._rows = self._rows, {}
        for row, line in self._drawn_rows():
            if row not in self._rows:
                self._rows[row] = self._row(row, width, before.get(row))
            lines.append(self._rows[row].lines[line])
        blank: Line = ((" " * width, "title"),)
        lines += [blank] * (self.window - len(lines))
        if not self.face.note:
            return lines
        note: Line = ((fit(f"  {self.face.note}", width), "meta"),)
        return [note, *lines] if self.face.note_first else [*lines, note]

    def _drawn_rows(self) -> list[Spot]:
        """What each visible line shows."""
        return spots(self._top, self.window, len(self.face.rows), self._height)

    @property
    def in_sight(self) -> tuple[int, int]:
        """The first and the last row of which the head is in sight, or any part."""
        spots = self._drawn_rows()
        heads = [spot.row for spot in spots if spot.line == 0] or [spot.row for spot in spots]
        return (heads[0], heads[-1]) if heads else (0, 0)

    def _row(self, index: int, width: int, before: DrawnRow | None) -> DrawnRow:
        """A row with all its lines; as it was drawn `before` where nothing of it differs."""
        row, look = self.face.rows[index], self.face.look
        is_current = index == self.cursor
        if before is not None and before[:4] == (row, look, width, is_current):
            return before
        said = self._words(row.comment, width)
        lines = row_lines(row, said, width, look, is_current=is_current)
        return DrawnRow(row, look, width, is_current, lines)

    @property
    def _height(self) -> Callable[[int], int]:
        """Tells how many lines a row has: head, words, what is folded, and a blank one."""
        rows, width = self.face.rows, self.size.width  # once for all rows: asking for it is slow

        def height(index: int) -> int:
            row = rows[index]
            return 2 + len(self._words(row.comment, width)) + bool(row.hidden)

        return height

    def _words(self, comment: Comment, width: int) -> list[Line]:
        """The words of a comment, as they were laid out before where nothing of it differs."""
        logins = self.face.look.logins
        kept = self._laid_out.get(comment.id)
        if kept is not None and kept[1:3] == (width, logins) and _same(kept.comment, comment):
            return kept.lines
        lines = self._lay_out(comment, width, logins)
        self._laid_out[comment.id] = LaidOut(comment, width, logins, lines)
        return lines

    def _offset(self) -> int | None:
        """How many lines below the top of the window the comment at the cursor begins."""
        if not self._lines or self.cursor >= len(self.face.rows):
            return None
        return offset(self._top, self.cursor, self.window, self._height)

    def _moved(self, lines: int) -> Spot:
        """The top so many lines further down, or up."""
        if lines < 0:
            return up(self._top, -lines, self._height)
        return down(self._top, lines, len(self.face.rows), self._height)


def _same(old: Comment, new: Comment) -> bool:
    """Whether two comments say the same, so far as it is laid out."""
    return old is new or (old.text, old.images, old.parent_id) == (
        new.text,
        new.images,
        new.parent_id,
    )


def up(spot: Spot, lines: int, height: Height) -> Spot:
    """The spot so many lines above another one, or the very first."""
    row, line = spot
    while lines > line:
        if row == 0:
            return Spot(0, 0)
        lines -= line
        row -= 1
        line = height(row)
    return Spot(row, line - lines)


def down(spot: Spot, lines: int, rows: int, height: Height) -> Spot:
    """The spot so many lines below another one, or the end of the list."""
    while spot.row < rows:
        left = height(spot.row) - spot.line
        if lines < left:
            return Spot(spot.row, spot.line + lines)
        lines -= left
        spot = Spot(spot.row + 1, 0)
    return spot


def spots(top: Spot, lines: int, rows: int, height: Height) -> list[Spot]:
    """As many lines as are asked for, from one on, as far as the list goes."""
    found: list[Spot] = []
    row, first = top
    while row < rows and len(found) < lines:
        found += [Spot(row, line) for line in range(first, height(row))]
        row, first = row + 1, 0
    return found[:lines]


def offset(top: Spot, row: int, window: int, height: Height) -> int | None:
    """How many lines below the top a row begins, less than 0 above it; None if out of sight."""
    if row < top.row:
        return None
    lines = -top.line
    for index in range(top.row, row):
        lines += height(index)
        if lines >= window:
            return None
    return lines
