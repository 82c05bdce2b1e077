"""The first lines of a task's newest comments, and a line with their number.

Unread comments are marked with a sign; the line below names the key that opens the thread.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message

from tui.model.comment import Comment
from tui.model.comment_text import ago, body
from tui.text.cells import ELLIPSIS, cut
from tui.text.clean import counted
from tui.text.dates import local
from tui.widgets import glyphs
from tui.widgets.painted import Line, Lines
from tui.widgets.reading_pane import ROLES, WIDEST

LINES_EACH = 3
"""How many lines of a comment are shown."""

INDENT = "  "


@dataclass(frozen=True, slots=True)
class Extract:
    """The contents of the widget: the newest comments, and a line below them."""

    comments: tuple[Comment, ...] = ()
    unread: frozenset[int] = frozenset()
    pending: frozenset[int] = frozenset()
    logins: frozenset[str] = frozenset()
    below: str = ""


class CommentExtract(Lines, can_focus=True):
    """The newest comments, a few lines each."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "thread", "thread", id="task.comments", tooltip="Open comments"),
    ]

    class ThreadRequested(Message):
        """The user wants to open the screen with all comments."""

    def __init__(self) -> None:
        super().__init__()
        self._extract = Extract()
        self._now: datetime | None = None

    def show(self, extract: Extract, now: datetime) -> None:
        """Show these comments; `now` is wall-clock time."""
        now = now.replace(second=0, microsecond=0)
        if (extract, now) != (self._extract, self._now):
            self._extract, self._now = extract, now
            self.draw_anew()

    def lines_now(self, size: Size) -> list[Line]:
        return _laid_out(self._extract, max(2, min(size.width, WIDEST)), self._now)

    def action_thread(self) -> None:
        self.post_message(self.ThreadRequested())


@lru_cache(maxsize=4)
def _laid_out(extract: Extract, width: int, now: datetime | None) -> list[Line]:
    lines: list[Line] = []
    for comment in extract.comments:
        lines += [*_comment(comment, extract, width, now), ()]
    return [*lines, ((cut(extract.below, width), "meta"),)]


def _comment(comment: Comment, extract: Extract, width: int, now: datetime | None) -> list[Line]:
    name = comment.author.name if comment.author else "Somebody"
    when = ago(local(comment.created_at), now) if (comment.created_at and now) else ""
    verb = " replied" if comment.is_reply else ""
    heading: list[tuple[str, str]] = [
        (f"{glyphs.NEWS} " if comment.id in extract.unread else "", "news"),
        (cut(name, max(1, width - len(when) - len(verb) - 6)), "people"),
        (f"{verb}  {when}", "meta"),
        (f"  {glyphs.ON_THE_WAY}" if comment.id in extract.pending else "", "pending"),
    ]
    lines = body(comment.text.strip(), width - len(INDENT), extract.logins)
    text = [
        ((INDENT, "title"), *((span.text, ROLES.get(span.kind, "title")) for span in line))
        for line in lines[:LINES_EACH]
    ]
    if len(lines) > LINES_EACH:
        text[-1] = (*text[-1], (ELLIPSIS, "meta"))
    if comment.images:
        pictures = f"{INDENT}{counted(len(comment.images), 'picture')}"
        text.append(((cut(pictures, width), "meta"),))
    return [tuple(heading), *text]
