"""The connections of a process to a PostgreSQL server."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, LifoQueue
from typing import Any

import psycopg

from tui.service.database.postgres_session import Session
from tui.service.errors import ServiceError

Connect = Callable[[], psycopg.Connection[Any]]
"""Creates a connection, in autocommit mode."""

MOST = 10
_PATIENCE_SECONDS = 10.0


class Slot:
    """A pooled session, created when needed."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._session: Session | None = None

    def session(self) -> Session:
        """The session, made anew if the server has ended it."""
        if self._session is not None and self._session.is_over:
            self.close()
        if self._session is None:
            self._session = Session(self._connect())
        return self._session

    def close(self) -> None:
        """Close the session."""
        if self._session is not None:
            self._session.close()
            self._session = None


class Pool:
    """At most so many connections, each used by one thread at a time."""

    def __init__(self, connect: Connect) -> None:
        self._free: LifoQueue[Slot] = LifoQueue()
        for _ in range(MOST):
            self._free.put(Slot(connect))
        self._is_closed = False

    @contextmanager
    def borrowed(self) -> Iterator[Slot]:
        """A slot for the duration of the block. Raises `ServiceError` 503."""
        try:
            slot = self._free.get(timeout=_PATIENCE_SECONDS)
        except Empty:
            message = "The service is busy; nothing was changed. Try again."
            raise ServiceError(503, "busy", message) from None
        try:
            if self._is_closed:
                raise ServiceError(503, "closed", "The database has been closed.")
            yield slot
        finally:
            self._free.put(slot)

    def close(self) -> None:
        """Wait for borrowed slots and close every connection."""
        self._is_closed = True
        for slot in [self._free.get() for _ in range(MOST)]:
            slot.close()
            self._free.put(slot)
