"""How far a run has come that adds many cards.

A file in the profile's folder notes how many are in the outbox, until all are. If a run is killed,
the next one with the same lines goes on where it ended, and adds none twice.
"""

import fcntl
import json
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from tui.cli.output import say_beside
from tui.errors import CallboardError, reason_of
from tui.text.clean import counted

IsKnown = Callable[[int], bool]
"""Whether the outbox knows a local id."""


class Noted(AbstractContextManager["Noted"], Protocol):
    """Something that notes which cards are submitted, from its begin to its end."""

    def begin(self, ids: Sequence[int]) -> None:
        """Note that the cards with these local ids are submitted next."""


class Progress:
    """How many of the given lines are in the outbox, on disk until all are.

    Its file has a line for each batch, written before that is submitted: how many cards were
    added before, and the local ids of its cards. The outbox takes a batch as a whole, so it knows
    all of these ids or none. The file is locked by the run that adds the lines.
    """

    def __init__(self, path: Path, is_known: IsKnown, total: int) -> None:
        self.added = 0
        self._path = path
        self._is_known = is_known
        self._total = total
        self._ids: Sequence[int] = ()
        try:
            self._file = path.open("ab")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._file.close()
            raise CallboardError(
                "another callboard is adding the same lines at the moment: nothing was added."
            ) from error
        except OSError as error:
            raise self._not_written(error) from error

    def begin(self, ids: Sequence[int]) -> None:
        """Note that the cards with these local ids are submitted next."""
        self.added += len(self._ids)
        self._ids = ids
        try:
            self._file.write(b"\n" + json.dumps([self.added, *ids]).encode())
            self._file.flush()
            os.fsync(self._file)
        except OSError as error:
            raise self._not_written(error) from error

    def __enter__(self) -> Self:
        """Begin to add."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: object, __: TracebackType | None
    ) -> None:
        """Forget the progress if all was submitted, else say how far it came."""
        if kind is None:
            with suppress(OSError):
                self._file.truncate(0)
                self._path.unlink()
        else:
            added = self.added + len(self._ids) * any(map(self._is_known, self._ids))
            with suppress(OSError):
                say_beside(
                    f"callboard: interrupted: {added:,} of {counted(self._total, 'card')} were"
                    " added; the same command goes on with the others."
                )
        with suppress(OSError):
            self._file.close()

    def _not_written(self, error: OSError) -> CallboardError:
        return CallboardError(
            f"{self._path} cannot be written: {reason_of(error)}. {self.added:,} cards were added."
        )


def added_before(path: Path, is_known: IsKnown) -> int:
    """How many cards an interrupted run has added, by its file at `path`."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return 0
    for line in reversed(lines):
        with suppress(ValueError):  # the last line may not be complete
            added, *ids = json.loads(line)
            return int(added) + len(ids) * any(map(is_known, ids))
    return 0
