"""The database as a PostgreSQL server, which several processes of the service may share.

The rules it keeps: who writes to one board holds an advisory lock of that board, and who writes to
more holds one on everything, so what a handler reads of a board before it writes there (positions,
counters, the last admin) stays true until it has written, and no handler has to know which rows to
lock. Locks of rows would not do: much of what is read is that there is no row. Every transaction
sees one moment of the data (`repeatable read`), so even a write beyond its board that was not told
of never undoes another's: it ends as a `Collision` and is done again, after two tries with the
lock on everything. Transactions that only read neither wait nor collide.

The locks belong to the connection and are taken before the transaction begins, because its moment
is that of its first statement; a connection pool in between must therefore keep sessions apart.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, ClassVar

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.rows import tuple_row

from tui.service.database.base import Database, Row, Transaction
from tui.service.database.postgres_faults import (
    PLAN_OUTDATED,
    failure,
    lost_on_commit,
    unstorable_text,
)
from tui.service.database.postgres_links import Link, Links, Seat
from tui.service.database.postgres_sql import translated
from tui.service.database.schema import Migration

_EVERYTHING = 0x43426F61 << 32
_LARGEST_OFFSET = 2**32 - 1
_READ = b"begin isolation level repeatable read, read only"
_WRITE = b"begin isolation level repeatable read"
_COMMIT = b"commit; select pg_advisory_unlock_all()"
_ROLLBACK = b"rollback; select pg_advisory_unlock_all()"
_VERSION_TABLE = "create table if not exists callboard_schema (version bigint not null)"
_IS_OURS = "select to_regclass('callboard_schema') is not null"


class PostgresTransaction(Transaction):
    """A transaction on a connection that has begun one."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def run(self, sql: str, **params: object) -> int:
        """Carry out a statement; says how many rows it changed."""
        return self._execute(sql, params).rowcount

    def many(self, sql: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Carry out a statement once for each of `rows`."""
        with _storable(), self._link.cursor() as cursor:
            cursor.executemany(translated(sql), list(rows))

    def one(self, sql: str, **params: object) -> Row | None:
        """The first row of an answer, or None."""
        return self._execute(sql, params).fetchone()

    def all(self, sql: str, **params: object) -> list[Row]:
        """Every row of an answer."""
        return self._execute(sql, params).fetchall()

    def tuples(self, sql: str, **params: object) -> list[tuple[Any, ...]]:
        """Every row of an answer by position."""
        with _storable(), self._link.cursor(row_factory=tuple_row) as cursor:
            return cursor.execute(translated(sql), params).fetchall()

    def value(self, sql: str, **params: object) -> Any:
        """The first column of the first row of an answer, or None."""
        row = self._execute(sql, params).fetchone()
        return None if row is None else next(iter(row.values()))

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
        self._links = Links(connect)

    @contextmanager
    def transaction(self, *, writing: bool, board_id: int | None = None) -> Iterator[Transaction]:
        """One transaction; see `Database.transaction`."""
        begin = _writing(board_id) if writing else _reading
        with self._links.lent() as seat, _told(seat, alone=writing and board_id is None):
            link = seat.begun(begin)
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
        self._links.close()


def _reading(link: Link) -> None:
    link.execute(_READ)


def _writing(board_id: int | None) -> Callable[[Link], None]:
    """What begins a transaction that writes: its locks, everything's first; see the module."""
    locking = b"select pg_advisory_lock(%d)" % _EVERYTHING
    if board_id is not None:
        board = _EVERYTHING + 1 + board_id % _LARGEST_OFFSET
        locking = b"select pg_advisory_lock_shared(%d); select pg_advisory_lock(%d)" % (
            _EVERYTHING,
            board,
        )

    def begin(link: Link) -> None:
        try:
            link.execute(locking)
            link.execute(_WRITE)
        except psycopg.Error:
            _undo(link)
            raise

    return begin


def _commit(link: Link) -> None:
    """Keep what was done. Raises 503 when nobody can say whether it was kept."""
    if link.info.transaction_status is TransactionStatus.INERROR:
        raise RuntimeError("A statement failed, and its handler went on.")
    try:
        link.execute(_COMMIT)
    except psycopg.OperationalError as error:
        if link.broken:
            raise lost_on_commit() from error
        raise


def _undo(link: Link) -> None:
    """Take back what was done and let go of the locks; closing the connection does both too."""
    try:
        link.execute(_ROLLBACK)
    except psycopg.Error:
        with suppress(psycopg.Error):
            link.close()


@contextmanager
def _told(seat: Seat, *, alone: bool) -> Iterator[None]:
    """Turn what goes wrong with the server into `ServiceError`."""
    try:
        yield
    except psycopg.Error as error:
        if error.sqlstate == PLAN_OUTDATED:
            seat.vacate()
        refusal = failure(error, alone=alone)
        if refusal is None:
            raise
        raise refusal from error
