"""The database as a file of SQLite: one connection, one transaction at a time.

The rule it keeps: a transaction that writes begins as a writer, so it never has to be done again;
failures of the disk leave here as `ServiceError`.
"""

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tui.service.database.base import Database, Row, Transaction
from tui.service.database.schema import Migration
from tui.service.errors import ServiceError

TOKENS = {
    "{pk}": "integer primary key autoincrement",
    "{real}": "real",
    "{json}": "text",
    "{ilike}": "like",
    "{in_ids}": "in (select value from json_each(:ids))",
}

_FAILURES = {
    sqlite3.SQLITE_FULL: (507, "disk_full", "The disk is full; nothing was changed."),
    sqlite3.SQLITE_READONLY: (503, "read_only", "The board file cannot be written to."),
    sqlite3.SQLITE_CANTOPEN: (503, "not_reachable", "The board file cannot be opened."),
    sqlite3.SQLITE_IOERR: (503, "disk_failed", "The disk reported an error; nothing was changed."),
    sqlite3.SQLITE_BUSY: (503, "busy", "Another program is writing to the board file; try again."),
    sqlite3.SQLITE_LOCKED: (503, "busy", "The board file is in use; try again."),
    sqlite3.SQLITE_CORRUPT: (503, "damaged", "The board file is damaged; nothing was changed."),
    sqlite3.SQLITE_NOTADB: (503, "damaged", "The board file is damaged; nothing was changed."),
}
_PRIMARY_CODE = 0xFF


def failure(error: sqlite3.Error) -> ServiceError | None:
    """What a failure of the database means to a person; None if it is a fault of the program."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None or code & _PRIMARY_CODE not in _FAILURES:
        return None
    return ServiceError(*_FAILURES[code & _PRIMARY_CODE])


class SqliteTransaction(Transaction):
    """A transaction of the one connection."""

    def __init__(self, link: sqlite3.Connection) -> None:
        self._link = link
        self._texts: dict[str, str] = {}

    def run(self, sql: str, **params: object) -> int:
        """Carry out a statement; says how many rows it changed."""
        return self._execute(sql, params).rowcount

    def many(self, sql: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Carry out a statement once for each of `rows`."""
        self._link.executemany(self._text(sql), rows)

    def one(self, sql: str, **params: object) -> Row | None:
        """The first row of an answer, or None."""
        row = self._execute(sql, params).fetchone()
        return None if row is None else dict(row)

    def all(self, sql: str, **params: object) -> list[Row]:
        """Every row of an answer."""
        return [dict(row) for row in self._execute(sql, params)]

    def tuples(self, sql: str, **params: object) -> list[tuple[Any, ...]]:
        """Every row of an answer by position."""
        cursor = self._execute(sql, params)
        cursor.row_factory = None
        return cursor.fetchall()

    def value(self, sql: str, **params: object) -> Any:
        """The first column of the first row of an answer, or None."""
        row = self._execute(sql, params).fetchone()
        return None if row is None else row[0]

    def _execute(self, sql: str, params: Mapping[str, object]) -> sqlite3.Cursor:
        bound = {
            name: json.dumps(value) if isinstance(value, list) else value
            for name, value in params.items()
        }
        return self._link.execute(self._text(sql), bound)

    def _text(self, sql: str) -> str:
        """The statement with its tokens replaced, remembered."""
        text = self._texts.get(sql)
        if text is None:
            text = sql
            for token, words in TOKENS.items():
                text = text.replace(token, words)
            self._texts[sql] = text
        return text


class SqliteDatabase(Database):
    """A connection that many threads may use, one after another.

    `link` must have been opened with `isolation_level=None` and `check_same_thread=False`.
    """

    def __init__(self, link: sqlite3.Connection) -> None:
        link.row_factory = sqlite3.Row
        self._link = link
        self._turn = threading.Lock()
        self._is_closed = False
        self._transaction = SqliteTransaction(link)

    @contextmanager
    def transaction(
        self,
        *,
        writing: bool,
        board_id: int | None = None,  # noqa: ARG002 - a writer is alone in any case
    ) -> Iterator[Transaction]:
        """One transaction; one that writes is the only one in any case."""
        with self._turn:
            if self._is_closed:
                raise ServiceError(503, "closed", "The board file has been closed.")
            try:
                self._link.execute("begin immediate" if writing else "begin")
                try:
                    yield self._transaction
                    self._link.execute("commit")
                finally:
                    if self._link.in_transaction:
                        self._link.execute("rollback")
            except sqlite3.Error as error:
                refusal = failure(error)
                if refusal is None:
                    raise
                raise refusal from error

    def migrate(self, migrations: tuple[Migration, ...]) -> None:
        """Bring the tables up to date, all steps or none; the version is kept in the file."""
        with self.transaction(writing=False) as transaction:
            if transaction.value("pragma user_version") == len(migrations):
                return
        with self.transaction(writing=True) as transaction:
            version = int(transaction.value("pragma user_version"))
            for migration in migrations[version:]:
                for statement in migration:
                    transaction.run(statement)
            if version < len(migrations):
                self._link.execute(f"pragma user_version = {len(migrations):d}")

    def close(self) -> None:
        """Wait for the transaction that is running and close the file."""
        with self._turn:
            self._is_closed = True
            self._link.close()
