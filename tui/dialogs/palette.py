"""The command palette: actions found by name, with their keys or why they are unavailable."""

from collections.abc import Sequence
from typing import NamedTuple

from textual.content import Content

from tui.dialogs.pick.find import FindDialog, Row, marked, recent_first
from tui.text.fuzzy import Index
from tui.widgets.two_sided import TwoSided


class Command(NamedTuple):
    """An action in the palette; `reason` is why it is unavailable now, empty if it is available."""

    id: str
    label: str
    key: str = ""
    reason: str = ""


class PaletteDialog(FindDialog[str]):
    """Answers with the id of an action, even of one that is unavailable."""

    def __init__(self, commands: Sequence[Command], recent: Sequence[str]) -> None:
        super().__init__("Actions", "type to find an action")
        self._commands = recent_first(commands, recent, lambda each: each.id)
        self._by_id = {each.id: each for each in commands}
        self._index = Index([f"{each.label} {each.id}" for each in self._commands])

    def on_mount(self) -> None:
        """Keep the height of the frame while the list is filtered."""
        self.query_one(".dialog").add_class("-tall")
        super().on_mount()

    def rows(self, words: str) -> list[Row]:
        """The matching actions, best first."""
        found = [self._commands[index] for index in self._index.rank(words)]
        rows = [Row(each.id, _line(each, words)) for each in found]
        return rows or [Row("", Content(f" no action fits “{words}”"))]

    def keys_line(self) -> str:
        """What Enter does and the id for the key map, or why the action is unavailable."""
        command = self._by_id.get(self.at)
        if command is None:
            return "esc closes"
        if command.reason:
            return f"Not available: {command.reason}"
        return f"↵ runs it   esc closes   {command.id}"

    def take(self) -> None:
        """Answer with the action at the cursor."""
        if self.at:
            self.dismiss(self.at)


def _line(command: Command, words: str) -> TwoSided:
    """A row of the list; an unavailable action is dim, with the reason."""
    label, key = marked(f" {command.label}", words), f" {command.key} "
    if command.reason:
        label += Content(f" · {command.reason}")
        return TwoSided(label.stylize("dim"), Content.styled(key, "dim"))
    return TwoSided(label, Content.styled(key, "$primary"))
