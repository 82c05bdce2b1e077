"""What is set while the program is used: density, folded columns, filters, latest choices."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tui.config.paths import JsonFile

ALL_BOARDS = 0
"""In the place of a board, for what is kept for all of them."""
RECENT = 5
"""How many choices of a kind are remembered."""


class Preferences:
    """Values by board, kept in one small file."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = JsonFile(path)

    def number(self, board_id: int, name: str, default: int) -> int:
        """A number kept for a board."""
        value = self._of(board_id).get(name)
        return value if isinstance(value, int) else default

    def numbers(self, board_id: int, name: str) -> frozenset[int]:
        """A set of numbers kept for a board."""
        value = self._of(board_id).get(name)
        kept = value if isinstance(value, list) else []
        return frozenset(each for each in kept if isinstance(each, int))

    def text(self, board_id: int, name: str) -> str:
        """A text kept for a board."""
        value = self._of(board_id).get(name)
        return value if isinstance(value, str) else ""

    def recent(self, board_id: int, kind: str) -> list[str]:
        """What was chosen of a kind lately on a board, the latest first."""
        value = self._of(board_id).get(f"recent-{kind}")
        return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []

    def used(self, board_id: int, kind: str, chosen: Iterable[str], most: int = RECENT) -> None:
        """Remember what was chosen of a kind, with the latest before it."""
        latest = list(dict.fromkeys((*chosen, *self.recent(board_id, kind))))
        self.keep(board_id, **{f"recent-{kind}": latest[:most]})

    def keep(self, board_id: int, **values: int | str | list[str] | frozenset[int]) -> None:
        """Keep values for a board, on disk too where that is possible."""
        kept = dict(self._of(board_id))
        for name, value in values.items():
            kept[name] = sorted(value) if isinstance(value, frozenset) else value
        self._file.values[str(board_id)] = kept
        self._file.write()

    def _of(self, board_id: int) -> Mapping[str, Any]:
        kept = self._file.values.get(str(board_id))
        return kept if isinstance(kept, dict) else {}
