"""Asking whether a board has changed, where services can tell.

The rule it keeps: a service that knows no such question is asked once. Deployed services see
neither deletions nor labels nor members, so a whole reload now and then stays due.
"""

from tui.api.boards import Boards, Changes
from tui.api.dialect.capabilities import Feature
from tui.api.dialect.memory import Memory
from tui.api.errors import NotOffered


class ChangeNews:
    """Asks `has-data-changed`, which is not in the specification."""

    def __init__(self, boards: Boards, memory: Memory) -> None:
        self._boards = boards
        self._memory = memory

    async def has_changed(self, board_id: int, since: str) -> bool | None:
        """Whether a board changed since a `synced_at`; None if the service cannot tell.

        Raises `ServerFault` where `since` is older than a day.
        """
        changes = await self._ask(board_id, since)
        if changes is None:
            return None
        return True if changes.must_reload else changes.has_changes

    async def time_of_asking(self, board_id: int, since: str) -> str:
        """The service's own time now, to ask from later; empty where it names none.

        Raises `ServerFault` where `since` is older than a day.
        """
        changes = await self._ask(board_id, since)
        return (changes.synced_at if changes else None) or ""

    async def _ask(self, board_id: int, since: str) -> Changes | None:
        if self._memory.capabilities.offers(Feature.CHANGE_NEWS) is False:
            return None
        try:
            changes = await self._boards.has_data_changed(board_id, since)
        except NotOffered:
            return None
        self._memory.learn_features({Feature.CHANGE_NEWS: True})
        return changes
