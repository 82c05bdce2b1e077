"""The command palette: actions found by name, with their keys or why they are unavailable.

Below them is what is found elsewhere for the same words.
"""

from collections.abc import Sequence
from typing import NamedTuple

from textual.content import Content

from tui.dialogs.found import Finder
from tui.dialogs.pick.find import FindDialog, Row, marked, recent_first
from tui.model.find import Found
from tui.text.fuzzy import Index
from tui.text.keyed import keyed
from tui.widgets.two_sided import TwoSided

_LEAST_LETTERS = 2
"""From how many letters on things are looked for elsewhere."""


class Command(NamedTuple):
    """An action in the palette; `reason` is why it is unavailable now, empty if it is available."""

    id: str
    label: str
    key: str = ""
    reason: str = ""


class PaletteDialog(FindDialog[str | Found]):
    """Answers with the id of an action, even of one that is unavailable, or with what was found."""

    frame_class = "-tall"

    def __init__(self, commands: Sequence[Command], recent: Sequence[str], finder: Finder) -> None:
        super().__init__("Actions", "type to find an action, or anything else")
        self._commands = recent_first(commands, recent, lambda each: each.id)
        self._by_id = {each.id: each for each in commands}
        self._index = Index([f"{each.label} {each.id}" for each in self._commands])
        self._finder = finder

    def typed(self, words: str) -> None:
        """Update the list, and begin to read what can be found elsewhere."""
        if len(words.strip()) >= _LEAST_LETTERS:
            self._finder.start(self)
        super().typed(words)

    def rows(self, words: str) -> list[Row]:
        """The matching actions, best first, then what is found elsewhere."""
        actions = [self._commands[index] for index in self._index.rank(words)]
        rows = [Row(each.id, _line(each, words)) for each in actions]
        found = self._finder.rows(words) if len(words.strip()) >= _LEAST_LETTERS else []
        if found:
            rows += [Row("", Content.styled(" Found elsewhere", "bold $quiet")), *found]
        return rows or [Row("", Content(f" nothing fits “{words}”"))]

    def keys_line(self) -> str:
        """What Enter does and the id for the key map, or why the action is unavailable."""
        command = self._by_id.get(self.at)
        if command is None:
            return self._finder.keys_line(self.at)
        if command.reason:
            return f"Not available: {command.reason}"
        return f"{keyed('↵ runs it   {dialog.cancel:esc} closes')}   {command.id}"

    def take(self) -> None:
        if self.at in self._by_id:
            self.dismiss(self.at)
        elif (found := self._finder.taken(self)) is not None:
            self.dismiss(found)


def _line(command: Command, words: str) -> TwoSided:
    """A row of the list; an unavailable action is dim, with the reason."""
    label, key = marked(f" {command.label}", words), f" {command.key} "
    if command.reason:
        label += Content(f" · {command.reason}")
        return TwoSided(label.stylize("$quiet"), Content.styled(key, "$quiet"))
    return TwoSided(label, Content.styled(key, "$primary"))
