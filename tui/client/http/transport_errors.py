"""Converts errors of httpx into errors of the client.

A write may have taken effect once it could have been sent completely; if no connection was made it
has not. Certificate errors are described in words.
"""

import ssl
from collections.abc import Iterator
from dataclasses import dataclass

import httpx

from tui.client.endpoints import RequestLine
from tui.client.errors import (
    ApiError,
    BadAddress,
    TimedOut,
    TlsFailed,
    UnexpectedAnswer,
    Unreachable,
)
from tui.client.http.address import Proxy
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
_NAME_ITS_FILE = (
    "If it is your own service or your company’s, name its authority’s certificate as ca_file in"
    " the profile."
)
_ASK = "Ask who runs the service to look at its certificate."
_CLOCK = "Check the clock of this machine; if it is right, ask who runs the service."
_REASONS = {
    9: ("is not valid yet", _CLOCK),
    10: ("has expired", _CLOCK),
    18: ("is self-signed", _NAME_ITS_FILE),
    19: ("comes from an authority that is not known here", _NAME_ITS_FILE),
    2: ("comes from an authority that is not known here", _NAME_ITS_FILE),
    20: ("comes from an authority that is not known here", _NAME_ITS_FILE),
    21: ("comes from an authority that is not known here", _NAME_ITS_FILE),
    23: ("was revoked", _ASK),
    62: ("was made for another host", "Check the address of the service in the profile."),
    64: ("was made for another host", "Check the address of the service in the profile."),
}
"""By OpenSSL's `X509_V_ERR_…` number."""


Failure = httpx.RequestError | httpx.InvalidURL
"""The errors of httpx; `InvalidURL` is raised for a redirect to an invalid address."""


@dataclass(frozen=True, slots=True)
class Peer:
    """The host, terminal-safe, and the proxy, if any."""

    host: str
    proxy: Proxy | None = None


def transport_error(
    route: RequestLine, peer: Peer, error: Failure, *, is_on_its_way: bool = True
) -> ApiError:
    """The error for a failed exchange.

    `is_on_its_way` is false while only the proxy has been contacted.
    """
    details = f"{route}: {type(error).__name__}: {clean.line(str(error))}"
    # Until the tunnel is there, the request itself cannot have reached the service.
    is_unsent = isinstance(error, _BEFORE_SENDING) or not is_on_its_way
    may_have_happened = not route.is_safe and not is_unsent
    unsafe = _distrust(peer.host, error, details)
    if unsafe is not None:
        return unsafe
    if isinstance(error, httpx.TimeoutException):
        return timed_out(route, peer.host, may_have_happened=may_have_happened, details=details)
    if isinstance(error, httpx.UnsupportedProtocol):
        return BadAddress(f"The address of {peer.host} cannot be used.", details=details)
    if isinstance(error, (httpx.DecodingError, httpx.InvalidURL)):
        return UnexpectedAnswer(
            f"{peer.host} sent an unexpected answer.",
            details=details,
            may_have_happened=may_have_happened,
        )
    if isinstance(error, httpx.ProxyError):
        return _turned_away(peer, error, details)
    if is_unsent:
        through = "" if peer.proxy is None else f" through the proxy {peer.proxy.host}"
        words = f"{peer.host} cannot be reached{through}."
    else:
        words = f"The connection to {peer.host} broke before the answer was there."
    return Unreachable(words, hint=_LATER, details=details, may_have_happened=may_have_happened)


def login_wanted(peer: Peer, details: str) -> BadAddress:
    """The error for a proxy that requires a login (407)."""
    name, variable = (
        ("", "HTTPS_PROXY") if peer.proxy is None else (f" {peer.proxy.host}", peer.proxy.variable)
    )
    return BadAddress(
        f"The proxy{name} requires a login name and a password; nothing was sent to {peer.host}.",
        hint=f"Set {variable} to http://name:password@host:port.",
        details=details,
        status=407,
    )


def timed_out(
    route: RequestLine, host: str, *, may_have_happened: bool | None = None, details: str = ""
) -> TimedOut:
    """The error for a call that took too long."""
    if may_have_happened is None:
        may_have_happened = not route.is_safe
    return TimedOut(
        f"{host} did not answer in time.",
        hint=_LATER,
        details=details or f"{route}: took too long",
        may_have_happened=may_have_happened,
    )


def _turned_away(peer: Peer, error: httpx.ProxyError, details: str) -> ApiError:
    """The error for a proxy that refused to connect; its message begins with a status."""
    if str(error).startswith(_LOGIN_WANTED):
        return login_wanted(peer, details)
    name = "" if peer.proxy is None else f" {peer.proxy.host}"
    return Unreachable(
        f"The proxy{name} does not connect to {peer.host}.", hint=_LATER, details=details
    )


def _distrust(host: str, error: Exception, details: str) -> TlsFailed | None:
    """The error for a certificate that was not accepted; None for other errors.

    Only while connecting: errors of an established connection are ordinary ones.
    """
    if not isinstance(error, httpx.ConnectError):
        return None
    trouble = next((link for link in causes(error) if isinstance(link, ssl.SSLError)), None)
    if trouble is None:
        return None
    if not isinstance(trouble, ssl.SSLCertVerificationError):
        return TlsFailed(
            f"No safe connection to {host} could be made; nothing was sent.",
            hint="Check that the address and its port are those of an https service.",
            details=details,
        )
    reason, hint = _REASONS.get(trouble.verify_code, ("was not accepted", _ASK))
    return TlsFailed(
        f"The certificate of {host} {reason}; nothing was sent.", hint=hint, details=details
    )


def causes(error: BaseException) -> Iterator[BaseException]:
    """An error and what it was raised from."""
    link: BaseException | None = error
    while link is not None:
        yield link
        link = link.__cause__ or link.__context__
