"""Imports an archive: rows into a database, pictures into the attachments folder.

First the rows are loaded into a temporary database with the schema of the archive's version, which
rejects invalid rows, violated constraints and missing references; then that database is migrated to
the current version.

Only empty tables are filled, in one transaction. Existing files are not changed, and files written
by a failed import are removed. A picture that exists already, as after an interrupted import, is
accepted if it is equal.
"""

import json
import math
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

from tui.service.accounts.accounts import BoardRole
from tui.service.archive.file import Archive, Manifest, file_errors, opened
from tui.service.archive.layout import ArchiveColumn, Table, layout, set_last_id
from tui.service.attachments import Attachments, write_new
from tui.service.database.base import Database, Row, Transaction
from tui.service.database.schema import MIGRATIONS
from tui.service.database.sqlite import SqliteDatabase
from tui.service.errors import conflict
from tui.service.values import LARGEST_ID

_ALLOWED = {
    ("membership", "role"): {role.word for role in BoardRole},
    ("task", "status"): {"open", "closed"},
    ("task", "priority"): {"low", "medium", "high"},
}
"""Values of enumerated columns that the service relies on."""

_BATCH = 1000
_LATER = "update {table} set {column} = :{column} where id = :id"


@contextmanager
def staged(archive: Archive) -> Iterator[Database]:
    """A temporary database with the contents of an archive, whose pictures are checked too.

    Raises `ArchiveUnusable`.
    """
    tables = layout(archive.manifest.schema_version)
    if {table.name for table in tables} != set(archive.manifest.tables):
        raise archive.unusable("does not hold the tables that belong to its version")
    with tempfile.TemporaryDirectory(prefix="callboard-") as folder:
        link = sqlite3.connect(
            Path(folder, "staged.sqlite3"), isolation_level=None, check_same_thread=False
        )
        # It is deleted at the end, so it need not survive a power cut.
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
            last = archive.manifest.tables[table.name].last_id
            if (last is None) == table.counts_ids:
                raise archive.unusable(f"has a manifest whose “last_id” of {table.name} cannot be")
            try:
                for batch in _batches(_checked(archive, table, last)):
                    db.insert_all(table.name, batch)
            except (sqlite3.IntegrityError, UnicodeEncodeError) as error:
                reason = f"holds a row of “{table.name}” that cannot be kept"
                raise archive.unusable(reason) from error
        # This connection does not enforce references, since rows may come before those they name.
        for stray in db.all("pragma foreign_key_check"):
            raise archive.unusable(
                f"holds a row of “{stray['table']}” that refers to a “{stray['parent']}” which is"
                " not there"
            )


def _checked(archive: Archive, table: Table, last: int | None) -> Iterator[Row]:
    for number, row in enumerate(archive.rows(table.name), start=1):
        if wrong := _wrong_part(table, row, last):
            reason = f"holds a wrong value in “{table.name}”, row {number}: {wrong}"
            raise archive.unusable(reason)
        yield row


def _wrong_part(table: Table, row: Row, last: int | None) -> str:
    if row.keys() != {column.name for column in table.columns}:
        return "its columns"
    for column in table.columns:
        if not _fits(table, column, row[column.name]):
            return column.name
    return "id" if last is not None and row["id"] > last else ""


def _fits(table: Table, column: ArchiveColumn, value: object) -> bool:
    if value is None:
        return column.is_optional
    if column.kind == "integer":
        least = 1 if column.target or column.name == "id" else -LARGEST_ID
        return type(value) is int and least <= value <= LARGEST_ID
    if column.kind == "real":
        return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]  # a number, by now
    if not isinstance(value, str):
        return False
    if column.kind == "json":
        return _is_json(value)
    return value in _ALLOWED.get((table.name, column.name), (value,))


def _is_json(value: str) -> bool:
    try:
        json.loads(value)
    except (ValueError, RecursionError):
        return False
    return True


def _check_files(database: Database, archive: Archive) -> None:
    # The archive may name files that it knows to be missing.
    manifest = archive.manifest
    with database.transaction(writing=False) as db:
        rows = db.all("select file_name, file_bytes from comment_image")
    lengths = {row["file_name"]: row["file_bytes"] for row in rows}
    if set(lengths) != set(manifest.files) | set(manifest.missing_files):
        raise archive.unusable("does not hold the pictures that its rows tell of")
    for name, content in manifest.files.items():
        length = sum(len(part) for part in archive.file(name))
        if not length == content.bytes == lengths[name]:
            raise archive.unusable(f"holds a picture of another size than is told: {name}")


@contextmanager
def put_pictures(archive: Archive, folder: Path) -> Iterator[None]:
    """Write every picture below `folder`; remove them if the block fails.

    Raises `ArchiveUnusable`.
    """
    written: list[Path] = []
    try:
        with file_errors(archive.path):
            for name in archive.manifest.files:
                _put(archive, name, folder, written)
        yield
    except BaseException:
        for path in written:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        raise


def _put(archive: Archive, name: str, folder: Path, written: list[Path]) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / name
    # Noted before it is written, so that a part of it is removed too.
    written.append(path)
    try:
        write_new(path, archive.file(name))
    except FileExistsError:
        # Somebody else's, perhaps of an import at the same time: it is not ours to remove.
        written.remove(path)
        if not _is_same(archive, name, path):
            message = f"holds a picture that is there with other bytes: {path}"
            raise archive.unusable(message) from None


def _is_same(archive: Archive, name: str, path: Path) -> bool:
    with path.open("rb") as file:
        return all(file.read(len(part)) == part for part in archive.file(name)) and not file.read(1)


def read_archive(
    path: Path,
    open_database: Callable[[], Database],
    attachments: Attachments,
    *,
    needs_local: bool = False,
) -> Manifest:
    """Import the archive at `path` into a database and `attachments`.

    The database is opened or created after the archive was checked. With `needs_local` it must
    contain this machine's local account. Raises `ArchiveUnusable` if the archive is invalid, what
    `open_database` raises, and `ServiceError` with nothing kept: 409 if the database is not empty,
    503 or 507 if it cannot be written.
    """
    with opened(path) as archive, staged(archive) as source:
        if needs_local:
            _require_local(source, archive)
        database = open_database()
        try:
            with database.transaction(writing=False) as db:
                _require_empty(db)
            with (
                # Outermost: if the transaction fails, the pictures are removed again.
                put_pictures(archive, attachments.folder),
                source.transaction(writing=False) as staging,
                database.transaction(writing=True) as db,
            ):
                # Others may have written since the first check, which came before the pictures.
                _require_empty(db)
                _copy(staging, db, archive.manifest)
        finally:
            database.close()
        return archive.manifest


def _require_local(source: Database, archive: Archive) -> None:
    with source.transaction(writing=False) as db:
        if not db.value("select count(*) from account where is_local = 1"):
            raise archive.unusable(
                "is of a service that people log in to, and none of its accounts is yours here",
                hint="Import it with --database, and serve that with: callboard serve --database",
            )


def _require_empty(db: Transaction) -> None:
    for table in layout(len(MIGRATIONS)):
        if any(True for _ in table.rows(db)):
            raise conflict("not_empty", f"It is not empty (“{table.name}”).")


def _copy(source: Transaction, db: Transaction, manifest: Manifest) -> None:
    # References to later rows are set at the end.
    tables = layout(len(MIGRATIONS))
    for table in tables:
        late = [column.name for column in table.columns if column.is_late]
        nulls = dict.fromkeys(late)
        for rows in _batches(table.rows(source)):
            db.insert_all(table.name, [row | nulls for row in rows])
    for table in tables:
        for column in (column.name for column in table.columns if column.is_late):
            statement = _LATER.format(table=table.name, column=column)
            referring = (row for row in table.rows(source) if row[column] is not None)
            for rows in _batches({"id": row["id"], column: row[column]} for row in referring):
                db.many(statement, rows)
        content = manifest.tables.get(table.name)
        set_last_id(db, table, content.last_id if content else None)


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    remaining = iter(rows)
    while batch := list(islice(remaining, _BATCH)):
        yield batch
