"""The tables and columns in an archive, derived from the migrations.

The schema of a version is found by running its migrations on an empty database in memory. Ids are
never used twice, also after an import, because a cache could take a new thing for a deleted one.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

from tui.service.database.base import Row, Transaction
from tui.service.database.schema import MIGRATIONS
from tui.service.database.sqlite import SqliteTransaction

_PAGE = 1000
_TYPES = {"{pk}": "integer primary key autoincrement", "{real}": "real", "{json}": "json"}
_SEQUENCE = "pg_get_serial_sequence(:table, 'id')::regclass"


Kind = Literal["integer", "real", "text", "json"]
"""The type of a column."""

_KINDS: dict[str, Kind] = {
    "integer": "integer",
    "bigint": "integer",
    "real": "real",
    "text": "text",
    "json": "json",
}


@dataclass(frozen=True, slots=True)
class ArchiveColumn:
    """A column: its type, whether it may be null, and the table it refers to.

    `is_late` says that this table comes later, or is the same one, so that references can only be
    set after all rows are there.
    """

    name: str
    kind: Kind
    is_optional: bool
    target: str | None = None
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its columns and primary key."""

    name: str
    columns: tuple[ArchiveColumn, ...]
    key: tuple[str, ...]

    @property
    def counts_ids(self) -> bool:
        """Whether the database assigns ids and stores the last one."""
        return self.key == ("id",)

    def rows(self, db: Transaction) -> Iterator[Row]:
        """Every row in the order of the key, read in batches."""
        columns = ", ".join(column.name for column in self.columns)
        key, marks = ", ".join(self.key), ", ".join(f":{name}" for name in self.key)
        select, order = f"select {columns} from {self.name}", f"order by {key} limit {_PAGE}"
        # By key instead of by offset, which would read all earlier rows again for each page.
        page = db.all(f"{select} {order}")
        while page:
            yield from page
            last = {name: page[-1][name] for name in self.key}
            page = db.all(f"{select} where ({key}) > ({marks}) {order}", **last)


def layout(version: int) -> tuple[Table, ...]:
    """The tables after so many migrations, in the order of their creation."""
    with closing(sqlite3.connect(":memory:")) as link:
        for migration in MIGRATIONS[:version]:
            for statement in migration:
                link.execute(_plain(statement))
        names = link.execute(
            """select name from sqlite_schema
            where type = 'table' and name not like 'sqlite_%' order by rowid"""
        ).fetchall()
        tables: list[Table] = []
        for (name,) in names:
            tables.append(_table(link, name, {table.name for table in tables}))
    return tuple(tables)


def _plain(statement: str) -> str:
    for token, words in _TYPES.items():
        statement = statement.replace(token, words)
    return statement


def _table(link: sqlite3.Connection, name: str, earlier: set[str]) -> Table:
    link.row_factory = sqlite3.Row
    references = link.execute("select * from pragma_foreign_key_list(?)", (name,))
    targets = {row["from"]: row["table"] for row in references}
    rows = link.execute("select * from pragma_table_info(?)", (name,)).fetchall()
    link.row_factory = None
    columns = [
        ArchiveColumn(
            row["name"],
            _KINDS[row["type"].lower()],
            is_optional=not row["notnull"] and not row["pk"],
            target=targets.get(row["name"]),
            is_late=row["name"] in targets and targets[row["name"]] not in earlier,
        )
        for row in rows
    ]
    key = sorted((row["pk"], row["name"]) for row in rows if row["pk"])
    return Table(name, tuple(columns), tuple(part for _, part in key))


def last_id(db: Transaction, table: Table) -> int | None:
    """The highest id ever used; None if the database does not assign ids."""
    if not table.counts_ids:
        return None
    if isinstance(db, SqliteTransaction):
        last = db.value("select seq from sqlite_sequence where name = :table", table=table.name)
    else:
        last = db.value(f"select pg_sequence_last_value({_SEQUENCE})", table=table.name)
    return int(last or 0)


def set_last_id(db: Transaction, table: Table, last: int | None) -> None:
    """Make the next row of a table get an id above `last`."""
    if not last:
        return
    if isinstance(db, SqliteTransaction):
        # That table has no key to upsert by.
        db.run("delete from sqlite_sequence where name = :table", table=table.name)
        statement = "insert into sqlite_sequence (name, seq) values (:table, :last)"
        db.run(statement, table=table.name, last=last)
    else:
        db.value(f"select setval({_SEQUENCE}, :last)", table=table.name, last=last)
