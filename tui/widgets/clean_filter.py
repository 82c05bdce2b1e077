"""The last wall before the terminal: what leaves holds no control character, whatever was drawn.

The rule it keeps: text is cleaned where it becomes model; this filter only makes sure of it, for
texts that reach the screen by another way. Where ASCII is asked for, it also gives every sign of
ours its stand-in. The width of what is drawn never changes.
"""

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from tui.text.cells import fit, width
from tui.text.clean import line
from tui.widgets import glyphs


class CleanFilter(LineFilter):
    """Drops control characters from every line that is drawn."""

    def __init__(self, *, ascii_only: bool = False) -> None:
        super().__init__()
        self._ascii_only = ascii_only

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments, with the texts replaced of those that need it."""
        del background
        return [segment if segment.control else self._passed(segment) for segment in segments]

    def _passed(self, segment: Segment) -> Segment:
        """A segment as it may leave, as wide as it came."""
        text = segment.text
        if text.isascii() and text.isprintable():
            return segment
        passed = line(text)
        if passed != text:
            passed = fit(passed, width(text))
        if self._ascii_only:
            passed = passed.translate(glyphs.ASCII)
        return segment if passed == text else Segment(passed, segment.style)
