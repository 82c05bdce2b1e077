"""Asks before something is destroyed.

`y` confirms and nothing else does, so that no habit of pressing Enter deletes.
"""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from tui.dialogs.base import Dialog


class ConfirmDialog(Dialog[bool]):
    """Asks whether to do what the title says; True only after `y`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "confirm", "yes", id="dialog.confirm", tooltip="Confirm"),
        Binding("n", "cancel", "no", id="dialog.refuse", tooltip="Cancel"),
        Binding(
            "enter", "remind", "remind", id="dialog.remind", show=False, tooltip="Remind of the key"
        ),
    ]

    def __init__(self, title: str, explanation: str) -> None:
        super().__init__()
        self._title = title
        self._explanation = explanation

    def compose(self) -> ComposeResult:
        """The question, what it means, and the keys."""
        keys = Content.from_markup("[b $error]y[/] yes, do it   [b]n[/] or [b]esc[/] no")
        yield self.frame(
            self._title,
            Static(Content(self._explanation), classes="dialog-text"),
            Static(keys, classes="dialog-keys"),
        )

    def action_confirm(self) -> None:
        """Answer yes."""
        self.dismiss(True)

    def action_remind(self) -> None:
        """Say which key confirms: Enter does not."""
        self.query_one(".dialog-keys").add_class("-reminded")
