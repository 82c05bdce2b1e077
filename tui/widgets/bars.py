"""The line above a board and the line below it: what is said in words.

The rule it keeps: one line each, cut to the width and never wrapped; drawn again only when what
they say has changed.
"""

from textual.strip import Strip

from tui.text.cells import cut, width as cell_width
from tui.widgets.painted import Line, Painted


class Bar(Painted):
    """One line with a left part and a right part; the right part wins where there is no room."""

    def __init__(self, left: Line = (), right: Line = ()) -> None:
        super().__init__()
        self._left = left
        self._right = right

    @property
    def words(self) -> str:
        """Everything the line says, without its looks."""
        return "".join(text for text, _ in (*self._left, *self._right))

    def say(self, left: Line, right: Line = ()) -> None:
        """Say this from now on."""
        if (left, right) != (self._left, self._right):
            self._left, self._right = left, right
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        del y
        width = self.size.width
        right = _cut_line(self._right, width)
        taken = sum(cell_width(text) for text, _ in right)
        left = _cut_line(self._left, max(0, width - taken - bool(right)))
        blank = width - taken - sum(cell_width(text) for text, _ in left)
        line = (*left, (" " * blank, "said"), *right)
        return self.strip(line)


def _cut_line(line: Line, width: int) -> Line:
    """As much of a line as there is room for."""
    kept = []
    for text, role in line:
        if width <= 0:
            break
        piece = cut(text, width)
        width -= cell_width(piece)
        kept.append((piece, role))
    return tuple(kept)
