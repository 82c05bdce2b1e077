"""A dialog for one line of text that shows how the input is interpreted.

Invalid input is explained below the field and can be corrected.
"""

from collections.abc import Callable

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from tui.dialogs.base import Dialog
from tui.errors import CallboardError

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
        super().__init__()
        self._title = title
        self._value = value
        self._placeholder = placeholder
        self._reading = reading
        self._replaces = replaces

    def compose(self) -> ComposeResult:
        """The input, its interpretation, and the keys."""
        yield self.frame(
            self._title,
            Input(
                self._value,
                placeholder=self._placeholder,
                compact=True,
                select_on_focus=self._replaces,
            ),
            Static(classes="dialog-text", id="reading"),
            Static(Content.from_markup("[b]↵[/] ok   [b]esc[/] cancel"), classes="dialog-keys"),
        )

    def on_mount(self) -> None:
        """Focus the input."""
        self.query_one(Input).focus()
        self._read(self._value)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Update the interpretation."""
        self._read(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer if the input is valid."""
        if self._read(event.value):
            self.dismiss(event.value)

    def _read(self, words: str) -> bool:
        """Show the interpretation or the error; whether the input is valid."""
        shown = self.query_one("#reading", Static)
        if self._reading is None:
            shown.display = False
            return True
        try:
            meaning = self._reading(words)
        except CallboardError as error:
            shown.update(Content(f"{error.message}\n{error.hint}".strip()))
            shown.add_class("-refused")
            return False
        shown.update(Content(meaning))
        shown.remove_class("-refused")
        return True
