"""A dialog for a text of several lines."""

from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static, TextArea

from tui.dialogs.base import Dialog


class Written(NamedTuple):
    """The text, and whether to send it or only keep it."""

    text: str
    is_to_be_sent: bool


class WriteDialog(Dialog[Written]):
    """Asks for a text, starting from `text`; leaving the dialog returns it to the caller too."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "send", "send", id="write.send", tooltip="Send", priority=True),
    ]

    def __init__(self, title: str, text: str, explanation: str) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._explanation = explanation

    def compose(self) -> ComposeResult:
        """The explanation, the text, and the keys."""
        frame = self.frame(
            self._title,
            Static(Content(self._explanation), classes="dialog-text"),
            TextArea(self._text, tab_behavior="focus", show_line_numbers=False, compact=True),
            Static(Content("ctrl+s sends it   esc back, your text is kept"), classes="dialog-keys"),
        )
        frame.add_class("-wide")
        yield frame

    def on_mount(self) -> None:
        """Focus the text."""
        self.query_one(TextArea).focus()

    def action_send(self) -> None:
        """Answer with the text, to be sent."""
        self.dismiss(Written(self.query_one(TextArea).text, is_to_be_sent=True))

    def action_cancel(self) -> None:
        """Close and return the text to the caller, who keeps it."""
        self.dismiss(Written(self.query_one(TextArea).text, is_to_be_sent=False))
