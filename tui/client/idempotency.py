"""Idempotency keys, with which the requests of a change can be sent again.

Inside `repeatable(key)` every write has an `Idempotency-Key` header. It is derived from that key, a
digest of the request, and how often the same request was sent before within it, so that resending a
change produces the same keys, and another content another key. A service that supports them returns
the stored reply; others ignore the header.
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
    check()
    if not key:
        return ""
    from hashlib import sha256

    digest = sha256(request).hexdigest()[:32]
    sent[digest] += 1
    return f"{key}-{digest}-{sent[digest]}"
