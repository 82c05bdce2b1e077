"""What failures of PostgreSQL mean to a person.

The rule it keeps: a failure of the storage has the same status and code as with SQLite; one that
is a fault of the program is none of these. Words of the server never leave here.
"""

import psycopg

from tui.service.database.base import Collision
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
