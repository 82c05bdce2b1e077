"""Time-outs, deadlines and the retry policy.

Only safe requests are retried here, a few times, with growing and jittered pauses, and not before
the service's `Retry-After`.
"""

import asyncio
import math
from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from tui.client.endpoints import RequestLine
from tui.client.http.transport_errors import timed_out

T = TypeVar("T")

_MOST_TRIES = 3
_FIRST_PAUSE = 0.4
_LONGEST_PAUSE = 10.0


@dataclass(frozen=True, slots=True)
class Timeouts:
    """In seconds: to connect, between two pieces of a response, and for a call in total."""

    connect: float = 10.0
    read: float = 30.0
    total: float = 120.0


class Deadline:
    """The total time of a call with its pauses; time the caller takes to read does not count."""

    def __init__(self, route: RequestLine, host: str, seconds: float) -> None:
        self._route = route
        self._host = host
        self._left = seconds
        self._ends = 0.0

    def is_beyond(self, seconds: float) -> bool:
        """Whether it ends within that many seconds."""
        return asyncio.get_running_loop().time() + seconds >= self._ends

    async def spend(self, waiting: Awaitable[T]) -> T:
        """Wait for something within the deadline. Raises `TimedOut`."""
        loop = asyncio.get_running_loop()
        self._ends = loop.time() + self._left
        try:
            async with asyncio.timeout_at(self._ends):
                return await waiting
        except TimeoutError:
            trouble = timed_out(self._route, self._host)
        finally:
            # The clock stops until the next wait: the caller's own time does not count.
            self._left = self._ends - loop.time()
        raise trouble


def retry_pause(tries: int, asked: float | None, jitter: float) -> float | None:
    """Seconds to wait before another try; None to give up, as if a longer pause is `asked` for.

    `jitter` is a number from 0 to 1.
    """
    asked = asked or 0.0
    if tries >= _MOST_TRIES or asked > _LONGEST_PAUSE:
        return None
    return max(asked, _FIRST_PAUSE * 2.0 ** (tries - 1) * (0.5 + jitter))


def retry_after(value: str | None, now: datetime) -> float | None:
    """The seconds in a `Retry-After` header, which holds seconds or an HTTP date."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            moment = parsedate_to_datetime(value)
        except (ValueError, OverflowError):
            return None
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        seconds = (moment - now).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else None
