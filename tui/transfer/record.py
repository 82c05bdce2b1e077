"""The record of imports: which cards of which file became which tasks, beside the profile's data.

It is a file of lines, each a JSON list. Before cards are submitted their keys and local ids are
noted, afterwards that they were. If a run is killed in between, the outbox knows which it holds: it
takes a batch as a whole.
"""

import fcntl
import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from tui.errors import CallboardError, reason_of

IsKnown = Callable[[int], bool]
"""Whether the outbox knows a local id."""


class ImportRecord:
    """What was imported, by board. It is locked by the run that imports."""

    def __init__(self, path: Path, is_known: IsKnown) -> None:
        self.boards: dict[str, int] = {}
        self._cards: dict[int, dict[str, int]] = {}
        self._path = path
        self._is_known = is_known
        self._keys: Mapping[int, str] = {}
        self._begun: dict[str, int] = {}
        self._board_id = 0
        try:
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
            self._file = os.fdopen(os.open(path, flags, 0o600), "a+b")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._file.close()
            raise CallboardError(
                "another callboard is importing at the moment: nothing was imported."
            ) from error
        except OSError as error:
            raise self._not_written(error) from error
        self._read()

    def close(self) -> None:
        """Unlock it."""
        with suppress(OSError):
            self._file.close()

    def cards(self, board_id: int) -> Mapping[str, int]:
        """The ids of the tasks on a board that were imported, as they were then, by key."""
        return self._cards.get(board_id, {})

    def local_boards(self) -> list[int]:
        """The local ids of boards that may have been sent since."""
        return [board_id for board_id in {*self.boards.values(), *self._cards} if board_id < 0]

    def note_board(self, source: str, board_id: int) -> None:
        """Note the board to which a source is imported."""
        if self.boards.get(source) != board_id:
            self._append("board", source, board_id)

    def rename_board(self, old: int, new: int) -> None:
        """Note the id that was assigned to a board."""
        self._append("renamed", old, new)

    def adopt(self, board_id: int, ids: Mapping[str, int]) -> None:
        """Note cards that are on a board although this record lacks them."""
        if ids:
            self._append("begin", board_id, dict(ids))
            self._append("end", [])

    def expect(self, board_id: int, keys: Mapping[int, str]) -> None:
        """Set the keys of the tasks that are submitted next, by local id."""
        self._board_id, self._keys, self._begun = board_id, keys, {}

    def begin(self, ids: Sequence[int]) -> None:
        """Note that the tasks with these local ids are submitted next."""
        if ids:
            batch = {self._keys[local_id]: local_id for local_id in ids}
            self._begun |= batch
            self._append("begin", self._board_id, batch)

    def __enter__(self) -> Self:
        """Begin to import."""
        return self

    def __exit__(self, *_: object) -> None:
        """Note which cards were submitted; those that were refused may be imported again."""
        if self._begun:
            self._append("end", self._unknown(self._begun))

    def _unknown(self, batch: Mapping[str, int]) -> list[str]:
        return [
            key for key, local_id in batch.items() if local_id < 0 and not self._is_known(local_id)
        ]

    def _read(self) -> None:
        try:
            self._file.seek(0)
            lines = self._file.read().splitlines()
        except OSError as error:
            raise self._not_written(error) from error
        for line in lines:
            with suppress(ValueError, TypeError, KeyError, AttributeError):  # not complete
                self._take(*json.loads(line))
        if self._begun:  # the run was killed
            self._append("end", self._unknown(self._begun))

    def _append(self, *line: Any) -> None:
        try:
            # The line feed ends a line that a killed run may have left incomplete.
            self._file.write(b"\n" + json.dumps(line).encode())
            self._file.flush()
            # On disk before the outbox has the cards, or after a crash they would be imported
            # twice.
            os.fsync(self._file)
        except OSError as error:
            raise self._not_written(error) from error
        self._take(*line)

    def _take(self, kind: str, *rest: Any) -> None:
        match kind, *rest:
            case "board", str(source), int(board_id):
                self.boards[source] = board_id
            case "renamed", int(old), int(new):
                self.boards = {
                    source: new if board_id == old else board_id
                    for source, board_id in self.boards.items()
                }
                self._cards[new] = {**self._cards.get(new, {}), **self._cards.pop(old, {})}
            case "begin", int(board_id), dict(batch):
                self._board_id = board_id
                self._begun = {**self._begun, **batch}
                self._cards.setdefault(board_id, {}).update(batch)
            case "end", list(gone):
                cards = self._cards.get(self._board_id, {})
                for key in gone:
                    cards.pop(key, None)
                self._begun = {}

    def _not_written(self, error: OSError) -> CallboardError:
        return CallboardError(f"{self._path} cannot be written: {reason_of(error)}.")
