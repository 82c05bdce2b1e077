"""A choice of a few things, each with a letter of its own.

The rule it keeps: the letter, or the arrows and Enter, choose; what is the case now is marked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets.option_list import Option

from tui.screens.dialogs.base import Dialog
from tui.widgets.pick_list import PickList


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
