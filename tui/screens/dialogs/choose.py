"""Asks for one of a few things, each with a letter of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets.option_list import Option

from tui.model.custom_field import CustomField
from tui.screens.dialogs.base import Dialog
from tui.widgets.pick_list import PickList

_LETTERS = "123456789abcdefhilmoprstuvwxyz"
NO_LETTER = "0"


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose, by its letter; `value` is what the dialog answers with."""

    letter: str
    label: str
    value: str


class ChooseDialog(Dialog[str]):
    """Asks for one of a few things."""

    def __init__(self, title: str, choices: Sequence[Choice], current: str | None = None) -> None:
        super().__init__()
        self._title = title
        self._choices = tuple(choices)
        self._current = current

    def compose(self) -> ComposeResult:
        """The choices, one a line."""
        options = PickList(*(Option(self._prompt(each), each.value) for each in self._choices))
        yield self.frame(self._title, options)

    def on_mount(self) -> None:
        """Put the cursor on what is the case now."""
        options = self.query_one(PickList)
        values = [each.value for each in self._choices]
        options.highlighted = values.index(self._current) if self._current in values else 0
        options.focus()

    def on_key(self, event: events.Key) -> None:
        """Choose by letter."""
        chosen = next((each for each in self._choices if each.letter == event.character), None)
        if chosen is not None:
            event.stop()
            self.dismiss(chosen.value)

    def on_option_list_option_selected(self, event: PickList.OptionSelected) -> None:
        """Choose what the cursor is on."""
        self.dismiss(event.option.id)

    def _prompt(self, choice: Choice) -> Content:
        """A line of the list."""
        now = " ✓" if choice.value == self._current else ""
        return Content.assemble((f" {choice.letter} ", "bold $primary"), f" {choice.label}{now}")


def select_dialog(title: str, field: CustomField, value: str) -> ChooseDialog:
    """A dialog that answers with an option of a select, or with nothing for none."""
    options = [option for option in dict.fromkeys(field.options) if option]
    choices = [
        Choice(_LETTERS[place] if place < len(_LETTERS) else " ", option, option)
        for place, option in enumerate(options)
    ]
    return ChooseDialog(title, [*choices, Choice(NO_LETTER, "none", "")], value)
