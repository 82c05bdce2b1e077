"""The scrolling list of a task's activity, grouped by day.

Older entries are requested when the user scrolls near the end of the loaded ones; a note stands in
their place meanwhile.
"""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual.binding import Binding, BindingType
from textual.message import Message

from tui.model.activity import Day
from tui.widgets.keys import quiet_keys
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line, fitted
from tui.widgets.spots import Spot

NEAR = 10
"""How many lines before the end older entries are requested."""

_CLOCK = 7


class LineFace(NamedTuple):
    """A line and its width."""

    line: Line
    width: int

    def lines(self) -> list[Line]:
        return [fitted(self.line, self.width, "title")]


class ActivityList(LineList[Line], can_focus=True):
    """The activity of a task by day."""

    wheel = 2
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("O", "order", "order", id="activity.order", tooltip="Reverse order"),
        *quiet_keys(
            "activity",
            ("first", "g g,home", "go(0)", "First entry"),
            ("last", "G,end", "go(-1)", "Last entry"),
        ),
    ]

    class MoreRequested(Message):
        """Older entries are needed."""

    class OrderRequested(Message):
        """The user wants to reverse the order."""

    def __init__(self) -> None:
        super().__init__()
        self.shows_cursor = False
        self._days: tuple[Day, ...] = ()
        self._notes: tuple[str, str] = ("", "")
        self._is_open = False

    def show(
        self, days: Sequence[Day], *, above: str = "", below: str = "", is_open: bool = False
    ) -> None:
        """Show these days between two notes.

        While `is_open`, more entries are requested when the user scrolls near the note.
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
        """Redraw the lines that changed, and request more entries if the end is near."""
        super().redraw()
        self.ask_if_near()

    def action_order(self) -> None:
        self.post_message(self.OrderRequested())

    def action_go(self, where: int) -> None:
        self.top = Spot(0 if where == 0 else len(self.rows), 0)
        self.settle()

    def ask_if_near(self) -> None:
        """Request more entries if the note in their place is near the viewport."""
        above, _ = self._notes
        last = self.top.row + self.drawn_size.height
        is_near = self.top.row == 0 if above else last >= len(self.rows) - NEAR
        if self._is_open and is_near and self.drawn_size.height:
            self.post_message(self.MoreRequested())

    def _all_lines(self) -> list[Line]:
        """All lines: each day with its title and entries, and the notes."""
        above, below = self._notes
        lines: list[Line] = [((above, "meta"),), ()] if above else []
        for day in self._days:
            lines.append(((day.title, "heading"),))
            for one in day.entries:
                clock = f"{one.at:>{_CLOCK - 2}}".ljust(_CLOCK)
                lines.append(((clock, "meta"), (one.who, "people"), (f" {one.what}", "title")))
            lines.append(())
        return [*lines, ((below, "meta"),)] if below else lines[:-1]
