"""The activities of a task, day by day, to scroll through.

Where the service has older ones it asks for them as one comes near, and says so in the line where
they will stand.
"""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual.binding import Binding, BindingType
from textual.message import Message

from tui.model.activity import Day
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line, fitted
from tui.widgets.spots import Spot

NEAR = 10
"""How many lines before the end older ones are asked for."""

_CLOCK = 7


class LineFace(NamedTuple):
    """A line in so many cells."""

    line: Line
    width: int

    def lines(self) -> list[Line]:
        """The line cut, or padded."""
        return [fitted(self.line, self.width, "title")]


class ActivityList(LineList[Line], can_focus=True):
    """The activity, by day."""

    wheel = 2
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "O", "order", "order", id="activity.order",
            tooltip="Reverse order",
        ),
        Binding("g g,home", "go(0)", "First entry", id="activity.first", show=False),
        Binding("G,end", "go(-1)", "Last entry", id="activity.last", show=False),
    ]  # fmt: skip

    class MoreRequested(Message):
        """The older ones are wanted."""

    class OrderRequested(Message):
        """The user wants the other order."""

    def __init__(self) -> None:
        super().__init__()
        self.shows_cursor = False
        self._days: tuple[Day, ...] = ()
        self._notes: tuple[str, str] = ("", "")
        self._is_open = False

    def show(
        self, days: Sequence[Day], *, above: str = "", below: str = "", is_open: bool = False
    ) -> None:
        """Show these days between two notes; `is_open` while there is more to ask for.

        More is asked for when a note about it comes into sight.
        """
        now = (tuple(days), (above, below), is_open)
        if now != (self._days, self._notes, self._is_open):
            grown = above != "" and self._notes[0] != "" and bool(self._days)
            before = len(self.rows)
            self._days, self._notes, self._is_open = now
            self.rows = self._all_lines()
            if grown and self.top.row > 0:
                self.top = Spot(self.top.row + len(self.rows) - before, 0)
            self.settle()

    def face_of(self, row: int) -> LineFace:
        return LineFace(self.rows[row], self.drawn_size.width)

    def redraw(self) -> None:
        """Draw what has changed, and ask for more where its line is near."""
        super().redraw()
        self.ask_if_near()

    def action_order(self) -> None:
        """Ask for the other order."""
        self.post_message(self.OrderRequested())

    def action_go(self, where: int) -> None:
        """Go to the first or the last line."""
        self.top = Spot(0 if where == 0 else len(self.rows), 0)
        self.settle()

    def ask_if_near(self) -> None:
        """Ask for more where the line that stands for it is near."""
        above, _ = self._notes
        last = self.top.row + self.drawn_size.height
        is_near = self.top.row == 0 if above else last >= len(self.rows) - NEAR
        if self._is_open and is_near and self.drawn_size.height:
            self.post_message(self.MoreRequested())

    def _all_lines(self) -> list[Line]:
        """Every line; those of a day are below its title."""
        above, below = self._notes
        lines: list[Line] = [((above, "meta"),), ()] if above else []
        for day in self._days:
            lines.append(((day.title, "heading"),))
            for one in day.told:
                clock = f"{one.at:>{_CLOCK - 2}}".ljust(_CLOCK)
                lines.append(((clock, "meta"), (one.who, "people"), (f" {one.what}", "title")))
            lines.append(())
        return [*lines, ((below, "meta"),)] if below else lines[:-1]
