"""A way to an application in this process that needs neither threads nor tasks."""

from collections.abc import Coroutine
from contextvars import ContextVar
from typing import Any, TypeVar

import httpx
from starlette.types import ASGIApp, Message

from tui.client.http.inprocess import scope

T = TypeVar("T")
REPLAYED: ContextVar[list[str] | None] = ContextVar("REPLAYED", default=None)
"""Takes the paths of requests in this context that were answered with a kept reply."""
_KEY_HEADER = "idempotency-key"
_REPLAYED_HEADER = "idempotent-replayed"
_FEATURES_HEADER = "callboard-features"


class InLoop(httpx.AsyncBaseTransport):
    """Carries requests to an application on the loop of whoever asks.

    A service that does not keep replies neither sees keys nor announces that it takes them.
    """

    def __init__(self, application: ASGIApp, *, keeps_replies: bool) -> None:
        self._application = application
        self._keeps_replies = keeps_replies

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if not self._keeps_replies:
            request.headers.pop(_KEY_HEADER, None)
        sent: list[Message] = []

        async def receive() -> Message:
            body = await request.aread()
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await self._application(scope(request), receive, send)
        response = httpx.Response(
            sent[0]["status"],
            headers=sent[0]["headers"],
            content=b"".join(part.get("body", b"") for part in sent[1:]),
            request=request,
        )
        replayed = REPLAYED.get()
        if replayed is not None and _REPLAYED_HEADER in response.headers:
            replayed.append(request.url.path)
        if not self._keeps_replies:
            response.headers.pop(_FEATURES_HEADER, None)
        return response


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """The result of what never waits for anything, but may let others go first."""
    try:
        while work.send(None) is None:
            pass
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError(f"{work} waits, but nothing it waits for can come outside of a loop")
