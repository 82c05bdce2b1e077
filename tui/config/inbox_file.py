"""The inbox of a profile in a file of its own, which several programs may write."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tui.config.paths import JsonFile

if TYPE_CHECKING:
    from tui.model.work.inbox import Inbox


class InboxFile:
    """Reads and changes the inbox; in memory without a path.

    What an inbox consists of is imported when it is first read: no first screen needs it.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._file: JsonFile | None = None
        self._inbox: Inbox | None = None
        self._values: dict[str, Any] | None = None

    def read(self) -> "Inbox":
        """The inbox as it is stored now, perhaps by another program."""
        from tui.model.work.inbox_tables import inbox_of

        if self._file is None:
            self._file = JsonFile(self._path)
        else:
            self._file.read()
        if self._inbox is None or self._file.values != self._values:
            self._values = self._file.values
            self._inbox = inbox_of(self._file.values)
        return self._inbox

    def change(self, change: "Callable[[Inbox], Inbox]") -> "Inbox":
        """Change the inbox; nothing is written if the result is the same object."""
        from tui.model.work.inbox_tables import values_of

        inbox = self.read()
        changed = change(inbox)
        if changed is not inbox and self._file is not None:
            self._inbox, self._values = changed, values_of(changed)
            self._file.values = self._values
            self._file.write()
        return changed
