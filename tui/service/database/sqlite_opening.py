"""A database file is opened, made if it is not there, and brought up to date.

The rule it keeps: a file that is not ours, is damaged or was written by a newer version is left
exactly as it is, and the error says which file, why, and that nothing was changed.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tui.errors import CallboardError
from tui.service.database.base import Database
from tui.service.database.schema import MIGRATIONS
from tui.service.database.sqlite import SqliteDatabase, failure
from tui.service.errors import ServiceError
from tui.text import clean

APPLICATION_ID = 0x43426F61
"""Written into every file of ours; it tells them from the databases of other programs."""

_MAGIC = b"SQLite format 3\x00"
_BUSY_SECONDS = 5.0
_WRITABLE = "Make the file and its folder writable for you, or choose another place."
_REASONS = {
    "read_only": ("may not be written to", _WRITABLE),
    "not_reachable": ("cannot be opened or written to", _WRITABLE),
    "disk_full": ("cannot grow: the disk is full", "Make room on the disk and start again."),
    "disk_failed": ("cannot be read: the disk reported an error", "Check the disk."),
    "busy": ("is in use by another program", "Close the other program, or wait, and try again."),
    "damaged": ("is damaged", "Put a copy of it back, or move it away to begin anew."),
}
"""What is wrong with a file and what helps, by the code of the failure."""


class DatabaseUnusable(CallboardError):
    """The board file cannot be used as it is; it has not been changed."""

    def __init__(self, path: Path, reason: str, *, hint: str = "") -> None:
        shown = clean.line(str(path))
        super().__init__(f"The board file {shown} {reason}. Nothing was changed.", hint=hint)
        self.path = path


def open_database(path: Path) -> Database:
    """Open the file at `path`, readable by its owner only; make it and its folder if need be.

    Raises `DatabaseUnusable`.
    """
    with told(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_header(path)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        link = sqlite3.connect(
            path,
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=400,
        )
        try:
            _check(path, link)
            _configure(link)
            database = SqliteDatabase(link)
            database.migrate(MIGRATIONS)
        except BaseException:
            link.close()
            raise
    return database


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn what goes wrong with the file at `path` into `DatabaseUnusable`."""
    try:
        yield
    except ServiceError as error:
        raise _unusable(path, error.code) from error
    except PermissionError as error:
        raise _unusable(path, "read_only") from error
    except OSError as error:
        reason = (error.strerror or "the system refused").lower()
        raise DatabaseUnusable(path, f"cannot be opened: {reason}") from error
    except sqlite3.Error as error:
        refusal = failure(error)
        if refusal is None:
            raise
        raise _unusable(path, refusal.code) from error


def _unusable(path: Path, code: str) -> DatabaseUnusable:
    """The words for a failure, by its code."""
    reason, hint = _REASONS[code]
    return DatabaseUnusable(path, reason, hint=hint)


def _check_header(path: Path) -> None:
    """Refuse a file that is there and is no SQLite database; an empty one is taken as new."""
    try:
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
    except FileNotFoundError:
        return
    if head and head != _MAGIC:
        hint = "Move it away, or choose another place for the boards."
        raise DatabaseUnusable(path, "is not a database of this program", hint=hint)


def _check(path: Path, link: sqlite3.Connection) -> None:
    """Refuse what is damaged, foreign or newer, having only read it."""
    answer = link.execute("pragma quick_check(1)").fetchone()[0]
    if answer != "ok":
        raise _unusable(path, "damaged")
    version = link.execute("pragma user_version").fetchone()[0]
    application = link.execute("pragma application_id").fetchone()[0]
    tables = link.execute("select count(*) from sqlite_schema").fetchone()[0]
    if tables and application != APPLICATION_ID:
        hint = "Move it away, or choose another place for the boards."
        raise DatabaseUnusable(path, "is the database of another program", hint=hint)
    if version > len(MIGRATIONS):
        raise DatabaseUnusable(
            path, "was written by a newer version of this program", hint="Update this program."
        )


def _configure(link: sqlite3.Connection) -> None:
    """Choose the journal and turn foreign keys on.

    Where there can be no write-ahead log, as on some network file systems, the old journal with
    full syncs is as safe, only slower.
    """
    if link.execute("pragma journal_mode = wal").fetchone()[0] == "wal":
        link.execute("pragma synchronous = normal")
    else:
        link.execute("pragma journal_mode = delete")
        link.execute("pragma synchronous = full")
    link.execute("pragma foreign_keys = on")
    if link.execute("pragma application_id").fetchone()[0] != APPLICATION_ID:
        link.execute(f"pragma application_id = {APPLICATION_ID:d}")
