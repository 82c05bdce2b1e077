"""Requests and their answers, over connections that are kept open.

Only the connection to the service's own origin carries credentials. None keeps cookies, follows
redirects by itself, or takes anything but the proxy from the environment. No error of the libraries
below leaves this module, and nothing that went through their hands either: their frames hold the
`Authorization` header, so they are dropped on the way out. An answer is taken piece by piece, up to
a limit, however it was packed.
"""

import asyncio
import logging
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any, Final

import httpx

from tui.client.endpoints import Route
from tui.client.errors import ApiError, Nonsense, Unreachable
from tui.client.http.address import Address, is_loopback, proxy_for
from tui.client.http.bodies import EncodedBody, Progress, ProgressListener
from tui.client.http.credentials import Credentials
from tui.client.http.retry import Timeouts
from tui.client.http.tls import trusted
from tui.client.http.transport_errors import Peer, transport_error
from tui.client.http.unpacking import ACCEPTED, UnpackingError, unpacker
from tui.client.idempotency import key_header
from tui.runtime.slices import Slicer
from tui.text import clean

JSON: Final = "application/json"
_LIMITS = httpx.Limits(max_connections=8, max_keepalive_connections=4, keepalive_expiry=75.0)
"""Longer than the pause between two polls, which is a minute at most."""


class _WithoutQueries(logging.Filter):
    """Keeps what addresses carry behind the question mark, such as signatures, out of the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                arg.copy_with(query=None) if isinstance(arg, httpx.URL) else arg
                for arg in record.args
            )
        return True


logging.getLogger("httpx").addFilter(_WithoutQueries())


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be asked, and where.

    `accept` is the wanted media type, `largest` the limit of the answer in bytes, unpacked;
    `sending` hears how much of the body is gone.
    """

    route: Route
    url: httpx.URL
    largest: int
    encoded: EncodedBody | None = None
    accept: str = JSON
    sending: ProgressListener | None = None


class Response:
    """An answer that is coming in: its head is there, its body is read as it comes.

    `target` is where it redirects to; `received` counts the bytes of its body as they travelled,
    `total` is how many there will be, None while nobody knows.
    """

    def __init__(self, request: Request, peer: Peer, response: httpx.Response) -> None:
        self.status: Final = response.status_code
        self.headers: Final = response.headers
        onward = response.next_request
        self.target: Final = None if onward is None else onward.url
        self.received = 0
        length = response.headers.get("content-length", "")
        self.total: Final = int(length) if length.isascii() and length.isdigit() else None
        self._request = request
        self._peer = peer
        self._response = response

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """The body, unpacked, in pieces of at most 64 kB. Raises `Nonsense`."""
        left, slicer = self._request.largest, Slicer()
        try:
            unpacking = unpacker(self.headers.get("content-encoding", ""))
            async for packed in self._packed():
                self.received += len(packed)
                for piece in unpacking.pieces(packed):
                    left -= len(piece)
                    if left < 0:
                        raise self._nonsense("is too large to take", "past the limit")
                    await slicer.breathe()
                    yield piece
            unpacking.finish()
        except UnpackingError as error:
            trouble = self._nonsense("cannot be unpacked", str(error))
        else:
            return
        raise trouble

    async def whole(self, progress: ProgressListener | None = None) -> bytes:
        """The body as a whole."""
        content = bytearray()
        async for piece in self.pieces():
            content += piece
            if progress is not None:
                progress(Progress(received=self.received, total=self.total))
        return bytes(content)

    def _packed(self) -> AsyncIterator[bytes]:
        """The bytes as they came; httpx would unpack a bomb whole."""
        stream = self._response.stream
        if not isinstance(stream, httpx.AsyncByteStream):
            raise TypeError("a transport answered with a stream that is not asynchronous")
        return aiter(stream)

    def _nonsense(self, what: str, why: str) -> Nonsense:
        route = self._request.route
        return Nonsense(
            f"{self._peer.host} sent an answer that {what}.",
            details=f"{route}: {self.status}: {why}",
            status=self.status,
            may_have_happened=not route.is_safe,
        )


class _Tunnel:
    """Whether a proxy is only being asked to connect, so that the request itself is still here."""

    def __init__(self) -> None:
        self.is_being_made = False

    async def note(self, event: str, info: Mapping[str, Any]) -> None:
        """Hear from the library what it begins to send."""
        if event.endswith("send_request_headers.started"):
            self.is_being_made = info["request"].method == b"CONNECT"


class Connection:
    """Sends requests to one peer, over `http`, which is its own to close."""

    def __init__(self, http: httpx.AsyncClient, peer: Peer) -> None:
        self.peer: Final = peer
        self._http = http

    @property
    def is_closed(self) -> bool:
        """Whether nothing can be sent any more."""
        return self._http.is_closed

    @asynccontextmanager
    async def open(self, request: Request) -> AsyncIterator[Response]:
        """Send a request and wait for the head of its answer. Raises `ApiError`, here and inside.

        Whoever leaves before the body is read closes the connection, and so does who is
        cancelled: a call that writes may have happened then.
        """
        tunnel = _Tunnel()
        try:
            response = await self._send(request, tunnel)
            try:
                yield Response(request, self.peer, response)
            finally:
                await response.aclose()
        except (httpx.RequestError, httpx.InvalidURL) as error:
            trouble = transport_error(
                request.route, self.peer, error, is_on_its_way=not tunnel.is_being_made
            )
        except ApiError:
            raise
        except (Exception, asyncio.CancelledError) as error:
            _drop_frames(error)
            raise
        else:
            return
        raise trouble

    async def aclose(self) -> None:
        """Close all connections, and the transport."""
        await self._http.aclose()

    async def _send(self, request: Request, tunnel: _Tunnel) -> httpx.Response:
        if self.is_closed:
            raise Unreachable("The connection was closed.", details=f"{request.route}: closed")
        headers = {"Accept": request.accept}
        encoded = request.encoded
        content: bytes | AsyncIterator[bytes] | None = None
        if encoded is not None:
            headers |= encoded.headers()
            content = encoded.stream(request.sending) if request.sending else encoded.content
        if not request.route.is_safe:
            body = b"" if encoded is None else encoded.content
            headers |= key_header(f"{request.route.method} {request.url}\n".encode() + body)
        sent = self._http.build_request(
            request.route.method,
            request.url,
            content=content,
            headers=headers,
            extensions={"trace": tunnel.note},
        )
        return await self._http.send(sent, stream=True)


def _drop_frames(error: BaseException) -> None:
    """Forget the frames an error came through, and those of what it followed from."""
    link: BaseException | None = error
    while link is not None:
        link.__traceback__ = None
        link = link.__cause__ or link.__context__


class _Signature(httpx.Auth):
    """Puts the credentials onto a request, at the last moment."""

    def __init__(self, credentials: Credentials) -> None:
        self._credentials = credentials

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = self._credentials.authorization()
        yield request


def own_origin(
    address: Address,
    credentials: Credentials,
    transport: httpx.AsyncBaseTransport | None,
    timeouts: Timeouts,
    ca_file: Path | None,
) -> Connection:
    """To the service at `address`; a `transport` replaces the network.

    Raises `BadAddress` for a proxy that cannot be used, `TlsFailed` for such a `ca_file`.
    """
    peer = _peer(address.base, transport)
    context = _context(address.base, transport, ca_file)
    return Connection(_http(transport, peer, timeouts, context, _Signature(credentials)), peer)


def foreign_origin(
    url: httpx.URL,
    transport: httpx.AsyncBaseTransport | None,
    timeouts: Timeouts,
    ca_file: Path | None = None,
) -> Connection:
    """To the host of any address, without credentials. Takes some 50 ms: off the event loop.

    Raises `BadAddress` for a proxy that cannot be used, `TlsFailed` for such a `ca_file`.
    """
    peer = _peer(url, transport)
    return Connection(
        _http(transport, peer, timeouts, _context(url, transport, ca_file), None),
        peer,
    )


def _peer(url: httpx.URL, transport: httpx.AsyncBaseTransport | None) -> Peer:
    """What is sent in the clear must not leave the machine, so it goes through no proxy."""
    stays_here = url.scheme == "http" and is_loopback(url.host)
    proxy = None if transport is not None or stays_here else proxy_for(url)
    return Peer(clean.line(url.host), proxy)


def _context(
    url: httpx.URL, transport: httpx.AsyncBaseTransport | None, ca_file: Path | None
) -> ssl.SSLContext:
    """Dear to make, so made where it is used. A file of certificates is read in any case."""
    if transport is not None or (url.scheme == "http" and ca_file is None):
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return trusted(ca_file)


def _http(
    transport: httpx.AsyncBaseTransport | None,
    peer: Peer,
    timeouts: Timeouts,
    context: ssl.SSLContext,
    signature: _Signature | None,
) -> httpx.AsyncClient:
    # A cookie would make a second, different login beside the credentials.
    no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=()))
    return httpx.AsyncClient(
        auth=signature,
        headers={"Accept-Encoding": ACCEPTED, "User-Agent": "callboard"},
        cookies=no_cookies,
        verify=context,
        proxy=None if peer.proxy is None or transport is not None else peer.proxy.proxy,
        transport=transport,
        timeout=timeouts.for_transport(),
        limits=_LIMITS,
        follow_redirects=False,
        trust_env=False,
    )
