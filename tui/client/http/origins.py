"""The connections a session sends over: to its service, and to whatever records point at.

The rule it keeps: only the way home carries credentials. Neither keeps cookies, follows redirects
by itself, or takes anything but the proxy from the environment.
"""

import ssl
from collections.abc import Generator
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path

import httpx

from tui.client.http.address import Address, is_loopback
from tui.client.http.connection import Exchange
from tui.client.http.credentials import Credentials
from tui.client.http.proxies import proxy_for
from tui.client.http.retry import Timeouts
from tui.client.http.tls import trusted
from tui.client.http.transport_errors import Way
from tui.client.http.unpacking import ACCEPTED
from tui.text import clean

_LIMITS = httpx.Limits(max_connections=8, max_keepalive_connections=4, keepalive_expiry=75.0)
"""Longer than the pause between two polls, which is a minute at most."""


class _Signature(httpx.Auth):
    """Puts the credentials onto a request, at the last moment."""

    def __init__(self, credentials: Credentials) -> None:
        self._credentials = credentials

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = self._credentials.authorization()
        yield request


def way_home(
    address: Address,
    credentials: Credentials,
    transport: httpx.AsyncBaseTransport | None,
    timeouts: Timeouts,
    ca_file: Path | None,
) -> Exchange:
    """To the service at `address`; a `transport` replaces the network.

    Raises `BadAddress` for a proxy that cannot be used, `TlsFailed` for such a `ca_file`.
    """
    way = _way(address.base, transport)
    context = _context(address.base, transport, ca_file)
    return Exchange(_http(transport, way, timeouts, context, _Signature(credentials)), way)


def way_abroad(
    url: httpx.URL,
    transport: httpx.AsyncBaseTransport | None,
    timeouts: Timeouts,
    ca_file: Path | None = None,
) -> Exchange:
    """To the host of any address, without credentials. Takes some 50 ms: off the event loop.

    Raises `BadAddress` for a proxy that cannot be used, `TlsFailed` for such a `ca_file`.
    """
    way = _way(url, transport)
    return Exchange(_http(transport, way, timeouts, _context(url, transport, ca_file), None), way)


def _way(url: httpx.URL, transport: httpx.AsyncBaseTransport | None) -> Way:
    """What is sent in the clear must not leave the machine, so it goes through no proxy."""
    stays_here = url.scheme == "http" and is_loopback(url.host)
    proxy = None if transport is not None or stays_here else proxy_for(url)
    return Way(clean.line(url.host), proxy)


def _context(
    url: httpx.URL, transport: httpx.AsyncBaseTransport | None, ca_file: Path | None
) -> ssl.SSLContext:
    """Dear to make, so made where it is used. A file of certificates is read in any case."""
    if transport is not None or (url.scheme == "http" and ca_file is None):
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return trusted(ca_file)


def _http(
    transport: httpx.AsyncBaseTransport | None,
    way: Way,
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
        proxy=None if way.proxy is None or transport is not None else way.proxy.proxy,
        transport=transport,
        timeout=timeouts.for_transport(),
        limits=_LIMITS,
        follow_redirects=False,
        trust_env=False,
    )
