"""A widget that draws the lines it shows, and again only those that have changed."""

from textual.geometry import Region, Size
from textual.strip import Strip

from tui.text.cells import width as cell_width
from tui.widgets.painted import Line, Painted


class LineList(Painted):
    """Draws what `lines_now` gives, once for each size and whenever `redraw` is called.

    A line is drawn again up to the last cell that differs: a step of the cursor is few bytes.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[Line] = []
        self._drawn_for = Size(0, 0)

    def lines_now(self, size: Size) -> list[Line]:
        """Every visible line, as it looks now; for subclasses."""
        raise NotImplementedError

    def redraw(self, *, layout: bool = False) -> None:
        """Draw what has changed; `layout` where the height goes by the number of lines."""
        before, self._lines = self._lines, self._drawn()
        if len(before) != len(self._lines):
            self.refresh(layout=layout)
            return
        changed = [
            Region(0, y, _last_change(old, new), 1)
            for y, (old, new) in enumerate(zip(before, self._lines, strict=True))
            if old != new
        ]
        if changed:
            self.refresh(*changed)

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        if self._drawn_for != self.size:
            self._lines = self._drawn()
        return self.strip(self._lines[y]) if y < len(self._lines) else Strip.blank(self.size.width)

    def _drawn(self) -> list[Line]:
        self._drawn_for = self.size
        return self.lines_now(self.size)


def _last_change(old: Line, new: Line) -> int:
    """The cells from the left up to the last one in which two lines differ."""
    same = 0
    while same < min(len(old), len(new)) and old[-1 - same] == new[-1 - same]:
        same += 1
    kept = slice(None, len(new) - same)
    return max(
        sum(cell_width(text) for text, _ in new[kept]),
        sum(cell_width(text) for text, _ in old[: len(old) - same]),
    )
