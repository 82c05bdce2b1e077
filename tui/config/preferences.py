"""What is set while the program is used: density, folded columns, filters.

It is never needed: a file that is missing, unreadable or damaged is as good as an empty one, and
one that cannot be written is not an error.
"""

import contextlib
import json
from pathlib import Path
from typing import Any


class Preferences:
    """Values by board, kept in one small file."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._values: dict[str, dict[str, Any]] = {}
        if path is not None:
            with contextlib.suppress(OSError, ValueError):
                loaded = json.loads(path.read_text(encoding="utf-8"))
                if isinstance(loaded, dict):
                    self._values = {k: v for k, v in loaded.items() if isinstance(v, dict)}

    def number(self, board_id: int, name: str, default: int) -> int:
        """A number kept for a board."""
        value = self._values.get(str(board_id), {}).get(name)
        return value if isinstance(value, int) else default

    def numbers(self, board_id: int, name: str) -> frozenset[int]:
        """A set of numbers kept for a board."""
        value = self._values.get(str(board_id), {}).get(name)
        kept = value if isinstance(value, list) else []
        return frozenset(each for each in kept if isinstance(each, int))

    def text(self, board_id: int, name: str) -> str:
        """A text kept for a board."""
        value = self._values.get(str(board_id), {}).get(name)
        return value if isinstance(value, str) else ""

    def keep(self, board_id: int, **values: int | str | frozenset[int]) -> None:
        """Keep values for a board, on disk too where that is possible."""
        kept = self._values.setdefault(str(board_id), {})
        for name, value in values.items():
            kept[name] = sorted(value) if isinstance(value, frozenset) else value
        if self._path is None:
            return
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            beside = self._path.with_suffix(".new")
            beside.write_text(json.dumps(self._values), encoding="utf-8")
            beside.replace(self._path)
