"""The keys that may follow the first key of a chord, in columns above the status line."""

from collections.abc import Sequence

from textual.geometry import Size
from textual.strip import Strip

from tui.widgets.painted import Line, Painted, Span, fitted, line_width

GAP = 2
GO_TO = "go to "


class ChordMenu(Painted):
    """A key and a label for each entry, down the columns; it covers what is behind it."""

    def __init__(self, entries: Sequence[Span]) -> None:
        super().__init__()
        self._entries = entries

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        del container, viewport
        return len(menu_lines(self._entries, width))

    def render_line(self, y: int) -> Strip:
        lines = menu_lines(self._entries, self.size.width)
        return self.strip(lines[y] if y < len(lines) else ())


def menu_lines(entries: Sequence[Span], width: int) -> list[Line]:
    """The entries in as many columns as fit, each line exactly `width` cells wide.

    If there is only one column, “go to” is left out, so that the screen behind stays visible.
    """
    cells: list[Line] = [((f" {key} ", "key"), (label, "said")) for key, label in entries]
    widest = min(width, max(map(line_width, cells), default=0) + GAP)
    if 2 * widest > width and any(label.startswith(GO_TO) for _, label in entries):
        return menu_lines([(key, label.removeprefix(GO_TO)) for key, label in entries], width)
    across = max(1, width // widest) if widest else 1
    down = -(-len(cells) // across)
    return [
        fitted(
            (span for cell in cells[row::down] for span in fitted(cell, widest, "said")),
            width,
            "said",
        )
        for row in range(down)
    ]
