"""Dragging with the mouse: press, move, let go.

A press that does not move is a click; letting go always ends a drag.
"""

from textual import events
from textual.geometry import Offset
from textual.widget import Widget


class MouseDrag(Widget):
    """A widget whose contents can be pressed and dragged; it fills in the four verbs."""

    _pressed: Offset | None = None
    _is_dragging = False

    def pressed_at(self, point: Offset) -> bool:
        """The button went down on the screen at `point`; whether there is something to drag."""
        raise NotImplementedError

    def drag_started(self) -> None:
        """What was pressed is being dragged."""
        raise NotImplementedError

    def dragged_to(self, point: Offset) -> None:
        """What is being dragged is over the screen at `point`."""
        raise NotImplementedError

    def drag_ended(self) -> None:
        """The button was let go after dragging."""
        raise NotImplementedError

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Remember where the button went down."""
        if event.button == 1 and self.pressed_at(event.screen_offset):
            self._pressed = event.screen_offset

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Start dragging at the first move with the button down, then follow."""
        if self._pressed is None or event.screen_offset == self._pressed:
            return
        if not self._is_dragging:
            self._is_dragging = True
            self.capture_mouse()
            self.drag_started()
        self.dragged_to(event.screen_offset)

    def on_mouse_up(self) -> None:
        """Let go of what is being dragged."""
        dragged, self._is_dragging, self._pressed = self._is_dragging, False, None
        self.release_mouse()
        if dragged:
            self.drag_ended()
