"""Dragging with the mouse: press, move, release.

A press without a move is a click; releasing the button always ends the drag.
"""

from typing import Final

from textual import events
from textual.geometry import Offset
from textual.widget import Widget

RIGHT: Final = 3


def actions_at(point: Offset) -> str:
    """What a click with the right button runs, after the cursor has gone there."""
    return f"screen.show_actions({point.x}, {point.y})"


class MouseDrag(Widget):
    """A widget whose contents can be dragged; subclasses implement the four callbacks."""

    _pressed: Offset | None = None
    _is_dragging = False

    def pressed_at(self, point: Offset) -> bool:
        """Handle a button press at a point of the screen; whether a drag can start there."""
        raise NotImplementedError

    def drag_started(self) -> None:
        """Handle the start of a drag."""
        raise NotImplementedError

    def dragged_to(self, point: Offset) -> None:
        """Handle a move of the drag to a point of the screen."""
        raise NotImplementedError

    def drag_ended(self) -> None:
        """Handle the release of the button after a drag."""
        raise NotImplementedError

    async def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.button == RIGHT and self.pressed_at(event.screen_offset):
            await self.run_action(actions_at(event.screen_offset))
        elif event.button == 1 and self.pressed_at(event.screen_offset):
            self._pressed = event.screen_offset

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._pressed is None or event.screen_offset == self._pressed:
            return
        if not self._is_dragging:
            self._is_dragging = True
            # Moves and the release outside the widget come here as well.
            self.capture_mouse()
            self.drag_started()
        self.dragged_to(event.screen_offset)

    def on_mouse_up(self) -> None:
        dragged, self._is_dragging, self._pressed = self._is_dragging, False, None
        self.release_mouse()
        if dragged:
            self.drag_ended()
