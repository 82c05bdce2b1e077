"""A part of the screen with lines made elsewhere, which is painted alone when they change."""

from collections.abc import Sequence

from textual.geometry import Size

from tui.widgets.painted import Line, PaintedLines


class StandupPart(PaintedLines):
    """Shows lines, in so many cells; without lines it is not there."""

    def __init__(self) -> None:
        super().__init__()
        self.display = False
        self._shown: list[Line] = []
        self._width = 0

    def show(self, lines: Sequence[Line], width: int) -> None:
        self._shown = list(lines)
        if self.display != bool(lines):
            self.display = bool(lines)
        if self._width != width:  # even the same style would lay out the screen
            self._width = width
            self.styles.width = width
        self.redraw()

    def lines_now(self, size: Size) -> list[Line]:
        del size
        return self._shown
