"""A database on a PostgreSQL server is opened and brought up to date.

A database that is not ours or was written by a newer version is left exactly as it is; errors say
which server, why, and that nothing was changed, and never hold a password.
"""

from collections.abc import Callable
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from tui.errors import CallboardError
from tui.service.database.postgres import PostgresDatabase
from tui.service.database.schema import MIGRATIONS
from tui.service.errors import ServiceError
from tui.text import clean

_CONNECT_SECONDS = 10
_REASONS = {
    "read_only": ("may not be written to", "Give the service's user the right to make tables."),
    "not_reachable": ("cannot be reached", "Check that the server runs and lets the user in."),
    "disk_full": ("cannot grow: the disk is full", "Make room on the server and start again."),
    "busy": ("is busy", "Wait a little and try again."),
}
_FOREIGN_TABLES = """select count(*) from pg_class
    join pg_namespace on pg_namespace.oid = pg_class.relnamespace
    where nspname = current_schema() and relkind in ('r', 'p', 'v', 'm')"""
_OTHER_PLACE = "Make a database for the boards alone and name that one."


class DatabaseServerUnusable(CallboardError):
    """The database on a server cannot be used as it is; it has not been changed."""

    def __init__(self, place: str, reason: str, *, hint: str = "") -> None:
        super().__init__(f"The database {place} {reason}. Nothing was changed.", hint=hint)


def open_postgres(url: str) -> PostgresDatabase:
    """Open the database at `url`, as `postgresql://USER@HOST:PORT/NAME`; make its tables.

    What the URL leaves out comes from the usual PG… variables and the password file; a password is
    never a part of it, as it comes from a command line. Raises `DatabaseServerUnusable`.
    """
    place = _place(url)
    database = PostgresDatabase(_connecting(url))
    try:
        _check(database, place)
        database.migrate(MIGRATIONS)
    except ServiceError as error:
        database.close()
        reason, hint = _REASONS.get(error.code, ("cannot be used", ""))
        raise DatabaseServerUnusable(place, reason + _details(error), hint=hint) from error
    except BaseException:
        database.close()
        raise
    return database


def _place(url: str) -> str:
    """The server and the database that a URL names, without who logs in."""
    try:
        named = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        # What the driver says about a URL may quote a part of it, so it is not told.
        raise DatabaseServerUnusable(
            "cannot be told from its address:",
            "it must be like postgresql://USER@HOST:PORT/NAME",
        ) from None
    if named.get("password"):
        raise DatabaseServerUnusable(
            "must be named without its password:",
            "others can read a command line",
            hint="Put the password into the file ~/.pgpass or the variable PGPASSWORD.",
        )
    host = named.get("host") or named.get("hostaddr") or "of this machine"
    return clean.line(f"“{named.get('dbname') or ''}” on {host}")


def _connecting(url: str) -> Callable[[], psycopg.Connection[Any]]:
    def connect() -> psycopg.Connection[Any]:
        return psycopg.connect(
            url,
            autocommit=True,
            connect_timeout=_CONNECT_SECONDS,
            application_name="callboard",
        )

    return connect


def _details(error: ServiceError) -> str:
    """What the server said when it could not be reached; the driver leaves passwords out of it."""
    cause = error.__cause__
    if error.code != "not_reachable" or cause is None:
        return ""
    said = str(cause).strip().splitlines()
    return f": {clean.line(said[-1])}" if said else ""


def _check(database: PostgresDatabase, place: str) -> None:
    """Refuse what is foreign, newer or cannot hold every character, having only read it."""
    version = database.version()
    with database.transaction(writing=False) as db:
        tables = db.value(_FOREIGN_TABLES)
        encoding = db.value("select current_setting('server_encoding')")
    if version > len(MIGRATIONS):
        raise DatabaseServerUnusable(
            place, "was written by a newer version of this program", hint="Update this program."
        )
    if version == 0 and tables:
        raise DatabaseServerUnusable(place, "is the database of another program", hint=_OTHER_PLACE)
    if encoding != "UTF8":
        raise DatabaseServerUnusable(
            place, "cannot hold every character: its encoding is not UTF8", hint=_OTHER_PLACE
        )
