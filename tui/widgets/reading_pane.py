"""A pane that shows HTML as text.

The text is laid out once for each width and only visible lines are drawn, so that a long text
scrolls as fast as a short one.
"""

from collections.abc import Mapping
from functools import lru_cache

from textual import events
from textual.geometry import Size

from tui.text.cells import cut
from tui.text.html.reading import ReadableText, read
from tui.text.keyed import keyed
from tui.text.spans import SpanKind
from tui.widgets.painted import LINK, Line, PaintedLines

WIDEST = 74
"""The longest line in cells; longer ones are hard to read."""

ROLES: Mapping[str, str] = {
    SpanKind.STRONG: "strong",
    SpanKind.EMPHASIS: "text-emphasis",
    SpanKind.STRUCK: "text-struck",
    SpanKind.CODE: "text-code",
    SpanKind.HEADING: "accent",
    SpanKind.LINK: LINK,
    SpanKind.QUOTE: "text-quote",
    SpanKind.SIGN: "quiet",
}
"""The roles of the kinds of spans; any other kind is plain text."""


class ReadingPane(PaintedLines, can_focus=True):
    """Shows HTML as text and lists its links; shows `nothing` (`keyed`) for an empty one."""

    def __init__(self, nothing: str = "") -> None:
        super().__init__()
        self._nothing = nothing
        self._source = ""

    @property
    def links(self) -> tuple[str, ...]:
        """The links of the text; the first has the number 1. Behind them the numbers of cards."""
        return reading_lines(self._source, self.size.width or WIDEST)[0]

    def show(self, source: str) -> None:
        if source != self._source:
            self._source = source
            self.draw_anew()

    def on_click(self, event: events.Click) -> None:
        self.follow_link_at(event, self.links)

    def lines_now(self, size: Size) -> list[Line]:
        return reading_lines(self._source, size.width)[1] or [((keyed(self._nothing), "quiet"),)]


@lru_cache(maxsize=4)
def reading_lines(source: str, width: int) -> tuple[tuple[str, ...], list[Line]]:
    """The links and cards of an HTML text, and its lines of at most `width` cells."""
    width = max(2, min(width, WIDEST))
    reading = read(source, width) if source.strip() else ReadableText(())
    lines: list[Line] = [
        tuple((span.text, ROLES.get(span.kind, "text")) for span in line) for line in reading.lines
    ]
    if reading.links:
        lines.append(())
    for number, link in enumerate(reading.links, 1):
        lines.append(((cut(f"[{number}] {link}", width), "quiet"),))
    return (*reading.links, *reading.cards), lines
