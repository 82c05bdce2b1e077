"""Asks for a colour for the cover of a card: one of those with names, or one that is typed."""

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static
from textual.widgets.option_list import Option

from tui.errors import CallboardError
from tui.model.fields.words import COLORS, color_words, drawable
from tui.model.label_colors import is_color
from tui.screens.dialogs.base import Dialog
from tui.widgets import glyphs
from tui.widgets.pick_list import PickList

OTHER = "other"
"""The answer of whoever wants to type a colour."""


class CoverDialog(Dialog[str]):
    """Asks for a colour: answers with its number, nothing for none, or `OTHER`."""

    def __init__(self, title: str, present: str) -> None:
        super().__init__()
        self._title = title
        self._present = present
        strange = (present,) if present and present.casefold() not in COLORS else ()
        self._answers = ("", *strange, *COLORS, OTHER)

    def compose(self) -> ComposeResult:
        """The colours, one a line."""
        options = PickList(*(Option(self._prompt(answer), answer) for answer in self._answers))
        keys = Static(Content("↵ takes it   esc cancel"), classes="dialog-keys")
        frame = self.frame(self._title, options, keys)
        frame.add_class("-tall")
        yield frame

    def on_mount(self) -> None:
        """Put the cursor on the present colour."""
        options = self.query_one(PickList)
        folded = [answer.casefold() for answer in self._answers]
        options.highlighted = folded.index(self._present.casefold())
        options.focus()

    def on_option_list_option_selected(self, event: PickList.OptionSelected) -> None:
        """Choose what the cursor is on."""
        self.dismiss(event.option.id)

    def _prompt(self, answer: str) -> Content:
        """A line of the list."""
        now = f" {glyphs.DONE}" if answer.casefold() == self._present.casefold() else ""
        if not answer or answer == OTHER:
            return Content(f"    {'another colour …' if answer else 'none'}{now}")
        chip = Content.styled(glyphs.CHIP * 2, drawable(answer))
        return Content.assemble(" ", chip, f" {color_words(answer)}{now}")


def read_color(words: str) -> str:
    """The colour that words mean, by its name or its number. Raises `CallboardError`."""
    said = " ".join(words.casefold().split())
    for color, name in COLORS.items():
        if said == name:
            return color
    color = said if said.startswith("#") else f"#{said}"
    if not is_color(color):
        raise CallboardError(
            "That is not a colour.",
            hint="Type a name such as dark green, or a number such as #4bce97.",
        )
    return color
