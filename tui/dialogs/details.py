"""Dialogs with texts to read."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.dialogs.base import Dialog

Detail = tuple[str, str]
"""A heading, and a text of one or several lines below it."""


class DetailsDialog(Dialog[None]):
    """Shows texts below headings, which can be scrolled."""

    frame_class = "-wide"
    keys_text = "{details.down:j} {details.up:k} scroll   {dialog.cancel:esc} back"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,q", "cancel", "back", id="details.back", show=False, tooltip="Back"),
        Binding("j,down", "scroll(1)", "down", id="details.down", show=False, tooltip="Next line"),
        Binding("k,up", "scroll(-1)", "up", id="details.up", show=False, tooltip="Previous line"),
    ]

    def __init__(self, title: str, details: Sequence[Detail]) -> None:
        super().__init__(title)
        self._details = tuple(details)

    def body(self) -> Iterable[Widget]:
        parts = [
            Content.assemble((heading, "bold"), "\n", text, "\n") for heading, text in self._details
        ]
        yield VerticalScroll(*map(Static, parts), can_focus=False, id="details")

    def action_scroll(self, lines: int) -> None:
        self.query_one("#details").scroll_relative(y=lines, animate=False)


class AddressDialog(Dialog[None]):
    """Shows an address that cannot be opened here; it was copied, and is wrapped in full."""

    frame_class = "-wide"
    keys_text = (
        "Copied, if your terminal allows it.   {address.copy:y} copies   {dialog.cancel:esc} back"
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,q", "cancel", "back", id="address.back", show=False, tooltip="Back"),
        Binding("y", "copy", "copy", id="address.copy", tooltip="Copy again"),
    ]

    def __init__(self, url: str) -> None:
        super().__init__("No display to open a browser on", url)

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(self._text)
