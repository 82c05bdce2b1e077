"""An archive is tried out before anything is written.

Its rows are put into a database of their own, in a temporary folder, with the tables of the version
they come from. What is no row of such a table, breaks its rules or refers to something that is not
there is refused here; what remains is brought up to the present version.
"""

import json
import math
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tui.service.accounts.accounts import Role
from tui.service.archive.layout import Column, Kind, Table, layout
from tui.service.archive.manifest import ArchiveUnusable
from tui.service.archive.reading import Archive
from tui.service.database.base import Database, Transaction
from tui.service.database.schema import MIGRATIONS
from tui.service.database.sqlite import SqliteDatabase
from tui.service.values import LARGEST_ID

_ALLOWED = {
    ("membership", "role"): {role.word for role in Role},
    ("task", "status"): {"open", "closed"},
    ("task", "priority"): {"low", "medium", "high"},
}
"""Words that the service would stumble over if they were others."""

_BATCH = 1000


@contextmanager
def staged(archive: Archive) -> Iterator[Database]:
    """A database with what an archive holds, its pictures looked at as well.

    Raises `ArchiveUnusable`.
    """
    tables = layout(archive.manifest.schema_version)
    if {table.name for table in tables} != set(archive.manifest.tables):
        raise archive.unusable("does not hold the tables that belong to its version")
    with tempfile.TemporaryDirectory(prefix="callboard-") as folder:
        link = sqlite3.connect(
            Path(folder, "staged.sqlite3"), isolation_level=None, check_same_thread=False
        )
        link.execute("pragma synchronous = off")
        database = SqliteDatabase(link)
        try:
            _fill(database, archive, tables)
            database.migrate(MIGRATIONS)
            _check_files(database, archive)
            yield database
        finally:
            database.close()


def _fill(database: Database, archive: Archive, tables: tuple[Table, ...]) -> None:
    database.migrate(MIGRATIONS[: archive.manifest.schema_version])
    with database.transaction(writing=True) as db:
        for table in tables:
            _fill_table(db, archive, table)
        stray = db.one("pragma foreign_key_check")
        if stray:
            raise archive.unusable(
                f"holds a row of “{stray['table']}” that refers to a “{stray['parent']}” which is"
                " not there"
            )


def _fill_table(db: Transaction, archive: Archive, table: Table) -> None:
    """Put a table's rows in; the database watches over what may be there once only."""
    last = archive.manifest.tables[table.name].last_id
    if (last is None) == table.counts_ids:
        raise archive.unusable(f"has a manifest whose “last_id” of {table.name} cannot be")
    batch: list[dict[str, Any]] = []
    try:
        for number, row in enumerate(archive.rows(table.name), start=1):
            batch.append(_checked(archive, table, row, number, last))
            if len(batch) >= _BATCH:
                db.many(table.insert(), batch)
                batch.clear()
        db.many(table.insert(), batch)
    except (sqlite3.IntegrityError, UnicodeEncodeError) as error:
        raise archive.unusable(f"holds a row of “{table.name}” that cannot be kept") from error


def _checked(
    archive: Archive, table: Table, row: Mapping[str, Any], number: int, last: int | None
) -> dict[str, Any]:
    """A row whose values are of the right kinds."""
    if row.keys() != {column.name for column in table.columns}:
        raise _wrong(archive, table, number, "its columns")
    for column in table.columns:
        if not _fits(table, column, row[column.name]):
            raise _wrong(archive, table, number, column.name)
    if last is not None and row["id"] > last:
        raise _wrong(archive, table, number, "id")
    return dict(row)


def _wrong(archive: Archive, table: Table, number: int, column: str) -> ArchiveUnusable:
    return archive.unusable(f"holds a wrong value in “{table.name}”, row {number}: {column}")


def _fits(table: Table, column: Column, value: object) -> bool:
    """Whether a column can hold a value, ids being from 1 and JSON being JSON."""
    if value is None:
        return column.is_optional
    if column.kind is Kind.INTEGER:
        least = 1 if column.target or column.name == "id" else -LARGEST_ID
        return type(value) is int and least <= value <= LARGEST_ID
    if column.kind is Kind.REAL:
        return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]  # a number, by now
    if not isinstance(value, str):
        return False
    if column.kind is Kind.JSON:
        return _is_json(value)
    return value in _ALLOWED.get((table.name, column.name), (value,))


def _is_json(value: str) -> bool:
    try:
        json.loads(value)
    except (ValueError, RecursionError):
        return False
    return True


def _check_files(database: Database, archive: Archive) -> None:
    """Each picture has its file, unless that was gone already, and each file its picture."""
    manifest = archive.manifest
    with database.transaction(writing=False) as db:
        rows = db.all("select file_name, file_bytes from comment_image")
    told_of = {row["file_name"]: row["file_bytes"] for row in rows}
    if set(told_of) != set(manifest.files) | set(manifest.missing_files):
        raise archive.unusable("does not hold the pictures that its rows tell of")
    for name, content in manifest.files.items():
        length = sum(len(part) for part in archive.file(name))
        if not length == content.bytes == told_of[name]:
            raise archive.unusable(f"holds a picture of another size than is told: {name}")
