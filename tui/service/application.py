"""The service as an ASGI application.

Every request below the base URL is authenticated and runs in one transaction; only signed pictures
and the webhook address, which carry keys of their own, need no account. Handlers block, so the
application runs them on threads, or has a thread of its own.
"""

import asyncio
import ipaddress
import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from functools import cache, partial
from typing import TypeVar
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route as StarletteRoute, Router

from tui.service.accounts.accounts import Caller, account, memberships_on, role_of
from tui.service.accounts.auth import (
    AccountChanged,
    Authenticator,
    KeyThrottle,
    LocalSession,
    Throttle,
)
from tui.service.attachments import Attachments, StoredFile
from tui.service.call import (
    EMBEDDED_URL,
    UPDATED_TASKS,
    VERSION_PATH,
    VIA_HEADER,
    VIA_PATTERN,
    Call,
    Document,
    ManyTasks,
    Route,
    Service,
)
from tui.service.database.base import Database, Later, Step, Transaction, first
from tui.service.documents.tasks import task_documents
from tui.service.errors import ServiceError, forbidden, missing
from tui.service.handlers.images import image_route, remove_loose_images, stored_picture
from tui.service.handlers.webhooks import webhook_route
from tui.service.idempotency import KeyedRequest
from tui.service.listings import Listings
from tui.service.lookups import look_ahead
from tui.service.mail import MailQueue
from tui.service.requests.body import Body
from tui.service.requests.forms import UploadedFile, media_type, read_upload
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
from tui.service.times import Clock, SiteClock, utc_now
from tui.service.values import LARGEST_ID, words
from tui.service.waiting import WAIT, when_changed

Value = TypeVar("Value")
_LOOKS_AT_ONCE = 4
"""How many waiting requests look at their board at the same time; a change wakes all of them."""
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
    without them there are none. `throttle` limits guessing of passwords, and with it of keys. Links
    in replies begin with `base_url`. With `threads` requests run on threads, for a server whose
    loop must not block. `pause` is called regularly in long requests, to yield the processor.
    """
    service = Service(
        database, SiteClock(clock, zone), attachments, mail, base_url, Listings(pause=pause)
    )
    keys = None if throttle is None else KeyThrottle(clock)
    router = Router([*_endpoints(), image_route(service)], redirect_slashes=False)
    application = Starlette(
        routes=[Mount(VERSION_PATH, app=router), webhook_route(service, keys)],
        exception_handlers={404: refuse_route, 405: refuse_route},
    )
    authenticator = Authenticator(database, session, throttle)
    application.state.answers = _Answers(service, authenticator, threads)
    return application


class _IdConvertor(IntegerConvertor):
    """`{name:id}` in a path: an integer, or `LARGEST_ID` + 1 for a larger one.

    Python refuses to convert thousands of digits, so the length is checked first.
    """

    def convert(self, value: str) -> int:
        """The id in digits."""
        return int(value) if len(value) <= _ID_DIGITS else LARGEST_ID + 1


register_url_convertor("id", _IdConvertor())


@cache
def _endpoints() -> tuple[StarletteRoute, ...]:
    """The routes as the framework takes them, which takes it long: once for all applications."""
    return tuple(map(_endpoint, ROUTES))


def _endpoint(route: Route) -> StarletteRoute:
    async def answer(request: Request) -> Response:
        answers: _Answers = request.app.state.answers
        return await answers.answer(route, request)

    method, path = route.method, route.path
    return StarletteRoute(path, guarded(f"{method} {path}", answer), methods=[method])


@dataclass(frozen=True, slots=True)
class _Answers:
    """How an application answers its requests: on threads, or on the event loop."""

    service: Service
    authenticator: Authenticator
    threads: bool
    looks: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_LOOKS_AT_ONCE))

    async def answer(self, route: Route, request: Request) -> Response:
        if route.method != "GET":
            _refuse_other_sites(request, self.service.base_url)
        address = request.client.host if request.client else ""
        credentials = request.headers.get("authorization")
        authenticated = partial(self.authenticator.account, credentials, address)
        # The transaction compares a remembered account with its row. An upload is too large to be
        # received before that.
        user = None if route.takes_file else self.authenticator.remembered(credentials)
        if user is None:
            user = await self._carried_out(authenticated)
        request.state.account_id = user.id
        raw = await read_body(request, LARGEST_UPLOAD if route.takes_file else LARGEST_BODY)
        kind = media_type(request.headers.get("content-type", ""))
        if raw and kind not in route.media_types:  # proxies add a type without a body
            types = " or ".join(route.media_types)
            raise ServiceError(415, "unsupported_media_type", f"The Content-Type must be {types}.")
        if route.takes_file:
            upload, raw = await read_upload(request.headers, raw), b""
            return await self._upload_reply(route, request, user, upload)

        def reply(end_turn: Step | None = None) -> Response:
            whole = _WholeRequest.read(self.service, route, request, user, raw=raw, kind=kind)
            try:
                return whole.reply(end_turn=end_turn)
            except AccountChanged:
                # Nothing has been written: the account is compared before the handler runs.
                return replace(whole, user=authenticated()).reply(end_turn=end_turn)

        if route.method != "GET":
            async with self._turn(request) as end_turn:
                return await self._carried_out(lambda: reply(end_turn))
        if WAIT not in request.query_params:
            return await self._carried_out(reply)

        async def look() -> Response:
            async with self.looks:
                return await self._carried_out(reply)

        return await when_changed(self.service.database.waiters, request, look)

    async def _upload_reply(
        self, route: Route, request: Request, user: Caller, upload: UploadedFile
    ) -> Response:
        # A file takes long to sync, so it is stored before the turn to write; but only after the
        # sender was found to be allowed to, so that others cannot fill the disk.
        whole = await self._carried_out(
            lambda: _WholeRequest.read(self.service, route, request, user, upload=upload)
        )
        # A repeated upload needs no second file.
        stored = await self._carried_out(whole.stored_reply)
        if stored is not None:
            return stored
        cleanup = ExitStack()
        try:
            picture = stored_picture(self.service, upload)
            file = await self._carried_out(lambda: cleanup.enter_context(picture))
            async with self._turn(request) as end_turn:
                return await self._carried_out(lambda: whole.reply(file, end_turn))
        finally:
            await self._carried_out(cleanup.close)

    async def _carried_out(self, work: Callable[[], Value]) -> Value:
        return await run_in_threadpool(work) if self.threads else work()

    def _turn(self, request: Request) -> AbstractAsyncContextManager[Step | None]:
        # Without threads requests are carried out one after another.
        if not self.threads:
            return nullcontext()
        return self.service.turns.taken(request.path_params.get("board_id"))


def _refuse_other_sites(request: Request, base_url: str) -> None:
    # Browsers add stored credentials to a request, and the `Origin` of the page. This service has
    # no pages, but another one at its address may have. On this machine any name of it will do, but
    # not another port.
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


@dataclass(frozen=True, slots=True)
class _WholeRequest:
    """A request with its whole body, which is answered in one transaction."""

    service: Service
    route: Route
    request: Request
    user: Caller
    body: Body
    keyed: KeyedRequest | None

    @classmethod
    def read(
        cls,
        service: Service,
        route: Route,
        request: Request,
        user: Caller,
        *,
        raw: bytes = b"",
        kind: str = "",
        upload: UploadedFile | None = None,
    ) -> "_WholeRequest":
        """A request with a body of that media type, or with an upload.

        Raises 404 for an id that cannot exist, 422 for a query value of more than 200 characters
        or with NUL.
        """
        for name, row_id in request.path_params.items():
            # PostgreSQL and SQLite fail on integers that do not fit.
            if row_id > LARGEST_ID:
                raise missing(name.removesuffix("_id").replace("_", " "))
        for name, value in request.query_params.items():
            words(name, value)
        keyed = KeyedRequest.of(request, raw, upload) if route.method != "GET" else None
        body = Body({}) if upload else Body.parse(raw, kind)
        return cls(service, route, request, user, body, keyed)

    def stored_reply(self) -> Response | None:
        """The stored reply of a repeated request, else None. Raises what refuses the request.

        It only reads, so no writer waits for it.
        """
        return self.service.database.settled(
            lambda db: _stored_or_admitted(self._call(db), self.route, self.keyed), writing=False
        )

    def reply(self, file: StoredFile | None = None, end_turn: Step | None = None) -> Response:
        """The reply, once the request is carried out; `file` is its stored upload.

        `end_turn` lets the next writer of the board begin.
        """

        def carry_out(db: Transaction) -> Later[Response]:
            if end_turn is not None:
                # The next writer of the board need not wait until this change is on the disk.
                db.after_release.append(end_turn)
            call = self._call(db, file)
            if stored := _stored_or_admitted(call, self.route, self.keyed):
                return lambda: stored
            # The reply is built after the transaction, when no writer waits for it.
            answer = self.route.handler(call)
            if isinstance(answer, ManyTasks):
                document: object = answer.short
            else:
                # With a key it is stored in the transaction, so it has to be built here.
                document = answer() if callable(answer) and self.keyed is not None else answer
            if self.route.method != "GET":
                if "board_id" in call.ids:
                    updated = document.get(UPDATED_TASKS, ()) if isinstance(document, dict) else ()
                    call.touched.tasks |= {task["id"] for task in updated}
                    touch(call, call.board_id)
                # Comments, tasks or boards that this request deleted may have left pictures.
                remove_loose_images(call)
            if self.keyed is not None and isinstance(document, dict):
                self.keyed.store(call, self.route, document)
            status = self.route.status
            if isinstance(answer, ManyTasks):
                return lambda: json_reply(_with_tasks(call, answer), status)
            return lambda: json_reply(document() if callable(document) else document, status)

        reply = self.service.database.settled(
            carry_out,
            writing=self.route.method != "GET",
            board_id=self.request.path_params.get("board_id"),
        )
        return reply()

    def _call(self, db: Transaction, file: StoredFile | None = None) -> Call:
        request, now = self.request, self.service.site.now()
        ids, query, path = request.path_params, request.query_params, request.url.path
        via = request.headers.get(VIA_HEADER, "")
        via = via if re.fullmatch(VIA_PATTERN, via) else ""
        return Call(self.service, db, self.user, now, ids, query, path, self.body, file, via=via)


def _with_tasks(call: Call, answer: ManyTasks) -> Document:
    # The change is committed, so an error here must not make it look as if it had failed.
    def read(db: Transaction) -> Later[list[Document]]:
        return task_documents(replace(call, db=db), answer.ids)

    try:
        documents = call.service.database.settled(read, writing=False)()
    except ServiceError:
        documents = []
    return answer.document | {UPDATED_TASKS: documents}


def _stored_or_admitted(call: Call, route: Route, keyed: KeyedRequest | None) -> Response | None:
    # Every query is collected before the rows of the first are read: one round trip for all.
    accounts = call.db.select("account", id=call.user.id)
    if route.role is not None:
        look_ahead(call)
        boards = call.ahead["board", call.board_id]
        memberships = memberships_on(call.db, call.board_id, call.user)
    stored = None if keyed is None else keyed.stored_reply(call, route)
    row = first(accounts)
    # The account comes from a cache of verified credentials, and may have changed since.
    if row is None or account(row) != call.user:
        raise AccountChanged
    if stored is not None and (reply := stored()):
        return reply
    if route.role is not None:
        if not boards:
            raise missing("board")
        role = role_of(call.user, memberships)
        if role is None or role < route.role:
            raise forbidden()
    return None
