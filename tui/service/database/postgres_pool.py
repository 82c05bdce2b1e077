"""The connections of a process to a PostgreSQL server."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from queue import Empty, LifoQueue
from typing import Any

import psycopg
from psycopg.rows import dict_row

from tui.service.database.base import Row
from tui.service.errors import ServiceError

Connection = psycopg.Connection[Row]
Connect = Callable[[], psycopg.Connection[Any]]
"""Creates a connection, in autocommit mode."""

MOST = 10
_PATIENCE_SECONDS = 10.0
_SESSION = b"""
    set client_encoding = 'UTF8';
    set lock_timeout = '10s';
    set idle_in_transaction_session_timeout = '60s'
"""
_ROLLBACK = b"rollback; select pg_advisory_unlock_all()"


class Slot:
    """A pooled connection, created when needed."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._link: Connection | None = None

    def begun(self, statements: Sequence[bytes]) -> Connection:
        """The connection after these statements; a broken one is replaced once."""
        if self._link is not None:
            try:
                _begin(self._link, statements)
            except psycopg.OperationalError:
                if not self._link.closed:
                    raise
                self.close()
            else:
                return self._link
        self._link = self._connect()
        self._link.row_factory = dict_row
        self._link.execute(_SESSION)
        _begin(self._link, statements)
        return self._link

    def close(self) -> None:
        """Close the connection."""
        if self._link is not None:
            self._link.close()
            self._link = None


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


def _begin(link: Connection, statements: Sequence[bytes]) -> None:
    try:
        for statement in statements:
            link.execute(statement)
    except psycopg.Error:
        undo(link)
        raise


def undo(link: Connection) -> None:
    """Roll back and release the locks; closing the connection does both too."""
    try:
        link.execute(_ROLLBACK)
    except psycopg.Error:
        with suppress(psycopg.Error):
            link.close()
