"""The turns of writers, who wait for each other without holding a thread or a connection.

The database lets the writers of a board in one after another. If all that wait for one did so
there, they would take every thread and every connection of the process, and readers of other
boards would wait with them. So here only the next writer of a board goes to the database, and only
so many of all boards, fewer than there are connections.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from tui.service.errors import ServiceError

_WRITERS = 6
_PATIENCE_SECONDS = 10.0


class Turns:
    """The writers of a process, on one event loop."""

    def __init__(self) -> None:
        self._boards: WeakValueDictionary[int | None, asyncio.Lock] = WeakValueDictionary()
        self._writers = asyncio.Semaphore(_WRITERS)

    @asynccontextmanager
    async def taken(self, board_id: int | None) -> AsyncIterator[None]:
        """The turn to write to a board, or to several for None. Raises `ServiceError` 503."""
        board = self._boards.setdefault(board_id, asyncio.Lock())
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await board.acquire()
        except TimeoutError:
            message = "Others are writing to the board; nothing was changed. Try again."
            raise ServiceError(503, "busy", message) from None
        try:
            async with self._writers:
                yield
        finally:
            board.release()
