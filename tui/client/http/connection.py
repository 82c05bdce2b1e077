"""HTTP connections, kept open between requests.

Only the connection to the service's own origin carries credentials. None keeps cookies, follows
redirects by itself, or takes anything but the proxy from the environment. Errors of httpx are
converted in this module, and their frames dropped, because these hold the `Authorization` header.
Certificates are always verified; for a private authority its certificate file is configured.
"""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any, Final

import httpx

from tui.client.endpoints import RequestLine
from tui.client.errors import ApiError, TlsFailed, Unreachable
from tui.client.http.address import is_loopback, proxy_for
from tui.client.http.bodies import EncodedBody
from tui.client.http.credentials import Credentials
from tui.client.http.responses import ACCEPTED, Response
from tui.client.http.retry import Timeouts
from tui.client.http.transport_errors import Peer, causes, transport_error
from tui.client.writes import write_headers
from tui.text import clean

JSON: Final = "application/json"
_LIMITS = httpx.Limits(max_connections=8, max_keepalive_connections=4, keepalive_expiry=75.0)
"""The expiry is longer than the pause between two polls, at most a minute."""


def _without_queries(record: logging.LogRecord) -> bool:
    # They may hold signatures.
    if isinstance(record.args, tuple):
        record.args = tuple(
            arg.copy_with(query=None) if isinstance(arg, httpx.URL) else arg for arg in record.args
        )
    return True


logging.getLogger("httpx").addFilter(_without_queries)


@dataclass(frozen=True, slots=True)
class Request:
    """A request to be sent.

    `accept` is the media type; `largest` limits the unpacked response, in bytes.
    """

    route: RequestLine
    url: httpx.URL
    largest: int
    encoded: EncodedBody | None = None
    accept: str = JSON


class _Tunnel:
    """Whether a proxy tunnel is being set up, so that the request itself is not sent yet."""

    def __init__(self) -> None:
        self.is_being_made = False

    async def note(self, event: str, info: Mapping[str, Any]) -> None:
        """Trace callback of httpx."""
        # Sent for the CONNECT to the proxy, and again for the request through the tunnel.
        if event.endswith("send_request_headers.started"):
            self.is_being_made = info["request"].method == b"CONNECT"


class HttpConnection:
    """Sends requests to one peer, over `http`, which it closes."""

    def __init__(
        self, http: httpx.AsyncClient, peer: Peer, credentials: Credentials | None
    ) -> None:
        self.peer: Final = peer
        self._http = http
        self._credentials = credentials

    @property
    def is_closed(self) -> bool:
        """Whether nothing can be sent any more."""
        return self._http.is_closed

    @asynccontextmanager
    async def open(self, request: Request) -> AsyncIterator[Response]:
        """Send a request and wait for the head of its response. Raises `ApiError`, here and inside.

        Leaving before the body is read, or being cancelled, closes the connection: a write may have
        taken effect then.
        """
        if self._http.is_closed:
            raise Unreachable("The connection was closed.", details=f"{request.route}: closed")
        tunnel = None if self.peer.proxy is None else _Tunnel()
        try:
            response = await self._http.send(self._signed(request, tunnel), stream=True)
            try:
                yield Response(request.route, self.peer, request.largest, response)
            finally:
                await response.aclose()
        except (httpx.RequestError, httpx.InvalidURL) as error:
            is_on_its_way = tunnel is None or not tunnel.is_being_made
            trouble = transport_error(request.route, self.peer, error, is_on_its_way=is_on_its_way)
        except ApiError:
            raise
        except (Exception, asyncio.CancelledError) as error:
            _drop_frames(error)
            raise
        else:
            return
        # Outside of the handler: as the context, httpx's error would keep the request alive, with
        # its `Authorization` header.
        raise trouble

    async def aclose(self) -> None:
        """Close all connections, and the transport."""
        await self._http.aclose()

    def _signed(self, request: Request, tunnel: _Tunnel | None) -> httpx.Request:
        """The httpx request; credentials are added here and not earlier."""
        route, encoded = request.route, request.encoded
        headers = {"Accept": request.accept}
        body = b"" if encoded is None else encoded.content
        # Without a length httpx sends a body in pieces as chunks.
        if encoded is not None:
            headers |= {"Content-Type": encoded.content_type, "Content-Length": str(len(body))}
        if not route.is_safe:
            headers |= write_headers(f"{route.method} {request.url}\n".encode() + body)
        if self._credentials is not None:
            headers["Authorization"] = self._credentials.authorization()
        extensions = {} if tunnel is None else {"trace": tunnel.note}
        return self._http.build_request(
            route.method,
            request.url,
            content=None if encoded is None else encoded.to_send(),
            headers=headers,
            extensions=extensions,
        )


def _drop_frames(error: BaseException) -> None:
    """Remove tracebacks; a function, since a variable for an error would keep it and its frame."""
    for link in causes(error):
        link.__traceback__ = None


def connect(
    url: httpx.URL,
    transport: httpx.AsyncBaseTransport | None,
    timeouts: Timeouts,
    ca_file: Path | None = None,
    credentials: Credentials | None = None,
) -> HttpConnection:
    """A connection to the origin of a URL; a `transport` replaces the network.

    Takes some 50 ms: off the event loop. Raises `BadAddress` for a proxy that cannot be used,
    `TlsFailed` for such a `ca_file`.
    """
    is_plain = url.scheme == "http"
    # Clear text must not leave the machine, so no proxy is used.
    stays_here = transport is not None or (is_plain and is_loopback(url.host))
    proxy = None if stays_here else proxy_for(url)
    # A context takes long to make, so an idle one where none is used; but a file is always read.
    is_idle = transport is not None or (is_plain and ca_file is None)
    http = httpx.AsyncClient(
        # Without one, a login name in the address of a redirect would take the place of ours.
        auth=httpx.Auth(),
        headers={"Accept-Encoding": ACCEPTED, "User-Agent": "callboard"},
        # A cookie would make a second, different login beside the credentials.
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_idle else _trusted(ca_file),
        proxy=None if proxy is None else proxy.proxy,
        transport=transport,
        timeout=httpx.Timeout(timeouts.read, connect=timeouts.connect, pool=timeouts.connect),
        limits=_LIMITS,
        follow_redirects=False,
        trust_env=False,
    )
    return HttpConnection(http, Peer(clean.line(url.host), proxy), credentials)


def _trusted(ca_file: Path | None) -> ssl.SSLContext:
    """The TLS context for verifying certificates.

    Trusts only the authorities in `ca_file` (PEM), or the usual ones; then `SSL_CERT_FILE` and
    `SSL_CERT_DIR` apply.

    Takes some 50 ms. Raises `TlsFailed` if the file cannot be used.
    """
    try:
        if ca_file is None:
            return httpx.create_ssl_context()
        return ssl.create_default_context(cafile=str(ca_file.expanduser()))
    except ssl.SSLError:
        why = "holds no certificate in PEM form"
    except (OSError, ValueError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        why = f"cannot be read: {reason}" if reason else "cannot be read"
    if ca_file is None:
        name, place = "that SSL_CERT_FILE names", "SSL_CERT_FILE in the environment"
    else:
        name, place = clean.line(str(ca_file)), "ca_file in the profile"
    raise TlsFailed(
        f"The file of certificates {name} {why}; nothing was sent.",
        hint=f"{place} names a PEM file, which has lines with BEGIN CERTIFICATE.",
    )
