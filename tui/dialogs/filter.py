"""The dialog of a board's filter: saved filters, and what to filter by, with the present values."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual.binding import BindingType
from textual.content import Content

from tui.dialogs.pick.find import FindDialog, Row, marked
from tui.text.fuzzy import Index
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


class FilterDialog(FindDialog[FilterAnswer]):
    """Asks for a row."""

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "filter", ("delete", "ctrl+x", "delete", "Delete saved filter"), priority=True
    )

    def __init__(self, title: str, rows: Sequence[FilterRow], *, at: str = "") -> None:
        super().__init__(title, "type to find")
        self._rows = tuple(rows)
        self._saved = {row.key for row in rows if row.is_saved}
        self._index = Index([row.label for row in rows])
        self.starts_at = at

    def rows(self, words: str) -> list[Row]:
        found = [self._rows[index] for index in self._index.rank(words)]
        shown = [Row(one.key, _line(one, words)) for one in found]
        return shown or [Row("", Content(f" nothing fits “{words}”"))]

    def keys_line(self) -> str:
        delete = keyed("   {filter.delete:ctrl+x} delete") if self.at in self._saved else ""
        return f"↵ choose   {keyed('{dialog.cancel:esc}')} done{delete}"

    def take(self) -> None:
        if self.at:
            self.dismiss(FilterAnswer(self.at))

    def action_delete(self) -> None:
        if self.at in self._saved:
            self.dismiss(FilterAnswer(self.at, is_deleted=True))


def _line(row: FilterRow, words: str) -> TwoSided:
    value = Content.styled(f" {row.value} ", "$primary" if row.is_saved else "$foreground")
    return TwoSided(marked(f" {row.label}", words), value)
