"""Opens the SQLite files of the store, and migrates them.

Each numbered migration is one transaction. A file that is damaged or of a newer version is never
written to.
"""

import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from errno import EDQUOT, ENOSPC
from functools import lru_cache
from pathlib import Path

from tui.errors import CallboardError, reason_of
from tui.sqlite_files import connected

_BUSY_SECONDS = 5.0
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_PRIMARY_CODE = 0xFF
_FULL = (ENOSPC, EDQUOT)
ROOM_HINT = "Free some disk space and try again."
_REASONS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk is full or failing",
    sqlite3.SQLITE_READONLY: "the file is not writable",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened",
    **dict.fromkeys((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED), "another program locks the file"),
    **dict.fromkeys(_DAMAGE, "the file is damaged"),
}
_WRITABLE = "Check that you may write to the file and its folder, and try again."
_HINTS = {
    **dict.fromkeys((sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR), ROOM_HINT),
    **dict.fromkeys((sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN), _WRITABLE),
    **dict.fromkeys(
        (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED), "Close that program, or wait, and try again."
    ),
    **dict.fromkeys(_DAMAGE, "Start the program again: what can be read is saved."),
}
_TABLE = re.compile(r"\s*create table (\w+)")
_KEPT_SET_ASIDE = 3
_JOURNALS = ("-wal", "-shm", "-journal")
_REPORT = ".txt"


class DamagedFileError(Exception):
    """The file is not a database, or a damaged one."""


class NewerFileError(Exception):
    """The file was written by a newer version of the program."""


def open_database(
    path: Path, migrations: Sequence[Sequence[str]], *, synchronous: str, shrinks: bool = False
) -> sqlite3.Connection:
    """Open or create the file, migrated to the newest tables.

    `synchronous` is SQLite's setting, `full` or `normal`; a file that `shrinks` can return free
    pages in steps. The connection is in autocommit mode and may be used from any thread, one at a
    time. Raises `DamagedFileError`, `NewerFileError`, or `CallboardError` if the folder cannot be
    used.
    """
    connection = _connected(path)
    try:
        if shrinks and is_empty(path):  # only works on a new file, as the first statement
            connection.execute("pragma auto_vacuum = incremental")
        _prepare(connection, synchronous)
        _migrate(connection, migrations)
        check_tables(connection, migrations)
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode == sqlite3.SQLITE_ERROR:  # a migration misses a table
            raise DamagedFileError(str(error)) from error
        raise CallboardError(
            f"{path} cannot be opened: {disk_reason(error)}. Nothing in it was changed.",
            hint=disk_hint(error),
        ) from error
    except sqlite3.DatabaseError as error:
        connection.close()
        raise DamagedFileError(str(error)) from error
    except BaseException:
        connection.close()
        raise
    return connection


def check_tables(connection: sqlite3.Connection, migrations: Sequence[Sequence[str]]) -> None:
    """Raise `DamagedFileError` if a migrated file lacks one of its tables."""
    rows = connection.execute("select name from sqlite_master where type = 'table'")
    tables = {name for (name,) in rows}
    for match in (_TABLE.match(statement) for statements in migrations for statement in statements):
        if match is not None and match[1] not in tables:
            raise DamagedFileError(f"its table “{match[1]}” is missing")


def connected_to_read(path: Path, *, wait_seconds: float = _BUSY_SECONDS) -> sqlite3.Connection:
    """A connection that only reads a file, which is neither created nor migrated.

    Errors are those of SQLite.
    """
    address = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, uri=True, timeout=wait_seconds)


def _connected(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            # An existing file is only ever opened by SQLite: closing it otherwise would release the
            # locks of this program's other connections to it.
            path.touch(mode=0o600, exist_ok=False)
        return connected(path, wait_seconds=_BUSY_SECONDS)
    except (OSError, sqlite3.OperationalError) as error:
        raise CallboardError(
            f"{path} cannot be opened: {disk_reason(error)}.", hint=disk_hint(error)
        ) from error


def _prepare(connection: sqlite3.Connection, synchronous: str) -> None:
    # DELETE where WAL is not possible, as on network drives.
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
            (present,) = connection.execute("pragma user_version").fetchone()
            if present >= number:  # another program has migrated it
                continue
            for statement in statements:
                connection.execute(statement)
            connection.execute(f"pragma user_version = {number}")


@contextmanager
def transaction(connection: sqlite3.Connection, *, only_reads: bool = False) -> Iterator[None]:
    """A transaction that waits for other writers; one that only reads sees none of their writes."""
    # A deferred transaction that begins with a read fails at once with SQLITE_BUSY when it writes
    # after another program did; an immediate one waits for its turn.
    connection.execute("begin" if only_reads else "begin immediate")
    try:
        yield
        connection.execute("commit")
    except BaseException:
        # SQLite rolls back by itself on some errors, such as a full disk.
        with suppress(sqlite3.Error):
            connection.execute("rollback")
        raise


def version_of_others(connection: sqlite3.Connection) -> int:
    """A number that changes when another connection writes to the file."""
    (version,) = connection.execute("pragma data_version").fetchone()
    return int(version)


def written_at(path: Path) -> tuple[tuple[int, int] | None, ...]:
    """A value that changes when any program writes to a file, within the resolution of file times.

    It takes some microseconds, and opens nothing.
    """
    return tuple(map(_time_and_size, _written_files(path)))


@lru_cache(8)
def _written_files(path: Path) -> tuple[str, str]:
    return str(path), f"{path}{_JOURNALS[0]}"


def _time_and_size(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116  a path would be converted each time
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def set_aside(path: Path, now: datetime) -> Path:
    """Rename an unusable file and its journals; returns the new path."""
    aside = path.with_name(f"{path.name}.broken-{now:%Y%m%dT%H%M%S%f}")
    # SQLite would take a journal that stays behind for that of the new file of this name.
    path.rename(aside)
    for ending in _JOURNALS:
        journal = path.with_name(path.name + ending)
        if journal.exists():
            journal.rename(aside.with_name(aside.name + ending))
    return aside


def is_empty(path: Path) -> bool:
    """Whether a file is missing or has no content."""
    try:
        return path.stat().st_size == 0
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:  # opening it says why
        return False


def disk_reason(error: sqlite3.Error | OSError) -> str:
    """Why a file could not be read or written, within a sentence."""
    if isinstance(error, OSError):
        return _REASONS[sqlite3.SQLITE_FULL] if error.errno in _FULL else reason_of(error)
    code = getattr(error, "sqlite_errorcode", 0)
    # The upper bits of an extended code only say more about the primary one.
    return _REASONS.get(code & _PRIMARY_CODE, str(error))


def disk_hint(error: sqlite3.Error | OSError) -> str:
    """What to do about a file that could not be read or written."""
    if isinstance(error, OSError):
        return ROOM_HINT if error.errno in _FULL else _WRITABLE
    code = getattr(error, "sqlite_errorcode", 0)
    return _HINTS.get(code & _PRIMARY_CODE, "Try again.")


def problem_of(error: CallboardError | sqlite3.Error) -> str:
    """Why the news could not be read: the message of the service's error, or what the disk did."""
    if isinstance(error, CallboardError):
        return error.message
    reason = disk_reason(error)
    return f"Updates cannot be cached: {reason}. No change of yours is lost."


def is_damage(error: Exception) -> bool:
    """Whether an error means a damaged file, rather than something temporary."""
    code = getattr(error, "sqlite_errorcode", 0)
    return isinstance(error, sqlite3.DatabaseError) and code & _PRIMARY_CODE in _DAMAGE


def check_whole(connection: sqlite3.Connection) -> None:
    """Read every page. Raises `DamagedFileError` if one is damaged."""
    try:
        report = connection.execute("pragma quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            raise DamagedFileError(str(error)) from error
        raise
    if report != ("ok",):
        raise DamagedFileError(" ".join(str(report[0]).split()))


def is_whole(path: Path) -> bool:
    """Whether a file is an intact database; reads all of it, up to a second."""
    try:
        with closing(sqlite3.connect(path, timeout=_BUSY_SECONDS)) as connection:
            check_whole(connection)
    except DamagedFileError:
        return False
    except sqlite3.DatabaseError as error:
        return not is_damage(error)
    return True


def report_of(aside: Path) -> Path:
    """The report on what was saved of a file that was set aside."""
    return aside.with_name(aside.name + _REPORT)


def set_aside_files(path: Path) -> list[Path]:
    """The files set aside in place of `path`, newest first, without journals and reports."""
    files = path.parent.glob(f"{path.name}.broken-*")
    beside = (*_JOURNALS, _REPORT)
    return sorted((file for file in files if not file.name.endswith(beside)), reverse=True)


def forget_old_set_aside(path: Path, most: int = _KEPT_SET_ASIDE) -> list[Path]:
    """Delete all but the newest files set aside; for data that can be fetched again."""
    old = set_aside_files(path)[most:]
    for file in old:
        for ending in ("", *_JOURNALS):
            with suppress(OSError):  # tried again the next time
                file.with_name(file.name + ending).unlink()
    return old
