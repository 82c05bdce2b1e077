"""The bar of a thread, and its comments as lines.

A comment has author and time, text, pictures, and the number of folded replies. The text is
expensive to wrap, so everything that depends on the time, the cursor or the unread state is on
separate lines, and the text is laid out once for each width.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from tui.model.comment import Comment, Image, ThreadRow, count
from tui.model.comment_text import ago, body
from tui.model.detail import Part, TaskDetail
from tui.model.task import Task
from tui.store.events import SyncStatus
from tui.text.cells import cut, width as cell_width
from tui.text.dates import local
from tui.text.keyed import keyed
from tui.text.spans import Kind
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span, fitted, line_width

WIDEST = 104
"""The greatest width of a comment in cells; longer lines are hard to read."""

_LEAST_TITLE = 12
"""The least width of the title in the bar."""
_EDGE = 2
_INDENT = 4
_NARROWEST = 8
_MOST_KEPT = 1024
"""How many laid-out comments are cached."""
_PICTURE = "▪"
_ROLES: Mapping[str, str] = {
    Kind.STRONG: "mention",
    Kind.LINK: "text-link",
    Kind.QUOTE: "text-quote",
    Kind.SIGN: "meta",
}


@dataclass(frozen=True, slots=True)
class Look:
    """The inputs that all comments share: time, known logins, and ids of pending comments.

    With `has_public`, some comments of the thread are public; then private ones are labelled.
    """

    now: datetime
    logins: frozenset[str] = frozenset()
    pending: frozenset[int] = frozenset()
    has_public: bool = False


def room(comment: Comment, width: int) -> int:
    """The width of the text of a comment in a view `width` cells wide."""
    indent = _INDENT if comment.is_reply else 0
    return max(_NARROWEST, min(width, WIDEST) - _EDGE - indent - 1)


@lru_cache(maxsize=_MOST_KEPT)
def words(
    text: str, images: tuple[Image, ...], room: int, logins: frozenset[str]
) -> tuple[Line, ...]:
    """The text and the pictures of a comment, wrapped to `room` cells."""
    lines: list[Line] = [
        tuple((span.text, _ROLES.get(span.kind, "title")) for span in line)
        for line in body(text, room, logins)
    ]
    for image in images:
        sign = glyphs.ON_THE_WAY if image.id < 0 else _PICTURE
        named = cut(f"{sign} {image.title or 'picture'}", room)
        left = room - cell_width(named)
        more = f"  {image.size}" if image.size and len(image.size) + 2 <= left else ""
        lines.append(((named, "text-link"), (more, "meta")))
    return tuple(lines)


def row_lines(row: ThreadRow, width: int, look: Look, *, is_current: bool) -> list[Line]:
    """All lines of a row, each exactly `width` cells wide; the last one is blank."""
    comment = row.comment
    text_lines = words(comment.text, comment.images, room(comment, width), look.logins)
    edge = _edge(comment, is_current=is_current)
    below = _below(row)
    lines = [
        _head(row, width, look, edge, is_current=is_current),
        *(fitted((*edge, *line), width, "title", ellipsis="") for line in text_lines),
        *([fitted((*edge, *below), width, "title", ellipsis="")] if below else []),
        ((" " * width, "title"),),
    ]
    if row.is_followed:
        lines[-1] = fitted(_edge(comment, is_current=False), width, "title", ellipsis="")
    return lines


def _edge(comment: Comment, *, is_current: bool) -> Line:
    """The left edge of every line of a comment."""
    bar: Span = (glyphs.BAR if is_current else " ", "bar")
    if comment.is_reply:
        return bar, (f"  {glyphs.FRAME.down}  ", "frame")
    return bar, (" ", "title")


def _head(row: ThreadRow, width: int, look: Look, edge: Line, *, is_current: bool) -> Line:
    """The author and as many facts as fit, with the date at the right."""
    comment, left = row.comment, room(row.comment, width)
    signs: list[Span] = []
    if row.is_unread:
        signs.append((f"{glyphs.NEWS} ", "news"))
    if comment.id < 0 or comment.id in look.pending:
        signs.append((f"{glyphs.ON_THE_WAY} ", "pending"))
    left -= line_width(signs)
    name = cut(comment.author.name if comment.author else "somebody", left)
    left -= cell_width(name)
    when = local(comment.created_at) if comment.created_at else None
    facts = [
        *([ago(when, look.now)] if when else []),
        *(["edited"] if comment.edited else []),
        *([] if comment.is_private else ["public"]),
        *(["private"] if comment.is_private and look.has_public else []),
    ]
    more = ""
    for fact in facts:
        if len(more) + len(fact) + 3 <= left:
            more += f" · {fact}"
    date = f"{when:%Y-%m-%d %H:%M}" if when else ""
    blank = left - len(more) - len(date)
    dated = f"{' ' * blank}{date}" if date and blank > 1 else ""
    role = "cursor" if is_current else "heading"
    return fitted(
        (*edge, *signs, (name, role), (more, "meta"), (dated, "meta")), width, "title", ellipsis=""
    )


def _below(row: ThreadRow) -> Line:
    """The line with the number of folded replies; empty if there are none."""
    if not row.hidden:
        return ()
    count = f"{row.hidden} {'reply' if row.hidden == 1 else 'replies'}"
    unread = f" {glyphs.NEWS} {row.hidden_unread} unread" if row.hidden_unread else ""
    key = (keyed(" · {thread.unfold:↵} unfolds"), "meta")
    return (f"{glyphs.HERE} {count}", "people"), (unread, "news"), key


def thread_line(
    task: Task | None, detail: TaskDetail | None, unread: int, right: str, width: int
) -> tuple[Line, Line]:
    """The bar: task, comments and unread ones; at the right `right`, if it fits."""
    if task is None:
        return ((" This task is not here", "name"),), ()
    number = "new" if task.is_local else f"#{task.id}"
    facts = ""
    if detail is not None and detail.comments is not None:
        many = count(detail.comments)
        more = "" if detail.all_comments else "+"
        facts = f" · {many}{more} comment{'' if many == 1 and not more else 's'}"
    news = f" · {glyphs.NEWS} {unread} unread" if unread else ""
    room = width - cell_width(f"   {number}{news}{facts} ")
    right = f"{right} " if cell_width(right) + _LEAST_TITLE <= room else ""
    title = cut(task.title, max(_LEAST_TITLE, room - cell_width(right)))
    left = ((f" {title}", "name"), (f"  {number}", "quiet"), (news, "heard"), (facts, "quiet"))
    return left, ((right, "quiet"),)


def nothing_words(detail: TaskDetail | None, status: SyncStatus) -> str:
    """The text in place of comments: why there are none, and what to press."""
    if detail is not None and Part.COMMENTS in detail.why:
        return detail.why[Part.COMMENTS]
    if detail is not None and detail.comments is not None:
        return keyed("No comments yet.\n\n{comment.new:c} writes the first comment")
    if status.problem:
        return keyed(
            "The comments are not loaded yet; they come when the service answers.\n\n"
            "{comment.new:c} writes one anyway: it is sent then"
        )
    return "loading comments …"
