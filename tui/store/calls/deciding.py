"""Taking back, doing again, and deciding about what is stuck: the part of the store for these.

The rule it keeps: nothing that a person did is forgotten, or overwritten, without their word.
"""

from tui.store.calls.present_ids import PresentIds
from tui.store.protocol import Resolution


class Deciding(PresentIds):
    """What a person says about changes that were made."""

    async def undo(self, board_id: int, *, even_so: bool = False) -> str | None:
        """Undo the last step on a board; see `tui.store.protocol.Store.undo`."""
        return await self._parts.changes.undo(self._current(board_id), even_so=even_so)

    async def redo(self, board_id: int, *, even_so: bool = False) -> str | None:
        """Redo what was undone last; see `tui.store.protocol.Store.redo`."""
        return await self._parts.changes.redo(self._current(board_id), even_so=even_so)

    async def retry(self, waiting_id: int, *, even_so: bool = False) -> None:
        """Send an operation again; see `tui.store.protocol.Store.retry`."""
        await self._parts.changes.retry(waiting_id, even_so=even_so)

    async def discard(self, waiting_id: int) -> bool:
        """Forget an operation; see `tui.store.protocol.Store.discard`."""
        return await self._parts.changes.discard(waiting_id)

    def depending_on(self, waiting_id: int) -> int:
        """How many operations need what one that waits makes, and go if it is forgotten."""
        entry = self._parts.queue.get(waiting_id)
        return 0 if entry is None else len(self._parts.queue.dependants(entry))

    async def resolve(self, waiting_id: int, how: Resolution, text: str | None = None) -> None:
        """Decide a conflict; see `tui.store.protocol.Store.resolve`."""
        await self._parts.changes.resolve(waiting_id, how, text)
