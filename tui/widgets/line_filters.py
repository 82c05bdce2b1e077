"""What happens to every line between a widget and the terminal: cleaned, and without colours."""

from collections.abc import Callable, Mapping

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from tui.text import clean
from tui.text.cells import fit, width
from tui.widgets import glyphs

_TOLD_BY_GROUND = (
    "cursor-ground", "input-cursor-background", "input-selection-background",
)  # fmt: skip
"""The variables of backgrounds that tell something that no sign tells."""


class CleanFilter(LineFilter):
    """Removes control characters from every line that is drawn, keeping its width.

    Texts are cleaned when the model is built; this catches those that reach the screen in another
    way. With `ascii_only` it also replaces our glyphs by ASCII characters.
    """

    def __init__(self, *, ascii_only: bool = False) -> None:
        super().__init__()
        self._ascii_only = ascii_only

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Clean the text of all segments that are not control sequences."""
        del background
        return [segment if segment.control else self._cleaned(segment) for segment in segments]

    def _cleaned(self, segment: Segment) -> Segment:
        """The segment with clean text of the same width."""
        text = segment.text
        if text.isascii() and text.isprintable():
            return segment
        cleaned = clean.line(text)
        if cleaned != text:
            cleaned = fit(cleaned, width(text))
        if self._ascii_only:
            cleaned = cleaned.translate(glyphs.ASCII)
        return segment if cleaned == text else Segment(cleaned, segment.style)


class ColorlessFilter(LineFilter):
    """Removes all colours, for `NO_COLOR`; what only its background tells is drawn reversed."""

    def __init__(self, variables: Callable[[], Mapping[str, str]]) -> None:
        super().__init__()
        self._variables = variables

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Remove the colours of all segments."""
        del background
        variables = self._variables()
        grounds = (Color.parse(variables[name]).rich_color for name in _TOLD_BY_GROUND)
        told = {ground for ground in grounds if not ground.is_default}
        return [
            segment
            if segment.style is None
            else Segment(segment.text, _colorless(segment.style, told), segment.control)
            for segment in segments
        ]


def _colorless(style: Style, told: set[RichColor]) -> Style:
    """The style without colours."""
    return style.without_color + Style(reverse=True if style.bgcolor in told else None)
