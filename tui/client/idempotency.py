"""Idempotency keys, with which the requests of a change can be sent again.

Inside `repeatable(key)` every write has an `Idempotency-Key` header. It is derived from that key, a
digest of the request, and how often the same request was sent before within it, so that resending a
change produces the same keys, and another content another key. A service that supports them returns
the stored reply; others ignore the header.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from hashlib import sha256
from typing import Final

KEPT_FOR: Final = timedelta(days=2) - timedelta(hours=1)
"""How long a service stores replies, with a margin."""

ANNOUNCED = "idempotency-keys"
"""How a service announces that it stores replies."""

_Keys = tuple[str, Counter[str]]
_KEYS: ContextVar[_Keys] = ContextVar("idempotency_keys", default=("", Counter()))
"""The key of the current change, and how often each of its requests was sent."""


@contextmanager
def repeatable(key: str) -> Iterator[None]:
    """Derive the keys of writes inside from `key`; none if it is empty."""
    token = _KEYS.set((key, Counter()))
    try:
        yield
    finally:
        _KEYS.reset(token)


def next_key(request: bytes) -> str:
    """The key of a request, given its content; empty outside of `repeatable`."""
    key, sent = _KEYS.get()
    if not key:
        return ""
    digest = sha256(request).hexdigest()[:32]
    sent[digest] += 1
    return f"{key}-{digest}-{sent[digest]}"
