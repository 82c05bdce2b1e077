"""The clock protocol of the store, waiting, and background tasks.

Everything in the store takes its time from here, so that tests control it. Wall-clock time may jump
when somebody sets the clock; durations are measured with the monotonic `elapsed`.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from datetime import UTC, datetime
from typing import Protocol, TypeVar

logger = logging.getLogger(__name__)
_A = TypeVar("_A")
_T = TypeVar("_T")
_AT_ONCE = 4


class Clock(Protocol):
    """Wall-clock and monotonic time, and sleeping."""

    def now(self) -> datetime:
        """The wall-clock time, aware, in UTC."""

    def elapsed(self) -> float:
        """Monotonic seconds, which go on while the machine sleeps."""

    async def sleep(self, seconds: float) -> None:
        """Sleep for this many seconds."""


# On Linux CLOCK_MONOTONIC stands still while the machine sleeps; on macOS, which has no
# CLOCK_BOOTTIME, it goes on.
_NEVER_SET = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The wall-clock time, aware, in UTC."""
        return datetime.now(UTC)

    def elapsed(self) -> float:
        """Monotonic seconds, which go on while the machine sleeps."""
        return time.clock_gettime(_NEVER_SET)

    async def sleep(self, seconds: float) -> None:
        """Sleep for this many seconds."""
        await asyncio.sleep(seconds)


async def sleep_or(event: asyncio.Event, seconds: float, clock: Clock) -> bool:
    """Wait until the event is set, at most this long; returns whether it was set."""
    if not event.is_set():
        await unless(event, clock.sleep(seconds))
    return event.is_set()


async def unless(event: asyncio.Event, work: Awaitable[_T]) -> _T | None:
    """The result of the work, which is cancelled if the event is set before; None then."""
    working, waking = asyncio.ensure_future(work), asyncio.create_task(event.wait())
    try:
        await asyncio.wait((working, waking), return_when=asyncio.FIRST_COMPLETED)
    finally:
        # False for work that has ended: its result counts although the event is set too.
        is_interrupted = working.cancel()
        waking.cancel()
        # Waited for, so that no request goes on behind the caller's back.
        await asyncio.gather(working, waking, return_exceptions=True)
    return None if is_interrupted else working.result()


async def end_all(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel tasks, and wait until they have ended, with whatever that is."""
    ending = tuple(tasks)
    for task in ending:
        task.cancel()
    await asyncio.gather(*ending, return_exceptions=True)


async def few_at_once(ask: Callable[[_A], Awaitable[_T]], things: Iterable[_A]) -> list[_T]:
    """The results of asking about each thing, so that many boards do not load the service."""
    places = asyncio.Semaphore(_AT_ONCE)

    async def asked(thing: _A) -> _T:
        async with places:
            return await ask(thing)

    return await asyncio.gather(*map(asked, things))


def begin_soon(work: Coroutine[None, None, None]) -> asyncio.Task[None]:
    """A task of the work that begins in the next turn of the event loop, on every Python.

    From Python 3.12 on Textual lets a task begin inside create_task, before it is known to run:
    what it asks for or notifies of would start it again.
    """
    loop = asyncio.get_running_loop()
    eager = getattr(asyncio, "eager_task_factory", None)
    if eager is not None and loop.get_task_factory() is eager:
        return asyncio.Task(work, loop=loop)
    return loop.create_task(work)


def in_background(
    work: Coroutine[None, None, None], on_mistake: Callable[[], None]
) -> asyncio.Task[None]:
    """Let the work begin soon; if it fails, log the traceback and call `on_mistake`."""
    task = begin_soon(work)

    def ended(task: asyncio.Task[None]) -> None:
        # Nobody awaits the task: asyncio would mention its error only once it is collected.
        if task.cancelled():
            return
        error = task.exception()
        if error is not None:
            logger.error("Work behind the scenes ended with a mistake", exc_info=error)
            on_mistake()

    task.add_done_callback(ended)
    return task
