"""Boards and their stages, asked for by name: the part of the store that changes these.

The rule it keeps: whoever speaks of a thing by the local id it had is understood.
"""

from tui.store.calls.board_changes import BoardChanges
from tui.store.calls.present_ids import PresentIds


class BoardCalls(PresentIds):
    """Changes of boards and stages; each waits, is sent and taken back like every other."""

    _boards: BoardChanges

    async def create_board(self, title: str, description: str = "") -> int:
        """Make a board; returns its id, a local one until the service has it."""
        return await self._boards.create_board(title, description)

    async def rename_board(self, board_id: int, title: str) -> None:
        """Rename a board."""
        await self._boards.rename_board(self._current(board_id), title)

    async def archive_board(self, board_id: int) -> None:
        """Archive a board."""
        await self._boards.archive_board(self._current(board_id))

    async def restore_board(self, board_id: int) -> None:
        """Bring an archived board back."""
        await self._boards.restore_board(self._current(board_id))

    async def delete_board(self, board_id: int) -> None:
        """Delete a board for good."""
        await self._boards.delete_board(self._current(board_id))

    async def create_stage(self, board_id: int, title: str) -> None:
        """Add a stage at the end of a board."""
        await self._boards.create_stage(self._current(board_id), title)

    async def rename_stage(self, board_id: int, stage_id: int, title: str) -> None:
        """Rename a stage."""
        await self._boards.rename_stage(self._current(board_id), self._current(stage_id), title)

    async def archive_stage(self, board_id: int, stage_id: int) -> None:
        """Archive a stage with its tasks."""
        await self._boards.archive_stage(self._current(board_id), self._current(stage_id))

    async def order_stages(self, board_id: int, stage_ids: list[int]) -> None:
        """Put the stages of a board into this order."""
        await self._boards.order_stages(
            self._current(board_id), [self._current(stage_id) for stage_id in stage_ids]
        )
