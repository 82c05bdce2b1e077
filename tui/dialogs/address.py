"""A dialog with an address that cannot be opened here, wrapped in full so that it can be copied."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from tui.dialogs.base import Dialog


class AddressDialog(Dialog[None]):
    """Shows an address that was copied to the clipboard."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,q", "cancel", "back", id="address.back", show=False, tooltip="Back"),
        Binding("y", "copy", "copy", id="address.copy", tooltip="Copy again"),
    ]

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url

    def compose(self) -> ComposeResult:
        """The address and the keys."""
        yield self.frame(
            "No display to open a browser on",
            Static(Content(self._url), classes="dialog-text"),
            Static(
                Content("Copied, if your terminal allows it.   y copies   esc back"),
                classes="dialog-keys",
            ),
        ).add_class("-wide")

    def action_copy(self) -> None:
        """Copy the address again."""
        self.app.copy_to_clipboard(self._url)
