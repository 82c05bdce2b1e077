"""Finds boards, cards, comments and people, wherever they are."""

from textual.content import Content

from tui.dialogs.found import Finder
from tui.dialogs.pick.find import FindDialog, Row
from tui.model.find.found import Found


class FindAnywhereDialog(FindDialog[Found]):
    """Answers with what to open."""

    frame_class = "-tall"

    def __init__(self, finder: Finder) -> None:
        super().__init__("Find anywhere", "words  #12  @name")
        self._finder = finder

    def on_mount(self) -> None:
        self._finder.start(self)

    def rows(self, words: str) -> list[Row]:
        """What matches, best first; without words what was opened lately."""
        rows = self._finder.rows(words)
        if rows:
            return rows
        if self._finder.is_reading:
            return [Row("", Content(" reading …"))]
        return [Row("", Content(f" nothing fits “{words}”" if words else " nothing is known yet"))]

    def keys_line(self) -> str:
        return self._finder.keys_line(self.at)

    def take(self) -> None:
        """Answer with what is at the cursor, unless that lists something else."""
        found = self._finder.taken(self)
        if found is not None:
            self.dismiss(found)
