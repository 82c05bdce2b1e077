"""Connections to a PostgreSQL server, lent to one thread after another.

The rule it keeps: a process has at most `MOST` of them, however many threads it has, because the
server allows only so many to all; the one that was used last is lent first.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.rows import dict_row

from tui.service.database.base import Row
from tui.service.errors import ServiceError

Link = psycopg.Connection[Row]

MOST = 10
_PATIENCE_SECONDS = 10.0
_SESSION = b"""
    set client_encoding = 'UTF8';
    set lock_timeout = '10s';
    set idle_in_transaction_session_timeout = '60s'
"""


class Seat:
    """A place for one connection, which is made when it is needed."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        self._connect = connect
        self._link: Link | None = None

    def begun(self, begin: Callable[[Link], None]) -> Link:
        """The connection after `begin`; one that turns out to be broken is replaced once."""
        if self._link is not None:
            try:
                begin(self._link)
            except psycopg.OperationalError:
                if not self._link.closed:
                    raise
                self.vacate()
            else:
                return self._link
        self._link = self._connect()
        self._link.row_factory = dict_row
        self._link.execute(_SESSION)
        begin(self._link)
        return self._link

    def vacate(self) -> None:
        """Close the connection."""
        if self._link is not None:
            self._link.close()
            self._link = None


class Links:
    """The connections of a process; `connect` makes one, in autocommit mode."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        self._seats = [Seat(connect) for _ in range(MOST)]
        self._free = threading.Semaphore(MOST)
        self._is_closed = False

    @contextmanager
    def lent(self) -> Iterator[Seat]:
        """A seat for as long as the block lasts. Raises `ServiceError` 503."""
        if not self._free.acquire(timeout=_PATIENCE_SECONDS):
            raise ServiceError(503, "busy", "The service is busy; nothing was changed. Try again.")
        try:
            if self._is_closed:
                raise ServiceError(503, "closed", "The database has been closed.")
            seat = self._seats.pop()
            try:
                yield seat
            finally:
                self._seats.append(seat)
        finally:
            self._free.release()

    def close(self) -> None:
        """Wait for the seats that are lent and close every connection."""
        self._is_closed = True
        for _ in range(MOST):
            self._free.acquire()
        for seat in self._seats:
            seat.vacate()
        self._free.release(MOST)
