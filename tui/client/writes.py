"""The requests of one change: the headers of its writes, and whether any of them succeeded.

With idempotency keys the requests of a change can be sent again.

Inside `repeatable(key)` every write has an `Idempotency-Key` header. It is derived from that key, a
digest of the request, and how often the same request was sent before within it, so that resending a
change produces the same keys, and another content another key. A service that supports them returns
the stored reply; others ignore the header.

The origin, such as an agent that acts for the user, is in a header that our own service stores with
the activity and others ignore.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Final

from tui.client.errors import ApiError

KEPT_FOR: Final = timedelta(days=2) - timedelta(hours=1)
"""How long a service stores replies, with a margin."""

ANNOUNCED = "idempotency-keys"
"""How a service announces that it stores replies."""

_VIA: Final = "Callboard-Via"

_ORIGIN: ContextVar[str] = ContextVar("origin", default="")


class _Change:
    """A change that takes one or several requests.

    `check` is called before each of its writes, `sent` counts the same ones.
    """

    def __init__(self, key: str, check: Callable[[], None]) -> None:
        self.key = key
        self.check = check
        self.sent = Counter[str]()
        self.has_written = False


_CHANGE: ContextVar[_Change | None] = ContextVar("change", default=None)


@contextmanager
def repeatable(key: str, check: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Derive the keys of writes inside from `key`; none if it is empty.

    `check` is called before each of them, and may raise an error instead of having it sent. Once
    one has succeeded, the errors of reads inside say that the change `may_have_happened`.
    """
    token = _CHANGE.set(_Change(key, check))
    try:
        yield
    finally:
        _CHANGE.reset(token)


@contextmanager
def request_of_change(*, is_read: bool) -> Iterator[None]:
    """Wrap a request, which may belong to a change."""
    change = _CHANGE.get()
    try:
        yield
    except ApiError as error:
        # Without this the change would be sent again, or called refused, although it was made.
        if is_read and change is not None and change.has_written:
            error.may_have_happened = True
        raise
    if not is_read and change is not None:
        change.has_written = True


def next_key(request: bytes) -> str:
    """The key of a request about to be sent, given its content; empty outside of `repeatable`."""
    change = _CHANGE.get()
    if change is None:
        return ""
    # Also without a key: it may forbid the write.
    change.check()
    if not change.key:
        return ""
    from hashlib import sha256

    digest = sha256(request).hexdigest()[:32]
    change.sent[digest] += 1
    return f"{change.key}-{digest}-{change.sent[digest]}"


@contextmanager
def made_by(origin: str) -> Iterator[None]:
    """Writes inside are made by `origin`, by the user alone if that is empty."""
    token = _ORIGIN.set(origin)
    try:
        yield
    finally:
        _ORIGIN.reset(token)


def write_headers(request: bytes) -> dict[str, str]:
    """The headers of a write about to be sent, given its content."""
    headers = {"Idempotency-Key": next_key(request), _VIA: _ORIGIN.get()}
    return {name: value for name, value in headers.items() if value}
