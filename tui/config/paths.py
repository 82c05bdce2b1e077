"""The folders for settings, data and cache, small files in them, and the login of their user.

The folders are the system's usual ones; `CALLBOARD_HOME` puts all three below one. They are created
when needed. Folders and files are private to their owner.
"""

import errno
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from tui.errors import CallboardError, reason_of

T = TypeVar("T")

HOME_VARIABLE = "CALLBOARD_HOME"
_NAME = "callboard"
_IS_LINUX = sys.platform.startswith("linux")
_XDG = {
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_CACHE_HOME": ".cache",
}
"""The variables for the folders, and their defaults below the home folder."""


def system_login() -> str:
    """The login of the user of this machine, which is that at the embedded service."""
    return os.environ.get("LOGNAME") or os.environ.get("USER") or "me"


class FolderUnusable(CallboardError):
    """A folder cannot be created; the message says which and why."""


class Places(NamedTuple):
    """The folders for settings, for boards and pending changes, and for caches."""

    config: Path
    data: Path
    cache: Path

    @classmethod
    def find(cls, environment: Mapping[str, str] = os.environ) -> "Places":
        """The folders of the user with this environment; nothing is created."""
        home = environment.get(HOME_VARIABLE, "").strip()
        if home:
            folder = Path(home).expanduser().absolute()
            return cls(folder / "config", folder / "data", folder / "cache")
        if _IS_LINUX:  # as platformdirs, which takes long to import
            configured = [Path(os.environ.get(name, "")) for name in _XDG]
            usual = [Path.home() / folder for folder in _XDG.values()]
            # By the XDG specification a relative path is invalid and ignored.
            bases = [
                path if path.is_absolute() else fallback
                for path, fallback in zip(configured, usual, strict=True)
            ]
            return cls(*(base / _NAME for base in bases))
        from platformdirs import PlatformDirs

        folders = PlatformDirs(_NAME, appauthor=False)
        return cls(folders.user_config_path, folders.user_data_path, folders.user_cache_path)

    @property
    def settings(self) -> Path:
        return self.config / "config.toml"

    @property
    def boards(self) -> Path:
        """The database file of the embedded service."""
        return self.data / "boards.sqlite3"

    @property
    def last_frame(self) -> Path:
        """What was on the screen last, see `tui.runtime.last_frame`."""
        return self.cache / "last-frame"

    def make(self) -> None:
        """Create the data and cache folders. Raises `FolderUnusable` if that fails."""
        make_folder(self.data)
        make_folder(self.cache)


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents, private to the user (mode 0700).

    An existing one is unchanged. Raises `FolderUnusable`.
    """
    try:
        # One by one: with `parents=True` only the last one would get the mode.
        missing = [part for part in (folder, *folder.parents) if not part.exists()]
        for part in reversed(missing):
            part.mkdir(mode=0o700, exist_ok=True)
        if not folder.is_dir():
            raise NotADirectoryError(None, "a file with that name is in the way")
    except OSError as error:
        raise FolderUnusable(
            f"The folder {folder} cannot be used: {reason_of(error)}.",
            hint=f"{_remedy(error)}, or set another folder in {HOME_VARIABLE}.",
        ) from error


def _remedy(error: OSError) -> str:
    is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return "Free some disk space" if is_full else "Check that you may write there"


def remove_folder(folder: Path) -> None:
    """Remove a folder with its content, even while others read it or write to it.

    It is renamed first, so that nothing is added to it any more: SQLite makes files beside those
    that it reads. What is left after an error is removed the next time. Raises `OSError`.
    """
    import shutil

    renamed = folder.with_name(f".{folder.name}")
    try:
        if renamed.exists():
            shutil.rmtree(renamed)
        if folder.exists():
            folder.rename(renamed)
            shutil.rmtree(renamed)
    except OSError as error:  # its own path may be relative to the folder
        raise OSError(error.errno, error.strerror, str(renamed)) from error


def write_file(path: Path, content: bytes, *, mode: int = 0o600, is_durable: bool = False) -> None:
    """Write a file for the user alone, and its folder if it is missing.

    Missing folders above that one get the usual permissions; `make_folder` makes them private.
    It replaces the one at `path` when it is complete, if `is_durable` also on the disk. Raises
    `OSError`; then the old file is unchanged, and no other is left.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        # A killed program with the same id may have left one. It is created exclusively, so that a
        # link planted in its place is not followed.
        beside.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with os.fdopen(os.open(beside, flags, 0o600), "wb") as file:
            # Unlike the mode of `open`, this one is not reduced by the umask.
            os.fchmod(file.fileno(), mode)
            file.write(content)
            if is_durable:
                file.flush()
                os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


class JsonFile:
    """A JSON object in a file, or in memory without a path; for data that may be lost.

    A missing, unreadable or damaged file counts as empty, and failing to write it is no error: the
    values are written with the next change.
    """

    def __init__(self, path: Path | None) -> None:
        self.values: dict[str, Any] = {}
        self._path = path
        self._is_unwritten = False
        self.read()

    def read(self) -> None:
        """Read the values, which another program may have written, before a change of some."""
        # Values that could not be written yet are newer than the file.
        if self._path is not None and not self._is_unwritten:
            with suppress(OSError, ValueError, RecursionError):
                values = json.loads(self._path.read_bytes())
                self.values = values if isinstance(values, dict) else self.values

    def get(self, name: str, default: T) -> T:
        """A value, or the default if there is none of its type."""
        value = self.values.get(name)
        return value if isinstance(value, type(default)) else default

    def write(self) -> None:
        if self._path is not None:
            self._is_unwritten = True
            with suppress(OSError):
                write_file(self._path, json.dumps(self.values).encode())
                self._is_unwritten = False
