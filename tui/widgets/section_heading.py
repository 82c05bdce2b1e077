"""The heading of a part of a screen: its name, what there is to say about it, and a rule.

The rule it keeps: the part that has the focus is told by a sign and by weight, not by colour alone.
"""

from textual.strip import Strip

from tui.text.cells import cut, width as cell_width
from tui.widgets import glyphs
from tui.widgets.painted import Line, Painted


class SectionHeading(Painted):
    """One line above a part."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title = title
        self._note: Line = ()
        self._is_current = False

    def say(self, note: Line, *, is_current: bool) -> None:
        """Say this beside the title."""
        if (note, is_current) != (self._note, self._is_current):
            self._note, self._is_current = note, is_current
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        del y
        sign = f"{glyphs.HERE} " if self._is_current else ""
        role = "active" if self._is_current else "heading"
        line: list[tuple[str, str]] = []
        room = self.size.width
        gap = ((" ", role),) if self._note else ()
        for text, of in ((f"{sign}{self.title}", role), *gap, *self._note):
            piece = cut(text, room)
            line.append((piece, of))
            room -= cell_width(piece)
        line.append((f" {glyphs.FRAME.across * (room - 1)}" if room > 1 else " " * room, "frame"))
        return self.strip(tuple(line))
