"""Pages of figures: those above and beside a list, and how far back they look."""

from collections.abc import Callable, Iterable, Sequence

from textual.geometry import Size

from tui.actions.host import Host
from tui.widgets.painted import Line, PaintedLines


class Figures(PaintedLines):
    """Figures of the board beside the list, drawn by a function of the size."""

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


class WeekRange:
    """One of several numbers of weeks; `changed` is called with another one."""

    def __init__(
        self, host: Host, choices: Sequence[int], weeks: int, changed: Callable[[], None]
    ) -> None:
        self._host = host
        self._choices = choices
        self._changed = changed
        self.weeks = weeks

    def step(self, by: int) -> None:
        """Take the next greater or smaller number, or say that there is none."""
        index = self._choices.index(self.weeks) + by
        if 0 <= index < len(self._choices):
            self.weeks = self._choices[index]
            self._changed()
        else:
            limit = "most" if by > 0 else "least"
            self._host.say(f"{self.weeks} weeks is the {limit}")
