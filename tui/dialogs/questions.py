"""Small questions: for a line of text, one of a few options, a confirmation, or a key."""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input
from textual.widgets.option_list import Option

from tui.dialogs.base import Dialog, DialogMessage
from tui.dialogs.pick.cursor_list import CursorList
from tui.errors import CallboardError
from tui.model.colors import COLORS, color_name, color_words, drawable
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.keys import quiet_keys
from tui.widgets.text_input import TextInput

_LETTERS = "123456789abcdefhilmoprstuvwxyz"
OTHER = "other"
"""The answer for a colour that is not in the list and is to be typed."""
_CHORD = 2

Reading = Callable[[str], str]
"""Describes how input is interpreted; raises `CallboardError` if it is invalid."""

Judge = Callable[[str], tuple[str, bool]]
"""Returns a message about a key or chord, and whether it can be used."""


class AskDialog(Dialog[str]):
    """Asks for one line of text; invalid input is explained below it and can be corrected.

    With `replaces` typing replaces the old value.
    """

    keys_text = "↵ save   {dialog.cancel:esc} cancel"

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
        self._reading = reading
        self._input = TextInput(
            value, placeholder=placeholder, compact=True, select_on_focus=replaces
        )
        self._message = DialogMessage(classes="dialog-text", id="reading")
        self._message.display = reading is not None

    def body(self) -> Iterable[Widget]:
        return self._input, self._message

    def on_input_changed(self, event: Input.Changed) -> None:
        self._read(event.value)

    def on_mount(self) -> None:
        self._read(self._input.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if self._read(event.value):
            self.dismiss(event.value)

    def _read(self, words: str) -> bool:
        try:
            self._message.show(self._reading(words) if self._reading else "")
        except CallboardError as error:
            self._message.explain(error)
            return False
        return True


class ConfirmDialog(Dialog[bool]):
    """Asks for confirmation of what the title says; answers True after `y`.

    Only `y` confirms, so that pressing Enter by habit deletes nothing. `verb` is what `y` does; by
    default it is the first word of the title.
    """

    reminds = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "confirm", "confirm", id="dialog.confirm", tooltip="Confirm"),
        Binding("n", "cancel", "cancel", id="dialog.refuse", tooltip="Cancel"),
        *quiet_keys("dialog", ("remind", "enter", "remind", "Show the answers")),
    ]

    def __init__(self, title: str, text: str, *, verb: str = "") -> None:
        super().__init__(title, text)
        self.keys_text = Content.from_markup(
            "[b $refused]$yes[/] $verb   [b]$esc[/] cancel",
            yes=keyed("{dialog.confirm:y}"),
            verb=verb or title.partition(" ")[0].lower(),
            esc=keyed("{dialog.cancel:esc}"),
        )

    def action_confirm(self) -> None:
        self.dismiss(True)


class PickList(CursorList, inherit_bindings=False):
    """A list whose keys, also Enter, appear in hints and help like all others."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "open", id="list.open", tooltip="Open"),
        *quiet_keys(
            "list",
            ("cursor-down", "j,down", "cursor_down", "Next row"),
            ("cursor-up", "k,up", "cursor_up", "Previous row"),
            ("first", "home", "first", "First row"),
            ("last", "G,end", "last", "Last row"),
            ("page-down", "ctrl+d,pagedown", "page_down", "Half a page down"),
            ("page-up", "ctrl+u,pageup", "page_up", "Half a page up"),
        ),
    ]


class QuestionChoice(NamedTuple):
    """An option with its key, or none; `value` is the answer of the dialog."""

    letter: str
    label: str
    value: str
    color: str = ""


class ChooseDialog(Dialog[str]):
    """Asks for one of a few options; the `current` one is marked.

    `preview` is called with the value of the option at the cursor, whenever that changes.
    """

    keys_text = "↵ select   {dialog.cancel:esc} cancel"

    def __init__(
        self,
        title: str,
        choices: Sequence[QuestionChoice],
        current: str | None = None,
        *,
        text: str = "",
        preview: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(title, text)
        self.set_class(preview is not None, "-previewing")
        self._preview = preview
        self._choices = tuple(choices)
        self._current = current

    def body(self) -> Iterable[Widget]:
        yield PickList(*(Option(self._row(choice), choice.value) for choice in self._choices))

    def on_mount(self) -> None:
        values = [choice.value for choice in self._choices]
        at = values.index(self._current) if self._current in values else 0
        self.query_one(PickList).highlighted = at

    def on_key(self, event: events.Key) -> None:
        for choice in self._choices:
            if choice.letter == event.character:
                event.stop()
                event.prevent_default()
                self.dismiss(choice.value)
                return

    def on_option_list_option_selected(self, event: PickList.OptionSelected) -> None:
        self.dismiss(event.option.id)

    def on_option_list_option_highlighted(self, event: PickList.OptionHighlighted) -> None:
        # The message may arrive after the dialog was closed, when the preview was already undone.
        if self._preview is not None and event.option.id is not None and self.is_current:
            self._preview(event.option.id)

    def _row(self, choice: QuestionChoice) -> Content:
        sign = (f"{choice.letter:2}", "bold")
        if choice.color:
            sign = (glyphs.CHIP * 2, drawable(choice.color))
        now = f" {glyphs.DONE}" if choice.value == self._current else ""
        return Content.assemble(" ", sign, f" {choice.label}{now}")


def lettered(options: Iterable[tuple[str, str]]) -> list[QuestionChoice]:
    """Options with keys of their own, given by value and label; `0` and `n` are left free."""
    return [
        QuestionChoice(_LETTERS[place] if place < len(_LETTERS) else "", label, value)
        for place, (value, label) in enumerate(options)
    ]


def by_first_letter(names: Iterable[str]) -> list[QuestionChoice]:
    """Options that are their own labels, each with its first letter as its key."""
    return [QuestionChoice(name[0], name, name) for name in names]


def color_dialog(title: str, current: str) -> ChooseDialog:
    """A dialog for a colour: answers with its hex number, an empty string for none, or `OTHER`."""
    name = color_name(current)
    current = COLORS[name] if name else current
    colors = (*([] if name or not current else [current]), *COLORS.values())
    named = (QuestionChoice("", color_words(color), color, color) for color in colors)
    choices = [
        QuestionChoice("", "none", ""),
        *named,
        QuestionChoice("", "another colour …", OTHER),
    ]
    return ChooseDialog(title, choices, current)


class KeyDialog(Dialog[str]):
    """Answers with the name of the key that was pressed; a chord of two has a blank in between."""

    def __init__(self, title: str, judge: Judge, spelled: Callable[[str], str]) -> None:
        super().__init__(title)
        self._judge = judge
        self._spelled = spelled
        self._pressed: list[str] = []
        self._message = DialogMessage(classes="dialog-text")

    def body(self) -> Iterable[Widget]:
        yield self._message

    def on_mount(self) -> None:
        self._draw()

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        # Always Esc, even where “cancel” has another key: that one may be the answer.
        if event.key == "escape":
            self.dismiss(None)
        elif self._pressed and event.key == "enter":
            key = " ".join(self._pressed)
            if self._judge(key)[1]:
                self.dismiss(key)
        else:
            # A third key begins anew: chords have two.
            is_again = event.key == "backspace" and self._pressed
            previous = self._pressed if len(self._pressed) < _CHORD else []
            self._pressed = [] if is_again else [*previous, event.key]
            self._draw()

    def _draw(self) -> None:
        if not self._pressed:
            self._message.show("Press the new key, or the two keys of a chord.")
            self.say_keys("esc cancel")
            return
        key = " ".join(self._pressed)
        words, is_possible = self._judge(key)
        text = Content.assemble((self._spelled(key), "bold"), f"\n{words}" if words else "")
        self._message.show(text, is_problem=not is_possible)
        self.say_keys(f"{'↵ save   ' if is_possible else ''}backspace clear   esc cancel")
