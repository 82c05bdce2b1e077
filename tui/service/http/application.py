"""The application that is served: the service, its health and its description.

Health and description need no account and tell nothing about anybody.
"""

import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from tui.service.accounts.throttle import Throttle
from tui.service.application import create_application
from tui.service.attachments import Attachments
from tui.service.context import EMBEDDED_URL
from tui.service.database.base import Database
from tui.service.database.schema import MIGRATIONS
from tui.service.databases import attachments_of, open_at
from tui.service.http.middleware import AccessLog, NearestProxy, SteadyBody, log_to_stderr
from tui.service.http.openapi import openapi_document
from tui.service.http.options import Limits, Options, read_mail_settings
from tui.service.mail.mail import MailQueue
from tui.service.mail.smtp import SmtpSender
from tui.service.requests.replies import Json, RawJson, guarded, refuse_route


@dataclass(frozen=True, slots=True)
class ServerApplication:
    """Makes the application in the process that serves it; it can be sent to another process."""

    options: Options
    base_url: str

    def __call__(self) -> Starlette:
        """Open the database and put everything together. Raises `CallboardError`."""
        log_to_stderr()
        _keep_pauses_short()
        setting = self.options.database
        return served(
            open_at(setting),
            attachments_of(setting, self.options.attachments),
            base_url=self.base_url,
            behind_proxy=self.options.behind_proxy,
            mail=_mail_queue(self.options.mail),
            limits=self.options.limits,
        )


def _keep_pauses_short() -> None:
    """Let short requests be answered beside one that reads a long text.

    Collecting garbage stops every thread for 50 ms where a text has a hundred thousand elements,
    so it is done less often; and a thread that computes lets others in after 1 ms instead of 5.
    """
    gc.freeze()
    gc.set_threshold(2_000, 10, 500)
    sys.setswitchinterval(0.001)


def _mail_queue(file: Path | None) -> MailQueue | None:
    """Who sends the e-mails; None where none are to be sent."""
    return None if file is None else MailQueue(SmtpSender(read_mail_settings(file)))


def served(
    database: Database,
    attachments: Attachments | None = None,
    *,
    base_url: str = EMBEDDED_URL,
    behind_proxy: bool = False,
    throttle: Throttle | None = None,
    mail: MailQueue | None = None,
    limits: Limits = Limits(),  # noqa: B008 - it is frozen
) -> Starlette:
    """The application over an open database, which it closes when it ends; `mail` likewise.

    Beside the service it answers `/health` and `/openapi.json`. Links in replies begin with
    `base_url`. Requests run on threads.
    """
    service = create_application(
        database,
        attachments=attachments,
        mail=mail,
        throttle=throttle or Throttle(),
        base_url=base_url,
        threads=True,
    )

    @asynccontextmanager
    async def lifespan(_application: Starlette) -> AsyncIterator[None]:
        yield
        if mail is not None:
            await run_in_threadpool(mail.close)
        await run_in_threadpool(database.close)

    async def health(_request: Request) -> Response:
        await run_in_threadpool(_ask, database)
        return Json({"status": "ok", "schema_version": len(MIGRATIONS)})

    async def describe(_request: Request) -> Response:
        return Json(_description())

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
    return RawJson(bytes(Json(openapi_document()).body).decode())


def _ask(database: Database) -> None:
    """Raises `ServiceError` when the database does not answer."""
    with database.transaction(writing=False) as db:
        db.value("select count(*) from service_key")
