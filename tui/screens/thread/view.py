"""The comments of a thread as lines in a scrolling list.

Only visible comments are laid out, so that a thread of a thousand scrolls as fast as one of ten.
The text is expensive to wrap, so everything that depends on the time, the cursor or the unread
state is on separate lines, and the text is laid out once for each width.
"""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from textual import events
from textual.geometry import Size
from textual.message import Message

from tui.model.comment import Comment, CommentImage, Rows, ThreadRow, row_of
from tui.model.comment_text import body, links
from tui.model.detail import DetailPart, TaskDetail
from tui.model.fields.values import moment
from tui.record import record
from tui.text.cells import cut, fit, width as cell_width
from tui.text.dates import local, past_time
from tui.text.keyed import keyed
from tui.text.spans import SpanKind
from tui.widgets import glyphs
from tui.widgets.line_list import LineList, LineSpot, up
from tui.widgets.painted import LINK, Line, Span, fitted, line_width
from tui.widgets.row_list import Guide, empty_lines, guide_lines

WIDEST = 77
"""The greatest width of a comment in cells; longer lines are hard to read."""

_WHILE_WRITING = "In a comment, @ mentions someone and {comment.attach:ctrl+o} attaches a picture."
_EDGE = 2
_INDENT = 4
_NARROWEST = 8
_MOST_KEPT = 1024
"""How many laid-out comments are cached."""
_PICTURE = "▪"
_ROLES: Mapping[str, str] = {
    SpanKind.STRONG: "news",
    SpanKind.LINK: LINK,
    SpanKind.QUOTE: "text-quote",
    SpanKind.SIGN: "quiet",
}


@record
class CommentLook:
    """The inputs that all comments share: time, known logins, and ids of pending comments.

    With `has_public`, some comments of the thread are public; then private ones are labelled.
    """

    now: datetime
    logins: frozenset[str] = frozenset()
    pending: frozenset[int] = frozenset()
    has_public: bool = False


class RowFace(NamedTuple):
    """Everything a row shows."""

    row: ThreadRow
    width: int
    look: CommentLook
    is_current: bool

    def lines(self) -> list[Line]:
        """All lines of the row, each exactly `width` cells wide; the last one is blank."""
        row, comment, width = self.row, self.row.comment, self.width
        text_lines = words(comment.text, comment.images, room(comment, width), self.look.logins)
        edge = _edge(comment, is_current=self.is_current)
        lines: list[Line] = [_head(row, width, self.look), *text_lines]
        if row.hidden:
            replies = f"{row.hidden} {'reply' if row.hidden == 1 else 'replies'}"
            unread = f" {glyphs.NEWS} {row.hidden_unread} unread" if row.hidden_unread else ""
            key = keyed("  {thread.unfold:↵} to unfold")
            lines.append(((f"{glyphs.HERE} {replies}", "quiet"), (unread, "news"), (key, "quiet")))
        last = _edge(comment, is_current=False) if row.is_followed else ()
        drawn = [
            fitted(line, width, "text", ellipsis="")
            for line in (*((*edge, *line) for line in lines), last)
        ]
        if self.is_current:
            drawn[0] = (("".join(text for text, _ in drawn[0]), "cursor"),)
        return drawn


class ThreadView(LineList[ThreadRow]):
    """The comments of a task, drawn line by line, and a note below or above them."""

    blank_below = 1

    class CursorMoved(Message):
        """The cursor moved to another comment, or the view was scrolled."""

    def __init__(self, look: CommentLook) -> None:
        super().__init__()
        self._look = look
        self._note = ""
        self.nothing: tuple[str, str | Guide] = "", ""
        """Why there are no comments, and what to press."""

    def show(
        self,
        rows: Rows,
        look: CommentLook,
        follow: Comment | None,
        note: str = "",
        *,
        note_first: bool = False,
    ) -> None:
        """Draw these contents with the cursor on `follow`, at the same line of the viewport.

        `note` is on a separate line at the bottom, or with `note_first` at the top.
        """
        # Offsets are read before the rows are replaced: the comment at the cursor keeps its line.
        offset = self.offset_of(self.cursor) if self.drawn_size.width else None
        row = row_of(rows, follow)
        self.rows, self._look, self._note = rows, look, note
        self.above = int(note_first and note != "")
        self.below = int(not note_first and note != "")
        last = max(0, len(rows) - 1)
        self.cursor = min(self.cursor if row is None else row, last)
        cursor_spot = LineSpot(self.cursor, 0)
        if not rows or self.top.row > last:
            self.top = cursor_spot
        elif offset is not None and offset > 0:
            self.top = up(cursor_spot, offset, self.height)
        elif offset is not None:
            # The comment may be shorter now than the part above the viewport was.
            self.top = LineSpot(self.cursor, min(-offset, self.height(self.cursor) - 1))
        self.settle()

    def begin(self) -> None:
        super().begin()
        self.rows = ()
        self.nothing = ("", "")

    def page(self, direction: int) -> None:
        top = self.scrolled(direction * max(1, self.room // 2))
        if top == self.top:
            self.cursor = 0 if direction < 0 else max(0, len(self.rows) - 1)
        else:
            # The view scrolls; the cursor moves only if its comment is out of sight then.
            self.top = top
            first, last = self.in_sight
            self.cursor = max(first, min(self.cursor, last))
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        row = self.row_at(event.y)
        if row is not None and not self.follow_link_at(event, links(self.rows[row].comment.text)):
            self.go_to(row)

    def redraw(self) -> None:
        if self.drawn_size.width:
            self.post_message(self.CursorMoved())
            super().redraw()

    def lines_now(self, size: Size) -> list[Line]:
        if not self.rows:
            why, what = self.nothing
            if isinstance(what, Guide):
                return guide_lines(why, what, size)
            return empty_lines(why, what, size)
        lines = self.row_lines()
        blank: Line = ((" " * size.width, "text"),)
        lines += [blank] * (self.room - len(lines))
        note: Line = ((fit(f"  {self._note}", size.width), "quiet"),)
        return [*[note] * self.above, *lines, *[note] * self.below]

    def face_of(self, row: int) -> RowFace:
        return RowFace(self.rows[row], self.drawn_size.width, self._look, self.is_current(row))


def why_empty(detail: TaskDetail | None, problem: str, forbidden: str) -> tuple[str, str | Guide]:
    """Why there are no comments, and what to press.

    `problem` is that of the connection, and `forbidden` is why none can be written.
    """
    if detail is not None and DetailPart.COMMENTS in detail.why:
        return detail.why[DetailPart.COMMENTS], ""
    if detail is not None and detail.comments is not None:
        ways = [(keyed("{thread.back:esc}"), "go back")]
        if forbidden:
            return "No comments yet.", Guide(forbidden, ways)
        ways = [(keyed("{comment.new:c}"), "write the first comment"), *ways]
        return "No comments yet.", Guide(keyed(_WHILE_WRITING), ways)
    if problem:
        hint = "" if forbidden else "{comment.new:c} to write one anyway: it will be sent then"
        return "The comments are not loaded yet; they appear when the service responds.", hint
    return "", "loading comments …"


def room(comment: Comment, width: int) -> int:
    """The width of the text of a comment in a view `width` cells wide."""
    indent = _INDENT if comment.is_reply else 0
    return max(_NARROWEST, min(width, WIDEST) - _EDGE - indent - 1)


@lru_cache(maxsize=_MOST_KEPT)
def words(
    text: str, images: tuple[CommentImage, ...], room: int, logins: frozenset[str]
) -> tuple[Line, ...]:
    """The text and the pictures of a comment, wrapped to `room` cells."""
    lines: list[Line] = [
        tuple((span.text, _ROLES.get(span.kind, "text")) for span in line)
        for line in body(text, room, logins)
    ]
    for image in images:
        sign = glyphs.ON_THE_WAY if image.id < 0 else _PICTURE
        named = cut(f"{sign} {image.title or 'picture'}", room)
        left = room - cell_width(named)
        more = f"  {image.size}" if image.size and len(image.size) + 2 <= left else ""
        lines.append(((named, "text-link"), (more, "quiet")))
    return tuple(lines)


def _edge(comment: Comment, *, is_current: bool) -> Line:
    bar: Span = (glyphs.BAR if is_current else " ", "accent")
    if comment.is_reply:
        return bar, (f"  {glyphs.FRAME.down}  ", "line")
    return bar, (" ", "text")


def _head(row: ThreadRow, width: int, look: CommentLook) -> Line:
    # The author, the time, and as many facts as fit.
    comment, left = row.comment, room(row.comment, width)
    signs: list[Span] = []
    if row.is_unread:
        signs.append((f"{glyphs.NEWS} ", "news"))
    if comment.id < 0 or comment.id in look.pending:
        signs.append((f"{glyphs.ON_THE_WAY} ", "warn"))
    left -= line_width(signs)
    name = cut(comment.author.name if comment.author else "someone", left)
    left -= cell_width(name)
    at = local(comment.created_at) if comment.created_at else None
    is_today = at is not None and at.date() == look.now.date()
    facts = [
        *([past_time(at, look.now) if is_today else moment(at, look.now)] if at else []),
        *(["edited"] if comment.edited else []),
        *([] if comment.is_private else ["public"]),
        *(["private"] if comment.is_private and look.has_public else []),
    ]
    more = ""
    for fact in facts:
        if len(more) + len(fact) + 2 <= left:
            more += f"  {fact}"
    return (*signs, (name, "strong"), (more, "quiet"))
