"""A widget drawn line by line from spans of text that name the role they play.

A span never names a colour: the theme says how each role looks. A role that starts with `#` is a
label's own colour.
"""

from collections.abc import Iterable

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from tui import theme
from tui.text.cells import ELLIPSIS, cut, width as cell_width

Span = tuple[str, str]
"""A piece of text and the role it plays."""

Line = tuple[Span, ...]


class Painted(Widget):
    """Turns lines of spans into strips; subclasses say which lines.

    Textual cannot select in what is drawn so, but would write the whole screen at each click.
    """

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self._styles_by_role: dict[str, Style] = {}

    def notify_style_update(self) -> None:
        """Forget the looks of the theme before."""
        super().notify_style_update()
        self._styles_by_role.clear()

    def strip(self, line: Line) -> Strip:
        """A line with its roles turned into looks."""
        return Strip([Segment(text, self._style(role)) for text, role in line if text])

    def _style(self, role: str) -> Style:
        """The look of a role."""
        style = self._styles_by_role.get(role)
        if style is None:
            style = theme.style_of(role, self.app.theme_variables)
            self._styles_by_role[role] = style
        return style


def fitted(line: Iterable[Span], width: int, role: str, *, ellipsis: str = ELLIPSIS) -> Line:
    """A line cut, or padded in a role, to exactly so many cells."""
    spans: list[Span] = []
    for text, own_role in line:
        piece = cut(text, width, ellipsis=ellipsis)
        width -= cell_width(piece)
        spans.append((piece, own_role))
    return (*spans, (" " * width, role))
