"""Completion of the paths of pictures, like in a shell.

Folders are read on a thread and up to a limit, so that a huge or unresponsive one does not block
the user.
"""

import os
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from tui.model.picture_names import PICTURE_SUFFIXES
from tui.text.clean import line

_MOST_READ = 20_000
_MOST_SHOWN = 200


class FoundEntry(NamedTuple):
    """A folder, or a picture with its size in bytes; `typed` is the path as a user types it."""

    typed: str
    is_folder: bool
    size: int = 0

    @property
    def label(self) -> str:
        """The file name for display; a folder ends with a slash."""
        name = self.typed.rstrip("/").rpartition("/")[2] or self.typed
        return line(name) + ("/" if self.is_folder else "")


class Found(NamedTuple):
    """The completions of a path; `problem` says why there are none."""

    entries: tuple[FoundEntry, ...] = ()
    problem: str = ""


def find(typed: str) -> Found:
    """The folders and pictures that match a typed path. Blocks: not for the event loop."""
    folder, start = _split(typed)
    where = Path(folder or ".")
    try:
        where = where.expanduser()
        with os.scandir(where) as entries:
            found = [
                entry
                for entry in islice(entries, _MOST_READ)
                if entry.name.lower().startswith(start.lower())
                and (start or not entry.name.startswith("."))
            ]
        listed = [_entry(folder, entry) for entry in found]
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it cannot be read"
        return Found(problem=f"{line(str(where))}: {reason}")
    kept = sorted(
        (entry for entry in listed if entry is not None),
        key=lambda entry: (not entry.is_folder, entry.typed.lower()),
    )
    return Found(tuple(kept[:_MOST_SHOWN]), "" if kept else "no folder or picture begins like that")


def completed(typed: str, entries: tuple[FoundEntry, ...]) -> str:
    """The typed path, extended to the common prefix of the entries."""
    if not entries:
        return typed
    if len(entries) == 1:
        return entries[0].typed
    pairs = enumerate(zip(min(entries).typed, max(entries).typed, strict=False))
    alike = next((index for index, (one, other) in pairs if one != other), len(entries[0].typed))
    return entries[0].typed[:alike] if alike > len(typed) else typed


def _split(typed: str) -> tuple[str, str]:
    """Split a typed path into the folder, with its slash, and the start of a name in it."""
    if typed in ("~", ".", ".."):
        return f"{typed}/", ""
    folder, slash, start = typed.rpartition("/")
    return folder + slash, start


def _entry(folder: str, entry: os.DirEntry[str]) -> FoundEntry | None:
    try:
        if entry.is_dir():
            return FoundEntry(f"{folder}{entry.name}/", is_folder=True)
        if Path(entry.name).suffix.lower() not in PICTURE_SUFFIXES:
            return None
        return FoundEntry(folder + entry.name, is_folder=False, size=entry.stat().st_size)
    except OSError:
        return None
