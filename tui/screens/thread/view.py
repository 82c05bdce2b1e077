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
from tui.widgets.spots import Spot, up

LayOut = Callable[[Comment, int, frozenset[str]], list[Line]]
"""Lays out the words of a comment in a width."""


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


class RowFace(NamedTuple):
    """Everything a row shows."""

    row: ThreadRow
    words: list[Line]
    width: int
    look: Look
    is_current: bool

    def lines(self) -> list[Line]:
        """All its lines, the blank one below it last."""
        row, words, width, look, is_current = self
        return row_lines(row, words, width, look, is_current=is_current)


class ThreadView(LineList[ThreadRow]):
    """The comments of a task, drawn line by line."""

    blank_below = 1

    @dataclass(eq=False, repr=False)
    class CursorMoved(Message):
        """The cursor is on another comment, or another part of it is in sight."""

        view: "ThreadView"

    def __init__(self, face: ThreadFace, lay_out: LayOut = words) -> None:
        super().__init__()
        self._lay_out = lay_out
        self._words: dict[int, LaidOut] = {}
        self._take(face)

    def show(self, face: ThreadFace, follow: Comment | None) -> None:
        """Draw this from now on, with the cursor on a comment, which stays where it was drawn."""
        was_at = self.offset_of(self.cursor) if self.drawn_size.width else None
        found = row_of(face.rows, follow)
        known = {row.comment.id for row in face.rows}
        self._words = {key: kept for key, kept in self._words.items() if key in known}
        self._take(face)
        last = max(0, len(face.rows) - 1)
        self.cursor = min(self.cursor if found is None else found, last)
        here = Spot(self.cursor, 0)
        if not face.rows or self.top.row > last:
            self.top = here
        elif was_at is not None and was_at > 0:
            self.top = up(here, was_at, self.height)
        elif was_at is not None:
            self.top = Spot(self.cursor, min(-was_at, self.height(self.cursor) - 1))
        self.settle()

    def begin(self) -> None:
        """Begin at the top of another thread."""
        super().begin()
        self._take(ThreadFace((), self.face.look))

    def page(self, direction: int) -> None:
        """Scroll by half the room, and take the cursor along."""
        top = self.scrolled(direction * max(1, self.room // 2))
        if top == self.top:
            self.cursor = 0 if direction < 0 else max(0, len(self.rows) - 1)
        else:
            self.top = top
            first, last = self.in_sight
            self.cursor = max(first, min(self.cursor, last))
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the comment that was clicked."""
        row = self.row_at(event.y)
        if row is not None:
            self.go_to(row)

    def redraw(self) -> None:
        """Draw what has changed, and say that another part may be in sight."""
        if self.drawn_size.width:
            self.post_message(self.CursorMoved(self))
            super().redraw()

    def lines_now(self, size: Size) -> list[Line]:
        lines = self.row_lines()
        blank: Line = ((" " * size.width, "title"),)
        lines += [blank] * (self.room - len(lines))
        if not self.face.note:
            return lines
        note: Line = ((fit(f"  {self.face.note}", size.width), "meta"),)
        return [note, *lines] if self.face.note_first else [*lines, note]

    def face_of(self, row: int) -> RowFace:
        shown, width = self.rows[row], self.drawn_size.width
        said = self._words_of(shown.comment, width)
        return RowFace(shown, said, width, self.face.look, self.is_current(row))

    def _take(self, face: ThreadFace) -> None:
        """Have this to show, with a line left for the note."""
        self.face, self.rows = face, face.rows
        self.above = int(bool(face.note) and face.note_first)
        self.below = int(bool(face.note) and not face.note_first)

    def _words_of(self, comment: Comment, width: int) -> list[Line]:
        """The words of a comment, as they were laid out before where nothing of it differs."""
        logins = self.face.look.logins
        kept = self._words.get(comment.id)
        if kept is not None and kept[1:3] == (width, logins) and _same(kept.comment, comment):
            return kept.lines
        lines = self._lay_out(comment, width, logins)
        self._words[comment.id] = LaidOut(comment, width, logins, lines)
        return lines


def _same(old: Comment, new: Comment) -> bool:
    """Whether two comments say the same, so far as it is laid out."""
    return old is new or (old.text, old.images, old.parent_id) == (
        new.text,
        new.images,
        new.parent_id,
    )
