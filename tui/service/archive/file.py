"""Reads archive files safely: manifest, entries and their sizes.

The manifest is validated field by field. The unpacked size is limited by the size of the file,
whatever the archive claims; one that would exceed the limit is written uncompressed. Entries that
are not in the manifest, occur twice, are too long or have another digest are refused, and no name
in the file is used as a path.
"""

import hashlib
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from pydantic import Field, TypeAdapter, ValidationError

from tui.errors import CallboardError, WrongInput
from tui.service.database.schema import MIGRATIONS
from tui.service.values import LARGEST_ID
from tui.text import clean

_OTHER = "Update this program, or take another."
_DAMAGED = "is damaged or is no zip file"
LONGEST_LINE = 128 * 1024 * 1024
"""Bytes of one row, which is always shorter, as it came in a request."""
LONGEST_MANIFEST = 64 * 1024 * 1024
_FREE = 16 * 1024 * 1024
_TIMES = 100
FORMAT, FORMAT_VERSION = "callboard-archive", 1
MANIFEST = "manifest.json"
TABLES, ATTACHMENTS = "tables/", "attachments/"
_ENCRYPTED = 0x1
_CHUNK = 1024 * 1024


Whole = Annotated[int, Field(strict=True, ge=0, le=LARGEST_ID)]
FileName = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]


class ArchiveUnusable(WrongInput):
    """An archive cannot be read or written; nothing was changed."""

    def __init__(self, path: Path, reason: str, *, hint: str = "") -> None:
        shown = clean.line(str(path))
        super().__init__(
            f"The archive {shown} {clean.line(reason)}. Nothing was changed.", hint=hint
        )
        self.path = path


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Convert errors of the file at `path` into those for people; a disk may also fail."""
    try:
        yield
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, UnicodeError) as error:
        raise ArchiveUnusable(path, _DAMAGED, hint="Take another copy of it.") from error
    except FileNotFoundError as error:
        raise ArchiveUnusable(path, "cannot be used: no such file or directory") from error
    except OSError as error:
        reason = (error.strerror or "the system refused").lower()
        shown = clean.line(str(path))
        raise CallboardError(
            f"The archive {shown} cannot be used: {reason}. Nothing was changed."
        ) from error


def is_dense(unpacked: int, packed: int) -> bool:
    """Whether this unpacked size is too large for a file of `packed` bytes."""
    return unpacked > _FREE + _TIMES * packed


@dataclass(frozen=True, slots=True)
class EntryDigest:
    """The length and digest of an entry."""

    bytes: Whole
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


@dataclass(frozen=True, slots=True)
class TableContent(EntryDigest):
    """The entry of a table, with the number of its rows and the last id used."""

    rows: Whole
    last_id: Whole | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of an archive."""

    schema_version: Annotated[Whole, Field(ge=1)]
    created_at: str
    tables: dict[Annotated[str, Field(pattern="^[a-z_]{1,60}$")], TableContent]
    files: dict[FileName, EntryDigest]
    missing_files: tuple[FileName, ...]

    def text(self) -> bytes:
        """The manifest as JSON."""
        head = {"format": FORMAT, "format_version": FORMAT_VERSION}
        return json.dumps(head | asdict(self), indent=1).encode()

    def entries(self) -> dict[str, int]:
        """The names and lengths of all entries but the manifest."""
        tables = {f"{TABLES}{name}.jsonl": table.bytes for name, table in self.tables.items()}
        return tables | {ATTACHMENTS + name: file.bytes for name, file in self.files.items()}


class Archive:
    """An open archive; entries are read on demand."""

    def __init__(self, path: Path, file: ZipFile, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self._file = file

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """The rows of a table. Raises `ArchiveUnusable` at the first invalid one.

        The digest is checked after the last one.
        """
        content = self.manifest.tables[table]
        name = f"{TABLES}{table}.jsonl"
        digest = hashlib.sha256()
        count = 0
        with file_errors(self.path), self._file.open(name) as file:
            # A longer line comes in parts; the first one has no line feed, and is refused.
            while line := file.readline(LONGEST_LINE):
                digest.update(line)
                count += 1
                yield self._row(line, f"{name}, line {count}")
        if (digest.hexdigest(), count) != (content.sha256, content.rows):
            raise self.unusable(f"differs from its manifest in {name}")

    def file(self, name: str) -> Iterator[bytes]:
        """The bytes of a picture, in parts. Raises `ArchiveUnusable`, at the end if at all."""
        digest = hashlib.sha256()
        with file_errors(self.path), self._file.open(ATTACHMENTS + name) as file:
            while part := file.read(_CHUNK):
                digest.update(part)
                yield part
        if digest.hexdigest() != self.manifest.files[name].sha256:
            raise self.unusable(f"differs from its manifest in {ATTACHMENTS}{name}")

    def unusable(self, reason: str, *, hint: str = "Take another copy of it.") -> ArchiveUnusable:
        """The error for a problem of this archive."""
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
    """Open the archive at `path`, and check its entries and manifest.

    Raises `ArchiveUnusable`.
    """
    with file_errors(path):
        size = path.stat().st_size
        file = ZipFile(path)
    with file:
        entries = _entries(path, file, size)
        with file_errors(path):
            manifest = _manifest(path, file.read(MANIFEST))
        lengths = {name: entry.file_size for name, entry in entries.items() if name != MANIFEST}
        if lengths != manifest.entries():
            raise ArchiveUnusable(path, "does not hold what its manifest says")
        # Outside of `file_errors`: in the block an `OSError` may be that of another file.
        yield Archive(path, file, manifest)


def _entries(path: Path, file: ZipFile, size: int) -> dict[str, ZipInfo]:
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
    # `zipfile` never unpacks more of an entry than the size that it claims.
    unpacked = sum(info.file_size for info in infos)
    if is_dense(unpacked, size) or entries[MANIFEST].file_size > LONGEST_MANIFEST:
        raise ArchiveUnusable(path, "would unpack to far more than an archive can hold")
    return entries


def _manifest(path: Path, raw: bytes) -> Manifest:
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise ArchiveUnusable(path, "has a manifest that is no JSON", hint=_OTHER) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ArchiveUnusable(path, "is not one of this program", hint=_OTHER)
    if document.get("format_version") != FORMAT_VERSION:
        reason = "has a format that this version of the program does not know"
        raise ArchiveUnusable(path, reason, hint=_OTHER)
    version = document.get("schema_version")
    if isinstance(version, int) and version > len(MIGRATIONS):
        raise ArchiveUnusable(path, "was written by a newer version of this program", hint=_OTHER)
    try:
        return TypeAdapter(Manifest).validate_python(document)
    except ValidationError as error:
        field = error.errors()[0]["loc"][0]
        reason = f"has a manifest whose “{field}” cannot be read"
        raise ArchiveUnusable(path, reason, hint=_OTHER) from error
