"""Connections to a PostgreSQL server, lent to one thread after another, and their failures.

A process has at most `MOST` of them, however many threads it has, because the server allows only so
many to all; the one that was used last is lent first. A failure of the storage has the same status
and code as with SQLite; one that is a fault of the program is none of these. Words of the server
never leave here.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.rows import dict_row

from tui.service.database.base import Collision, Row
from tui.service.errors import ServiceError, unreadable

_COLLISIONS = {"40001", "40P01"}
_COLLISIONS_BESIDE_OTHERS = {"23503", "23505"}
"""A row that another transaction has just deleted or made; with no others it is a fault."""
PLAN_OUTDATED = "0A000"
"""A prepared statement is older than its tables; a new connection prepares it anew."""

_BUSY = (503, "busy", "The database is busy; nothing was changed. Try again.")
_GONE = (503, "not_reachable", "The database cannot be reached; nothing was changed.")
_READ_ONLY = (503, "read_only", "The database cannot be written to.")
_DAMAGED = (503, "damaged", "The database is damaged; nothing was changed.")
_BY_STATE = {
    "53100": (507, "disk_full", "The disk is full; nothing was changed."),
    "25006": _READ_ONLY,
    "42501": _READ_ONLY,
    "55P03": _BUSY,
    "57014": _BUSY,
    "22003": (422, "invalid_number", "A number is larger than the database can hold."),
    "XX001": _DAMAGED,
    "XX002": _DAMAGED,
}
_BY_CLASS = {
    "08": _GONE,
    "25": _GONE,
    "28": _GONE,
    "3D": _GONE,
    "53": _BUSY,
    "57": _GONE,
    "58": (503, "disk_failed", "The disk reported an error; nothing was changed."),
}
Connection = psycopg.Connection[Row]
MOST = 10
_PATIENCE_SECONDS = 10.0
_SESSION = b"""
    set client_encoding = 'UTF8';
    set lock_timeout = '10s';
    set idle_in_transaction_session_timeout = '60s'
"""


def failure(error: psycopg.Error, *, alone: bool) -> ServiceError | None:
    """What a failure means; None if it is a fault of the program.

    `alone` tells whether nobody else was writing, so that a collision cannot explain it.
    """
    state = error.sqlstate
    if state in _COLLISIONS or state == PLAN_OUTDATED:
        return Collision()
    if state in _COLLISIONS_BESIDE_OTHERS and not alone:
        return Collision()
    if state is None:
        return _of_the_driver(error)
    told = _BY_STATE.get(state) or _BY_CLASS.get(state[:2])
    return None if told is None else ServiceError(*told)


def _of_the_driver(error: psycopg.Error) -> ServiceError | None:
    """What the driver says without having heard from the server."""
    if isinstance(error, psycopg.DataError):
        return unstorable_text()
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return ServiceError(*_GONE)
    return None


def unstorable_text() -> ServiceError:
    """400: text with NUL or with halves of characters, which PostgreSQL cannot hold."""
    refusal = unreadable("The request holds text that cannot be stored.")
    refusal.code = "invalid_text"
    return refusal


def lost_on_commit() -> ServiceError:
    """503: the connection ended between the request to keep a change and the answer to it."""
    return ServiceError(
        503,
        "outcome_unknown",
        "The connection to the database was lost; it is not known whether the change was kept.",
    )


class Slot:
    """A place for one connection, which is made when it is needed."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        self._connect = connect
        self._link: Connection | None = None

    def begun(self, begin: Callable[[Connection], None]) -> Connection:
        """The connection after `begin`; one that turns out to be broken is replaced once."""
        if self._link is not None:
            try:
                begin(self._link)
            except psycopg.OperationalError:
                if not self._link.closed:
                    raise
                self.close()
            else:
                return self._link
        self._link = self._connect()
        self._link.row_factory = dict_row
        self._link.execute(_SESSION)
        begin(self._link)
        return self._link

    def close(self) -> None:
        """Close the connection."""
        if self._link is not None:
            self._link.close()
            self._link = None


class Pool:
    """The connections of a process; `connect` makes one, in autocommit mode."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        self._slots = [Slot(connect) for _ in range(MOST)]
        self._free = threading.Semaphore(MOST)
        self._is_closed = False

    @contextmanager
    def borrowed(self) -> Iterator[Slot]:
        """A slot for as long as the block lasts. Raises `ServiceError` 503."""
        if not self._free.acquire(timeout=_PATIENCE_SECONDS):
            raise ServiceError(503, "busy", "The service is busy; nothing was changed. Try again.")
        try:
            if self._is_closed:
                raise ServiceError(503, "closed", "The database has been closed.")
            slot = self._slots.pop()
            try:
                yield slot
            finally:
                self._slots.append(slot)
        finally:
            self._free.release()

    def close(self) -> None:
        """Wait for the slots that are lent and close every connection."""
        self._is_closed = True
        for _ in range(MOST):
            self._free.acquire()
        for slot in self._slots:
            slot.close()
        self._free.release(MOST)
