"""The highest id that a table has ever given out.

The rule it keeps: an id is never used twice, not even after an import: a cache somewhere would
take a new thing for one that was deleted.
"""

from tui.service.archive.layout import Table
from tui.service.database.base import Transaction
from tui.service.database.sqlite import SqliteTransaction

_SEQUENCE = "pg_get_serial_sequence(:table, 'id')::regclass"


def last_id(db: Transaction, table: Table) -> int | None:
    """The highest id ever used; None where the database does not count."""
    if not table.counts_ids:
        return None
    if isinstance(db, SqliteTransaction):
        found = db.value("select seq from sqlite_sequence where name = :table", table=table.name)
    else:
        found = db.value(f"select pg_sequence_last_value({_SEQUENCE})", table=table.name)
    return int(found or 0)


def set_last_id(db: Transaction, table: Table, last: int | None) -> None:
    """Have the next row of a table get an id above `last`."""
    if not last:
        return
    if isinstance(db, SqliteTransaction):
        db.run("delete from sqlite_sequence where name = :table", table=table.name)
        statement = "insert into sqlite_sequence (name, seq) values (:table, :last)"
        db.run(statement, table=table.name, last=last)
    else:
        db.value(f"select setval({_SEQUENCE}, :last)", table=table.name, last=last)
