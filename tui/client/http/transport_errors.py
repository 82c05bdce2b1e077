"""Calls that got no answer: the library's errors, made one of the package's.

The rule it keeps: a call that changes something may have happened as soon as it could have been
sent whole; a connection that was never made changed nothing.
"""

from dataclasses import dataclass

import httpx

from tui.client.endpoints import Route
from tui.client.errors import ApiError, BadAddress, Nonsense, TimedOut, Unreachable
from tui.client.http.proxies import Proxy
from tui.client.http.tls import distrust
from tui.text import clean

_BEFORE_SENDING = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.LocalProtocolError,
    httpx.UnsupportedProtocol,
)
_LATER = "Try again later."
_LOGIN_WANTED = "407"


Failure = httpx.RequestError | httpx.InvalidURL
"""What the library raises; the latter for a redirect to what is no address."""


@dataclass(frozen=True, slots=True)
class Way:
    """The way to a service: its host, clean for the terminal, and the proxy before it, if any."""

    host: str
    proxy: Proxy | None = None


def breakdown(route: Route, way: Way, error: Failure, *, is_on_its_way: bool = True) -> ApiError:
    """The error that a failed exchange stands for.

    `is_on_its_way` is false as long as it was the proxy that was spoken to.
    """
    details = f"{route}: {type(error).__name__}: {clean.line(str(error))}"
    is_unsent = isinstance(error, _BEFORE_SENDING) or not is_on_its_way
    may_have_happened = not route.is_safe and not is_unsent
    unsafe = distrust(way.host, error, details)
    if unsafe is not None:
        return unsafe
    if isinstance(error, httpx.TimeoutException):
        return timed_out(route, way.host, may_have_happened=may_have_happened, details=details)
    if isinstance(error, httpx.UnsupportedProtocol):
        return BadAddress(f"The address of {way.host} cannot be used.", details=details)
    if isinstance(error, (httpx.DecodingError, httpx.InvalidURL)):
        return Nonsense(
            f"{way.host} sent an answer that is not understood.",
            details=details,
            may_have_happened=may_have_happened,
        )
    if isinstance(error, httpx.ProxyError):
        return _turned_away(way, error, details)
    if is_unsent:
        through = "" if way.proxy is None else f" through the proxy {way.proxy.host}"
        words = f"{way.host} cannot be reached{through}."
    else:
        words = f"The connection to {way.host} broke before the answer was there."
    return Unreachable(words, hint=_LATER, details=details, may_have_happened=may_have_happened)


def login_wanted(way: Way, details: str) -> BadAddress:
    """The error of a proxy that lets nobody through without a login of its own (407)."""
    name, variable = (
        ("", "HTTPS_PROXY") if way.proxy is None else (f" {way.proxy.host}", way.proxy.variable)
    )
    return BadAddress(
        f"The proxy{name} wants a login name and a password; nothing was sent to {way.host}.",
        hint=f"Set {variable} to http://name:password@host:port.",
        details=details,
        status=407,
    )


def timed_out(
    route: Route, host: str, *, may_have_happened: bool | None = None, details: str = ""
) -> TimedOut:
    """The error of a call that took too long."""
    if may_have_happened is None:
        may_have_happened = not route.is_safe
    return TimedOut(
        f"{host} did not answer in time.",
        hint=_LATER,
        details=details or f"{route}: took too long",
        may_have_happened=may_have_happened,
    )


def _turned_away(way: Way, error: httpx.ProxyError, details: str) -> ApiError:
    """A proxy would not connect; its error says why, beginning with its status."""
    if str(error).startswith(_LOGIN_WANTED):
        return login_wanted(way, details)
    name = "" if way.proxy is None else f" {way.proxy.host}"
    return Unreachable(
        f"The proxy{name} does not connect to {way.host}.", hint=_LATER, details=details
    )
