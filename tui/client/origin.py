"""What makes a change in place of the user, such as an agent, said to the service in a header.

Our own service keeps it with the activity; others ignore the header.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

HEADER: Final = "Callboard-Via"

_ORIGIN: ContextVar[str] = ContextVar("origin", default="")


@contextmanager
def made_by(origin: str) -> Iterator[None]:
    """Writes inside are made by `origin`, by the user alone if that is empty."""
    token = _ORIGIN.set(origin)
    try:
        yield
    finally:
        _ORIGIN.reset(token)


def headers() -> dict[str, str]:
    """The headers of a write."""
    return {HEADER: origin} if (origin := _ORIGIN.get()) else {}
