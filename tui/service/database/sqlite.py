"""The database in an SQLite file: one connection that writes, one transaction at a time.

Where many ask, those who only read have connections of their own, so that no writer waits for a
long list.

A writing transaction begins with the write lock, so it never has to be retried. It ends when its
change is on the disk, for which several wait together while others go on; disk errors become
`ServiceError`. A file that is not ours, is damaged or was written by a newer version is left
unchanged, and the error names the file and the reason.
"""

import errno
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from tui.errors import CallboardError
from tui.service.database.base import Database, Rows, Step, Transaction
from tui.service.database.fair_lock import FairLock
from tui.service.database.schema import APPLICATION_ID, MIGRATIONS
from tui.service.database.sqlite_readers import Readers
from tui.service.database.waiters import Waiters
from tui.service.errors import BUSY, ServiceError
from tui.sqlite_files import connected
from tui.text import clean

_PAIRS = """(select key + 1 as place, json_extract(value, '$[0]') as one,
    json_extract(value, '$[1]') as other from json_each(:{name}))"""
TOKENS = {
    "{pk}": "integer primary key autoincrement",
    "{real}": "real",
    "{json}": "text",
    "{ilike}": "like",
    "{in_ids}": "in (select value from json_each(:ids))",
    "{pairs}": _PAIRS.format(name="pairs"),
    "{other_pairs}": _PAIRS.format(name="other_pairs"),
}

_FAILURES = {
    sqlite3.SQLITE_FULL: (507, "disk_full", "The disk is full; nothing was changed."),
    sqlite3.SQLITE_READONLY: (503, "read_only", "The board file cannot be written to."),
    sqlite3.SQLITE_CANTOPEN: (503, "not_reachable", "The board file cannot be opened."),
    sqlite3.SQLITE_IOERR: (503, "disk_failed", "The disk reported an error; nothing was changed."),
    sqlite3.SQLITE_BUSY: (503, BUSY, "Another program is writing to the board file; try again."),
    sqlite3.SQLITE_LOCKED: (503, BUSY, "The board file is in use; try again."),
    sqlite3.SQLITE_CORRUPT: (503, "damaged", "The board file is damaged; nothing was changed."),
    sqlite3.SQLITE_NOTADB: (503, "damaged", "The board file is damaged; nothing was changed."),
}
_sync: Callable[[int], None] = getattr(os, "fdatasync", os.fsync)
_NOT_SYNCED = (
    503,
    "outcome_unknown",
    "The disk reported an error; it is not known whether the change was saved.",
)
_PRIMARY_CODE = 0xFF
_BUSY_SECONDS = 5.0
_FOLLOW_SECONDS = 0.1
_WRITABLE = "Make the file and its folder writable for you, or choose another place."
_REASONS = {
    "read_only": ("may not be written to", _WRITABLE),
    "not_reachable": ("cannot be opened or written to", _WRITABLE),
    "disk_full": ("cannot grow: the disk is full", "Make room on the disk and start again."),
    "disk_failed": ("cannot be read: the disk reported an error", "Check the disk."),
    BUSY: ("is in use by another program", "Close the other program, or wait, and try again."),
    "file_gone": ("was deleted or replaced", "Put the file back if it should be there."),
    "damaged": ("is damaged", "Put a copy of it back, or move it away to begin anew."),
}
"""The problem and the hint, by the error's code."""


def failure(error: sqlite3.Error) -> ServiceError | None:
    """The error to report; None if it is a bug."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None or code & _PRIMARY_CODE not in _FAILURES:
        return None
    return ServiceError(*_FAILURES[code & _PRIMARY_CODE])


@cache
def translated(sql: str) -> str:
    """A statement with its tokens replaced."""
    for token, words in TOKENS.items():
        sql = sql.replace(token, words)
    return sql


class SqliteTransaction(Transaction):
    """A transaction on the only connection."""

    _link: sqlite3.Connection

    def __init__(self, link: sqlite3.Connection, pause: Step) -> None:
        super().__init__(link)
        self._pause = pause

    def let_others_in(self) -> None:
        self._pause()
        self.has_steps = True

    def run(self, sql: str, **params: object) -> None:
        self._execute(sql, params)

    def many(self, sql: str, rows: Iterable[Mapping[str, object]]) -> None:
        self._link.executemany(translated(sql), rows)

    def all(self, sql: str, **params: object) -> Rows:
        return [dict(row) for row in self._execute(sql, params)]

    def tuples(self, sql: str, **params: object) -> list[tuple[Any, ...]]:
        cursor = self._execute(sql, params)
        cursor.row_factory = None
        return cursor.fetchall()

    def _execute(self, sql: str, params: Mapping[str, object]) -> sqlite3.Cursor:
        bound = {
            name: json.dumps(value) if isinstance(value, list) else value
            for name, value in params.items()
        }
        return self._link.execute(translated(sql), bound)


class WriteAheadLog:
    """The write-ahead log of a database file, synced for several transactions at once.

    SQLite would sync it within each transaction, while everybody waits for the connection.
    """

    def __init__(self, path: Path, sync: Callable[[int], None] = _sync) -> None:
        self._descriptor = os.open(path, os.O_RDWR)
        self._folder = path.parent
        self._sync = sync
        self._lock = threading.Lock()
        self._synced = 0
        self.committed = 0
        """The number of the last transaction that changed anything."""

    def sync(self, number: int) -> None:
        """Wait until a transaction and those before it are on the disk. Raises `OSError`."""
        with self._lock:
            # The thread that had the lock before may have synced this transaction too.
            if self._synced >= number:
                return
            # Read before the sync, which need not cover what is committed while it runs.
            committed = self.committed
            if self._synced == 0:
                # The folder has to name the log after a power cut.
                folder = os.open(self._folder, os.O_RDONLY)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)
            self._sync(self._descriptor)
            self._synced = committed

    def close(self) -> None:
        """Sync what was committed, and close the file."""
        with suppress(OSError):  # who waits is told
            self.sync(self.committed)
        with self._lock:
            os.close(self._descriptor)


class SqliteDatabase(Database):
    """A connection that many threads use, one after another.

    `link` must have been opened with `isolation_level=None` and `check_same_thread=False`. `log` is
    its write-ahead log; without one SQLite syncs as its settings say. `path` is its file; when
    another file is there, or none, everything is refused. Without `readers` reading takes its turn
    among the writers.
    """

    def __init__(
        self,
        link: sqlite3.Connection,
        log: WriteAheadLog | None = None,
        path: Path | None = None,
        readers: Readers | None = None,
    ) -> None:
        super().__init__()
        self._readers = readers
        self._path = path
        self._identity = path and file_identity(path)
        link.row_factory = sqlite3.Row
        self._link = link
        self._log = log
        self._turn = FairLock()
        self._is_closed = self._is_closing = False
        self._is_between_steps = False
        self.waiters = Waiters(self._follow)

    @contextmanager
    def begun(self, writing: bool, board_id: int | None) -> Iterator[Transaction]:  # noqa: ARG002 - a writer is alone in any case
        if not writing:
            with self._reader() as link:
                # One snapshot for all queries of the request.
                link.execute("begin")
                db = SqliteTransaction(link, lambda: None)
                try:
                    yield db
                finally:
                    # After some errors SQLite has rolled back by itself.
                    if link.in_transaction:
                        link.execute("rollback")
            db.release()
            return
        log, number = self._log, 0
        with self._used():
            # It counts changed rows, so a transaction without any needs no sync of its own.
            previous_changes = self._link.total_changes
            # A deferred transaction that reads before it writes fails at once, whatever the
            # timeout, if another program has written in between.
            self._link.execute("begin immediate")
            db = SqliteTransaction(self._link, self._let_others_in)
            try:
                yield db
                self._link.execute("commit")
                if log is not None:
                    log.committed += self._link.total_changes != previous_changes
                    # Also without changes of its own: what it has read may not be on the disk yet.
                    number = log.committed
            finally:
                if self._link.in_transaction:
                    self._link.execute("rollback")
        # Out of turn: others go on while the disk works.
        db.release()
        if log is not None and number:
            try:
                log.sync(number)
            except OSError as error:
                raise ServiceError(*_NOT_SYNCED) from error

    def _let_others_in(self) -> None:
        self._link.execute("commit")
        if self._log is not None:
            self._log.committed += 1
        # While closing nobody else gets a turn, and the change is finished first.
        if not self._is_closing:
            self._is_between_steps = True
            # The lock is fair: all that wait now come first, and each of them once.
            self._turn.release()
            self._turn.acquire()
            self._is_between_steps = False
        self._link.execute("begin immediate")

    def rows(self, sql: str, **params: object) -> Rows:
        with self._reader() as link:
            return SqliteTransaction(link, lambda: None).all(sql, **params)

    @contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        if self._readers is None:
            with self._used():
                yield self._link
        else:
            with self._checked(), self._readers.borrowed() as link:
                yield link

    @contextmanager
    def _used(self) -> Iterator[None]:
        with self._turn, self._checked():
            yield

    @contextmanager
    def _checked(self) -> Iterator[None]:
        if self._is_closed:
            raise ServiceError(503, "closed", "The board file has been closed.")
        # A connection goes on writing to a deleted file, and what it writes would be lost.
        if self._path is not None and file_identity(self._path) != self._identity:
            self.on_gone()
            raise ServiceError(503, "file_gone", "The board file was deleted or replaced.")
        try:
            yield
        except sqlite3.Error as error:
            refusal = failure(error)
            if refusal is None:
                raise
            raise refusal from error

    def _follow(self, waiters: Waiters) -> None:
        previous = version = None
        while waiters.pause(_FOLLOW_SECONDS):
            # The look takes a turn, since it uses the connection of the writers.
            with self._turn, suppress(sqlite3.Error):
                # It changes with commits of other connections only; for those of this one
                # `transaction` wakes the waiters.
                (version,) = self._link.execute("pragma data_version").fetchone()
            if version != previous:
                waiters.wake_all()
            previous = version

    def version(self, db: Transaction) -> int:
        return int(db.value("pragma user_version"))

    def set_version(self, db: Transaction, version: int) -> None:
        db.run(f"pragma user_version = {version:d}")

    def close(self) -> None:
        # First: waiting requests are answered, and the thread that reads `data_version` ends.
        self.waiters.close()
        self._is_closing = True
        while not self._is_closed:
            with self._turn:
                if self._is_between_steps:  # its turn is next, and is the last one
                    continue
                self._is_closed = True
                if self._readers is not None:
                    self._readers.close()
                if self._log is not None:
                    self._log.close()
                self._link.close()


def file_identity(path: Path) -> tuple[int, int] | None:
    """What tells the file at a path from others; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class DatabaseUnusable(CallboardError):
    """The database file cannot be used; it was not changed."""

    def __init__(self, path: Path, reason: str, *, hint: str = "") -> None:
        shown = clean.line(str(path))
        super().__init__(f"The board file {shown} {reason}. Nothing was changed.", hint=hint)
        self.path = path


def open_database(path: Path, *, for_many: bool = False) -> Database:
    """Open or create the file at `path` and its folder, readable by their owner only.

    With `for_many` those who read do not wait for those who write, nor these for them. Raises
    `DatabaseUnusable`.
    """
    with file_errors(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            # An existing file is only ever opened by SQLite: closing it otherwise would release the
            # locks of this program's other connections to it.
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        link = connected(path, wait_seconds=_BUSY_SECONDS, statements=400)
        try:
            _check(path, link)
            log = None
            if _has_log(link):
                log = WriteAheadLog(path.with_name(f"{path.name}-wal"))
            readers = Readers(path) if for_many and log is not None else None
            database = SqliteDatabase(link, log, path, readers)
            database.migrate(MIGRATIONS)
        except BaseException:
            link.close()
            raise
    return database


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Convert errors of the file at `path` into `DatabaseUnusable`."""
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
    reason, hint = _REASONS[code]
    return DatabaseUnusable(path, reason, hint=hint)


def _check(path: Path, link: sqlite3.Connection) -> None:
    try:
        # It fails for a file that is no database, before any other statement could change it.
        answer = link.execute("pragma quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & _PRIMARY_CODE != sqlite3.SQLITE_NOTADB:
            raise
        hint = "Move it away, or choose another place for the boards."
        reason = "is not a database of this program"
        raise DatabaseUnusable(path, reason, hint=hint) from error
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


def _has_log(link: sqlite3.Connection) -> bool:
    # Where there cannot be a write-ahead log, as on some network file systems, a rollback journal
    # with full syncs is as safe, only slower.
    has_log: bool = link.execute("pragma journal_mode = wal").fetchone()[0] == "wal"
    if has_log:
        # SQLite then syncs the log before a checkpoint only; `WriteAheadLog` does it at commits.
        link.execute("pragma synchronous = normal")
        link.execute("select count(*) from sqlite_schema").fetchone()  # the file is there now
    else:
        link.execute("pragma journal_mode = delete")
        link.execute("pragma synchronous = full")
    link.execute("pragma foreign_keys = on")
    if link.execute("pragma application_id").fetchone()[0] != APPLICATION_ID:
        link.execute(f"pragma application_id = {APPLICATION_ID:d}")
    return has_log
