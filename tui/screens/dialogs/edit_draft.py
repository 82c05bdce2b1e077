"""One text that is being written, and what is kept of it.

The rule it keeps: a text as it was at first is no draft; a disk that cannot be written is told
once, and tried again each time.
"""

from tui.drafts import Drafts


class DraftOfOne:
    """What is kept under one key; `original` is the text that writing starts from."""

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
