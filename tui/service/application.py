"""The service as an ASGI application.

Every request below the base URL is authenticated and runs in one transaction; only signed pictures
and the webhook address, which carry keys of their own, need no account. Handlers block, so the
application runs them on threads, or has a thread of its own.
"""

import asyncio
import ipaddress
from collections.abc import Callable
from datetime import tzinfo
from functools import partial
from typing import TypeVar
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route as StarletteRoute, Router

from tui.service.accounts.accounts import Account, memberships_on, role_of
from tui.service.accounts.auth import Authenticator, LocalSession, Throttle
from tui.service.attachments import Attachments, StoredFile
from tui.service.call import EMBEDDED_URL, VERSION_PATH, Call, Route, Service
from tui.service.database.base import Database, Transaction
from tui.service.errors import ServiceError, forbidden, missing
from tui.service.handlers.images import image_route, remove_loose_images, stored_picture
from tui.service.handlers.webhooks import webhook_route
from tui.service.idempotency import KeyedRequest
from tui.service.listings import Listings
from tui.service.lookups import look_ahead
from tui.service.mail import MailQueue
from tui.service.requests.body import Body
from tui.service.requests.forms import Upload, media_type, read_upload
from tui.service.requests.replies import (
    LARGEST_BODY,
    LARGEST_UPLOAD,
    guarded,
    json_reply,
    read_body,
    refuse_route,
)
from tui.service.routes import ROUTES
from tui.service.tables.changes import touch
from tui.service.times import Clock, Site, utc_now
from tui.service.values import LARGEST_ID, words
from tui.service.waiting import WAIT, when_changed

Value = TypeVar("Value")
_LOOKS_AT_ONCE = 4
"""How many requests that wait for a change look at once, since all are woken at once."""
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ID_DIGITS = len(str(LARGEST_ID))


def create_application(
    database: Database,
    *,
    clock: Clock = utc_now,
    zone: tzinfo | None = None,
    session: LocalSession | None = None,
    attachments: Attachments | None = None,
    mail: MailQueue | None = None,
    throttle: Throttle | None = None,
    base_url: str = EMBEDDED_URL,
    threads: bool = False,
    pause: Callable[[], None] = lambda: None,
) -> Starlette:
    """The application on an open database, with its endpoints under `/v2`.

    `clock` returns the time and `zone` is the site's (None: the machine's). `session` holds
    credentials of this process for one account. `attachments` stores uploads, `mail` sends e-mails;
    without them there are none. `throttle` limits password guessing. Links in replies begin with
    `base_url`. With `threads` requests run on threads, for a server whose loop must not block.
    `pause` is called regularly in long requests, to yield the processor.
    """
    service = Service(
        database, Site(clock, zone), attachments, mail, base_url, Listings(pause=pause)
    )
    authenticator = Authenticator(database, session, throttle)
    endpoints = [_endpoint(service, authenticator, route, threads=threads) for route in ROUTES]
    router = Router([*endpoints, image_route(service)], redirect_slashes=False)
    return Starlette(
        routes=[Mount(VERSION_PATH, app=router), webhook_route(service)],
        exception_handlers={404: refuse_route, 405: refuse_route},
    )


class _IdConvertor(IntegerConvertor):
    """`{name:id}` in a path: an integer, or `LARGEST_ID` + 1 for a larger one.

    Python refuses to convert thousands of digits, so the length is checked first.
    """

    def convert(self, value: str) -> int:
        """The id in digits."""
        return int(value) if len(value) <= _ID_DIGITS else LARGEST_ID + 1


register_url_convertor("id", _IdConvertor())


def _endpoint(
    service: Service, authenticator: Authenticator, route: Route, *, threads: bool
) -> StarletteRoute:
    looks = asyncio.Semaphore(_LOOKS_AT_ONCE)

    async def carry_out(work: Callable[[], Value]) -> Value:
        return await run_in_threadpool(work) if threads else work()

    async def answer(request: Request) -> Response:
        if route.method != "GET":
            _refuse_other_sites(request, service.base_url)
        address = request.client.host if request.client else ""
        credentials = request.headers.get("authorization")
        authenticated = partial(authenticator.account, credentials, address)
        user = await carry_out(authenticated)
        request.state.account_id = user.id
        raw = await read_body(request, LARGEST_UPLOAD if route.takes_file else LARGEST_BODY)
        kind = media_type(request.headers.get("content-type", ""))
        route.refuse_type(kind, raw)
        upload = None
        if route.takes_file:
            upload, raw = await read_upload(request.headers, raw), b""
        reply = partial(_reply, service, route, request, raw=raw, kind=kind, upload=upload)
        if route.method != "GET" or WAIT not in request.query_params:
            return await carry_out(lambda: reply(user=user))

        async def look() -> Response:
            async with looks:
                return await carry_out(lambda: reply(user=authenticated()))

        return await when_changed(service.database.waiters, request, look)

    name = f"{route.method} {route.path}"
    return StarletteRoute(route.path, guarded(name, answer), methods=[route.method])


def _refuse_other_sites(request: Request, base_url: str) -> None:
    """Raises 403 for a write that a page of another site sends.

    Browsers add stored credentials to it, and the `Origin` of the page. This service has no pages,
    but another one at its address may have. On this machine any name of it will do, but not another
    port.
    """
    for origin in request.headers.getlist("origin"):
        is_own = _site(origin) == _site(base_url)
        names_host = origin.rpartition("://")[2].lower() == request.headers.get("host", "").lower()
        if not is_own and not (names_host and _is_loopback(origin)):
            raise ServiceError(
                403,
                "other_site",
                "A page of another site may not change anything here; nothing was changed. If the "
                "page is your own, start the service with its address as --public-url.",
            )


def _site(address: str) -> tuple[str, str | None, int | None] | None:
    """Scheme, host and port of an address; None if it has none of them."""
    try:
        parts = urlsplit(address)
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None


def _is_loopback(origin: str) -> bool:
    site = _site(origin)
    host = (site and site[1]) or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _reply(
    service: Service,
    route: Route,
    request: Request,
    *,
    user: Account,
    raw: bytes,
    kind: str,
    upload: Upload | None,
) -> Response:
    """Read a request, and answer it in a transaction.

    An upload is stored before it, once another transaction has shown that its sender may do this.
    Raises 404 for an id that cannot exist, 422 for a query value of more than 200 characters
    or with NUL.
    """
    ids = request.path_params
    for name, row_id in ids.items():
        if row_id > LARGEST_ID:
            raise missing(name.removesuffix("_id").replace("_", " "))
    for name, value in request.query_params.items():
        words(name, value)
    is_writing = route.method != "GET"
    keyed = KeyedRequest.of(request, raw, upload) if is_writing else None
    body = Body({}) if upload else Body.parse(raw, kind)

    def call_in(db: Transaction, file: StoredFile | None = None) -> Call:
        now, query, path = service.site.now(), request.query_params, request.url.path
        return Call(service, db, user, now, ids, query, path, body, file)

    def carry_out(db: Transaction, file: StoredFile | None = None) -> Response:
        call = call_in(db, file)
        return _stored_or_admitted(call, route, keyed) or _handled(call, route, keyed)

    board_id, settled = ids.get("board_id"), service.database.settled
    if upload is None:
        return settled(carry_out, writing=is_writing, board_id=board_id)
    stored = settled(lambda db: _stored_or_admitted(call_in(db), route, keyed), writing=False)
    if stored is not None:
        return stored
    with stored_picture(service, upload) as file:
        return settled(partial(carry_out, file=file), writing=is_writing, board_id=board_id)


def _stored_or_admitted(call: Call, route: Route, keyed: KeyedRequest | None) -> Response | None:
    """The stored reply of a request that repeats another; None if it is to be carried out.

    Raises 404 if the path's board does not exist, 403 if the caller may not do this.
    """
    if route.role is not None:
        look_ahead(call)
        boards = call.ahead["board", call.board_id]
        memberships = memberships_on(call.db, call.board_id, call.user)
    if keyed is not None and (stored := keyed.stored_reply(call, route)):
        return stored
    if route.role is not None:
        if not boards:
            raise missing("board")
        role = role_of(call.user, memberships)
        if role is None or role < route.role:
            raise forbidden()
    return None


def _handled(call: Call, route: Route, keyed: KeyedRequest | None) -> Response:
    """Run the route's handler."""
    document = route.handler(call)
    if route.method != "GET":
        if "board_id" in call.ids:
            updated = document.get("updatedTasks", ()) if isinstance(document, dict) else ()
            call.touched.tasks |= {task["id"] for task in updated}
            touch(call, call.board_id)
        remove_loose_images(call)
    if keyed is not None and isinstance(document, dict):
        keyed.store(call, route, document)
    return json_reply(document, route.status)
