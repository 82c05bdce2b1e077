"""SQLite files as the store opens them.

The rule it keeps: a file is brought forward by numbered migrations, each in one transaction, and
a file that is damaged or was written by a newer version is never written to.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from tui.errors import CallboardError

_BUSY_SECONDS = 5.0


class DamagedFileError(Exception):
    """The file is not a database, or not a whole one."""


class NewerFileError(Exception):
    """The file was written by a newer version of the program."""


def open_database(
    path: Path, migrations: Sequence[Sequence[str]], *, synchronous: str
) -> sqlite3.Connection:
    """Open the file, made if need be, with the newest tables.

    `synchronous` is SQLite's word for how sure a commit is: `full` or `normal`. The connection is
    in autocommit mode and may be used from any thread, but from one at a time. Raises
    `DamagedFileError`, `NewerFileError`, or `CallboardError` if the folder cannot be used.
    """
    connection = _connected(path)
    try:
        _prepare(connection, synchronous)
        _migrate(connection, migrations)
    except sqlite3.OperationalError as error:
        connection.close()
        raise CallboardError(
            f"{path} cannot be opened: {error}. Nothing in it was changed.",
            hint="See that the disk has room, and that no other program holds the file.",
        ) from error
    except sqlite3.DatabaseError as error:
        connection.close()
        raise DamagedFileError(str(error)) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _connected(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600, exist_ok=True)
        return sqlite3.connect(
            path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
    except (OSError, sqlite3.OperationalError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CallboardError(
            f"{path} cannot be opened: {reason}.",
            hint="See that the folder exists and can be written to.",
        ) from error


def _prepare(connection: sqlite3.Connection, synchronous: str) -> None:
    """Choose the journal; where WAL cannot be had, as on network drives, a DELETE journal does."""
    try:
        connection.execute("pragma journal_mode = wal").fetchone()
    except sqlite3.OperationalError:
        connection.execute("pragma journal_mode = delete").fetchone()
    connection.execute(f"pragma synchronous = {synchronous}")


def _migrate(connection: sqlite3.Connection, migrations: Sequence[Sequence[str]]) -> None:
    (version,) = connection.execute("pragma user_version").fetchone()
    if version > len(migrations):
        raise NewerFileError(str(version))
    for number, statements in enumerate(migrations[version:], start=version + 1):
        with transaction(connection):
            for statement in statements:
                connection.execute(statement)
            connection.execute(f"pragma user_version = {number}")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing; waits for others who write."""
    connection.execute("begin immediate")
    try:
        yield
        connection.execute("commit")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("rollback")
        raise


def set_aside(path: Path, now: datetime) -> Path:
    """Rename a file that cannot be used, with its journals; says what it is called now."""
    aside = path.with_name(f"{path.name}.broken-{now:%Y%m%dT%H%M%S%f}")
    path.rename(aside)
    for ending in ("-wal", "-shm", "-journal"):
        journal = path.with_name(path.name + ending)
        if journal.exists():
            journal.rename(aside.with_name(aside.name + ending))
    return aside
