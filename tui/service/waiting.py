"""Requests that are answered as soon as their board changes, or at the end of a time.

A request that waits holds neither a thread nor a transaction. It ends with its connection, and with
the server. Before it is answered it is looked at whole again, with its account.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tui.service.database.waiters import Waiter, Waiters
from tui.service.requests.replies import json_reply

WAIT = "wait"
"""The name of the query parameter."""


class Unchanged(Exception):
    """There is nothing to tell yet: answer `document` after so many seconds."""

    def __init__(self, document: dict[str, Any], seconds: int) -> None:
        super().__init__()
        self.document = document
        self.seconds = seconds


async def when_changed(
    waiters: Waiters, request: Request, reply: Callable[[], Awaitable[Response]]
) -> Response:
    """The result of `reply`, which is tried again at every change while it raises `Unchanged`.

    It is tried at the end of the time too, as its account may have lost its rights. While it waits,
    the request's state says so: `waits_for_change`.
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
                is_over = waiters.is_closed or not await waiter.woken(until)
                request.state.waits_for_change = False
                if waiters.is_closed or end.done():
                    return json_reply(document)
        finally:
            if end is not None:
                end.cancel()


async def _wake_at_end(request: Request, waiter: Waiter) -> None:
    if (await request.receive())["type"] == "http.disconnect":
        waiter.wake()
