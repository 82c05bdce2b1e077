"""The served application: the service, its health and its description.

Health and description need no account and contain nothing about users. Every request passes the
access log, the body limits and the proxy handling. The log is one JSON object a line on standard
error, written when a request is complete. It never contains queries, headers or bodies, so neither
passwords nor the keys of webhooks and pictures. Only the nearest proxy is trusted, which is the
last to have written into the header.
"""

import asyncio
import gc
import json
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from time import perf_counter
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tui.service.accounts.auth import Throttle
from tui.service.application import create_application
from tui.service.attachments import Attachments
from tui.service.call import EMBEDDED_URL
from tui.service.database.base import Database
from tui.service.database.schema import MIGRATIONS
from tui.service.databases import attachments_of, open_at
from tui.service.errors import ServiceError
from tui.service.http.openapi import openapi_document
from tui.service.http.options import Limits, Options, read_mail_settings
from tui.service.mail import MailQueue
from tui.service.requests.replies import RawJson, guarded, json_reply, refuse_route
from tui.service.smtp import SmtpSender
from tui.service.tables.loose_boards import remove_left
from tui.service.times import utc_now

REQUESTS = "callboard.requests"
WAITERS = "waiters"
"""The name of the requests that wait, in the state of the server."""
_LONGEST = 20_000
_LONGEST_PATH = 500
_log = logging.getLogger(REQUESTS)


class JsonFormatter(logging.Formatter):
    """A log record as a line of JSON in ASCII; its `facts` become fields."""

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
    """Send every log of this process to standard error only."""
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
        """Handle a request, and log it when it is complete."""
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
        # Held here, since the handler notes the account in it.
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
    """Refuses, with 408, a body that pauses for too long or is too slow on average."""

    app: ASGIApp
    limits: Limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request; reading its body may raise `ServiceError`."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        clock = asyncio.get_running_loop().time
        begun, received, is_whole = clock(), 0, False

        async def receiving() -> Message:
            nonlocal received, is_whole
            if is_whole:
                # After the body it waits for the end of the connection, which may take as long as
                # the reply.
                return await receive()
            deadline = self.limits.body_deadline(begun, clock(), received)
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise ServiceError(408, "too_slow", "The request came too slowly.") from None
            received += len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            return message

        await self.app(scope, receiving, send)


@dataclass(frozen=True, slots=True)
class NearestProxy:
    """Takes the client's address from the proxy's header."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request with the client's address."""
        if scope["type"] == "http":
            # The header may be sent several times; the last entry is the nearest proxy's.
            hops = ",".join(Headers(scope=scope).getlist("x-forwarded-for"))
            if client := hops.rpartition(",")[2].strip():
                scope["client"] = (client, 0)
        await self.app(scope, receive, send)


@dataclass(frozen=True, slots=True)
class ServerApplication:
    """Creates the application in the process that serves it; can be pickled."""

    options: Options
    base_url: str

    def __call__(self) -> Starlette:
        """Open the database and create the application. Raises `CallboardError`."""
        log_to_stderr()
        # Collecting garbage stops every thread for 50 ms with a hundred thousand elements, so it
        # runs less often; and a thread that computes yields after 1 ms instead of 5.
        gc.freeze()
        gc.set_threshold(2_000, 10, 500)
        sys.setswitchinterval(0.001)
        setting, mail = self.options.database, self.options.mail
        database = open_at(setting)
        database.on_gone = self._end
        remove_left(database, utc_now())
        return served(
            database,
            attachments_of(setting, self.options.attachments),
            base_url=self.base_url,
            behind_proxy=self.options.behind_proxy,
            mail=None if mail is None else MailQueue(SmtpSender(read_mail_settings(mail))),
            limits=self.options.limits,
        )

    def _end(self) -> None:
        # With several processes the one that started them ends, and says why.
        _log.error("the board file was deleted or replaced")
        os.kill(os.getppid() if self.options.workers > 1 else os.getpid(), signal.SIGTERM)


def served(
    database: Database,
    attachments: Attachments | None = None,
    *,
    base_url: str = EMBEDDED_URL,
    behind_proxy: bool = False,
    mail: MailQueue | None = None,
    limits: Limits = Limits(),  # noqa: B008 - it is frozen
) -> Starlette:
    """The application on an open database, which it closes at its end, as it does `mail`.

    It adds `/health` and `/openapi.json` to the service. Links in replies begin with `base_url`.
    Requests run on threads.
    """
    service = create_application(
        database,
        attachments=attachments,
        mail=mail,
        throttle=Throttle(),
        base_url=base_url,
        threads=True,
    )

    @asynccontextmanager
    async def lifespan(_application: Starlette) -> AsyncIterator[dict[str, object]]:
        yield {WAITERS: database.waiters}
        if mail is not None:
            await run_in_threadpool(mail.close)
        await run_in_threadpool(database.close)

    async def health(_request: Request) -> Response:
        await run_in_threadpool(database.rows, "select count(*) from service_key")
        return json_reply({"status": "ok", "schema_version": len(MIGRATIONS)})

    async def describe(_request: Request) -> Response:
        return json_reply(_description())

    middleware = [Middleware(AccessLog), Middleware(SteadyBody, limits)]
    if behind_proxy:
        middleware.insert(0, Middleware(NearestProxy))
    return Starlette(
        routes=[
            Route("/health", guarded("health", health), methods=["GET"]),
            Route("/openapi.json", guarded("openapi", describe), methods=["GET"]),
            Mount("/", app=service),
        ],
        middleware=middleware,
        lifespan=lifespan,
        exception_handlers={404: refuse_route, 405: refuse_route},
    )


@cache
def _description() -> RawJson:
    return RawJson(bytes(json_reply(openapi_document()).body).decode())
