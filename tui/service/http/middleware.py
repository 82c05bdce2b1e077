"""What every request passes on its way in and out: the log, the pace of its body, the proxy's word.

The log is one JSON object a line on standard error, written when a request's last byte has gone. It
says what was asked and how it went, never with what: no query, no header and no body is ever in it,
so neither passwords nor the keys of webhooks and pictures are. Of a proxy only the nearest is
believed, which is the last to have written into the header.
"""

import asyncio
import json
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tui.service.errors import ServiceError
from tui.service.http.options import Limits

REQUESTS = "callboard.requests"
_LONGEST = 20_000
_LONGEST_PATH = 500
_log = logging.getLogger(REQUESTS)


class JsonFormatter(logging.Formatter):
    """A record as a line of JSON in ASCII; what a record has as `facts` becomes fields of it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "time": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage()[:_LONGEST],
        }
        line |= getattr(record, "facts", {})
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)[-_LONGEST:]
        return json.dumps(line, default=str)


def log_to_stderr() -> None:
    """Send every log of this process to standard error, and nothing anywhere else."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    logging.captureWarnings(capture=True)


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
