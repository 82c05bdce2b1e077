"""The database as a PostgreSQL server, which several processes of the service may share.

Who writes to one board holds an advisory lock of that board, and who writes to more holds one on
everything, so what a handler reads of a board before it writes there (positions, counters, the last
admin) stays true until it has written, and no handler has to know which rows to lock. Locks of rows
would not do: much of what is read is that there is no row. Every transaction sees one moment of the
data (`repeatable read`), so even a write beyond its board that was not told of never undoes
another's: it ends as a `Collision` and is done again, after two tries with the lock on everything.
Transactions that only read neither wait nor collide.

The locks belong to the connection and are taken before the transaction begins, because its moment
is that of its first statement; a connection pool in between must therefore keep sessions apart.

A database that is not ours or was written by a newer version is left exactly as it is; errors say
which server, why, and that nothing was changed, and never hold a password. A failure of the storage
has the same status and code as with SQLite; words of the server leave here only at the opening.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from queue import Empty, LifoQueue
from typing import Any, ClassVar

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg.rows import dict_row, tuple_row

from tui.errors import CallboardError
from tui.service.database.base import Collision, Database, Row, Transaction
from tui.service.database.schema import MIGRATIONS, Migration
from tui.service.errors import ServiceError, unreadable
from tui.text import clean

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
        self._free: LifoQueue[Slot] = LifoQueue()
        for _ in range(MOST):
            self._free.put(Slot(connect))
        self._is_closed = False

    @contextmanager
    def borrowed(self) -> Iterator[Slot]:
        """A slot for as long as the block lasts. Raises `ServiceError` 503."""
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
        """Wait for the slots that are lent and close every connection."""
        self._is_closed = True
        for slot in [self._free.get() for _ in range(MOST)]:
            slot.close()
            self._free.put(slot)


TOKENS = {
    "{pk}": "bigint generated by default as identity primary key",
    "{real}": "double precision",
    "{json}": "text",
    "{ilike}": "ilike",
    "{in_ids}": "= any (cast(:ids as bigint[]))",
}

_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]\w*)")
_EVERYTHING = 0x43426F61 << 32
_LARGEST_OFFSET = 2**32 - 1
_READ = b"begin isolation level repeatable read, read only"
_WRITE = b"begin isolation level repeatable read"
_COMMIT = b"commit; select pg_advisory_unlock_all()"
_ROLLBACK = b"rollback; select pg_advisory_unlock_all()"
_VERSION_TABLE = "create table if not exists callboard_schema (version bigint not null)"
_IS_OURS = "select to_regclass('callboard_schema') is not null"


@cache
def translated(sql: str) -> bytes:
    """A statement with its tokens replaced and its `:name` parameters in the driver's form."""
    for token, words in TOKENS.items():
        sql = sql.replace(token, words)
    return _PARAMETER.sub(r"%(\1)s", sql.replace("%", "%%")).encode()


class PostgresTransaction(Transaction):
    """A transaction on a connection that has begun one."""

    _link: Connection

    def run(self, sql: str, **params: object) -> int:
        return self._execute(sql, params).rowcount

    def many(self, sql: str, rows: Iterable[Mapping[str, object]]) -> None:
        with _storable(), self._link.cursor() as cursor:
            cursor.executemany(translated(sql), list(rows))

    def all(self, sql: str, **params: object) -> list[Row]:
        return self._execute(sql, params).fetchall()

    def tuples(self, sql: str, **params: object) -> list[tuple[Any, ...]]:
        with _storable(), self._link.cursor(row_factory=tuple_row) as cursor:
            return cursor.execute(translated(sql), params).fetchall()

    def _execute(self, sql: str, params: Mapping[str, object]) -> psycopg.Cursor[Row]:
        with _storable():
            return self._link.execute(translated(sql), params)


@contextmanager
def _storable() -> Iterator[None]:
    """Refuse text with halves of characters, which has no encoding."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise unstorable_text() from error


class PostgresDatabase(Database):
    """A database on a server; `connect` makes one more connection to it, in autocommit mode."""

    tries_beside_others: ClassVar[int] = 2
    tries_alone: ClassVar[int] = 3

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        self._pool = Pool(connect)

    @contextmanager
    def begun(self, writing: bool, board_id: int | None) -> Iterator[Transaction]:
        begin = _writing(board_id) if writing else _reading
        with (
            self._pool.borrowed() as slot,
            _failures_told(slot, alone=writing and board_id is None),
        ):
            link = slot.begun(begin)
            try:
                yield PostgresTransaction(link)
                _commit(link)
            except BaseException:
                _undo(link)
                raise

    def migrate(self, migrations: tuple[Migration, ...]) -> None:
        """Bring the tables up to date while nobody else writes; all steps or none."""
        if self.version() == len(migrations):
            return
        with self.transaction(writing=True) as db:
            db.run(_VERSION_TABLE)
            version = db.value("select version from callboard_schema") or 0
            for migration in migrations[version:]:
                for statement in migration:
                    db.run(statement)
            if version < len(migrations):
                db.run("delete from callboard_schema")
                db.run("insert into callboard_schema values (:version)", version=len(migrations))

    def version(self) -> int:
        """How many migrations the tables have seen; 0 where there are none of ours."""
        with self.transaction(writing=False) as db:
            if not db.value(_IS_OURS):
                return 0
            return int(db.value("select version from callboard_schema") or 0)

    def close(self) -> None:
        """Wait for the transactions that are running and close every connection."""
        self._pool.close()


def _reading(link: Connection) -> None:
    link.execute(_READ)


def _writing(board_id: int | None) -> Callable[[Connection], None]:
    """What begins a transaction that writes: its locks, everything's first; see the module."""
    locking = b"select pg_advisory_lock(%d)" % _EVERYTHING
    if board_id is not None:
        board = _EVERYTHING + 1 + board_id % _LARGEST_OFFSET
        locking = b"select pg_advisory_lock_shared(%d); select pg_advisory_lock(%d)" % (
            _EVERYTHING,
            board,
        )

    def begin(link: Connection) -> None:
        try:
            link.execute(locking)
            link.execute(_WRITE)
        except psycopg.Error:
            _undo(link)
            raise

    return begin


def _commit(link: Connection) -> None:
    """Keep what was done. Raises 503 when nobody can say whether it was kept."""
    if link.info.transaction_status is TransactionStatus.INERROR:
        raise RuntimeError("A statement failed, and its handler went on.")
    try:
        link.execute(_COMMIT)
    except psycopg.OperationalError as error:
        if link.broken:
            raise lost_on_commit() from error
        raise


def _undo(link: Connection) -> None:
    """Take back what was done and let go of the locks; closing the connection does both too."""
    try:
        link.execute(_ROLLBACK)
    except psycopg.Error:
        with suppress(psycopg.Error):
            link.close()


@contextmanager
def _failures_told(slot: Slot, *, alone: bool) -> Iterator[None]:
    """Turn what goes wrong with the server into `ServiceError`."""
    try:
        yield
    except psycopg.Error as error:
        if error.sqlstate == PLAN_OUTDATED:
            slot.close()
        refusal = failure(error, alone=alone)
        if refusal is None:
            raise
        raise refusal from error


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
