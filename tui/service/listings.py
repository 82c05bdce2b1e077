"""The written tasks of boards, kept for as long as nothing on a board changes.

Whoever has a board open asks for all of its tasks after every change, so what was written for the
first of them serves the others. Every write to a board counts its change counter up (see
`changes`); lines that were written under another counter are never used. Heads depend on nothing
but the values they are kept with, so older ones serve a newer version too.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

_MOST_CHARACTERS = 48_000_000


class Line(NamedTuple):
    """A task as JSON, open where the time and the reader matter, and its due date if it is open."""

    task_id: int
    due_at: str | None
    head: str
    tail: str


Key = tuple[int, bool]
"""A board's id, and whether e-mail addresses are readable, as they are for administrators."""

Version = tuple[int, str]
"""A board's change counter and the time of the change."""


Heads = dict[int, tuple[object, str]]
"""The heads of tasks by id, each with the values that it was written from."""


class Listing(NamedTuple):
    """A board's lines in a version, and the heads in them."""

    version: Version
    lines: list[Line]
    heads: Heads

    @property
    def size(self) -> int:
        """How much is kept, roughly: the values take about as much as the heads."""
        return sum(2 * len(line.head) + len(line.tail) for line in self.lines)


class Listings:
    """What boards were written as; those that nobody asked for longest go first.

    `pause` is called now and then while a long list is written, to let others have the processor.
    """

    def __init__(
        self, most_characters: int = _MOST_CHARACTERS, pause: Callable[[], None] = lambda: None
    ) -> None:
        self.pause = pause
        self._most = most_characters
        self._size = 0
        self._kept: OrderedDict[Key, Listing] = OrderedDict()
        self._turn = threading.Lock()

    def of(self, key: Key) -> Listing | None:
        """What was kept of a board last."""
        with self._turn:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Key, listing: Listing) -> None:
        """Keep a board's listing in the place of an older one, as far as there is room."""
        with self._turn:
            if key in self._kept:
                self._size -= self._kept.pop(key).size
            self._kept[key] = listing
            self._size += listing.size
            while self._size > self._most:
                _, dropped = self._kept.popitem(last=False)
                self._size -= dropped.size
