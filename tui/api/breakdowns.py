"""Calls that got no answer: the library's errors, made one of the package's.

The rule it keeps: a call that changes something may have happened as soon as it could have been
sent whole; a connection that was never made changed nothing.
"""

import ssl
from collections.abc import Iterator

import httpx

from tui.api.endpoints import Route
from tui.api.errors import ApiError, BadAddress, Nonsense, TimedOut, TlsFailed, Unreachable

_BEFORE_SENDING = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.LocalProtocolError,
    httpx.UnsupportedProtocol,
)
_LATER = "Try again later."


def breakdown(route: Route, host: str, error: httpx.RequestError) -> ApiError:
    """The error that a failed exchange with `host` stands for."""
    details = f"{route}: {type(error).__name__}: {error}"
    may_have_happened = not route.is_safe and not isinstance(error, _BEFORE_SENDING)
    if any(isinstance(cause, ssl.SSLError) for cause in _causes(error)):
        return TlsFailed(
            f"The connection to {host} is not safe: its certificate was not accepted.",
            hint="Nothing was sent. Ask who runs the service to look at its certificate.",
            details=details,
        )
    if isinstance(error, httpx.TimeoutException):
        return timed_out(route, host, may_have_happened=may_have_happened, details=details)
    if isinstance(error, httpx.UnsupportedProtocol):
        return BadAddress(f"The address of {host} cannot be used.", details=details)
    if isinstance(error, httpx.DecodingError):
        return Nonsense(
            f"{host} sent an answer that cannot be unpacked.",
            details=details,
            may_have_happened=may_have_happened,
        )
    if isinstance(error, _BEFORE_SENDING):
        words = f"{host} cannot be reached."
    else:
        words = f"The connection to {host} broke before the answer was there."
    return Unreachable(words, hint=_LATER, details=details, may_have_happened=may_have_happened)


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


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__
