"""A clock that stands still until a test moves it."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

_START = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


class FakeClock:
    """Sleepers wake when the time they wait for is reached by `advance`; `set` only moves `now`.

    `activity` is set whenever somebody goes to sleep, and by whoever else shares the clock when
    something happened.
    """

    def __init__(self) -> None:
        self._now = _START
        self._set_by = timedelta()
        self._sleepers: list[tuple[datetime, asyncio.Future[None]]] = []
        self.on_sleep: Callable[[], None] = lambda: None
        self.activity = asyncio.Event()

    def now(self) -> datetime:
        return self._now + self._set_by

    def elapsed(self) -> float:
        return (self._now - _START).total_seconds()

    def set(self, seconds: float) -> None:
        """Somebody sets the clock forth, or back."""
        self._set_by += timedelta(seconds=seconds)

    async def sleep(self, seconds: float) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._now + timedelta(seconds=seconds), future))
        self.activity.set()
        self.on_sleep()
        await future

    @property
    def next_wake(self) -> datetime | None:
        """When the first sleeper wakes."""
        return min((when for when, future in self._sleepers if not future.done()), default=None)

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._now += timedelta(seconds=seconds)
        for when, future in self._sleepers:
            if when <= self._now and not future.done():
                future.set_result(None)
        self._sleepers = [sleeper for sleeper in self._sleepers if not sleeper[1].done()]

    def advance_to_next(self) -> None:
        """Let time pass until somebody wakes."""
        if self.next_wake is not None:
            self.advance((self.next_wake - self._now).total_seconds())
