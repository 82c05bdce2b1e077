"""The folders for settings, data and cache.

Each is where the system wants it; `CALLBOARD_HOME` puts all three below one folder. A folder is
made when something is put into it, for its owner alone.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

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
