"""The headers of writes: an idempotency key, and the origin of the change.

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

KEPT_FOR: Final = timedelta(days=2) - timedelta(hours=1)
"""How long a service stores replies, with a margin."""

ANNOUNCED = "idempotency-keys"
"""How a service announces that it stores replies."""

_VIA: Final = "Callboard-Via"

_ORIGIN: ContextVar[str] = ContextVar("origin", default="")
_Keys = tuple[str, Counter[str], Callable[[], None]]
_KEYS: ContextVar[_Keys] = ContextVar("idempotency_keys", default=("", Counter(), lambda: None))
"""The key of the current change, how often each of its requests was sent, and a check before."""


@contextmanager
def repeatable(key: str, check: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Derive the keys of writes inside from `key`; none if it is empty.

    `check` is called before each of them, and may raise an error instead of having it sent.
    """
    token = _KEYS.set((key, Counter(), check))
    try:
        yield
    finally:
        _KEYS.reset(token)


def next_key(request: bytes) -> str:
    """The key of a request about to be sent, given its content; empty outside of `repeatable`."""
    key, sent, check = _KEYS.get()
    # Also without a key: it may forbid the write.
    check()
    if not key:
        return ""
    from hashlib import sha256

    digest = sha256(request).hexdigest()[:32]
    sent[digest] += 1
    return f"{key}-{digest}-{sent[digest]}"


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
