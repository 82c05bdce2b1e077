"""Lets background work yield to user input.

Between a key and its drawn effect the event loop runs many times, and each turn may wait for a
slice of other work. So after a key, background work pauses until its effect is painted, or must
have been; while a key is held down it goes on, only slower.
"""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Event
from time import perf_counter

_ATTENTION = 0.025
"""Seconds after which the effect of a key is painted, if it has one."""
PAUSE = 0.5
"""Seconds without input after which the user is taken to pause."""
_TURNS = 8
SWITCH_SECONDS = 0.0005
"""The interpreter's switch interval; the default is ten times that.

Between a key and its drawn effect the event loop may have to wait several times for the thread of
the embedded service, each time this long.
"""


class InputPriority:
    """Tracks the time of the last input. `clock` is monotonic."""

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._received_at = -_ATTENTION
        self._waiting: list[asyncio.Event] = []
        self._pausing: list[asyncio.Event] = []
        # A threading event, because `block_after_input` waits for it in other threads.
        self._is_painted = Event()

    def input_received(self) -> None:
        self._received_at = self._clock()
        self._is_painted.clear()
        for acted in self._waiting:
            acted.set()

    def effect_painted(self) -> None:
        """Let background work go on: what the last input changed is on the screen."""
        self._is_painted.set()
        for painted in self._pausing:
            painted.set()

    @property
    def quiet_seconds(self) -> float:
        return self._clock() - self._received_at

    @property
    def is_input_recent(self) -> bool:
        """Whether the effect of the last input may not be painted yet."""
        return self.quiet_seconds < _ATTENTION and not self._is_painted.is_set()

    async def yield_to_input(self) -> None:
        """Yield to the event loop, for longer after recent input."""
        if self.is_input_recent:
            await self.pause_after_input()
            return
        # One turn is not enough: handling a key posts messages, which later turns handle.
        for _ in range(_TURNS):
            await asyncio.sleep(0)

    async def until_quiet(self, seconds: float) -> None:
        while (left := seconds - self.quiet_seconds) > 0:  # noqa: ASYNC110  they may act meanwhile
            await asyncio.sleep(left)

    async def run_in_pauses(self, steps: Iterable[Callable[[], object]]) -> None:
        """Run each step on a thread, once there was no input for a moment."""
        for step in steps:
            await self.until_quiet(PAUSE)
            await asyncio.to_thread(step)

    async def until_input(self, seconds: float) -> None:
        """Wait for input whose effect is painted, but not for longer."""
        await _until_noted(self._waiting, seconds)
        await self.pause_after_input()

    async def pause_after_input(self) -> None:
        if self.is_input_recent:
            await _until_noted(self._pausing, _ATTENTION)

    def block_after_input(self) -> None:
        """Sleep after recent input, in a thread that is not the event loop's.

        Computing threads share the interpreter, so the key would take twice as long.
        """
        if self.is_input_recent:
            self._is_painted.wait(_ATTENTION)


def until_beat(pause: float, now: float) -> float:
    """Seconds until the next multiple of a pause, from the time of a monotonic clock on.

    What is looked at regularly is looked at on such moments, so that the program wakes once for
    several looks: to wake takes longer than a look.
    """
    return pause - now % pause


async def _until_noted(waiting: list[asyncio.Event], seconds: float) -> None:
    # Adds an event to those that are set on the next notice, and waits for it with a timeout.
    noted = asyncio.Event()
    waiting.append(noted)
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await noted.wait()
    finally:
        waiting.remove(noted)


INPUT_PRIORITY = InputPriority()
"""The input priority of this program."""
