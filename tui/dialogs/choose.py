"""Dialogs that ask for one of a few options, each with its own key, or for a colour."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.widget import Widget
from textual.widgets.option_list import Option

from tui.dialogs.base import Dialog
from tui.errors import CallboardError
from tui.model.colors import COLORS, color_name, color_words, drawable, is_color
from tui.widgets import glyphs
from tui.widgets.pick_list import PickList

_LETTERS = "123456789abcdefhilmoprstuvwxyz"
OTHER = "other"
"""The answer for a colour that is not in the list and is to be typed."""


class Choice(NamedTuple):
    """An option with its key, or none; `value` is the answer of the dialog."""

    letter: str
    label: str
    value: str
    color: str = ""


class ChooseDialog(Dialog[str]):
    """Asks for one of a few options; the `current` one is marked."""

    keys_text = "↵ takes it   {dialog.cancel:esc} cancel"

    def __init__(
        self, title: str, choices: Sequence[Choice], current: str | None = None, *, text: str = ""
    ) -> None:
        super().__init__(title, text)
        self._choices = tuple(choices)
        self._current = current

    def body(self) -> Iterable[Widget]:
        yield PickList(*(Option(self._row(each), each.value) for each in self._choices))

    def on_mount(self) -> None:
        values = [each.value for each in self._choices]
        at = values.index(self._current) if self._current in values else 0
        self.query_one(PickList).highlighted = at

    def on_key(self, event: events.Key) -> None:
        chosen = next((each for each in self._choices if each.letter == event.character), None)
        if chosen is not None:
            event.stop()
            self.dismiss(chosen.value)

    def on_option_list_option_selected(self, event: PickList.OptionSelected) -> None:
        self.dismiss(event.option.id)

    def _row(self, choice: Choice) -> Content:
        sign = (f"{choice.letter:2}", "bold $primary")
        if choice.color:
            sign = (glyphs.CHIP * 2, drawable(choice.color))
        now = f" {glyphs.DONE}" if choice.value == self._current else ""
        return Content.assemble(" ", sign, f" {choice.label}{now}")


def lettered(options: Iterable[tuple[str, str]]) -> list[Choice]:
    """Options with keys of their own, given by value and label; `0` and `n` are left free."""
    return [
        Choice(_LETTERS[place] if place < len(_LETTERS) else "", label, value)
        for place, (value, label) in enumerate(options)
    ]


def color_dialog(title: str, current: str) -> ChooseDialog:
    """A dialog for a colour: answers with its hex number, an empty string for none, or `OTHER`."""
    name = color_name(current)
    current = COLORS[name] if name else current
    colors = (*([] if name or not current else [current]), *COLORS.values())
    named = (Choice("", color_words(color), color, color) for color in colors)
    choices = [Choice("", "none", ""), *named, Choice("", "another colour …", OTHER)]
    return ChooseDialog(title, choices, current)


def read_color(words: str) -> str:
    """The colour with a name or hex number. Raises `CallboardError` if there is none."""
    wanted = " ".join(words.casefold().split())
    color = COLORS.get(wanted, wanted if wanted.startswith("#") else f"#{wanted}")
    if not is_color(color):
        raise CallboardError(
            "That is not a colour.",
            hint="Type a name such as dark green, or a number such as #4bce97.",
        )
    return color
