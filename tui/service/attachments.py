"""Stores uploaded files in a folder beside the database.

File names are random and never come from outside; files are readable by their owner only, and never
incomplete.
"""

import errno
import os
import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tui.service.errors import ServiceError

_NAME = re.compile(r"[0-9a-f]{32}")
_FULL = {errno.ENOSPC, errno.EDQUOT}


def write_new(path: Path, parts: Iterable[bytes]) -> None:
    """Write a new file for its owner only; it is on the disk when this returns."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        for part in parts:
            file.write(part)
        file.flush()
        os.fsync(file.fileno())


@dataclass(slots=True)
class StoredFile:
    """An upload in the folder; it is removed at the end of its request unless it `is_wanted`."""

    name: str
    title: str
    size: int
    media_type: str
    is_wanted: bool = False

    def want(self) -> None:
        """Keep the file: a row that names it was committed."""
        self.is_wanted = True


@dataclass(frozen=True, slots=True)
class Attachments:
    """A folder of files, created with the first file."""

    folder: Path

    def try_out(self) -> None:
        """Create the folder and a file in it, which is removed. Raises `OSError`."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._path(secrets.token_hex(16))
        try:
            write_new(path, [b"x"])
        finally:
            path.unlink(missing_ok=True)

    def keep(self, content: bytes) -> str:
        """Store a file and return its name. Raises `ServiceError` 507 or 503.

        Nothing is left then.
        """
        name = secrets.token_hex(16)
        path = self._path(name)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_new(path, [content])
        except OSError as error:
            with suppress(OSError):
                path.unlink()
            if error.errno in _FULL:
                raise ServiceError(
                    507, "disk_full", "The disk is full; nothing was changed."
                ) from error
            raise ServiceError(
                503, "read_only", "The attachments folder cannot be written to."
            ) from error
        return name

    def read(self, name: str) -> bytes | None:
        """The content of a file; None if it does not exist."""
        try:
            return self._path(name).read_bytes()
        except OSError:
            return None

    def remove(self, name: str) -> None:
        """Delete a file, if it exists."""
        self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise ValueError(name)
        return self.folder / name
