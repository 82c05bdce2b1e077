"""The service as an ASGI application.

The rule it keeps: every request is authenticated first and answered in one transaction; every
refusal and every fault has the one shape of errors, and no traceback ever leaves in a body. The
handlers block, so whoever runs the application gives it a thread of its own.
"""

import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route as StarletteRoute, Router

from tui.service.accounts import role_on
from tui.service.auth import Authenticator, LocalSession
from tui.service.call import Body, Call, Document, Route
from tui.service.changes import touch
from tui.service.database import Database
from tui.service.errors import ServiceError, forbidden, missing, no_route
from tui.service.found import board_of
from tui.service.routes import ROUTES
from tui.service.times import Clock, Site, utc_now
from tui.service.values import LARGEST_ID

VERSION_PATH = "/v2"
LARGEST_BODY = 16 * 1024 * 1024

_log = logging.getLogger(__name__)


def create_application(
    database: Database,
    *,
    clock: Clock = utc_now,
    zone: tzinfo | None = None,
    session: LocalSession | None = None,
) -> Starlette:
    """The application over an open database, its endpoints under `/v2`.

    `clock` says what time it is and `zone` is the site's (None: the machine's). With a `session`
    this process may act as one account with a password that is in memory only.
    """
    service = _Service(database, Site(clock, zone), Authenticator(database, session))
    router = Router([_endpoint(service, route) for route in ROUTES], redirect_slashes=False)
    return Starlette(
        routes=[Mount(VERSION_PATH, app=router)],
        exception_handlers={404: _no_route, 405: _no_route},
    )


class _Json(JSONResponse):
    """JSON in ASCII, so that no character in it can fail to be encoded."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, separators=(",", ":")).encode()


@dataclass(frozen=True, slots=True)
class _Service:
    """Answers requests for one database."""

    database: Database
    site: Site
    authenticator: Authenticator

    def answer(self, route: Route, request: Request, raw: bytes) -> Document:
        """Authenticate, check the caller's role, and let the route's handler answer."""
        user = self.authenticator.account(request.headers.get("authorization"))
        ids = _path_ids(request)
        is_writing = route.method != "GET"
        with self.database.transaction(writing=is_writing) as db:
            call = Call(
                db=db,
                site=self.site,
                user=user,
                now=self.site.now(),
                ids=ids,
                query=request.query_params,
                address=str(request.url.replace(query="", fragment="")),
            )
            _check_role(call, route)
            call.body = Body.parse(raw)
            document = route.handler(call)
            if is_writing and "board_id" in ids:
                touch(call, call.board_id)
        return document


def _path_ids(request: Request) -> dict[str, int]:
    """The ids of the path; one that no database could hold is as missing as any other."""
    ids = {name: int(value) for name, value in request.path_params.items()}
    for name, value in ids.items():
        if value > LARGEST_ID:
            raise missing(name.removesuffix("_id"))
    return ids


def _check_role(call: Call, route: Route) -> None:
    """Raises 404 when the path's board does not exist, 403 when the caller may not do this."""
    if route.role is None:
        return
    board_of(call)
    role = role_on(call.db, call.board_id, call.user)
    if role is None or role < route.role:
        raise forbidden()


def _endpoint(service: _Service, route: Route) -> StarletteRoute:
    async def respond(request: Request) -> Response:
        try:
            raw = await _read_body(request)
            return _Json(service.answer(route, request, raw), route.status)
        except ServiceError as refusal:
            return _Json(refusal.document(), refusal.status)
        except Exception:  # noqa: BLE001 - whatever went wrong, the reply is JSON without a traceback
            _log.exception("%s %s failed", route.method, route.path)
            fault = ServiceError(500, "internal_server_error", "The service failed; see its log.")
            return _Json(fault.document(), fault.status)

    endpoint: Callable[[Request], Awaitable[Response]] = respond
    return StarletteRoute(route.path, endpoint, methods=[route.method])


async def _read_body(request: Request) -> bytes:
    """The request's body, up to a limit. Raises 413 beyond it."""
    raw = bytearray()
    async for part in request.stream():
        raw += part
        if len(raw) > LARGEST_BODY:
            raise ServiceError(413, "too_large", "The request is too large.")
    return bytes(raw)


async def _no_route(_request: Request, _error: Exception) -> Response:
    refusal = no_route()
    return _Json(refusal.document(), refusal.status)
