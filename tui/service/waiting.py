"""Requests that wait: for a change of their board, or for their turn to write to it.

None of them holds a thread or a connection to the database. A wait for a change ends when the
client disconnects or the server stops; before it is answered the whole request runs again,
including the check of its account.

The database lets the writers of a board in one after another. If all that wait for one did so
there, they would take every thread and every connection of the process, and readers of other
boards would wait with them. So here only the next writer of a board goes to the database, while
those before it wait for the disk, and only so many of all boards, fewer than there are connections.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakValueDictionary

from starlette.requests import Request
from starlette.responses import Response

from tui.service.database.base import Step
from tui.service.database.waiters import Waiter, Waiters
from tui.service.errors import BUSY, ServiceError
from tui.service.requests.replies import json_reply

WAIT = "wait"
"""The name of the query parameter."""
_WRITERS = 6
_PATIENCE_SECONDS = 10.0


class Unchanged(Exception):
    """Nothing has changed yet: answer `document` if that is so for so many seconds."""

    def __init__(self, document: dict[str, Any], seconds: int) -> None:
        super().__init__()
        self.document = document
        self.seconds = seconds


async def when_changed(
    waiters: Waiters, request: Request, reply: Callable[[], Awaitable[Response]]
) -> Response:
    """The result of `reply`, which is tried again at every change while it raises `Unchanged`.

    It is tried once more at the end of the time, as the account may have lost its rights.
    `waits_for_change` is set in the request's state while it waits.
    """
    loop = asyncio.get_running_loop()
    begun = loop.time()
    with waiters.registered(request.path_params["board_id"]) as waiter:
        end: asyncio.Task[None] | None = None
        is_over = False
        try:
            while True:
                try:
                    return await reply()
                except Unchanged as unchanged:
                    document, until = unchanged.document, begun + unchanged.seconds
                if is_over:
                    return json_reply(document)
                end = end or asyncio.create_task(_wake_at_end(request, waiter))
                request.state.waits_for_change = True
                # A request that registers after the end of the waiters is not woken any more.
                is_over = waiters.is_closed or not await waiter.woken(until)
                request.state.waits_for_change = False
                if waiters.is_closed or end.done():
                    return json_reply(document)
        finally:
            if end is not None:
                end.cancel()


async def _wake_at_end(request: Request, waiter: Waiter) -> None:
    # The body has been read, so what comes next is the end of the connection.
    if (await request.receive())["type"] == "http.disconnect":
        waiter.wake()


class Turns:
    """The writers of a process, on one event loop."""

    def __init__(self) -> None:
        self._boards: WeakValueDictionary[int | None, asyncio.Lock] = WeakValueDictionary()
        self._writers = asyncio.Semaphore(_WRITERS)

    @asynccontextmanager
    async def taken(self, board_id: int | None) -> AsyncIterator[Step]:
        """Hold the turn to write to a board, or to several for None. Raises `ServiceError` 503.

        The result ends the turn early, so that the next writer of the board begins; it may be
        called on any thread.
        """
        loop = asyncio.get_running_loop()
        # A lock exists for as long as somebody holds or awaits it: this name keeps it.
        board = self._boards.setdefault(board_id, asyncio.Lock())
        try:
            # The board comes first: who waits for it takes no place among the writers.
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await board.acquire()
        except TimeoutError:
            message = "Others are writing to the board; nothing was changed. Try again."
            raise ServiceError(503, BUSY, message) from None
        is_taken = True

        def end() -> None:
            # Once: the request ends its turn in any case, also after it was ended early.
            nonlocal is_taken
            if is_taken:
                is_taken = False
                board.release()

        def end_soon() -> None:
            # The locks of asyncio may only be used on their loop.
            loop.call_soon_threadsafe(end)

        try:
            async with self._writers:
                yield end_soon
        finally:
            end()
