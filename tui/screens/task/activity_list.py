"""The activities of a task, day by day, to scroll through.

Only visible lines are drawn. Where the service has older ones it asks for them as one comes near,
and says so in the line where they will stand.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message

from tui.model.activity import Day
from tui.text.cells import cut, width as cell_width
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line, Span

NEAR = 10
"""How many lines before the end older ones are asked for."""

_CLOCK = 7


class ActivityList(LineList, can_focus=True):
    """Days with what was done on them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "O", "order", "order", id="activity.order",
            tooltip="Newest first, or oldest first",
        ),
        Binding("g g,home", "go(0)", "First", id="activity.first", show=False, tooltip="First"),
        Binding("G,end", "go(-1)", "Last", id="activity.last", show=False, tooltip="Last"),
    ]  # fmt: skip

    class MoreRequested(Message):
        """The older ones are wanted."""

    class OrderRequested(Message):
        """The user wants the other order."""

    def __init__(self) -> None:
        super().__init__()
        self._days: tuple[Day, ...] = ()
        self._notes: tuple[str, str] = ("", "")
        self._all: list[Line] = []
        self._is_open = False
        self.top = 0

    def show(
        self, days: Sequence[Day], *, above: str = "", below: str = "", is_open: bool = False
    ) -> None:
        """Show these days between two notes; `is_open` while there is more to ask for.

        More is asked for when a note about it comes into sight.
        """
        now = (tuple(days), (above, below), is_open)
        if now != (self._days, self._notes, self._is_open):
            grown = above != "" and self._notes[0] != "" and bool(self._days)
            before = len(self._all)
            self._days, self._notes, self._is_open = now
            self._all = self._all_lines()
            if grown and self.top > 0:
                self.top += len(self._all) - before
            self._put_at_top(self.top)

    def on_resize(self) -> None:
        """Stay within the list, and cut to the new width."""
        self._put_at_top(self.top)

    def lines_now(self, size: Size) -> list[Line]:
        return [_fitted(line, size.width) for line in self._all[self.top : self.top + size.height]]

    def scroll_lines(self, lines: int) -> None:
        """Scroll by lines."""
        self._put_at_top(self.top + lines)

    def on_mouse_scroll_down(self) -> None:
        """Scroll as the wheel turns."""
        self.scroll_lines(2)

    def on_mouse_scroll_up(self) -> None:
        """Scroll as the wheel turns."""
        self.scroll_lines(-2)

    def action_order(self) -> None:
        """Ask for the other order."""
        self.post_message(self.OrderRequested())

    def action_go(self, where: int) -> None:
        """Go to the first or the last line."""
        self._put_at_top(0 if where == 0 else len(self._all))

    def ask_if_near(self) -> None:
        """Ask for more where the line that stands for it is near."""
        above, _ = self._notes
        last = self.top + self.size.height
        is_near = self.top == 0 if above else last >= len(self._all) - NEAR
        if self._is_open and is_near and self.size.height:
            self.post_message(self.MoreRequested())

    def _put_at_top(self, top: int) -> None:
        """Have this line at the top, as far as the list goes."""
        self.top = max(0, min(top, len(self._all) - self.size.height))
        self.redraw()
        self.ask_if_near()

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


def _fitted(line: Line, width: int) -> Line:
    """A line in exactly so many cells."""
    fitted, room = list[Span](), width
    for text, role in line:
        piece = cut(text, room)
        room -= cell_width(piece)
        fitted.append((piece, role))
    return (*fitted, (" " * room, "title"))
