"""Writes an archive.

All rows are read in one transaction. The file appears under its name when it is complete and on
disk, readable by its owner alone, and never replaces another.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from tui.service.archive.file import (
    ATTACHMENTS,
    MANIFEST,
    TABLES,
    ArchiveUnusable,
    EntryDigest,
    Manifest,
    TableContent,
    file_errors,
    is_dense,
)
from tui.service.archive.layout import Table, last_id, layout
from tui.service.attachments import Attachments
from tui.service.database.base import Database, Row
from tui.service.database.schema import MIGRATIONS
from tui.service.times import iso


def write_archive(
    database: Database, attachments: Attachments, path: Path, *, now: datetime
) -> Manifest:
    """Write the contents of `database` and `attachments` to a new file at `path`.

    `now` is the aware time in the manifest. Pictures whose files are missing are listed in the
    returned manifest. Raises `ArchiveUnusable` if the file exists or cannot be written,
    `ServiceError` if the database cannot be read.
    """
    with file_errors(path), _new_file(path) as unfinished:
        manifest = _write(database, attachments, unfinished, now, ZIP_DEFLATED)
        # An import would refuse it, as it unpacks to too much for its size.
        if is_dense(sum(manifest.entries().values()), unfinished.stat().st_size):
            manifest = _write(database, attachments, unfinished, now, ZIP_STORED)
    return manifest


@contextmanager
def _new_file(path: Path) -> Iterator[Path]:
    if os.path.lexists(path):
        raise ArchiveUnusable(path, "is there already", hint="Choose another name.")
    descriptor, name = tempfile.mkstemp(prefix=".archive-", dir=path.parent)
    os.close(descriptor)
    unfinished = Path(name)
    try:
        yield unfinished
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        try:
            # Unlike a rename, a link never replaces a file that was created meanwhile.
            path.hardlink_to(unfinished)
        except FileExistsError as error:
            raise ArchiveUnusable(path, "is there already", hint="Choose another name.") from error
        except OSError:  # no hard links on this disk: a race between the two checks remains
            unfinished.rename(path)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _write(
    database: Database, attachments: Attachments, path: Path, now: datetime, compression: int
) -> Manifest:
    with ZipFile(path, "w", compression) as archive:
        with database.transaction(writing=False) as db:
            tables = {
                table.name: _write_table(archive, table, table.rows(db), last_id(db, table))
                for table in layout(len(MIGRATIONS))
            }
            names = [row["file_name"] for row in db.select("comment_image")]
        # After the transaction, which keeps writers out where there is only one connection.
        files = {}
        for name in names:
            content = attachments.read(name)
            if content is not None:  # it may have been deleted since its row was read
                with _new_entry(archive, ATTACHMENTS + name) as file:
                    file.write(content)
                files[name] = EntryDigest(len(content), hashlib.sha256(content).hexdigest())
        missing = tuple(name for name in names if name not in files)
        manifest = Manifest(len(MIGRATIONS), iso(now), tables, files, missing)
        with _new_entry(archive, MANIFEST) as file:
            file.write(manifest.text())
    return manifest


def _write_table(
    archive: ZipFile, table: Table, rows: Iterable[Row], last: int | None
) -> TableContent:
    digest, size, count = hashlib.sha256(), 0, 0
    with _new_entry(archive, f"{TABLES}{table.name}.jsonl") as file:
        for row in rows:
            line = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
            file.write(line)
            digest.update(line)
            size += len(line)
            count += 1
    return TableContent(size, digest.hexdigest(), count, last)


def _new_entry(archive: ZipFile, name: str) -> IO[bytes]:
    # Readable by its owner only when unpacked.
    entry = ZipInfo(name)
    entry.external_attr = 0o100600 << 16
    entry.compress_type = archive.compression
    return archive.open(entry, "w", force_zip64=True)
