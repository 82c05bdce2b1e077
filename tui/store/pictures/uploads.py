"""Pictures that were chosen, kept until the service has them.

The rule it keeps: a picture lies beside the outbox, in the data folder, readable by its owner
alone, and is there before the operation that needs it is. It is looked at before it is kept: what
the service would not take is refused in words at once. What no operation needs any more goes at the
next start.
"""

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from tui.client.resources.image_types import IMAGE_WORDS, image_type
from tui.errors import CallboardError
from tui.model.picture_names import KeptPicture
from tui.text.clean import line

LARGEST = 10 * 1024 * 1024
"""Bytes; services have limits of their own, most of them lower."""

_KILO = 1024


class Uploads:
    """The pictures in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep_file(self, path: Path) -> KeptPicture:
        """Keep a copy of a file. Raises `CallboardError` for what cannot be read or sent."""
        try:
            with path.open("rb") as file:
                content = file.read(LARGEST + 1)
        except OSError as error:
            raise CallboardError(
                f"{line(str(path))} cannot be read: {error.strerror or 'the system refused'}.",
                hint="See that it is a file, and one that you may read.",
            ) from error
        return self.keep(path.name, content)

    def keep(self, name: str, content: bytes) -> KeptPicture:
        """Keep these bytes. Raises `CallboardError` for what the service would not take."""
        shown = line(name)
        kind = image_type(content)
        if kind is None:
            raise CallboardError(
                f"{shown} is not a picture that can be attached.",
                hint=f"Choose a file that is {IMAGE_WORDS}.",
            )
        if len(content) > LARGEST:
            raise CallboardError(
                f"{shown} is larger than a picture may be, which is {in_words(LARGEST)}.",
                hint="Make it smaller and attach it again.",
            )
        return KeptPicture(shown, kind, in_words(len(content)), self._written(content, shown))

    def _written(self, content: bytes, name: str) -> Path:
        path = self._folder / secrets.token_hex(16)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(
                os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb"
            ) as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            with suppress(OSError):
                path.unlink(missing_ok=True)
            raise CallboardError(
                f"{name} cannot be kept for sending: {error.strerror or 'the system refused'}. "
                "Nothing was attached.",
                hint="Try again when there is room to write.",
            ) from error
        return path

    def sweep(self, is_needed: Callable[[str], bool], *, before: datetime) -> int:
        """Remove old pictures that nothing needs, told by their names; says how many.

        Those kept after `before`, an aware time, may be of a draft in another program.
        """
        removed = 0
        with suppress(OSError):
            for path in self._folder.iterdir():
                if path.stat().st_mtime < before.timestamp() and not is_needed(path.name):
                    path.unlink(missing_ok=True)
                    removed += 1
        return removed


def in_words(size: int) -> str:
    """A number of bytes for people."""
    if size < _KILO:
        return f"{size} B"
    if size < _KILO * _KILO:
        return f"{size / _KILO:.0f} KB"
    return f"{size / _KILO / _KILO:.1f} MB"
