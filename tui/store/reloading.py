"""Asking the service for a whole board, or for the list of boards.

The rule it keeps: a board is asked for by one at a time, and what was touched meanwhile by a
reply is believed more than the list.
"""

import asyncio
from collections import defaultdict

from tui.store.conflicts import Sightings
from tui.store.connection import Connection
from tui.store.health import Health
from tui.store.others import Others
from tui.store.shelf import Shelf


class Reloading:
    """Fetches whole boards and merges them into the truth. Errors are those of the remote."""

    def __init__(
        self,
        shelf: Shelf,
        connection: Connection,
        health: Health,
        sightings: Sightings,
        others: Others,
    ) -> None:
        self._shelf = shelf
        self._connection = connection
        self._health = health
        self._sightings = sightings
        self._others = others
        self._one_list_at_a_time = asyncio.Lock()
        self._one_at_a_time: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def reload(self, board_id: int) -> bool:
        """Fetch a board with all its tasks; says whether it looks different now."""
        remote = await self._connection.required()
        async with self._one_at_a_time[board_id]:
            with self._health.busy(board_id):
                was_known = self._shelf.checked_at(board_id) is not None
                await self._shelf.load(board_id)
                self._shelf.begin_reload(board_id)
                own = self._others.begin_list(board_id)
                frame = await remote.board(board_id)
                tasks = await remote.tasks(board_id)
                different = await self._shelf.absorb_frame(frame)
                absorbed = await self._shelf.absorb_all_tasks(board_id, tasks)
                await self._shelf.note_synced(frame)
                self._sightings.saw_board(board_id)
                different |= absorbed.looks_different
                self._show(board_id, different=different)
                truth = self._shelf.truth(board_id)
                if was_known and truth is not None and absorbed.exchanged:
                    await self._others.tell(truth.view, own, absorbed.exchanged, remote)
            await self._shelf.note_checked(board_id, self._health.answered(board_id))
            return different

    async def reload_frame(self, board_id: int) -> None:
        """Fetch a board with its stages, without the tasks."""
        remote = await self._connection.required()
        frame = await remote.board(board_id)
        self._show(board_id, different=await self._shelf.absorb_frame(frame))

    async def reload_boards(self) -> None:
        """Fetch the list of boards."""
        remote = await self._connection.required()
        async with self._one_list_at_a_time:
            asked_at = self._shelf.revision()
            await self._shelf.absorb_boards(await remote.boards(), asked_at)

    def _show(self, board_id: int, *, different: bool) -> None:
        if different:
            self._shelf.draw(board_id)
            self._shelf.announce(board_id)
