"""The newest comments of a task in short, and how many there are.

Unread ones are marked with a sign, and the key that shows the whole thread is named.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from tui.model.comment import Comment
from tui.model.comment_text import ago, body
from tui.text.cells import ELLIPSIS, cut
from tui.text.clean import counted
from tui.text.dates import local
from tui.widgets import glyphs
from tui.widgets.painted import Line, Painted
from tui.widgets.reading_pane import ROLES, WIDEST

LINES_EACH = 3
"""How many lines of a comment are shown."""

INDENT = "  "


@dataclass(frozen=True, slots=True)
class Extract:
    """What is shown: the newest comments, and a line below them."""

    comments: tuple[Comment, ...] = ()
    unread: frozenset[int] = frozenset()
    pending: frozenset[int] = frozenset()
    logins: frozenset[str] = frozenset()
    below: str = ""


class CommentExtract(Painted, can_focus=True):
    """The newest comments, a few lines each."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "thread", "thread", id="task.comments", tooltip="Read the whole thread"),
    ]

    class ThreadRequested(Message):
        """The user wants to read everything that was said."""

    def __init__(self) -> None:
        super().__init__()
        self._extract = Extract()
        self._now: datetime | None = None
        self._drawn: tuple[int, list[Line]] | None = None

    def show(self, extract: Extract, now: datetime) -> None:
        """Show these comments from now on; `now` is wall-clock time."""
        now = now.replace(second=0, microsecond=0)
        if (extract, now) != (self._extract, self._now):
            self._extract, self._now, self._drawn = extract, now, None
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the comments take in this width."""
        del container, viewport
        return len(self._lines(width))

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        lines = self._lines(self.size.width)
        line = lines[y] if y < len(lines) else ()
        return self.strip(line).adjust_cell_length(self.size.width, self._style("title"))

    def action_thread(self) -> None:
        """Ask for the thread."""
        self.post_message(self.ThreadRequested())

    def _lines(self, width: int) -> list[Line]:
        """Every line, laid out once for each width."""
        width = max(2, min(width, WIDEST))
        if self._drawn is None or self._drawn[0] != width:
            lines: list[Line] = []
            for comment in self._extract.comments:
                lines += [*self._comment(comment, width), ()]
            lines.append(((cut(self._extract.below, width), "meta"),))
            self._drawn = width, lines
        return self._drawn[1]

    def _comment(self, comment: Comment, width: int) -> list[Line]:
        """Who, when, and the first lines of what was said."""
        extract = self._extract
        is_unread, is_pending = comment.id in extract.unread, comment.id in extract.pending
        name = comment.author.name if comment.author else "Somebody"
        when = (
            ago(local(comment.created_at), self._now) if (comment.created_at and self._now) else ""
        )
        said = " replied" if comment.is_reply else ""
        heading: list[tuple[str, str]] = [
            (f"{glyphs.NEWS} " if is_unread else "", "news"),
            (cut(name, max(1, width - len(when) - len(said) - 6)), "people"),
            (f"{said}  {when}", "meta"),
            (f"  {glyphs.ON_THE_WAY}" if is_pending else "", "pending"),
        ]
        lines = body(comment.text.strip(), width - len(INDENT), extract.logins)
        shown = [
            ((INDENT, "title"), *((span.text, ROLES.get(span.kind, "title")) for span in line))
            for line in lines[:LINES_EACH]
        ]
        if len(lines) > LINES_EACH:
            shown[-1] = (*shown[-1], (ELLIPSIS, "meta"))
        count = len(comment.images)
        if count:
            pictures = f"{INDENT}{counted(count, 'picture')}"
            shown.append(((cut(pictures, width), "meta"),))
        return [tuple(heading), *shown]
