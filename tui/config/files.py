"""Small files of the person's own: written whole or not at all, and readable by nobody else."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO


@contextmanager
def replacing(path: Path, mode: int = 0o600) -> Iterator[BinaryIO]:
    """A new file, which takes the place of that at `path` once all is written.

    Raises `OSError`; then the old file is as it was, and nothing is left beside it.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with os.fdopen(os.open(beside, flags, 0o600), "wb") as file:
            os.fchmod(file.fileno(), mode)
            yield file
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


class JsonFile:
    """A JSON object that is never needed, kept in a file, or without a path in memory alone.

    A file that is missing, unreadable or damaged is as good as an empty one, and one that cannot be
    written is not an error.
    """

    def __init__(self, path: Path | None) -> None:
        self.values: dict[str, Any] = {}
        self._path = path
        if path is not None:
            with suppress(OSError, ValueError, RecursionError):
                read = json.loads(path.read_bytes())
                self.values = read if isinstance(read, dict) else {}

    def write(self) -> None:
        """Write the values."""
        if self._path is not None:
            with suppress(OSError):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                with replacing(self._path) as file:
                    file.write(json.dumps(self.values).encode())
