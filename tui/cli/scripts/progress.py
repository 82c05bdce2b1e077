"""The progress of a run that adds many cards, by which an interrupted one is continued.

A file in the profile's folder notes how many are in the outbox, until all are. If a run is killed,
the next one with the same lines goes on where it ended, and adds none twice. An agent is told of it
without asking.
"""

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from tui.cli.output import say_beside
from tui.errors import CallboardError, reason_of
from tui.text.clean import counted, quoted

IsKnown = Callable[[int], bool]
"""Whether the outbox knows a local id."""


_NAME = "adding-"
_DAY = 86_400.0


class Noted(AbstractContextManager["Noted"], Protocol):
    """Something that notes which cards are submitted, from its begin to its end."""

    def begin(self, ids: Sequence[int]) -> None:
        """Note that the cards with these local ids are submitted next."""


class Added(NamedTuple):
    """How many cards an interrupted run has added, of how many; `last` is the title of the last."""

    cards: int = 0
    total: int = 0
    last: str = ""

    def __str__(self) -> str:
        up_to = f", up to {quoted(self.last)}" if self.last else ""
        return f"{self.cards:,} of {counted(self.total, 'card')} were added{up_to}"


class Progress:
    """How many of the given lines are in the outbox, on disk until all are.

    Its file has a line for each batch, written before that is submitted: what was added before, and
    the local ids of its cards. The outbox takes a batch as a whole, so it knows all of these ids or
    none. The file is locked by the run that adds the lines.
    """

    def __init__(
        self, path: Path, is_known: IsKnown, added: Added, titles: Mapping[int, str]
    ) -> None:
        self._added = added
        self._titles = titles
        self._path = path
        self._is_known = is_known
        self._ids: Sequence[int] = ()
        self._last = ""
        try:
            # Not truncated: until it is locked, the file may be another run's.
            self._file = path.open("ab")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._file.close()
            raise CallboardError(
                "another callboard is adding the same lines: nothing was added."
            ) from error
        except OSError as error:
            raise self._not_written(error) from error

    def begin(self, ids: Sequence[int]) -> None:
        """Note that the cards with these local ids are submitted next."""
        self._added = self._now()
        self._ids, self._last = ids, self._titles.get(ids[-1], "") if ids else ""
        try:
            # The line feed ends a line that a killed run may have left incomplete.
            self._file.write(b"\n" + json.dumps([*self._added, self._last, *ids]).encode())
            self._file.flush()
            # On disk before the outbox has the cards, or after a crash they would be added twice.
            os.fsync(self._file)
        except OSError as error:
            raise self._not_written(error) from error

    def __str__(self) -> str:
        """How far it came, in words."""
        return str(self._now())

    def _now(self) -> Added:
        return _added_with(self._added, self._last, self._ids, self._is_known)

    def __enter__(self) -> Self:
        """Begin to add."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: object, __: TracebackType | None
    ) -> None:
        """Forget the progress if all was submitted, else say how far it came."""
        if kind is None:
            with suppress(OSError):
                # Emptied in case it cannot be removed: an empty file stands for no progress.
                self._file.truncate(0)
                self._path.unlink()
        else:
            with suppress(OSError):
                say_beside(
                    f"callboard: interrupted: {self._now()}; the same command adds the others."
                )
        with suppress(OSError):
            self._file.close()

    def _not_written(self, error: OSError) -> CallboardError:
        return CallboardError(
            f"{self._path} cannot be written: {reason_of(error)}. {self._added.cards:,} cards were"
            " added."
        )


def path_for(folder: Path, digest: str) -> Path:
    """The file of the progress with lines of this digest."""
    return folder / f"{_NAME}{digest}"


def added_before(path: Path, is_known: IsKnown) -> Added:
    """What an interrupted run has added, by its file at `path`."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return Added()
    for line in reversed(lines):
        with suppress(ValueError, TypeError):  # the last line may not be complete
            cards, total, title_before, last, *ids = json.loads(line)
            added = Added(int(cards), int(total), str(title_before))
            return _added_with(added, str(last), ids, is_known)
    return Added()


def _added_with(added: Added, last: str, ids: Sequence[int], is_known: IsKnown) -> Added:
    # The outbox takes a batch as a whole, so that one known id is enough.
    if not any(map(is_known, ids)):
        return added
    return Added(added.cards + len(ids), added.total, last)


def interrupted(folder: Path, is_known: IsKnown) -> Iterator[tuple[Path, Added]]:
    """What was interrupted within the last day in a profile, and not gone on with since."""
    for path in sorted(folder.glob(f"{_NAME}*")):
        try:
            is_old = path.stat().st_mtime < time.time() - _DAY
            with path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:  # it is being added, or was just now
            continue
        added = added_before(path, is_known)
        if added.cards and not is_old:
            yield path, added
