"""One account at one service: how a call is sent and what its answer is.

The rule it keeps: authentication, time-outs, repeats, limits and the meaning of errors live here,
once; a resource says only what to ask. No error of the libraries below leaves this module.
"""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx

from tui.api.address import Address
from tui.api.breakdowns import breakdown, timed_out
from tui.api.credentials import Credentials
from tui.api.decoding import UndecodableError, decode
from tui.api.endpoints import Route
from tui.api.errors import ApiError, BadAddress, Nonsense, Unreachable
from tui.api.inprocess import InProcessTransport
from tui.api.patience import Patience, Timeouts, retry_after
from tui.api.refusals import Answer, hidden_status, refusal
from tui.text import clean

_LIMITS = httpx.Limits(max_connections=8, max_keepalive_connections=4, keepalive_expiry=60.0)
_LARGEST_ANSWER = 128 * 1024 * 1024
_MOST_REDIRECTS = 3
_ASK_AGAIN_THERE = frozenset({HTTPStatus.TEMPORARY_REDIRECT, HTTPStatus.PERMANENT_REDIRECT})
_DEFAULT_TIMEOUTS = Timeouts()
_LOGGED = 2_000

Query = Mapping[str, str]
Body = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Raw:
    """An answer as it came over the wire, decompressed; `target` is where it redirects to."""

    status: int
    headers: httpx.Headers
    content: bytes
    target: httpx.URL | None


def _now() -> datetime:
    return datetime.now(UTC)


class Session:
    """Sends calls to the service at `base_url` with `credentials` (section 5).

    `transport` replaces the network; an `InProcessTransport` may have a plain http address. `clock`
    gives the time (aware), `sleep` waits between repeats, `jitter` gives numbers from 0 to 1;
    `largest_answer` is in bytes, after decompression. Make it off the event loop: the TLS context
    takes some 50 ms.

    Raises `BadAddress` if the address or a proxy setting cannot be used safely.
    """

    def __init__(
        self,
        base_url: str,
        credentials: Credentials,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        timeouts: Timeouts = _DEFAULT_TIMEOUTS,
        clock: Callable[[], datetime] = _now,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
        largest_answer: int = _LARGEST_ANSWER,
    ) -> None:
        in_process = isinstance(transport, InProcessTransport)
        self._address = Address.parse(base_url, in_process=in_process)
        self._credentials = credentials
        self._timeouts = timeouts
        self._clock = clock
        self._sleep = sleep
        self._patience = Patience(jitter)
        self._largest_answer = largest_answer
        self._http = _http_client(credentials, transport, timeouts)

    async def call(
        self, route: Route, *, query: Query | None = None, body: Body | None = None
    ) -> Any:
        """Send one call and return the JSON value of its answer, None if that has no content.

        A call that is safe is repeated a few times while the trouble is a passing one. Raises
        `ApiError`; `may_have_happened` says whether the call may have taken effect all the same.
        """
        content = None if body is None else json.dumps(body).encode("ascii")
        url = self._address.url(route.path, query)
        try:
            async with asyncio.timeout(self._timeouts.total):
                return await self._persist(route, url, content)
        except TimeoutError:
            raise timed_out(route, self._address.host) from None

    async def aclose(self) -> None:
        """Close all connections, and the transport."""
        await self._http.aclose()

    async def _persist(self, route: Route, url: httpx.URL, content: bytes | None) -> Any:
        """Try a call until it succeeds, or its trouble will not pass, or patience ends."""
        attempt = 0
        while True:
            attempt += 1
            try:
                return await self._understand(route, await self._follow(route, url, content))
            except ApiError as error:
                pause = self._patience.pause(attempt, error.retry_after)
                if not (route.is_safe and error.is_passing) or pause is None:
                    raise
            await self._sleep(pause)

    async def _follow(self, route: Route, url: httpx.URL, content: bytes | None) -> _Raw:
        """Exchange, and follow redirects of safe calls as long as they stay at home."""
        for _ in range(_MOST_REDIRECTS):
            raw = await self._exchange(route, url, content)
            if raw.target is None:
                return raw
            if not route.is_safe or not self._address.is_home(raw.target):
                break
            url = raw.target
        raise self._led_away(route, raw)

    async def _exchange(self, route: Route, url: httpx.URL, content: bytes | None) -> _Raw:
        """Send a request once and read its answer whole, up to the limit."""
        if self._http.is_closed:
            raise Unreachable("The connection was closed.", details=f"{route}: closed")
        headers = {} if content is None else {"Content-Type": "application/json"}
        request = self._http.build_request(route.method, url, content=content, headers=headers)
        try:
            response = await self._http.send(request, stream=True)
            try:
                return await self._read(route, response)
            finally:
                await response.aclose()
        except httpx.RequestError as error:
            raise breakdown(route, self._address.host, error) from error

    async def _read(self, route: Route, response: httpx.Response) -> _Raw:
        content = bytearray()
        async for piece in response.aiter_bytes():
            content += piece
            if len(content) > self._largest_answer:
                raise Nonsense(
                    f"{self._address.host} sent an answer that is too large to take.",
                    details=f"{route}: more than {self._largest_answer} bytes",
                    status=response.status_code,
                    may_have_happened=not route.is_safe,
                )
        onward = response.next_request
        target = None if onward is None else onward.url
        return _Raw(response.status_code, response.headers, bytes(content), target)

    async def _understand(self, route: Route, raw: _Raw) -> Any:
        """The value of an answer; raises what an error stands for, whatever its status says."""
        if raw.status >= HTTPStatus.BAD_REQUEST:
            raise refusal(route, await self._answer(raw))
        if raw.status == HTTPStatus.NO_CONTENT:
            return None
        try:
            value = await decode(raw.content)
        except UndecodableError as error:
            raise self._nonsense(route, raw, str(error)) from None
        status = hidden_status(value)
        if status is not None:
            raise refusal(route, await self._answer(raw, status))
        return value

    async def _answer(self, raw: _Raw, status: int | None = None) -> Answer:
        text = self._credentials.redact(raw.content.decode(errors="replace"))
        try:
            body = await decode(text.encode(errors="replace"))
        except UndecodableError:
            body = None
        wait = retry_after(raw.headers.get("retry-after"), self._clock())
        return Answer(status or raw.status, body, text, wait)

    def _nonsense(self, route: Route, raw: _Raw, why: str) -> Nonsense:
        text = clean.line(self._credentials.redact(raw.content.decode(errors="replace")))[:_LOGGED]
        return Nonsense(
            f"{self._address.host} sent an answer that is not understood.",
            hint="Check the address of the service in the profile.",
            details=f"{route}: {raw.status}: {why}: {text}",
            status=raw.status,
            may_have_happened=not route.is_safe,
        )

    def _led_away(self, route: Route, raw: _Raw) -> BadAddress:
        shown = clean.line(self._credentials.redact(str(raw.target)))[:100]
        return BadAddress(
            f"{self._address.host} sends callers on to {shown}; the password was not sent there.",
            hint="If that is right, set the new address in the profile.",
            details=f"{route}: {raw.status}: to {shown}",
            status=raw.status,
            may_have_happened=not route.is_safe and raw.status not in _ASK_AGAIN_THERE,
        )


def _http_client(
    credentials: Credentials, transport: httpx.AsyncBaseTransport | None, timeouts: Timeouts
) -> httpx.AsyncClient:
    headers = {
        "Accept": "application/json",
        "Authorization": credentials.authorization(),
        "User-Agent": "callboard",
    }
    # A cookie would make a second, different login beside the credentials.
    no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=()))
    try:
        return httpx.AsyncClient(
            headers=headers,
            cookies=no_cookies,
            transport=transport,
            timeout=timeouts.for_transport(),
            limits=_LIMITS,
            follow_redirects=False,
        )
    except (ImportError, ValueError, httpx.InvalidURL) as error:
        raise BadAddress(
            "The proxy named by ALL_PROXY, HTTP_PROXY or HTTPS_PROXY cannot be used.",
            hint="SOCKS proxies are not supported; unset the variable or name an http proxy.",
            details=f"{type(error).__name__}",
        ) from None
