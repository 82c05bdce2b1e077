"""Figures beside a list."""

from collections.abc import Callable, Iterable

from textual.geometry import Size

from tui.widgets.painted import Line, PaintedLines


class Figures(PaintedLines):
    """Figures of a board beside its list, drawn by a function of the size."""

    def __init__(self, draw: Callable[[Size], Iterable[Line]], name: str) -> None:
        super().__init__()
        self._draw = draw
        self.add_class(name)

    def lines_now(self, size: Size) -> list[Line]:
        return list(self._draw(size))

    def notify_style_update(self) -> None:
        super().notify_style_update()
        # Another theme may draw the area without colours, thus with other lines.
        self.drawn_size = Size(0, 0)
