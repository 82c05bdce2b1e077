"""Dialogs for the labels of tasks, and for the title and colour of a label.

Each label is shown with its colour, also by name, as it may have no title. Toggled labels are
kept while a label is edited or deleted.
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input

from tui.dialogs.pick.find import FindDialog, Row, chip
from tui.dialogs.pick.many import PickChoice, PickMany
from tui.model.board import BoardView
from tui.model.colors import COLORS, color_name
from tui.model.task import Label, Task
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.keys import quiet_keys
from tui.widgets.text_input import TextInput


class PickLabels(PickMany):
    """Asks for the labels of tasks; an answer with a `verb` asks to edit or delete label `at`."""

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "labels",
        ("edit", "ctrl+r", "want('edit')", "Edit label"),
        ("delete", "ctrl+x", "want('delete')", "Delete label"),
        priority=True,
    )

    def __init__(
        self,
        title: str,
        view: BoardView,
        tasks: Sequence[Task],
        chosen: Iterable[int],
        *,
        created: tuple[str, ...] = (),
        at: str = "",
        recent: Sequence[str] = (),
    ) -> None:
        labels = {label.id: label for task in tasks for label in task.labels}
        labels = {label.id: label for label in view.labels} | labels
        super().__init__(
            title,
            [_choice(label, tasks) for label in labels.values()],
            frozenset(map(str, chosen)),
            create="label",
            created=created,
            recent=recent,
        )
        self.starts_at = at

    def keys_line(self) -> str:
        more = keyed("\n{labels.edit:ctrl+r} rename, recolour   {labels.delete:ctrl+x} delete")
        return super().keys_line() + (more if self.at in self.choices else "")

    def action_want(self, verb: str) -> None:
        """Answer with a request to edit or delete the label at the cursor."""
        if self.at in self.choices:
            self.dismiss(self.picked(verb, self.at))


def _choice(label: Label, tasks: Sequence[Task]) -> PickChoice:
    on = sum(any(one.id == label.id for one in task.labels) for task in tasks)
    hints = (
        color_name(label.color) or label.color,
        f"on {on} of {len(tasks)}" if 0 < on < len(tasks) else "",
    )
    hint = " · ".join(filter(None, hints))
    return PickChoice(str(label.id), label.title or "(no title)", hint, label.color)


class Looks(NamedTuple):
    """The title and the colour of a label."""

    title: str
    color: str


class LabelEditor(FindDialog[Looks]):
    """Asks for the title and colour of a label; the arrow keys choose the colour."""

    def __init__(self, label: Label) -> None:
        name = label.title or color_name(label.color) or label.color
        super().__init__(f"The label “{name}”", "title, may be empty")
        self._label = label
        named = next((one for one in COLORS.values() if one == label.color.casefold()), None)
        self.starts_at = named or label.color
        self._colors = list(COLORS.values())
        if named is None:
            self._colors.insert(0, label.color)

    def line(self) -> Input:
        value, hint = self._label.title, self.placeholder
        return TextInput(value, placeholder=hint, compact=True, select_on_focus=False)

    def rows(self, words: str) -> list[Row]:
        """All colours: the title does not filter them."""
        del words
        return [Row(color, self._line(color)) for color in self._colors]

    def keys_line(self) -> str:
        return keyed("↵ ok   {find.up:↑} {find.down:↓} colour   {dialog.cancel:esc} cancel")

    def typed(self, words: str) -> None:
        """Leave the list as it is while the title is typed."""

    def take(self) -> None:
        color = self._label.color if self.at in ("", self.starts_at) else self.at
        is_unchanged = self.words == self._label.title
        self.dismiss(Looks(self.words if is_unchanged else " ".join(self.words.split()), color))

    def clicked(self) -> None:
        """Only move the cursor: a click does not submit."""

    def _line(self, color: str) -> Content:
        """A colour with its name; the current colour of the label is marked."""
        now = f"  {glyphs.DONE}" if color == self.starts_at else ""
        return Content(" ") + chip(color) + Content(f" {color_name(color) or color}{now}")
