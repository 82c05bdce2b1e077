"""A widget drawn line by line from spans of text, each with a role.

A span never names a colour: the theme gives each role its style. A role that starts with `#` is the
colour of a label.
"""

from collections.abc import Iterable

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from tui import theme
from tui.text.cells import ELLIPSIS, cut, width as cell_width

Span = tuple[str, str]
"""A piece of text and its role."""

Line = tuple[Span, ...]


class Painted(Widget):
    """Turns lines of spans into strips; subclasses provide the lines.

    Textual cannot select text in strips, but would redraw the whole screen at each click.
    """

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self._styles_by_role: dict[str, Style] = {}

    def notify_style_update(self) -> None:
        """Clear the cached styles, because the theme changed."""
        super().notify_style_update()
        self._styles_by_role.clear()

    def strip(self, line: Line) -> Strip:
        """The line with the style of each role."""
        return Strip([Segment(text, self._style(role)) for text, role in line if text])

    def _style(self, role: str) -> Style:
        style = self._styles_by_role.get(role)
        if style is None:
            style = theme.style_of(role, self.app.theme_variables)
            self._styles_by_role[role] = style
        return style


def line_width(line: Iterable[Span]) -> int:
    """The width of a line in cells."""
    return sum(cell_width(text) for text, _ in line)


def cut_line(line: Iterable[Span], width: int, *, ellipsis: str = ELLIPSIS) -> list[Span]:
    """The spans of a line as far as they fit into `width` cells; the last one is cut."""
    spans: list[Span] = []
    for text, role in line:
        if width <= 0:
            break
        piece = cut(text, width, ellipsis=ellipsis)
        width -= cell_width(piece)
        spans.append((piece, role))
    return spans


def fitted(line: Iterable[Span], width: int, role: str, *, ellipsis: str = ELLIPSIS) -> Line:
    """The line cut, or padded with blanks of a role, to exactly `width` cells."""
    spans = cut_line(line, width, ellipsis=ellipsis)
    return (*spans, (" " * (width - line_width(spans)), role))
