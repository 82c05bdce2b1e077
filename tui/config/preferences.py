"""View preferences: density, folded columns, filters, recent choices."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from tui.config.paths import JsonFile

T = TypeVar("T")

ALL_BOARDS = 0
"""The board id for preferences of all boards."""
RECENT_BOARDS = "boards"
"""The kind of recent choices that holds the boards opened last, for all boards."""
SEEN = "seen"
"""The name of the times when boards were left last, for all: by id, in seconds since 1970."""
OPENED = "opened"
"""The kind of recent choices with boards and tasks opened last, by key; see `tui.model.find`."""
STANDUP_BOARDS = "standup-boards"
"""The name of the boards that the last standup was about, for all boards."""
VERSION = "version"
"""The name of the version of the program that was started last, for all boards."""
RECENT = 5
"""How many recent choices of a kind are stored."""


class Preferences:
    """Values by board, in one small file that several programs may write."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = JsonFile(path)

    def read(self) -> None:
        """Read what other programs wrote."""
        self._file.read()

    def number(self, board_id: int, name: str, default: int) -> int:
        value = self._of(board_id).get(name)
        # Not `_value`, which compares with the default's type: that may be a subclass of int.
        return value if isinstance(value, int) else default

    def numbers(self, board_id: int, name: str) -> frozenset[int]:
        numbers = self._value(board_id, name, list[Any]())
        return frozenset(number for number in numbers if isinstance(number, int))

    def numbers_by_id(self, board_id: int, name: str) -> dict[int, int]:
        return {
            int(key): number
            for key, number in self._value(board_id, name, dict[str, Any]()).items()
            if isinstance(number, int) and key.removeprefix("-").isdecimal()
        }

    def text(self, board_id: int, name: str) -> str:
        return self._value(board_id, name, "")

    def texts_by_name(self, board_id: int, name: str) -> dict[str, str]:
        texts = self._value(board_id, name, dict[str, Any]())
        return {key: text for key, text in texts.items() if isinstance(text, str)}

    def texts(self, board_id: int, name: str) -> list[str]:
        texts = self._value(board_id, name, list[Any]())
        return [text for text in texts if isinstance(text, str)]

    def tables(self, board_id: int, name: str) -> list[Any] | None:
        """A list of values of any kind, for callers that check them; None if none was stored."""
        value = self._of(board_id).get(name)
        return value if isinstance(value, list) else None

    def recent(self, board_id: int, kind: str) -> list[str]:
        """The recent choices of a kind on a board, latest first."""
        return self.texts(board_id, f"recent-{kind}")

    def used(self, board_id: int, kind: str, chosen: Iterable[str], most: int = RECENT) -> None:
        """Add to the recent choices of a kind."""
        self._file.read()
        latest = list(dict.fromkeys((*chosen, *self.recent(board_id, kind))))
        self._change(board_id, {f"recent-{kind}": latest[:most]})

    def standup_boards(self, active: Sequence[int]) -> list[int]:
        """Of these boards, those of the last standup, else the one opened last, else all."""
        chosen = self.numbers(ALL_BOARDS, STANDUP_BOARDS)
        opened = self.recent(ALL_BOARDS, RECENT_BOARDS)[:1]
        return (
            [board_id for board_id in active if board_id in chosen]
            or [board_id for board_id in active if str(board_id) in opened]
            or list(active)
        )

    def renamed(self, ids: Mapping[int, int]) -> None:
        """Replace local ids by the assigned ones, wherever they are.

        Local ids are negative and random, so that nothing else looks like one.
        """
        if not any(old < 0 for old in ids):
            return
        self._file.read()
        text = json.dumps(self._file.values)
        new_text = re.sub(r"-\d+", lambda id_: str(ids.get(int(id_[0]), id_[0])), text)
        if new_text != text:
            self._file.values = json.loads(new_text)
            self._file.write()

    def keep(
        self,
        board_id: int,
        **values: int | str | list[Any] | frozenset[int] | dict[int, int] | dict[str, str],
    ) -> None:
        """Store values for a board, on disk too if possible; nothing is written if none differs."""
        self._file.read()
        changes: dict[str, Any] = {}
        for name, value in values.items():
            if isinstance(value, dict):
                changes[name] = {str(key): inner for key, inner in value.items()}
            else:
                changes[name] = sorted(value) if isinstance(value, frozenset) else value
        self._change(board_id, changes)

    def put(self, board_id: int, name: str, key: int | str, value: int | str | None) -> None:
        """Store one of the values by id or name, None removes it; the others stay as on disk."""
        self._file.read()
        values = {**self._value(board_id, name, dict[str, Any]()), str(key): value}
        present = {key: value for key, value in values.items() if value is not None}
        self._change(board_id, {name: present})

    def _change(self, board_id: int, changes: Mapping[str, Any]) -> None:
        changed = {**self._of(board_id), **changes}
        if changed != self._of(board_id):
            self._file.values[str(board_id)] = changed
            self._file.write()

    def _of(self, board_id: int) -> Mapping[str, Any]:
        return self._file.get(str(board_id), dict[str, Any]())

    def _value(self, board_id: int, name: str, default: T) -> T:
        value = self._of(board_id).get(name)
        return value if isinstance(value, type(default)) else default
