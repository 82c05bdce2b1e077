"""A widget that draws the lines it shows, and again only those that have changed."""

from textual.geometry import Region, Size
from textual.strip import Strip

from tui.text.cells import width as cell_width
from tui.widgets.painted import Line, Painted


class Lines(Painted):
    """Draws what `lines_now` gives, once for each size and whenever `redraw` is called.

    A line is drawn again up to the last cell that differs: a step of the cursor is few bytes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.drawn_size = Size(0, 0)
        self._lines: list[Line] = []

    def lines_now(self, size: Size) -> list[Line]:
        """Every visible line, as it looks now; for subclasses."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw what has changed."""
        before, self._lines = self._lines, self._lines_now()
        if len(before) != len(self._lines):
            self.refresh(layout=self.styles.is_auto_height)
            return
        changed = [
            Region(0, y, _last_change(old, new), 1)
            for y, (old, new) in enumerate(zip(before, self._lines, strict=True))
            if old != new
        ]
        if changed:
            self.refresh(*changed)

    def draw_anew(self) -> None:
        """Draw all lines, and ask for another height where it goes by them."""
        self.drawn_size = Size(0, 0)
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As high as there are lines, where the height is left to the list."""
        del container, viewport
        return max(1, len(self.lines_now(Size(width, 0))))

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        if self.drawn_size != self.size:
            self._lines = self._lines_now()
        width = self.size.width
        if y >= len(self._lines):
            return Strip.blank(width)
        return self.strip(self._lines[y]).adjust_cell_length(width, self._style("title"))

    def _lines_now(self) -> list[Line]:
        self.drawn_size = self.size
        return self.lines_now(self.drawn_size)


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
