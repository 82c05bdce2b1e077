"""The scrolling list of a thread's comments.

Only visible comments are laid out, so that a thread of a thousand scrolls as fast as one of ten.
"""

from dataclasses import dataclass
from typing import NamedTuple

from textual import events
from textual.geometry import Size
from textual.message import Message

from tui.model.comment import Comment, Rows, ThreadRow, row_of
from tui.screens.thread.lines import Look, row_lines
from tui.text.cells import fit
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line
from tui.widgets.spots import Spot, up


@dataclass(frozen=True, slots=True)
class ThreadFace:
    """Everything a thread shows, except the cursor.

    `note` is on a separate line at the bottom, or with `note_first` at the top.
    """

    rows: Rows
    look: Look
    note: str = ""
    note_first: bool = False


class RowFace(NamedTuple):
    """Everything a row shows."""

    row: ThreadRow
    width: int
    look: Look
    is_current: bool

    def lines(self) -> list[Line]:
        row, width, look, is_current = self
        return row_lines(row, width, look, is_current=is_current)


class ThreadView(LineList[ThreadRow]):
    """The comments of a task, drawn line by line."""

    blank_below = 1

    @dataclass(eq=False, repr=False)
    class CursorMoved(Message):
        """The cursor moved to another comment, or the view was scrolled."""

        view: "ThreadView"

    def __init__(self, face: ThreadFace) -> None:
        super().__init__()
        self._set_face(face)

    def show(self, face: ThreadFace, follow: Comment | None) -> None:
        """Draw these contents with the cursor on `follow`, at the same line of the viewport."""
        was_at = self.offset_of(self.cursor) if self.drawn_size.width else None
        found = row_of(face.rows, follow)
        self._set_face(face)
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
        super().begin()
        self._set_face(ThreadFace((), self.face.look))

    def page(self, direction: int) -> None:
        top = self.scrolled(direction * max(1, self.room // 2))
        if top == self.top:
            self.cursor = 0 if direction < 0 else max(0, len(self.rows) - 1)
        else:
            self.top = top
            first, last = self.in_sight
            self.cursor = max(first, min(self.cursor, last))
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        row = self.row_at(event.y)
        if row is not None:
            self.go_to(row)

    def redraw(self) -> None:
        """Redraw the lines that changed, and post that the view may have been scrolled."""
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
        width = self.drawn_size.width
        return RowFace(self.rows[row], width, self.face.look, self.is_current(row))

    def _set_face(self, face: ThreadFace) -> None:
        """Set the contents, reserving a line for the note."""
        self.face, self.rows = face, face.rows
        self.above = int(bool(face.note) and face.note_first)
        self.below = int(bool(face.note) and not face.note_first)
