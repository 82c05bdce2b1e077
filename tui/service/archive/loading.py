"""An archive is imported: rows into a database, pictures into the folder of attachments.

Only tables that are empty are filled, in one transaction; no file that was there is changed, and
those that were written are taken away again if the rest fails. A picture that is there already, as
after an import that was killed, is as good as one that was written.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

from tui.service.archive.layout import layout, set_last_id
from tui.service.archive.manifest import Manifest, told
from tui.service.archive.reading import Archive, opened
from tui.service.archive.staging import staged
from tui.service.attachments import Attachments
from tui.service.database.base import Database, Row, Transaction
from tui.service.database.schema import MIGRATIONS
from tui.service.errors import conflict

_CHUNK = 1024 * 1024
_BATCH = 1000
_LATER = "update {table} set {column} = :{column} where id = :id"


@contextmanager
def put_pictures(archive: Archive, folder: Path) -> Iterator[None]:
    """Write every picture below `folder`; if the block fails, take them back.

    Raises `ArchiveUnusable`.
    """
    written: list[Path] = []
    try:
        with told(archive.path):
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
    if not path.exists():
        written.append(path)
        _write(archive, name, path)
    elif not _is_same(archive, name, path):
        raise archive.unusable(f"holds a picture that is there with other bytes: {path}")


def _write(archive: Archive, name: str, path: Path) -> None:
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        for part in archive.file(name):
            file.write(part)
        file.flush()
        os.fsync(file.fileno())


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
    """Put all that the archive at `path` holds into a database and `attachments`.

    The database is opened, made if need be, once the archive has turned out to be sound. With
    `needs_local` it must hold the account of the person at this machine. Raises `ArchiveUnusable`
    if the archive cannot be taken, what `open_database` raises, and `ServiceError` with nothing
    kept: 409 if the database is not empty, 503 or 507 if it cannot be written to.
    """
    with opened(path) as archive, staged(archive) as source:
        if needs_local:
            _require_local(source, archive)
        database = open_database()
        try:
            with database.transaction(writing=False) as db:
                _require_empty(db)
            with (
                put_pictures(archive, attachments.folder),
                source.transaction(writing=False) as staging,
                database.transaction(writing=True) as db,
            ):
                _require_empty(db)
                _copy(staging, db, archive.manifest)
        finally:
            database.close()
        return archive.manifest


def _require_local(source: Database, archive: Archive) -> None:
    """Raises `ArchiveUnusable` where the person at this machine would find no board of theirs."""
    with source.transaction(writing=False) as db:
        if not db.value("select count(*) from account where is_local = 1"):
            raise archive.unusable(
                "is of a service that people log in to, and none of its accounts is yours here",
                hint="Import it with --database, and serve that with: callboard serve --database",
            )


def _require_empty(db: Transaction) -> None:
    for table in layout(len(MIGRATIONS)):
        if any(True for _ in table.rows(db)):
            raise conflict("not_empty", f"There is something in it already (“{table.name}”).")


def _copy(source: Transaction, db: Transaction, manifest: Manifest) -> None:
    """Copy every row; what refers to rows that come later is filled in at the end."""
    tables = layout(len(MIGRATIONS))
    for table in tables:
        late = [column.name for column in table.columns if column.is_late]
        nothing = dict.fromkeys(late)
        for rows in _batches(table.rows(source)):
            db.many(table.insert(), [row | nothing for row in rows])
    for table in tables:
        for column in (column.name for column in table.columns if column.is_late):
            statement = _LATER.format(table=table.name, column=column)
            given = (row for row in table.rows(source) if row[column] is not None)
            for rows in _batches({"id": row["id"], column: row[column]} for row in given):
                db.many(statement, rows)
        content = manifest.tables.get(table.name)
        set_last_id(db, table, content.last_id if content else None)


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    remaining = iter(rows)
    while batch := list(islice(remaining, _BATCH)):
        yield batch
