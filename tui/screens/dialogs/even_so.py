"""Taking back, or doing again, what somebody else changed since.

The rule it keeps: `y` does it and nothing else does; the difference is shown before.
"""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.sides import Sides, fields_of
from tui.store.protocol import UndoDiffers


class EvenSoDialog(Dialog[bool]):
    """Asks whether to do it all the same; True only after `y`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "confirm", "do it", id="even-so.confirm", tooltip="Do it all the same"),
        Binding("n", "cancel", "leave it", id="even-so.leave", tooltip="Leave it as it is now"),
        Binding("j,down", "scroll(1)", "Down", id="even-so.down", show=False, tooltip="Down"),
        Binding("k,up", "scroll(-1)", "Up", id="even-so.up", show=False, tooltip="Up"),
    ]

    def __init__(self, found: UndoDiffers, *, back: bool) -> None:
        super().__init__()
        self._found = found
        self._back = back

    def compose(self) -> ComposeResult:
        """What would be done, what is there now, and the keys."""
        verb = "Take back" if self._back else "Do again"
        fields = fields_of(self._found.differences)
        frame = self.frame(
            f"{verb} all the same?",
            Static(
                Content(f"{self._found.step}\nSomebody else changed the {fields} since."),
                classes="dialog-text",
            ),
            Sides(self._found.differences, ("it would be", "it is now", "you had it at")),
            Static(_keys(), classes="dialog-keys"),
        )
        frame.add_class("-wide")
        yield frame

    def on_mount(self) -> None:
        """Scroll with the keys."""
        self.query_one(Sides).focus()

    def on_key(self, event: events.Key) -> None:
        """Say which key does it, to whoever pressed another."""
        if event.key == "enter" or (event.is_printable and event.key not in self.active_bindings):
            self.query_one(".dialog-keys").add_class("-reminded")

    def action_confirm(self) -> None:
        """Answer yes."""
        self.dismiss(True)

    def action_scroll(self, lines: int) -> None:
        """Scroll."""
        self.query_one(Sides).scroll_relative(y=lines, animate=False, immediate=True)


def _keys() -> Content:
    return Content.from_markup(
        "[b $error]y[/] yes, do it   [b]n[/] or [b]esc[/] leave it as it is now"
    )
