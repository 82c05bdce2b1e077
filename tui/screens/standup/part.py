"""A part of the screen that shows given lines, and is repainted by itself when they change."""

from collections.abc import Sequence

from textual.geometry import Size

from tui.widgets.painted import Line, PaintedLines


class StandupPart(PaintedLines):
    """Shows lines in a given width; hidden without lines."""

    def __init__(self) -> None:
        super().__init__()
        self.display = False
        self._shown: list[Line] = []
        self._width = 0

    def show(self, lines: Sequence[Line], width: int) -> None:
        self._shown = list(lines)
        if self.display != bool(lines):
            self.display = bool(lines)
        # Setting even the same style lays out the screen.
        if self._width != width:
            self._width = width
            self.styles.width = width
        self.redraw()

    def lines_now(self, size: Size) -> list[Line]:
        del size
        return self._shown
