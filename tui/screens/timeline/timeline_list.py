"""The list of a timeline: bars below a head of days, or in an agenda rows with columns."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message

from tui.actions.action import board_action
from tui.model.timeline.scale import Zoom
from tui.screens.timeline.drawing import TimelineDrawing
from tui.widgets.painted import Line
from tui.widgets.row_list import Heading, RowList, RowSource

LIFT = board_action("timeline.lift", "space", "Lift or drop card in time", while_moving=True)


class TimelineList(RowList):
    """The rows of a timeline or an agenda; a lifted card stays in its row, its dates move.

    `drawing` returns what draws the timeline now; None for an agenda.
    """

    # The key lifts a card in place of a row.
    BINDINGS: ClassVar[list[BindingType]] = [LIFT.binding]
    # A step at the edge would otherwise draw all bars again.
    by_rows = True

    class DropRequested(Message):
        """The user wants to drop the cards that are carried."""

    @dataclass(eq=False, repr=False)
    class ZoomClicked(Message):
        """The name of a zoom was clicked."""

        zoom: Zoom

    def __init__(
        self, source: RowSource[Any], drawing: Callable[[], TimelineDrawing | None]
    ) -> None:
        super().__init__(source)
        self._drawing = drawing

    @property
    def head_height(self) -> int:
        return super().head_height if self._drawing() is None else 2

    def heading_line(self, heading: Heading, width: int) -> Line:
        drawing = self._drawing()
        return super().heading_line(heading, width) if drawing is None else drawing.heading(heading)

    def blank_line(self, width: int) -> Line:
        drawing = self._drawing()
        return super().blank_line(width) if drawing is None else drawing.blank

    def lines_now(self, size: Size) -> list[Line]:
        drawing = self._drawing()
        if drawing is None or not self.rows:
            return super().lines_now(size)
        lines = [*drawing.head, *self.row_lines()]
        return [*lines, *[drawing.blank] * (size.height - len(lines))]

    def go_to(self, row: int) -> None:
        if self.lifted is None:
            super().go_to(row)

    def go_to_group(self, by: int) -> None:
        """Go to the first row of the next group, or of this one and then the previous one."""
        groups = [row.group for row in self.rows]
        starts = [at for at, group in enumerate(groups) if not at or group != groups[at - 1]]
        passed = [at for at in starts if (at > self.cursor if by > 0 else at < self.cursor)]
        if passed:
            self.go_to(passed[0] if by > 0 else passed[-1])

    def action_lift(self) -> None:
        # What Enter runs while something is lifted.
        self.post_message(self.DropRequested())

    async def on_click(self, event: events.Click) -> None:
        point, drawing = event.screen_offset - self.region.offset, self._drawing()
        zoom = drawing.zoom_at(point.x) if drawing is not None and point.y == 0 else None
        if zoom is not None:
            self.post_message(self.ZoomClicked(zoom))

    def put_down(self) -> None:
        """End carrying; the screen has dropped the cards or put them back."""
        self.lifted = None
        self.redraw()
        self.post_message(self.Changed())

    def put_back(self) -> bool:
        if self.lifted is None:
            return super().put_back()
        self.put_down()
        return True
