"""Title and colour of a label.

The rule it keeps: a colour is chosen by its sign and its name, and the one the label has stays
among those that are offered, whatever it is.
"""

from typing import NamedTuple

from textual.content import Content
from textual.widgets import Input

from tui.model.label_colors import LABEL_COLORS, color_name
from tui.model.task import Label
from tui.screens.dialogs.pick.find import FindDialog, Row, chip
from tui.widgets import glyphs


class Looks(NamedTuple):
    """The title and the colour of a label."""

    title: str
    color: str


class LabelEditor(FindDialog[Looks]):
    """Asks for a label's new title and colour; the arrows choose the colour."""

    def __init__(self, label: Label) -> None:
        name = label.title or color_name(label.color) or label.color
        super().__init__(f"The label “{name}”", "title, may be empty")
        self._label = label
        named = next((one for one in LABEL_COLORS.values() if one == label.color.casefold()), None)
        self.starts_at = named or label.color
        self._colors = list(LABEL_COLORS.values())
        if named is None:
            self._colors.insert(0, label.color)

    def line(self) -> Input:
        """The line to type in holds the title."""
        value, hint = self._label.title, self.placeholder
        return Input(value, placeholder=hint, compact=True, select_on_focus=False)

    def rows(self, words: str) -> list[Row]:
        """Every colour, whatever the title is."""
        del words
        return [Row(color, self._line(color)) for color in self._colors]

    def keys_line(self) -> str:
        """What the keys do."""
        return "↵ ok   ↑ ↓ colour   esc cancel"

    def typed(self, words: str) -> None:
        """A title chooses no colour."""

    def take(self) -> None:
        """Answer with the title and the colour."""
        color = self._label.color if self.at in ("", self.starts_at) else self.at
        is_as_it_was = self.words == self._label.title
        self.dismiss(Looks(self.words if is_as_it_was else " ".join(self.words.split()), color))

    def clicked(self) -> None:
        """A click chooses a colour, and no more."""

    def _line(self, color: str) -> Content:
        """A colour with its name; the one the label has is marked."""
        now = f"  {glyphs.DONE}" if color == self.starts_at else ""
        return Content(" ") + chip(color) + Content(f" {color_name(color) or color}{now}")
