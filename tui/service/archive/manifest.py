"""What an archive says about itself, written and read.

The rule it keeps: a manifest from outside is taken apart here, field by field; what leaves here
has the types it claims to have.
"""

import json
import re
from dataclasses import asdict, dataclass
from typing import Any

from tui.service.database.schema import MIGRATIONS
from tui.service.values import LARGEST_ID

FORMAT, FORMAT_VERSION = "callboard-archive", 1

MANIFEST = "manifest.json"
TABLES, ATTACHMENTS = "tables/", "attachments/"

_SHA256 = re.compile(r"[0-9a-f]{64}")
_FILE = re.compile(r"[0-9a-f]{32}")
_TABLE = re.compile(r"[a-z_]{1,60}")


class ManifestError(Exception):
    """A manifest cannot be taken; the text completes “The archive … ”."""


@dataclass(frozen=True, slots=True)
class Content:
    """An entry: how long it is and its digest."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class TableContent:
    """A table's entry, with the number of its rows and the last id that was used."""

    rows: int
    bytes: int
    sha256: str
    last_id: int | None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is in an archive."""

    schema_version: int
    created_at: str
    tables: dict[str, TableContent]
    files: dict[str, Content]
    missing_files: tuple[str, ...]

    def text(self) -> bytes:
        """The manifest as it is written."""
        head = {"format": FORMAT, "format_version": FORMAT_VERSION}
        return json.dumps(head | asdict(self), indent=1).encode()

    def entries(self) -> dict[str, int]:
        """The names of all entries but the manifest, and how long each is."""
        tables = {f"{TABLES}{name}.jsonl": table.bytes for name, table in self.tables.items()}
        return tables | {ATTACHMENTS + name: file.bytes for name, file in self.files.items()}

    @classmethod
    def parse(cls, raw: bytes) -> "Manifest":
        """Read a manifest. Raises `ManifestError`."""
        try:
            document = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise ManifestError("has a manifest that is no JSON") from error
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise ManifestError("is not one of this program")
        if document.get("format_version") != FORMAT_VERSION:
            raise ManifestError("has a format that this version of the program does not know")
        version = _whole(document, "schema_version", least=1)
        if version > len(MIGRATIONS):
            raise ManifestError("was written by a newer version of this program")
        return cls(
            version,
            str(document.get("created_at")),
            {name: _table(part) for name, part in _parts(document, "tables", _TABLE)},
            {name: _content(part) for name, part in _parts(document, "files", _FILE)},
            _names(document.get("missing_files")),
        )


def _parts(document: dict[str, Any], field: str, name: re.Pattern[str]) -> list[tuple[str, Any]]:
    parts = document.get(field)
    if not isinstance(parts, dict) or not all(name.fullmatch(key) for key in parts):
        raise ManifestError(f"has a manifest whose “{field}” cannot be read")
    return list(parts.items())


def _names(given: object) -> tuple[str, ...]:
    if not isinstance(given, list):
        raise ManifestError("has a manifest whose “missing_files” cannot be read")
    if not all(isinstance(name, str) and _FILE.fullmatch(name) for name in given):
        raise ManifestError("has a manifest whose “missing_files” cannot be read")
    return tuple(given)


def _table(part: object) -> TableContent:
    content = _content(part)
    if not isinstance(part, dict):
        raise ManifestError("has a manifest whose “tables” cannot be read")
    last = None if part.get("last_id") is None else _whole(part, "last_id")
    return TableContent(_whole(part, "rows"), content.bytes, content.sha256, last)


def _content(part: object) -> Content:
    if not isinstance(part, dict):
        raise ManifestError("has a manifest whose entries cannot be read")
    digest = part.get("sha256")
    if not isinstance(digest, str) or not _SHA256.fullmatch(digest):
        raise ManifestError("has a manifest with a digest that is none")
    return Content(_whole(part, "bytes"), digest)


def _whole(part: dict[str, Any], field: str, *, least: int = 0) -> int:
    value = part.get(field)
    if type(value) is not int or not least <= value <= LARGEST_ID:
        raise ManifestError(f"has a manifest whose “{field}” cannot be read")
    return value
