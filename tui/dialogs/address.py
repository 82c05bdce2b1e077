"""A dialog with an address that cannot be opened here, wrapped in full so that it can be copied."""

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.dialogs.base import Dialog


class AddressDialog(Dialog[None]):
    """Shows an address that was copied to the clipboard."""

    frame_class = "-wide"
    keys_text = "Copied, if your terminal allows it.   y copies   esc back"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,q", "cancel", "back", id="address.back", show=False, tooltip="Back"),
        Binding("y", "copy", "copy", id="address.copy", tooltip="Copy again"),
    ]

    def __init__(self, url: str) -> None:
        super().__init__("No display to open a browser on")
        self._url = url

    def body(self) -> Iterable[Widget]:
        yield Static(Content(self._url), classes="dialog-text")

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(self._url)
