"""The folders for settings, data and cache, and how small files are kept there.

Each folder is where the system wants it; `CALLBOARD_HOME` puts all three below one. It is made when
something is put into it. Folders and files are for their owner alone.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from platformdirs import PlatformDirs

from tui.errors import CallboardError

HOME_VARIABLE = "CALLBOARD_HOME"


class FolderUnusable(CallboardError):
    """A folder of ours cannot be made; the message says which and why."""


class Places(NamedTuple):
    """The folders for settings, for boards and waiting changes, and for what can be had again."""

    config: Path
    data: Path
    cache: Path

    @classmethod
    def find(cls, environment: Mapping[str, str] = os.environ) -> "Places":
        """The places of the user whose environment this is; nothing is made."""
        home = environment.get(HOME_VARIABLE, "").strip()
        if home:
            folder = Path(home).expanduser().absolute()
            return cls(folder / "config", folder / "data", folder / "cache")
        folders = PlatformDirs("callboard", appauthor=False)
        return cls(folders.user_config_path, folders.user_data_path, folders.user_cache_path)

    @property
    def settings(self) -> Path:
        """The file with the user's settings."""
        return self.config / "config.toml"

    @property
    def boards(self) -> Path:
        """The file of the boards that the program keeps itself."""
        return self.data / "boards.sqlite3"

    def make(self) -> None:
        """Make the folders that are written to: data and cache.

        Raises `FolderUnusable` if the disk does not allow it.
        """
        make_folder(self.data)
        make_folder(self.cache)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it that are missing, for the user alone (mode 0700).

    One that is there stays as it is. Raises `FolderUnusable`.
    """
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    try:
        for part in reversed(missing):
            part.mkdir(mode=0o700, exist_ok=True)
        if not folder.is_dir():
            raise NotADirectoryError(None, "a file of that name is in the way")
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise FolderUnusable(
            f"The folder {folder} cannot be used: {reason}.",
            hint=f"Make room for it, or name another folder in {HOME_VARIABLE}.",
        ) from problem


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
