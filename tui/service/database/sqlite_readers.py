"""Connections to a file with a write-ahead log, for those who only read while others write."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import LifoQueue

from tui.service.errors import ServiceError
from tui.sqlite_files import connected

MOST = 4
_BUSY_SECONDS = 5.0


class Readers:
    """At most so many connections to the file at `path`, each used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_closed = False
        # Last in, first out: a connection is opened only if all opened ones are in use.
        self._free: LifoQueue[sqlite3.Connection | None] = LifoQueue()
        for _ in range(MOST):
            self._free.put(None)

    @contextmanager
    def borrowed(self) -> Iterator[sqlite3.Connection]:
        """A connection for the duration of the block, made when needed. Raises 503."""
        link = self._free.get()
        try:
            if self._is_closed:
                raise ServiceError(503, "closed", "The board file has been closed.")
            # If opening fails, the slot goes back empty, and the next one tries again.
            link = link or self._opened()
            yield link
        finally:
            self._free.put(link)

    def _opened(self) -> sqlite3.Connection:
        link = connected(self._path, wait_seconds=_BUSY_SECONDS, statements=400)
        link.row_factory = sqlite3.Row
        link.execute("pragma query_only = on")
        return link

    def close(self) -> None:
        """Wait for those who read, and close every connection."""
        self._is_closed = True
        for link in [self._free.get() for _ in range(MOST)]:
            if link is not None:
                link.close()
            # Returned empty, so that threads that still wait are refused instead of hanging.
            self._free.put(None)
