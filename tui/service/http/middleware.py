"""What every request passes on its way in and out: the log, the pace of its body, the proxy's word.

One line a request is logged, when its last byte has gone. Of a proxy only the nearest is believed,
which is the last to have written into the header.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tui.service.errors import ServiceError
from tui.service.http.limits import Limits
from tui.service.http.logs import REQUESTS

_LONGEST_PATH = 500
_log = logging.getLogger(REQUESTS)


@dataclass(frozen=True, slots=True)
class AccessLog:
    """Logs every request: method, path without its query, status, ms, bytes, account id."""

    app: ASGIApp
    timer: Callable[[], float] = perf_counter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and write its line when it is done."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start = self.timer()
        facts: dict[str, Any] = {
            "method": scope["method"],
            "path": scope["path"][:_LONGEST_PATH],
            "status": 0,
            "ms": 0.0,
            "bytes": 0,
            "account": None,
        }
        state = dict(scope.get("state", {}))
        scope["state"] = state

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                facts["status"] = message["status"]
            facts["bytes"] += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, sending)
        finally:
            facts["ms"] = round((self.timer() - start) * 1000, 1)
            facts["account"] = state.get("account_id")
            _log.info("request", extra={"facts": facts})


@dataclass(frozen=True, slots=True)
class SteadyBody:
    """Refuses, with 408, a body that pauses for too long or comes too slowly on the whole."""

    app: ASGIApp
    limits: Limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; reading its body raises `ServiceError`."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        clock = asyncio.get_running_loop().time
        begun, received = clock(), 0

        async def receiving() -> Message:
            nonlocal received
            deadline = self.limits.body_deadline(begun, clock(), received)
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise ServiceError(408, "too_slow", "The request came too slowly.") from None
            received += len(message.get("body", b""))
            return message

        await self.app(scope, receiving, send)


@dataclass(frozen=True, slots=True)
class NearestProxy:
    """Takes the client's address from the proxy in front."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on as the proxy got it."""
        if scope["type"] == "http":
            client = _last(Headers(scope=scope).getlist("x-forwarded-for"))
            if client:
                scope["client"] = (client, 0)
        await self.app(scope, receive, send)


def _last(values: list[str]) -> str:
    """The last entry of a header that lists them, however often it was sent."""
    return ",".join(values).rpartition(",")[2].strip()
