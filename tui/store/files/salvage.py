"""Saves the readable rows of a damaged outbox file.

A damaged page costs the rows on it and, in a scan, those behind it: rows are therefore also scanned
from the end, and probed one by one in between. A copy of the file is read, whose first page may be
mended: without it no other page can be found.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tui.store.files.database import transaction

_MOST_PROBED = 100_000
"""Row numbers probed one by one; some tenths of a second's work."""

_PAGE = 4096
_VALID_FOR = 92
"""Where a file says for which write its own size is valid; 0 has SQLite count the pages."""

_STACKS = ("undo", "redo")
_Row = Mapping[str, object]


class Salvaged(NamedTuple):
    """Whether every change could be read; `lost` are the row numbers that are missing.

    Most of these may never have been used, or belong to changes that were sent.
    """

    is_complete: bool
    lost: frozenset[int]


def salvage(damaged: Path, into: sqlite3.Connection) -> Salvaged:
    """Copy every readable row into a new outbox file, in one transaction.

    Used row numbers are not assigned again. The damaged file is not changed.
    """
    tables = into.execute(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
    ).fetchall()
    with (
        TemporaryDirectory(dir=damaged.parent) as folder,
        closing(_readable_copy(damaged, Path(folder), into)) as source,
        transaction(into),
    ):
        source.text_factory = damaged_text
        for (table,) in tables:
            if table != "entry":
                _copy(into, table, _read(source, table)[0])
        rows, salvaged = _read(source, "entry")
        # A page of steps that is read for one of entries has stacks in place of operations.
        changes = {seq: row for seq, row in rows.items() if row["operation"] not in _STACKS}
        if len(changes) < len(rows):
            salvaged = salvaged._replace(is_complete=False)
        _copy(into, "entry", changes)
        # The table has no unique key that an upsert could use.
        into.execute("delete from sqlite_sequence where name = 'entry'")
        into.execute(
            "insert into sqlite_sequence (name, seq) values ('entry', ?)",
            (max([_last_number(source, "entry"), *rows, *salvaged.lost]),),
        )
    return salvaged


def _readable_copy(damaged: Path, folder: Path, new: sqlite3.Connection) -> sqlite3.Connection:
    # The copy claims as many pages as it has, with the first page of a new file if needed: all
    # files of one version have their tables in the same places.
    copy, journal = folder / damaged.name, damaged.with_name(f"{damaged.name}-wal")
    content = bytearray(damaged.read_bytes() or bytes(_PAGE))
    content[_VALID_FOR : _VALID_FOR + 4] = bytes(4)
    # Only the journal itself is copied: its index is rebuilt when the copy is opened.
    copy.write_bytes(content)
    if journal.exists():
        copy.with_name(f"{copy.name}-wal").write_bytes(journal.read_bytes())
    source = sqlite3.connect(copy)
    with suppress(sqlite3.DatabaseError):
        if source.execute("select count(*) from sqlite_master").fetchone()[0]:
            return source
    source.close()
    # The new file's tables may still be in its journal only.
    new.execute("pragma wal_checkpoint(truncate)")
    (_, _, path) = new.execute("pragma database_list").fetchone()
    content[:_PAGE] = Path(path).read_bytes()[:_PAGE]
    content[_VALID_FOR : _VALID_FOR + 4] = bytes(4)
    copy.write_bytes(content)
    return sqlite3.connect(copy)


def damaged_text(raw: bytes) -> str:
    """Decode a text; invalid UTF-8 becomes something that is not valid JSON either."""
    return raw.decode(errors="backslashreplace")


def _read(source: sqlite3.Connection, table: str) -> tuple[dict[int, _Row], Salvaged]:
    # Scans end at the first damaged page; what they yielded before stays.
    rows = dict(_in_order(source, table, "asc"))
    try:
        (count,) = source.execute(f"select count(*) from {table}").fetchone()
    except sqlite3.DatabaseError:
        count = -1
    if len(rows) == count:
        return rows, Salvaged(is_complete=True, lost=frozenset())
    start = max(rows, default=0) + 1
    behind = dict(_in_order(source, table, "desc"))
    end = min(behind, default=_last_number(source, table) + 1)
    rows |= behind
    lost = set()
    for number in range(start, min(end, start + _MOST_PROBED)):
        try:
            rows |= _rows(source, table, f"where rowid = {number:d}")
        except sqlite3.DatabaseError:
            lost.add(number)
    return rows, Salvaged(is_complete=False, lost=frozenset(lost))


def _in_order(source: sqlite3.Connection, table: str, order: str) -> Iterator[tuple[int, _Row]]:
    with suppress(sqlite3.DatabaseError):
        yield from _rows(source, table, f"order by rowid {order}")


def _rows(source: sqlite3.Connection, table: str, which: str) -> Iterator[tuple[int, _Row]]:
    cursor = source.execute(f"select rowid, * from {table} {which}")
    columns = [name for name, *_ in cursor.description[1:]]
    for number, *values in cursor:
        yield number, dict(zip(columns, values, strict=True))


def _last_number(source: sqlite3.Connection, table: str) -> int:
    with suppress(sqlite3.DatabaseError):
        row = source.execute("select seq from sqlite_sequence where name = ?", (table,))
        return int((row.fetchone() or (0,))[0])
    return 0


def _copy(into: sqlite3.Connection, table: str, rows: Mapping[int, _Row]) -> None:
    # Rows that violate the table's constraints are skipped, and those of another table whose page
    # is read for one of this: SQLite would keep a text in a column of numbers.
    declared = into.execute(f"pragma table_info({table})").fetchall()
    numbers = {name for _, name, kind, *_ in declared if kind == "INTEGER"}
    for row in rows.values():
        if not all(isinstance(row[name], int | None) for name in numbers & row.keys()):
            continue
        marks = ", ".join("?" for _ in row)
        with suppress(sqlite3.IntegrityError):
            into.execute(
                f"insert into {table} ({', '.join(row)}) values ({marks})",
                list(row.values()),
            )
