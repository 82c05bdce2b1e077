"""An input of one line that sits in a board: a title typed in place, a filter, a stage's name.

The rule it keeps: Enter hands over what was typed, Esc gives up and hands over what was typed too,
so that nobody's words are lost; no other key leaves it.
"""

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input


class LineInput(Input):
    """An input that knows what it is for by its `purpose`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "give_up", "cancel", id="input.cancel", tooltip="Stop typing"),
    ]

    @dataclass(eq=False, repr=False)
    class Done(Message):
        """The user pressed Enter."""

        input: "LineInput"
        text: str

    @dataclass(eq=False, repr=False)
    class GivenUp(Message):
        """The user pressed Esc; `text` is what had been typed."""

        input: "LineInput"
        text: str

    @dataclass(eq=False, repr=False)
    class Typed(Message):
        """What is typed has changed."""

        input: "LineInput"
        text: str

    def __init__(self, purpose: str, value: str = "", *, placeholder: str = "") -> None:
        super().__init__(value, placeholder=placeholder, compact=True, select_on_focus=False)
        self.purpose = purpose

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Hand over what was typed."""
        event.stop()
        self.post_message(self.Done(self, event.value))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say that it changed."""
        event.stop()
        self.post_message(self.Typed(self, event.value))

    def action_give_up(self) -> None:
        """Stop typing."""
        self.post_message(self.GivenUp(self, self.value))
