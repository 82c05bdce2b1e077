"""What is done at the service at once: boards themselves and their stages.

The rule it keeps: these are not kept for later. Without a connection they fail in words, and what
the service answers is shown as soon as it is there.
"""

from tui.store.connection import Connection
from tui.store.reloading import Reloading
from tui.store.shelf import Shelf


class DirectCalls:
    """Every method raises `CallboardError` if the service cannot be reached or refuses."""

    def __init__(self, connection: Connection, shelf: Shelf, reloading: Reloading) -> None:
        self._connection = connection
        self._shelf = shelf
        self._reloading = reloading

    async def create_board(self, title: str, description: str, board_type: str) -> int:
        """Make a board; returns its id."""
        remote = await self._connection.required()
        async with self._reloading.board_list:
            board = await remote.create_board(title, description, board_type)
            board_id = int(board["id"])
            await self._shelf.absorb_board_summary(board)
        await self._reloading.reload(board_id)
        return board_id

    async def rename_board(self, board_id: int, title: str) -> None:
        """Rename a board."""
        remote = await self._connection.required()
        async with self._reloading.board_list:
            board = await remote.update_board(board_id, title, None)
            await self._shelf.absorb_board_summary({"id": board_id, "title": board["title"]})
        await self._reloading.reload_frame(board_id)

    async def archive_board(self, board_id: int) -> None:
        """Archive a board."""
        remote = await self._connection.required()
        async with self._reloading.board_list:
            board = await remote.archive_board(board_id)
            archived_at = board.get("archived_at")
            await self._shelf.absorb_board_summary({"id": board_id, "archived_at": archived_at})

    async def restore_board(self, board_id: int) -> None:
        """Bring an archived board back."""
        remote = await self._connection.required()
        async with self._reloading.board_list:
            await remote.restore_board(board_id)
            await self._shelf.absorb_board_summary({"id": board_id, "archived_at": None})

    async def delete_board(self, board_id: int) -> None:
        """Delete a board for good."""
        remote = await self._connection.required()
        async with self._reloading.board_list:
            await remote.delete_board(board_id)
            await self._shelf.forget_board(board_id)

    async def create_stage(self, board_id: int, title: str) -> None:
        """Add a stage at the end of a board."""
        remote = await self._connection.required()
        await remote.create_stage(board_id, title, "open")
        await self._reloading.reload_frame(board_id)

    async def rename_stage(self, board_id: int, stage_id: int, title: str) -> None:
        """Rename a stage."""
        remote = await self._connection.required()
        await remote.update_stage(board_id, stage_id, title)
        await self._reloading.reload_frame(board_id)

    async def archive_stage(self, board_id: int, stage_id: int) -> None:
        """Archive a stage; its tasks leave the board with it."""
        remote = await self._connection.required()
        await remote.archive_stage(board_id, stage_id)
        await self._reloading.reload(board_id)

    async def order_stages(self, board_id: int, stage_ids: list[int]) -> None:
        """Put the stages of a board into this order."""
        remote = await self._connection.required()
        await remote.reposition_stages(board_id, stage_ids)
        await self._reloading.reload_frame(board_id)
