"""The dialog of a board's filter: saved filters, and what to filter by, with the present values."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual.binding import BindingType
from textual.content import Content

from tui.dialogs.pick.find import Choice, Pick, marked
from tui.text.keyed import keyed
from tui.widgets.keys import quiet_keys
from tui.widgets.two_sided import TwoSided


class FilterRow(NamedTuple):
    """A row: what it is, and its value at the right; only a saved filter can be deleted."""

    key: str
    label: str
    value: str
    is_saved: bool = False


class FilterAnswer(NamedTuple):
    """The key of the chosen row, and whether it is to be deleted."""

    key: str
    is_deleted: bool = False


class FilterDialog(Pick[FilterAnswer]):
    """Asks for a row; the cursor starts on the row with the key `at`."""

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "filter", ("delete", "ctrl+x", "delete", "Delete saved filter"), priority=True
    )

    def __init__(self, title: str, rows: Sequence[FilterRow], *, at: str = "") -> None:
        choices = [Choice(FilterAnswer(row.key), row.label, row.value) for row in rows]
        super().__init__(title, choices)
        self._saved = {row.key for row in rows if row.is_saved}
        self.starts_at = next((str(n) for n, row in enumerate(rows) if row.key == at), "")

    def shown(self, choice: Choice[FilterAnswer], words: str) -> TwoSided:
        style = "$primary" if choice.answer.key in self._saved else "$foreground"
        value = Content.styled(f" {choice.hint} ", style)
        return TwoSided(marked(f" {choice.label}", words), value)

    def keys_line(self) -> str:
        is_saved = self.choice is not None and self.choice.answer.key in self._saved
        delete = keyed("   {filter.delete:ctrl+x} delete") if is_saved else ""
        return f"↵ choose   {keyed('{dialog.cancel:esc}')} done{delete}"

    def action_delete(self) -> None:
        if self.choice is not None and self.choice.answer.key in self._saved:
            self.dismiss(self.choice.answer._replace(is_deleted=True))
