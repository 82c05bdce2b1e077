"""Drafts: texts still being written, kept on disk until they are submitted.

What was typed is on disk a moment later, and is forgotten only when the store has taken it. A disk
that cannot be written is reported, never at the cost of the text. A draft on a task that had a
local id is found under the id that the task got.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from tui.config.paths import replacing

_LONGEST_NAME = 80
_OTHER = re.compile(r"[^A-Za-z0-9_-]")
_LOCAL_ID = re.compile(r"(?<=-)(-[0-9]+)($|-[a-z]+$)")
_ENDING = ".md"
_MADE = "-made"


class Drafts:
    """Texts by a key such as `description-12`, each in a file of its own, for this person only.

    Without a folder they live as long as the program.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._unwritten: dict[str, str] = {}
        self._ids: dict[int, int] = {}

    def get(self, key: str) -> str | None:
        """The text that was left under a key; None if there is none."""
        key = self._present(key)
        if key not in self._unwritten and self._folder is not None:
            with suppress(OSError):
                return _path(self._folder, key).read_bytes().decode(errors="replace")
        return self._unwritten.get(key)

    def keep(self, key: str, text: str) -> None:
        """Keep a text. Raises `OSError` if it could be kept in memory only."""
        key = self._present(key)
        self._unwritten[key] = text
        if self._folder is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with replacing(_path(self._folder, key)) as file:
            file.write(text.encode(errors="replace"))
        del self._unwritten[key]

    def forget(self, key: str) -> None:
        """The text was handed on, or given up."""
        key = self._present(key)
        for name in (key, f"{key}{_MADE}"):
            self._unwritten.pop(name, None)
            if self._folder is not None:
                with suppress(OSError):
                    _path(self._folder, name).unlink(missing_ok=True)

    def hand_over(self, key: str, made_id: int) -> None:
        """Note that the text is being handed to the store, which makes something of this local id.

        If the program is killed before `forget`, `forget_made` forgets the text where the store
        has it.
        """
        if self._folder is not None:
            with suppress(OSError):
                self.keep(f"{key}{_MADE}", str(made_id))

    def forget_made(self, is_made: Callable[[int], bool]) -> None:
        """Forget the texts that were handed over when the program was killed.

        `is_made` tells whether the store has, or had, something of a local id.
        """
        if self._folder is None:
            return
        for path in list(self._folder.glob(f"*{_MADE}{_ENDING}")):
            key = path.stem.removesuffix(_MADE)
            made_id = self.get(f"{key}{_MADE}") or ""
            if made_id.lstrip("-").isdecimal() and is_made(int(made_id)):
                self.forget(key)
            self.forget(f"{key}{_MADE}")

    def renamed(self, ids: Mapping[int, int]) -> None:
        """What was made here has numbers of the service now: keys with either number are one."""
        new = {old: ids[old] for old in ids if old < 0}
        if not new:
            return
        self._ids |= new
        for key in list(self._unwritten):
            self._unwritten[self._present(key)] = self._unwritten.pop(key)
        if self._folder is not None:
            for path in self._folder.glob(f"*--*{_ENDING}"):
                with suppress(OSError):
                    path.replace(path.with_stem(self._present(path.stem)))

    def _present(self, key: str) -> str:
        """A key with the number that a thing has now."""
        found = _LOCAL_ID.search(key)
        new = self._ids.get(int(found[1])) if found else None
        return key if found is None or new is None else f"{key[: found.start(1)]}{new}{found[2]}"


class DraftOfOne:
    """What is kept under one key; `original` is the text that writing starts from.

    A text as it was at first is no draft. A disk that cannot be written is told once, and tried
    again each time.
    """

    def __init__(self, drafts: Drafts, key: str, original: str) -> None:
        self.key = key
        self.original = original
        self._drafts = drafts
        self._is_told = False

    def text(self) -> str | None:
        """What was left under the key, if it is another text than the original."""
        kept = self._drafts.get(self.key)
        return None if kept == self.original else kept

    def keep(self, text: str) -> str:
        """Keep a text; the reason where the disk cannot be written, told once, else nothing."""
        if text == self.original:
            self._drafts.forget(self.key)
            return ""
        try:
            self._drafts.keep(self.key, text)
        except OSError as problem:
            was_told, self._is_told = self._is_told, True
            return "" if was_told else (problem.strerror or "no reason is known").lower()
        return ""

    def hand_over(self, made_id: int) -> None:
        """Note that it is being handed to the store; see `Drafts.hand_over`."""
        self._drafts.hand_over(self.key, made_id)

    def forget(self) -> None:
        """It was handed over, or given up."""
        self._drafts.forget(self.key)


def _path(folder: Path, key: str) -> Path:
    """The file of a key, whatever is in it; no other key has the same."""
    name = _OTHER.sub("_", key)[:_LONGEST_NAME]
    if name != key:
        from hashlib import blake2s

        name += f".{blake2s(key.encode(errors='replace'), digest_size=8).hexdigest()}"
    return folder / f"{name}{_ENDING}"
