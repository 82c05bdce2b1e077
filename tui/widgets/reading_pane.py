"""A text to read, drawn line by line.

It is laid out once for each width and drawn only where it is seen, so that a long text scrolls as
fast as a short one.
"""

from textual.geometry import Size
from textual.strip import Strip

from tui.text.cells import cut
from tui.text.html.reading import Reading, read
from tui.text.spans import Kind
from tui.widgets.painted import Line, Painted

WIDEST = 92
"""Lines longer than this are hard to read."""

ROLES = {
    Kind.STRONG: "heading",
    Kind.EMPHASIS: "text-emphasis",
    Kind.STRUCK: "text-struck",
    Kind.CODE: "text-code",
    Kind.HEADING: "active",
    Kind.LINK: "text-link",
    Kind.QUOTE: "text-quote",
    Kind.SIGN: "meta",
}
"""How the kinds of spans look; any other looks plain."""


class ReadingPane(Painted, can_focus=True):
    """Shows HTML as text, and knows the links in it."""

    def __init__(self, nothing: str = "") -> None:
        super().__init__()
        self._nothing = nothing
        self._source = ""
        self._read: tuple[str, int] | None = None
        self._reading = Reading(())
        self._lines: list[Line] = []

    @property
    def links(self) -> tuple[str, ...]:
        """The links of the text; the first has the number 1."""
        return self._read_for(max(2, min(self.size.width or WIDEST, WIDEST))).links

    def show(self, source: str) -> None:
        """Show this text from now on."""
        if source != self._source:
            self._source = source
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the text has in this width."""
        del container, viewport
        self._read_for(max(2, min(width, WIDEST)))
        return max(1, len(self._lines))

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        self._read_for(max(2, min(self.size.width, WIDEST)))
        line = self._lines[y] if y < len(self._lines) else ()
        return self.strip(line).adjust_cell_length(self.size.width, self._style("title"))

    def _read_for(self, width: int) -> Reading:
        """The text as it reads in a width."""
        if self._read != (self._source, width):
            self._read = (self._source, width)
            self._reading = read(self._source, width) if self._source.strip() else Reading(())
            self._lines = _drawn(self._reading, width) or [((self._nothing, "meta"),)]
        return self._reading


def _drawn(reading: Reading, width: int) -> list[Line]:
    """The lines with the roles they play, and the links by their numbers below."""
    lines: list[Line] = [
        tuple((span.text, ROLES.get(span.kind, "title")) for span in line) for line in reading.lines
    ]
    if reading.links:
        lines.append(())
    for number, link in enumerate(reading.links, 1):
        lines.append(((cut(f"[{number}] {link}", width), "meta"),))
    return lines
