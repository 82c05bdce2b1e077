"""Sends requests of one account, with authentication, time-outs, retries and limits.

Errors of httpx do not leave the session. Writes to one board are sent one after another, in the
order of the calls; waiting in that queue does not count against the deadline. A cancelled call
raises `CancelledError`: if it was still queued, nothing was sent; otherwise its connection is
closed, and a write may have taken effect.
"""

import asyncio
import random
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    aclosing,
    asynccontextmanager,
    nullcontext,
)
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import httpx

from tui.client.documents import BytesListener
from tui.client.endpoints import RequestLine
from tui.client.errors import ApiError, NotOffered
from tui.client.http.address import Address
from tui.client.http.bodies import Body, encode_body
from tui.client.http.connection import Request, connect
from tui.client.http.credentials import Credentials
from tui.client.http.inprocess import InProcessTransport
from tui.client.http.record_urls import RecordUrls
from tui.client.http.responses import Response, ResponseReader
from tui.client.http.retry import Deadline, Timeouts, retry_pause
from tui.client.writes import request_of_change

T = TypeVar("T")

_ANNOUNCED_IN = "Callboard-Features"
_LARGEST_ANSWER = 128 * 1024 * 1024
_MOST_REDIRECTS = 3
_READ_ONLY = "Read-only mode: nothing was sent."
_DEFAULT_TIMEOUTS = Timeouts()
_BOARD = re.compile(r"/projects/([^/]+)")

Query = Mapping[str, str]


class HttpSession:
    """Sends requests to the service at `base_url` with `credentials` (section 5).

    `transport` replaces the network; plain http is allowed for an `InProcessTransport`, on the
    loopback, or with `allow_plaintext`. `ca_file` holds the certificates (PEM) to trust instead of
    the usual ones. `clock` returns the time (aware), `sleep` waits between retries, `jitter`
    returns numbers from 0 to 1; `largest_answer` is in bytes, unpacked. With `is_read_only` only
    safe requests are sent. Create it off the event loop: the TLS context takes some 50 ms.

    Raises `BadAddress` if the address or a proxy setting cannot be used safely, `TlsFailed` if
    `ca_file` cannot be used.
    """

    def __init__(
        self,
        base_url: str,
        credentials: Credentials,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        ca_file: Path | None = None,
        allow_plaintext: bool = False,
        timeouts: Timeouts = _DEFAULT_TIMEOUTS,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
        largest_answer: int = _LARGEST_ANSWER,
        is_read_only: bool = False,
    ) -> None:
        self._is_read_only = is_read_only
        in_process = isinstance(transport, InProcessTransport)
        self._address = Address.parse(
            base_url, in_process=in_process, allow_plaintext=allow_plaintext
        )
        self.announced: frozenset[str] | None = None
        """The additions to the specification that the service announces; None before it spoke."""
        self._timeouts = timeouts
        self._sleep = sleep
        self._jitter = jitter
        self._boards_written: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._largest_answer = largest_answer
        self._connection = connect(self._address.base, transport, timeouts, ca_file, credentials)
        self._host = self._connection.peer.host
        self._reader = ResponseReader(self._connection.peer, credentials, clock)
        self._record_urls = RecordUrls(
            self._address, self._connection, self._reader, timeouts, transport, ca_file
        )

    async def call(
        self,
        route: RequestLine,
        *,
        query: Query | None = None,
        body: Body | None = None,
        seconds: float | None = None,
    ) -> Any:
        """Send a request and return the JSON value of its response, None without content.

        Safe requests are retried a few times after passing errors. A write waits for earlier writes
        to the same board. `seconds` replaces the total time-out. Raises `ApiError`, whose
        `may_have_happened` says whether it may have taken effect, or the change that it is part of.
        """
        if self._is_read_only and not route.is_safe:
            raise ApiError(_READ_ONLY)
        address = self._address
        url_of = address.in_index if route.is_of_site else address.url
        url = url_of(route.path, query)
        if url is None:
            raise NotOffered("This service is not part of a site.", details=str(route))
        encoded = None if body is None else encode_body(route, body)
        request = Request(route, url, self._largest_answer, encoded)

        async def once() -> Any:
            async with self._follow(request) as response:
                outcome = await self._reader.outcome(response)
            if isinstance(outcome, ApiError):
                raise outcome
            # Only of a response that was understood: a proxy's page would announce nothing.
            announced = response.headers.get(_ANNOUNCED_IN, "")
            self.announced = frozenset(word.strip() for word in announced.split(","))
            return outcome

        # The deadline starts with the turn, so a queue of slow writes does not time out.
        async with self._turn(route):
            with request_of_change(is_read=route.is_safe):
                deadline = Deadline(route, self._host, seconds or self._timeouts.total)
                return await deadline.spend(self._persist(deadline, route, once))

    async def stream(
        self,
        route: RequestLine,
        member: str,
        *,
        query: Query | None = None,
        progress: BytesListener | None = None,
    ) -> AsyncGenerator[list[Any], None]:
        """The elements of the array `member` of a response, in slices, as they arrive.

        At most one piece of 64 kB is held at a time; the event loop runs between slices, which take
        a few milliseconds each. Time the caller takes does not count. Close it
        (`contextlib.aclosing`) if it is not read to the end.

        Raises `ApiError`, also in the middle: the elements before that are no complete list. The
        error is `UnexpectedAnswer` if there is no such array, or it is truncated. Retries happen
        only before the response has begun.
        """
        url = self._address.url(route.path, query)
        request = Request(route, url, self._largest_answer)
        deadline = Deadline(route, self._host, self._timeouts.total)
        async with AsyncExitStack() as stack:
            stack.enter_context(request_of_change(is_read=True))

            async def begin() -> Response:
                # Responses of failed tries stay open until the stack is left.
                response = await stack.enter_async_context(self._follow(request))
                if response.status >= HTTPStatus.BAD_REQUEST:
                    raise await self._reader.refusal(response, await response.whole())
                return response

            response = await deadline.spend(self._persist(deadline, route, begin))
            slices = self._reader.elements(response, member, deadline.spend, progress)
            async with aclosing(slices):
                async for elements in slices:
                    yield elements

    async def fetch(self, url: str, *, progress: BytesListener | None = None) -> bytes:
        """Download a picture whose address is in a record (2.6).

        Credentials are sent to the service's own origin only. Redirects follow the same rule, and
        never lead from https to http. Raises `ApiError`: `BadAddress` for an address that is not
        allowed, `NotFound`, `NotAllowed`, `UnexpectedAnswer` for what is too large or a page.
        """
        request = self._record_urls.picture(url)
        deadline = Deadline(request.route, self._host, self._timeouts.total)
        fetch = partial(self._record_urls.fetch, request, progress)
        return await deadline.spend(self._persist(deadline, request.route, fetch))

    async def post_form(self, url: str, fields: Mapping[str, str]) -> Any:
        """Post a form to a webhook's address, without credentials, once; see `RecordUrls`."""
        if self._is_read_only:
            raise ApiError(_READ_ONLY)
        return await self._record_urls.post_form(url, fields)

    async def aclose(self) -> None:
        """Close all connections, and the transport."""
        await self._connection.aclose()

    def _turn(self, route: RequestLine) -> AbstractAsyncContextManager[None]:
        """A turn to write to a board; reads, and writes to no board, need not wait.

        Services renumber a board's tasks while they respond, so its writes are sent one after
        another.
        """
        board = _BOARD.match(route.path)
        if route.is_safe or board is None:
            return nullcontext()
        # asyncio locks are fair, so writes keep the order of the calls. A lock is forgotten when no
        # write holds it or waits for it.
        return self._boards_written.setdefault(board[1], asyncio.Lock())

    async def _persist(
        self, deadline: Deadline, route: RequestLine, once: Callable[[], Awaitable[T]]
    ) -> T:
        tries = 0
        while True:
            tries += 1
            try:
                return await once()
            except ApiError as error:
                # A session that was closed fails its requests with a passing error, too.
                is_vain = not (route.is_safe and error.is_passing) or self._connection.is_closed
                pause = retry_pause(tries, error.retry_after, self._jitter())
                if is_vain or pause is None or deadline.is_beyond(pause):
                    raise
            await self._sleep(pause)

    @asynccontextmanager
    async def _follow(self, request: Request) -> AsyncIterator[Response]:
        """Send a request, following redirects of safe ones within the own origin."""
        for _ in range(_MOST_REDIRECTS):
            async with self._connection.open(request) as response:
                if response.target is None:
                    yield response
                    return
            if not request.route.is_safe or not self._address.is_own_origin(response.target):
                break
            request = replace(request, url=response.target)
        raise self._reader.redirect_refused(response)
