"""Filters for every line between a widget and the terminal: cleaning, and removing colours."""

from collections.abc import Callable, Mapping

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from tui.text import clean
from tui.text.cells import fit, width
from tui.theme import in_sixteen
from tui.widgets import glyphs
from tui.widgets.plain_ascii import in_ascii

_CHOSEN = ("cursor-ground", "input-cursor-background", "input-selection-background")
"""The theme variables of backgrounds for what is chosen."""
_FILLED = ("hand-ground", "place-ground", "blocked-ground")
"""The theme variables of other backgrounds with a meaning."""


class CleanFilter(LineFilter):
    """Removes control characters from every line that is drawn, keeping its width.

    Texts are cleaned when the model is built; this catches those that reach the screen in another
    way. With `ascii_only` it also replaces our glyphs by ASCII characters. Where the terminal does
    not show UTF-8, it also replaces the letters that people have written.
    """

    def __init__(self, *, ascii_only: bool = False, shows_utf8: bool = True) -> None:
        super().__init__()
        self.ascii_only = ascii_only or not shows_utf8
        self._shows_utf8 = shows_utf8

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        del background
        return [segment if segment.control else self._cleaned(segment) for segment in segments]

    def _cleaned(self, segment: Segment) -> Segment:
        text = segment.text
        # Every drawn segment passes here, and nearly all of them leave at once.
        if text.isascii() and text.isprintable():
            return segment
        cleaned = clean.line(text)
        # A character that is removed or replaced must not shift the rest of the line.
        if cleaned != text:
            cleaned = fit(cleaned, width(text))
        if not self._shows_utf8:
            cleaned = in_ascii(cleaned)
        elif self.ascii_only:
            cleaned = cleaned.translate(glyphs.ASCII)
        return segment if cleaned == text else Segment(cleaned, segment.style)


class ColorlessFilter(LineFilter):
    """Reverses text whose background has a meaning, and removes the background of other blanks.

    Other colours become those of the terminal's sixteen; with `everywhere` they are removed as
    well, for `NO_COLOR`.
    """

    def __init__(self, variables: Callable[[], Mapping[str, str]], *, everywhere: bool) -> None:
        super().__init__()
        self._variables = variables
        self._everywhere = everywhere

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        del background
        variables = self._variables()
        names = (*_CHOSEN, *(_FILLED if self._everywhere else ()))
        grounds = {Color.parse(variables[name]).rich_color for name in names}
        return [self._filtered(segment, grounds) for segment in segments]

    def _filtered(self, segment: Segment, grounds: set[RichColor]) -> Segment:
        text, style, control = segment
        if style is None:
            return segment
        has_meaning = style.bgcolor in grounds
        if not (has_meaning or self._everywhere or text.isspace()):
            color, ground = (part and in_sixteen(part) for part in (style.color, style.bgcolor))
            if (color, ground) == (style.color, style.bgcolor):
                return segment
            return Segment(text, style + Style(color=color, bgcolor=ground), control)
        plain = style.without_color
        return Segment(text, plain + Style(reverse=True) if has_meaning else plain, control)
