"""Dialogs that ask for one of a few options, each with its own key, or for a colour."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static
from textual.widgets.option_list import Option

from tui.dialogs.base import Dialog
from tui.errors import CallboardError
from tui.model.colors import COLORS, color_name, color_words, drawable, is_color
from tui.model.custom_field import CustomField
from tui.widgets import glyphs
from tui.widgets.pick_list import PickList

_LETTERS = "123456789abcdefhilmoprstuvwxyz"
NO_LETTER = "0"
OTHER = "other"
"""The answer for a colour that is not in the list and is to be typed."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An option with its key; `value` is the answer of the dialog."""

    letter: str
    label: str
    value: str


class ChooseDialog(Dialog[str]):
    """Asks for one of a few options; the `current` one is marked."""

    def __init__(
        self, title: str, choices: Sequence[Choice], current: str | None = None, *, text: str = ""
    ) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._choices = tuple(choices)
        self._current = current

    def compose(self) -> ComposeResult:
        """The list of options."""
        options = PickList(*(Option(self._prompt(each), each.value) for each in self._choices))
        text = [Static(Content(self._text), classes="dialog-text")] if self._text else []
        yield self.frame(self._title, *text, options)

    def on_mount(self) -> None:
        """Put the cursor on the current option."""
        options = self.query_one(PickList)
        values = [each.value for each in self._choices]
        options.highlighted = values.index(self._current) if self._current in values else 0
        options.focus()

    def on_key(self, event: events.Key) -> None:
        """Answer with the option whose key was pressed."""
        chosen = next((each for each in self._choices if each.letter == event.character), None)
        if chosen is not None:
            event.stop()
            self.dismiss(chosen.value)

    def on_option_list_option_selected(self, event: PickList.OptionSelected) -> None:
        """Answer with the option at the cursor."""
        self.dismiss(event.option.id)

    def _prompt(self, choice: Choice) -> Content:
        """A row of the list."""
        now = " ✓" if choice.value == self._current else ""
        return Content.assemble((f" {choice.letter} ", "bold $primary"), f" {choice.label}{now}")


def lettered(options: Iterable[tuple[str, str]]) -> list[Choice]:
    """Options with keys of their own, given by value and label; `0` and `n` are left free."""
    return [
        Choice(_LETTERS[place] if place < len(_LETTERS) else " ", label, value)
        for place, (value, label) in enumerate(options)
    ]


def select_dialog(title: str, field: CustomField, value: str) -> ChooseDialog:
    """A dialog for the value of a select field; it answers with an empty string for none."""
    choices = lettered((option, option) for option in dict.fromkeys(field.options) if option)
    return ChooseDialog(title, [*choices, Choice(NO_LETTER, "none", "")], value)


class CoverDialog(Dialog[str]):
    """Asks for a colour: answers with its hex number, an empty string for none, or `OTHER`."""

    def __init__(self, title: str, current: str) -> None:
        super().__init__()
        self._title = title
        self._current = current
        unnamed = (current,) if current and not color_name(current) else ()
        self._answers = ("", *unnamed, *COLORS.values(), OTHER)

    def compose(self) -> ComposeResult:
        """The list of colours."""
        options = PickList(*(Option(self._prompt(answer), answer) for answer in self._answers))
        keys = Static(Content("↵ takes it   esc cancel"), classes="dialog-keys")
        frame = self.frame(self._title, options, keys)
        frame.add_class("-tall")
        yield frame

    def on_mount(self) -> None:
        """Put the cursor on the current colour."""
        options = self.query_one(PickList)
        folded = [answer.casefold() for answer in self._answers]
        options.highlighted = folded.index(self._current.casefold())
        options.focus()

    def on_option_list_option_selected(self, event: PickList.OptionSelected) -> None:
        """Answer with the option at the cursor."""
        self.dismiss(event.option.id)

    def _prompt(self, answer: str) -> Content:
        """A row of the list."""
        now = f" {glyphs.DONE}" if answer.casefold() == self._current.casefold() else ""
        if not answer or answer == OTHER:
            return Content(f"    {'another colour …' if answer else 'none'}{now}")
        chip = Content.styled(glyphs.CHIP * 2, drawable(answer))
        return Content.assemble(" ", chip, f" {color_words(answer)}{now}")


def read_color(words: str) -> str:
    """The colour with a name or hex number. Raises `CallboardError` if there is none."""
    wanted = " ".join(words.casefold().split())
    for name, color in COLORS.items():
        if wanted == name:
            return color
    color = wanted if wanted.startswith("#") else f"#{wanted}"
    if not is_color(color):
        raise CallboardError(
            "That is not a colour.",
            hint="Type a name such as dark green, or a number such as #4bce97.",
        )
    return color
