"""Drafts: texts being written, on disk until they are submitted.

Text is on disk a moment after it was typed, and removed only when the store has taken it. A disk
error is reported, and the text stays in memory. A draft of a task with a local id is found under
the assigned id too.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from tui.config.paths import write_file

_LONGEST_NAME = 80
_LOCAL_ID = r"(?<=-)-[0-9]+(?=$|-[a-z]+$)"
_ENDING = ".md"
_MADE = "-made"


class Drafts:
    """Texts by keys such as `description-12`, each in a file readable by the user only.

    Without a folder they are in memory.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._unwritten: dict[str, str] = {}
        self._ids: dict[int, int] = {}

    def get(self, key: str) -> str | None:
        key = self._present(key)
        if key not in self._unwritten and self._folder is not None:
            with suppress(OSError):
                return _path(self._folder, key).read_bytes().decode(errors="replace")
        return self._unwritten.get(key)

    def keep(self, key: str, text: str) -> None:
        """Store a draft. Raises `OSError` if it is stored in memory only."""
        key = self._present(key)
        # In memory until the file is written, so that a disk error loses nothing.
        self._unwritten[key] = text
        if self._folder is not None:
            write_file(_path(self._folder, key), text.encode(errors="replace"))
            del self._unwritten[key]

    def forget(self, key: str) -> None:
        key = self._present(key)
        for name in (key, f"{key}{_MADE}"):
            self._unwritten.pop(name, None)
            if self._folder is not None:
                with suppress(OSError):
                    _path(self._folder, name).unlink(missing_ok=True)

    def hand_over(self, key: str, made_id: int) -> None:
        """Record that the draft is being submitted, creating something with this local id.

        If the program is killed before `forget`, `forget_made` removes the draft if the store has
        it.
        """
        if self._folder is not None:
            with suppress(OSError):
                self.keep(f"{key}{_MADE}", str(made_id))

    def forget_made(self, is_made: Callable[[int], bool]) -> None:
        """Remove drafts that were submitted when the program was killed.

        `is_made` says whether the store has, or had, something with a local id.
        """
        if self._folder is None:
            return
        for path in list(self._folder.glob(f"*{_MADE}{_ENDING}")):
            key = path.stem.removesuffix(_MADE)
            made_id = self.get(f"{key}{_MADE}") or ""
            # Without a match the text was never submitted: only the mark goes.
            if made_id.lstrip("-").isdecimal() and is_made(int(made_id)):
                self.forget(key)
            self.forget(f"{key}{_MADE}")

    def renamed(self, ids: Mapping[int, int]) -> None:
        """Local ids were assigned real ones: keys with either are the same."""
        assigned = {old: ids[old] for old in ids if old < 0}
        if not assigned:
            return
        self._ids |= assigned
        for key in list(self._unwritten):
            self._unwritten[self._present(key)] = self._unwritten.pop(key)
        if self._folder is not None:
            # A local id is negative, so its key has two dashes.
            for path in self._folder.glob(f"*--*{_ENDING}"):
                with suppress(OSError):
                    path.replace(path.with_stem(self._present(path.stem)))

    def _present(self, key: str) -> str:
        return re.sub(_LOCAL_ID, lambda id_: str(self._ids.get(int(id_[0]), id_[0])), key)


def _path(folder: Path, key: str) -> Path:
    name = re.sub(r"[^A-Za-z0-9_-]", "_", key)[:_LONGEST_NAME]
    # Keys may become equal when characters are replaced or cut off; the hash tells them apart.
    if name != key:
        from hashlib import blake2s

        name += f".{blake2s(key.encode(errors='replace'), digest_size=8).hexdigest()}"
    return folder / f"{name}{_ENDING}"


class DraftOfOne:
    """The draft of one key; `original` is the text before editing.

    A text equal to the original is no draft. A disk error is reported once, and retried each time.
    """

    def __init__(self, drafts: Drafts, key: str, original: str) -> None:
        self.key = key
        self.original = original
        self._drafts = drafts
        self._has_failed = False

    def text(self) -> str | None:
        """The draft, if it differs from the original."""
        text = self._drafts.get(self.key)
        return None if text == self.original else text

    def keep(self, text: str) -> str:
        """Store a text; returns the disk error the first time, else nothing."""
        if text == self.original:
            self._drafts.forget(self.key)
            return ""
        try:
            self._drafts.keep(self.key, text)
        except OSError as error:
            if not self._has_failed:
                self._has_failed = True
                return (error.strerror or "unknown reason").lower()
        return ""

    def hand_over(self, made_id: int) -> None:
        self._drafts.hand_over(self.key, made_id)

    def forget(self) -> None:
        self._drafts.forget(self.key)
