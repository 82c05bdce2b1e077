"""The last wall before the terminal: no control character leaves, whatever was drawn.

The rule it keeps: text is cleaned where it becomes model; this filter only makes sure of it, for
texts that reach the screen by another way.
"""

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from tui.text.clean import line


class CleanFilter(LineFilter):
    """Drops control characters from every line that is drawn."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments, with the texts cleaned of those that need it."""
        del background
        return [
            segment if segment.control or line(segment.text) == segment.text else _cleaned(segment)
            for segment in segments
        ]


def _cleaned(segment: Segment) -> Segment:
    """A segment without control characters, padded to the width it had."""
    text = line(segment.text)
    return Segment(text.ljust(len(segment.text)), segment.style)
