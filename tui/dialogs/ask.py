"""A dialog for one line of text that shows how the input is interpreted.

Invalid input is explained below the field and can be corrected.
"""

from collections.abc import Callable, Iterable

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from tui.dialogs.base import Dialog, Message
from tui.errors import CallboardError
from tui.text.keyed import keyed
from tui.widgets.text_input import TextInput

Reading = Callable[[str], str]
"""Describes how input is interpreted; raises `CallboardError` if it is invalid."""


class AskDialog(Dialog[str]):
    """Asks for one line of text; with `replaces` typing replaces the old value."""

    def __init__(
        self,
        title: str,
        value: str = "",
        *,
        placeholder: str = "",
        reading: Reading | None = None,
        replaces: bool = False,
    ) -> None:
        super().__init__(title)
        self.keys_text = Content.from_markup(
            "[b]↵[/] ok   [b]$esc[/] cancel", esc=keyed("{dialog.cancel:esc}")
        )
        self._reading = reading
        self._input = TextInput(
            value, placeholder=placeholder, compact=True, select_on_focus=replaces
        )
        self._message = Message(classes="dialog-text", id="reading")
        self._message.display = reading is not None

    def body(self) -> Iterable[Widget]:
        return self._input, self._message

    def on_mount(self) -> None:
        self._read(self._input.value)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._read(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if self._read(event.value):
            self.dismiss(event.value)

    def _read(self, words: str) -> bool:
        try:
            self._message.show(self._reading(words) if self._reading else "")
        except CallboardError as error:
            self._message.show(f"{error.message}\n{error.hint}".strip(), is_problem=True)
            return False
        return True
