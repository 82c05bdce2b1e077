"""The errors of requests to a service, with messages for the user.

    CallboardError
    └── ApiError
        ├── BadAddress         the address or proxy cannot be used (407), or it leads elsewhere
        ├── NoService          no board service at an address, or more than one
        ├── Unreachable        no connection, or it broke, or the network wants a sign-in (511)
        ├── TimedOut           no response in time
        ├── TlsFailed          the certificate cannot be verified
        ├── WrongCredentials   401: the login name or the password was rejected
        ├── NotAllowed         403: this user may not do this
        ├── NotFound           404: no such board, stage, task, comment or label
        ├── NotOffered         404 `rest_no_route`: the service does not have this feature
        ├── Refused            400, 422: the request is invalid; `params` says which field
        ├── Conflict           409: it does not fit the current state
        ├── TooLarge           413, 414, 431: more than the service accepts
        ├── ServerFault        5xx, 408, 421, 425, 429: the service failed or asks to wait
        │   └── NotStored      it reported success, but what it holds says otherwise
        └── UnexpectedAnswer   not from the service: a page of the network, malformed, truncated

`message` is one terminal-safe line; `details` is for the log and holds no credentials. The module
imports neither httpx nor pydantic, so that it can be imported before the first paint.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import ClassVar, Final

from tui.errors import CallboardError


class ApiError(CallboardError):
    """A request to a service failed.

    `may_have_happened` says that it may have taken effect all the same: read back before retrying.
    `is_passing` says that a retry may succeed, after `retry_after` seconds if the service named a
    time. `status` is that of the response, if any; `params` maps fields to what is wrong with them.
    """

    passes: ClassVar[bool] = False
    """Whether errors of this class are passing by default."""

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        details: str = "",
        status: int | None = None,
        may_have_happened: bool = False,
        is_passing: bool | None = None,
        retry_after: float | None = None,
        params: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(message, hint=hint)
        self.details = details
        self.status = status
        self.may_have_happened = may_have_happened
        self.is_passing = self.passes if is_passing is None else is_passing
        self.retry_after = retry_after
        self.params = params


class BadAddress(ApiError):
    """The address of the service, or its proxy's, cannot be used safely, or leads elsewhere."""


class NoService(ApiError):
    """There is no board service at an address, or more than one."""


class Unreachable(ApiError):
    """There is no connection to the service, or it broke before the response was complete."""

    passes = True


class TimedOut(ApiError):
    """The service did not respond in time."""

    passes = True


class TlsFailed(ApiError):
    """The service's certificate could not be verified; nothing was sent."""


class WrongCredentials(ApiError):
    """The service rejected the login name or password."""


class NotAllowed(ApiError):
    """The user may not do this, or not on this board."""


class NotFound(ApiError):
    """The thing does not exist, or no longer."""


class NotOffered(ApiError):
    """The service has no such endpoint: an edition without this feature."""


class Refused(ApiError):
    """The service considers the request invalid; `params` may say why."""


class Conflict(ApiError):
    """Something changed meanwhile, so that the request no longer fits."""


class TooLarge(ApiError):
    """The request is larger than the service, or a proxy, accepts."""


class ServerFault(ApiError):
    """The service failed, or is too busy.

    Passing for 408, 421, 425, 429, 502, 503, 504 and 507. Not passing for 500, which mostly
    repeats.
    """


class NotStored(ServerFault):
    """The service reported success, but did not do what was asked."""


class UnexpectedAnswer(ApiError):
    """The response is not from the service, or cannot be understood.

    A page of a proxy or of a network that wants a sign-in, whatever its status, or a response that
    is malformed, truncated, too large or incomplete. It says nothing about the request itself.
    """


REFUSALS: Final = (NotAllowed, NotFound, NotOffered, Refused, Conflict, TooLarge)
"""Definite responses to the request itself; after all other errors a retry may succeed."""


@contextmanager
def after_success() -> Iterator[None]:
    """Wrap requests that follow a successful write: their errors say it `may_have_happened`."""
    try:
        yield
    except ApiError as error:
        error.may_have_happened = True
        raise
