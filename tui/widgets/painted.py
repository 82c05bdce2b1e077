"""A widget drawn line by line from spans of text that name the role they play.

The rule it keeps: looks come from the stylesheet, by the component classes of the widget; a span
never names a style. A role that starts with `#` is a label's own colour.
"""

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

Span = tuple[str, str]
"""A piece of text and the role it plays."""

Line = tuple[Span, ...]


class Painted(Widget):
    """Turns lines of spans into strips; subclasses say which lines."""

    GROUND = ""
    """The component class whose background labels stand on."""

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
            if role.startswith("#"):
                style = self.get_component_rich_style(self.GROUND) + Style(color=role)
            else:
                style = self.get_component_rich_style(role)
            self._styles_by_role[role] = style
        return style
