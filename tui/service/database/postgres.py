"""The database on a PostgreSQL server, shared by several processes.

A writer holds an advisory lock of its board, or of everything if it writes to more than one, so
what a handler reads of a board before it writes there (positions, counters, the last admin) stays
valid until it has written, and no handler has to know which rows to lock. Row locks would not
suffice, since handlers often depend on the absence of rows. Every transaction is `repeatable read`,
so even an undeclared write beyond the board never overwrites another's: it ends as a `Collision`
and is retried, after two tries with the lock on everything. Read-only transactions neither wait nor
collide.

The locks belong to the session and are taken before the transaction begins, because its snapshot is
taken by its first statement; a connection pooler in between must therefore keep sessions apart.

A round trip costs more than most statements, and one under a board's lock keeps others waiting. So
those that begin a transaction, with its locks, are sent with its first query, and those that nobody
waits for with the next query or the commit; see `postgres_session`.

So does the disk: a transaction is committed and its locks are released before it is on the disk,
for which its connection waits then. That is older than the commit, so that a server which has lost
the commit has lost the connection too. Others may read the change in between, but none that depends
on it is acknowledged earlier, because the server's log is written in the order of the commits.

A database that is not ours or was written by a newer version is left unchanged; errors name the
server and the reason, and never contain a password. Storage errors have the same status and code as
with SQLite; messages of the server are shown only when opening.
"""

import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, ClassVar

import psycopg
from psycopg.conninfo import conninfo_to_dict

from tui.errors import CallboardError
from tui.service.database.base import Collision, Database, Rows, Transaction
from tui.service.database.postgres_session import (
    UNLOCK,
    Connect,
    Pool,
    PostgresSession,
    Slot,
    dicts,
    tuples,
)
from tui.service.database.schema import MIGRATIONS
from tui.service.database.waiters import Waiters
from tui.service.errors import BUSY, ServiceError
from tui.text import clean

_log = logging.getLogger(__name__)
_COLLISIONS = {"40001", "40P01"}
_COLLISIONS_BESIDE_OTHERS = {"23503", "23505"}
"""A row was deleted or inserted by another transaction; with all locks held it is a bug."""
PLAN_OUTDATED = "0A000"
"""A prepared statement is older than its tables; a new connection prepares it again."""

_BUSY = (503, BUSY, "The database is busy; nothing was changed. Try again.")
_GONE = (503, "not_reachable", "The database cannot be reached; nothing was changed.")
_OUTCOME_UNKNOWN = (
    503,
    "outcome_unknown",
    "The connection to the database was lost; it is not known whether the change was saved.",
)
_READ_ONLY = (503, "read_only", "The database cannot be written to.")
_DAMAGED = (503, "damaged", "The database is damaged; nothing was changed.")
_UNSTORABLE = (400, "invalid_text", "The request contains text that cannot be stored.")
"""Text with NUL or lone surrogates."""
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
_FLUSH = "select pg_logical_emit_message(true, 'callboard', '')"
"""A record in the server's log, whose commit waits until all before it is on the disk."""
# The upper half, as in `APPLICATION_ID`, keeps apart other users of advisory locks.
_EVERYTHING = 0x43426F61 << 32
_LARGEST_OFFSET = 2**32 - 1
_CHANNEL = "callboard_changes"
_FOLLOW_SECONDS = 0.2
_AGAIN_SECONDS = 1.0
_WRITTEN_END = f"set local synchronous_commit = off; commit; {UNLOCK}"
_MOST_NAMED = 300
"""More changed boards than this are told as all boards, since a payload is short."""
_VERSION_TABLE = "create table if not exists callboard_schema (version bigint not null)"
_IS_OURS = "select to_regclass('callboard_schema') is not null"
_CONNECT_SECONDS = 10
_REASONS = {
    "read_only": ("may not be written to", "Give the service’s user the right to make tables."),
    "not_reachable": ("cannot be reached", "Check that the server runs and lets the user in."),
    "disk_full": ("cannot grow: the disk is full", "Make room on the server and start again."),
    BUSY: ("is busy", "Wait a little and try again."),
}
_FOREIGN_TABLES = """select count(*) from pg_class
    join pg_namespace on pg_namespace.oid = pg_class.relnamespace
    where nspname = current_schema() and relkind in ('r', 'p', 'v', 'm')"""
_OTHER_PLACE = "Make a database for the boards alone and name that one."


def failure(error: psycopg.Error, *, alone: bool) -> ServiceError | None:
    """The error to report; None if it is a bug.

    `alone` says that nobody else was writing, so that it cannot be a collision.
    """
    state = error.sqlstate
    if state in _COLLISIONS or state == PLAN_OUTDATED:
        return Collision()
    if state in _COLLISIONS_BESIDE_OTHERS and not alone:
        return Collision()
    if state is not None:
        refusal = _BY_STATE.get(state) or _BY_CLASS.get(state[:2])
    elif isinstance(error, psycopg.DataError):
        refusal = _UNSTORABLE
    elif isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        refusal = _GONE
    else:
        refusal = None
    return None if refusal is None else ServiceError(*refusal)


class PostgresTransaction(Transaction):
    """A transaction on a connection; statements are collected until somebody looks at rows."""

    _link: PostgresSession

    def let_others_in(self) -> None:
        """Nothing: only writers of the same board wait."""

    def run(self, sql: str, **params: object) -> None:
        self._link.add(sql, params, tuples)

    def many(self, sql: str, rows: Iterable[Mapping[str, object]]) -> None:
        for row in rows:
            self._link.add(sql, row, tuples)

    def all(self, sql: str, **params: object) -> Rows:
        return self._link.add(sql, params, dicts)

    def tuples(self, sql: str, **params: object) -> Sequence[tuple[Any, ...]]:
        return self._link.add(sql, params, tuples)


class PostgresDatabase(Database):
    """A database on a server; `connect` creates a connection, in autocommit mode."""

    tries_beside_others: ClassVar[int] = 2
    tries_alone: ClassVar[int] = 3

    def __init__(self, connect: Connect) -> None:
        super().__init__()
        self._connect = connect
        self._pool = Pool(connect)
        self._name = os.urandom(8).hex()
        self.waiters = Waiters(self._follow)

    @contextmanager
    def begun(self, writing: bool, board_id: int | None) -> Iterator[Transaction]:
        with (
            self._pool.borrowed() as slot,
            _storage_errors(slot, alone=writing and board_id is None),
        ):
            session = slot.session()
            is_committing = False
            try:
                session.add_plain(_beginning(writing, board_id))
                db = PostgresTransaction(session)
                yield db
                self._add_end(session, writing, db.changed_boards)
                # If the server had ended the connection before the commit was sent, nothing was
                # changed.
                is_committing = writing and not session.is_over
                session.send()
                # Committed and unlocked: the next writer begins while this one waits for the disk.
                db.release()
                if writing:
                    session.add_plain(_FLUSH)
                    session.send()
            except BaseException as error:
                # A transaction that is still open has not been committed, so its own error is
                # reported.
                was_open = session.undo()
                if is_committing and not was_open:
                    raise ServiceError(*_OUTCOME_UNKNOWN) from error
                raise

    def _add_end(self, session: PostgresSession, writing: bool, changed_boards: set[int]) -> None:
        # The server would answer the commit with a rollback, and no error.
        if session.has_failed:
            raise RuntimeError("A statement failed, and its handler went on.")
        if changed_boards:
            ids = sorted(changed_boards) if len(changed_boards) <= _MOST_NAMED else []
            payload = " ".join([self._name, *map(str, ids)])
            session.add_plain(f"select pg_notify('{_CHANNEL}', '{payload}')")
        session.add_plain(_WRITTEN_END if writing else "commit")

    def rows(self, sql: str, **params: object) -> Rows:
        with self._pool.borrowed() as slot, _storage_errors(slot, alone=False):
            session = slot.session()
            try:
                rows = session.add(sql, params, dicts)
                session.send()
            except BaseException:
                session.undo()
                raise
            return rows

    def version(self, db: Transaction) -> int:
        if not db.value(_IS_OURS):
            return 0
        return int(db.value("select version from callboard_schema") or 0)

    def set_version(self, db: Transaction, version: int) -> None:
        db.run(_VERSION_TABLE)
        db.run("delete from callboard_schema")
        db.run("insert into callboard_schema values (:version)", version=version)

    def _follow(self, waiters: Waiters) -> None:
        # Nothing is heard while its connection is lost, so everybody looks again afterwards.
        while waiters.pause(0.0):
            try:
                with self._connect() as link:
                    link.execute(f"listen {_CHANNEL}")
                    # Changes between connecting and `listen` were not notified.
                    waiters.wake_all()
                    while waiters.pause(0.0):
                        for notice in link.notifies(timeout=_FOLLOW_SECONDS):
                            self._hear(waiters, notice.payload)
            except psycopg.Error as error:
                _log.warning(
                    "Changes by other processes are not heard of: %s", type(error).__name__
                )
                waiters.pause(_AGAIN_SECONDS)

    def _hear(self, waiters: Waiters, payload: str) -> None:
        name, *ids = payload.split()
        # `transaction` has woken the waiters of this process already.
        if name == self._name:
            return
        if ids:
            waiters.wake(int(board_id) for board_id in ids if board_id.isdecimal())
        else:
            waiters.wake_all()

    def close(self) -> None:
        self.waiters.close()
        self._pool.close()


def _beginning(writing: bool, board_id: int | None) -> str:
    # A transaction that writes takes its locks in another one before.
    if not writing:
        return "begin isolation level repeatable read, read only"
    locks = f"select pg_advisory_lock({_EVERYTHING})"
    if board_id is not None:
        # Two boards may share a number; they only wait for each other then.
        board = _EVERYTHING + 1 + board_id % _LARGEST_OFFSET
        # Shared: writers of single boards keep out a writer of all, but not each other.
        locks = f"select pg_advisory_lock_shared({_EVERYTHING}), pg_advisory_lock({board})"
    return f"begin; {locks}; commit; begin isolation level repeatable read"


@contextmanager
def _storage_errors(slot: Slot, *, alone: bool) -> Iterator[None]:
    try:
        yield
    except psycopg.Error as error:
        if error.sqlstate == PLAN_OUTDATED:
            # Every statement of this session may be prepared for the old tables.
            slot.close()
        refusal = failure(error, alone=alone)
        if refusal is None:
            raise
        raise refusal from error
    except UnicodeEncodeError as error:
        raise ServiceError(*_UNSTORABLE) from error


class DatabaseServerUnusable(CallboardError):
    """The database on a server cannot be used; it was not changed."""

    def __init__(self, place: str, reason: str, *, hint: str = "") -> None:
        super().__init__(f"The database {place} {reason}. Nothing was changed.", hint=hint)


def open_postgres(url: str) -> PostgresDatabase:
    """Open the database at `url`, as `postgresql://USER@HOST:PORT/NAME`, and create its tables.

    What the URL leaves out comes from the usual PG… variables and the password file; it never
    contains a password, as it comes from a command line. Raises `DatabaseServerUnusable`.
    """
    place = _place(url)
    connect = partial(
        psycopg.connect,
        url,
        autocommit=True,
        connect_timeout=_CONNECT_SECONDS,
        application_name="callboard",
    )
    database = PostgresDatabase(connect)
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
    try:
        named = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        # The driver's message may quote a part of the URL, so it is not shown.
        raise DatabaseServerUnusable(
            "cannot be identified by its address:",
            "it must be like postgresql://USER@HOST:PORT/NAME",
        ) from None
    if named.get("password"):
        raise DatabaseServerUnusable(
            "must be named without its password:",
            "other users can read command lines",
            hint="Put the password in ~/.pgpass or the variable PGPASSWORD.",
        )
    host = named.get("host") or named.get("hostaddr") or "of this machine"
    return clean.line(f"“{named.get('dbname') or ''}” on {host}")


def _details(error: ServiceError) -> str:
    # The driver leaves passwords out of its message.
    cause = error.__cause__
    if error.code != "not_reachable" or cause is None:
        return ""
    lines = str(cause).strip().splitlines()
    return f": {clean.line(lines[0]).rpartition(' failed: ')[2]}" if lines else ""


def _check(database: PostgresDatabase, place: str) -> None:
    with database.transaction(writing=False) as db:
        version = database.version(db)
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
