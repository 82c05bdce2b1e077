"""The least that a Textual application can be: what Callboard is measured beside.

It shows one line and changes it with every key, so that its times are those of
Python, Textual and the machine.
"""

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

SHOWN = "Pressed 0 times"


class Reference(App[None]):
    """One line that counts keys."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("j,k", "count", "Count")]
    pressed = 0

    def compose(self) -> ComposeResult:
        """The line."""
        yield Static(SHOWN)

    def action_count(self) -> None:
        """Say how often the key was pressed."""
        self.pressed += 1
        self.query_one(Static).update(f"Pressed {self.pressed} times")


if __name__ == "__main__":
    Reference().run()
