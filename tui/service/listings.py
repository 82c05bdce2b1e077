"""A cache of serialised tasks by board, valid as long as the board does not change.

Clients fetch all tasks of an open board after every change, so the lines written for the first are
reused for the others. Every write to a board increments its change counter (see `changes`); lines
of another counter are not used. Heads depend only on the values stored with them, so they are
reused across versions.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

_MOST_CHARACTERS = 48_000_000


class TaskLine(NamedTuple):
    """A task as JSON in two parts, and its due date if it is open.

    Fields that depend on the time and on the reader are inserted between the parts.
    """

    task_id: int
    due_at: str | None
    head: str
    tail: str


Key = tuple[int, bool]
"""A board's id, and whether e-mail addresses are unmasked, as for administrators."""

Version = tuple[int, str]
"""A board's change counter and the time of the change."""


Heads = dict[int, tuple[object, str]]
"""The heads of tasks by id, each with the values it was written from."""


class TaskListing(NamedTuple):
    """A board's lines of one version, and the heads in them."""

    version: Version
    lines: list[TaskLine]
    heads: Heads

    @property
    def size(self) -> int:
        """The approximate size; the values take about as much as the heads."""
        return sum(2 * len(line.head) + len(line.tail) for line in self.lines)


class Listings:
    """The cached listings; the least recently used are evicted.

    `pause` is called regularly while a long list is written, to yield the processor.
    """

    def __init__(
        self, most_characters: int = _MOST_CHARACTERS, pause: Callable[[], None] = lambda: None
    ) -> None:
        self.pause = pause
        self._most = most_characters
        self._size = 0
        self._listings: OrderedDict[Key, TaskListing] = OrderedDict()
        self._turn = threading.Lock()

    def of(self, key: Key) -> TaskListing | None:
        """The cached listing of a board."""
        with self._turn:
            if key in self._listings:
                self._listings.move_to_end(key)
            return self._listings.get(key)

    def keep(self, key: Key, listing: TaskListing) -> None:
        """Cache a board's listing, as far as there is room."""
        with self._turn:
            if key in self._listings:
                self._size -= self._listings.pop(key).size
            self._listings[key] = listing
            self._size += listing.size
            # A listing that is larger than the limit is evicted too.
            while self._size > self._most:
                _, dropped = self._listings.popitem(last=False)
                self._size -= dropped.size
