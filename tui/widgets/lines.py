"""A widget that shows lines and redraws only those that changed."""

from textual.geometry import Region, Size
from textual.strip import Strip

from tui.widgets.painted import Line, Painted, fitted, line_width


class Lines(Painted):
    """Draws the result of `lines_now`, which is called for each new size and by `redraw`.

    A line is redrawn up to the last cell that differs, so that a step of the cursor is few bytes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.drawn_size = Size(0, 0)
        self._lines: list[Line] = []

    def lines_now(self, size: Size) -> list[Line]:
        """Every visible line as it looks now; subclasses implement it."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Redraw the lines that changed."""
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
        """Redraw all lines and the layout, because the height may depend on them."""
        self.drawn_size = Size(0, 0)
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The number of lines, for `height: auto`."""
        del container, viewport
        return max(1, len(self.lines_now(Size(width, 0))))

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        if self.drawn_size != self.size:
            self._lines = self._lines_now()
        width = self.size.width
        if y >= len(self._lines):
            return Strip.blank(width)
        return self.strip(fitted(self._lines[y], width, "title"))

    def _lines_now(self) -> list[Line]:
        self.drawn_size = self.size
        return self.lines_now(self.drawn_size)


def _last_change(old: Line, new: Line) -> int:
    """How many cells from the left have to be redrawn to turn `old` into `new`.

    An end that is the same stays only if it is still at the same place.
    """
    before, after = line_width(old), line_width(new)
    if before != after:
        return max(before, after)
    same = 0
    while same < min(len(old), len(new)) and old[-1 - same] == new[-1 - same]:
        same += 1
    return line_width(new[: len(new) - same])
