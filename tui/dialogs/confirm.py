"""The confirmation of destructive actions.

Only `y` confirms, so that pressing Enter by habit deletes nothing.
"""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from tui.dialogs.base import Dialog
from tui.text.keyed import keyed


class ConfirmDialog(Dialog[bool]):
    """Asks for confirmation of what the title says; answers True after `y`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "confirm", "yes", id="dialog.confirm", tooltip="Confirm"),
        Binding("n", "cancel", "no", id="dialog.refuse", tooltip="Cancel"),
        Binding(
            "enter", "remind", "remind", id="dialog.remind", show=False, tooltip="Remind of the key"
        ),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__(title, text)
        self.keys_text = Content.from_markup(
            "[b $refused]$yes[/] yes, do it   [b]$no[/] or [b]$esc[/] no",
            yes=keyed("{dialog.confirm:y}"),
            no=keyed("{dialog.refuse:n}"),
            esc=keyed("{dialog.cancel:esc}"),
        )

    def action_confirm(self) -> None:
        self.dismiss(True)

    def action_remind(self) -> None:
        self.query_one(".dialog-keys").add_class("-reminded")
