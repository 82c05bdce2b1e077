"""An archive is opened and its entries are read.

Nothing is unpacked by the names in the file. An entry that the manifest does not tell of, is there
twice, is too long or differs from its digest is refused.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from tui.service.archive.manifest import (
    ATTACHMENTS,
    LONGEST_LINE,
    LONGEST_MANIFEST,
    MANIFEST,
    TABLES,
    ArchiveUnusable,
    Manifest,
    ManifestError,
    is_dense,
    told,
)

_ENCRYPTED = 0x1
_CHUNK = 1024 * 1024


class Archive:
    """An archive that is open; what it holds is read as it is asked for."""

    def __init__(self, path: Path, file: ZipFile, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self._file = file

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """The rows of a table. Raises `ArchiveUnusable` for the first line that is none.

        The digest is known to be right once the last one has been taken.
        """
        content = self.manifest.tables[table]
        name = f"{TABLES}{table}.jsonl"
        digest = hashlib.sha256()
        count = 0
        with told(self.path), self._file.open(name) as file:
            while line := file.readline(LONGEST_LINE):
                digest.update(line)
                count += 1
                yield self._row(line, f"{name}, line {count}")
        if (digest.hexdigest(), count) != (content.sha256, content.rows):
            raise self.unusable(f"differs from its manifest in {name}")

    def file(self, name: str) -> Iterator[bytes]:
        """The bytes of a picture, in parts. Raises `ArchiveUnusable`, at the end if at all."""
        digest = hashlib.sha256()
        with told(self.path), self._file.open(ATTACHMENTS + name) as file:
            while part := file.read(_CHUNK):
                digest.update(part)
                yield part
        if digest.hexdigest() != self.manifest.files[name].sha256:
            raise self.unusable(f"differs from its manifest in {ATTACHMENTS}{name}")

    def unusable(self, reason: str, *, hint: str = "Take another copy of it.") -> ArchiveUnusable:
        """The error that says what is wrong with this archive."""
        return ArchiveUnusable(self.path, reason, hint=hint)

    def _row(self, line: bytes, where: str) -> dict[str, Any]:
        try:
            row = json.loads(line) if line.endswith(b"\n") else None
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise self.unusable(f"holds no row in {where}")
        return row


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """Open the archive at `path`, having looked at its entries and its manifest.

    Raises `ArchiveUnusable`.
    """
    with told(path):
        size = path.stat().st_size
        file = ZipFile(path)
    with file:
        entries = _entries(path, file, size)
        with told(path):
            manifest = _manifest(path, file)
        lengths = {name: entry.file_size for name, entry in entries.items() if name != MANIFEST}
        if lengths != manifest.entries():
            raise ArchiveUnusable(path, "does not hold what its manifest says")
        yield Archive(path, file, manifest)


def _entries(path: Path, file: ZipFile, size: int) -> dict[str, ZipInfo]:
    """The entries by name, none of them twice, encrypted, or too much for the size of the file."""
    infos = file.infolist()
    entries = {info.filename: info for info in infos}
    if MANIFEST not in entries:
        raise ArchiveUnusable(path, "is not one of this program")
    if len(entries) != len(infos):
        raise ArchiveUnusable(path, "holds an entry twice")
    if any(info.flag_bits & _ENCRYPTED for info in infos):
        raise ArchiveUnusable(path, "is encrypted")
    if any(info.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for info in infos):
        raise ArchiveUnusable(path, "is packed in a way that is not known here")
    unpacked = sum(info.file_size for info in infos)
    if is_dense(unpacked, size) or entries[MANIFEST].file_size > LONGEST_MANIFEST:
        raise ArchiveUnusable(path, "would unpack to far more than an archive can hold")
    return entries


def _manifest(path: Path, file: ZipFile) -> Manifest:
    try:
        return Manifest.parse(file.read(MANIFEST))
    except ManifestError as error:
        raise ArchiveUnusable(path, str(error), hint="Update this program, or take another.") from (
            error
        )
