"""Lets background work yield to user input.

Between a key and its drawn effect the event loop runs many times, and each turn may wait for a
slice of other work. So after a key, background work pauses until it must have been drawn; while a
key is held down it goes on, only slower.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter, sleep

_ATTENTION = 0.025
"""Seconds in which the effect of a key is still being drawn."""
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

    def input_received(self) -> None:
        self._received_at = self._clock()
        for acted in self._waiting:
            acted.set()

    @property
    def quiet_seconds(self) -> float:
        return self._clock() - self._received_at

    @property
    def is_input_recent(self) -> bool:
        """Whether the effect of the last input may not be drawn yet."""
        return self.quiet_seconds < _ATTENTION

    async def yield_to_input(self) -> None:
        """Yield to the event loop, for longer after recent input."""
        if self.is_input_recent:
            await asyncio.sleep(_ATTENTION)
            return
        for _ in range(_TURNS):
            await asyncio.sleep(0)

    async def until_quiet(self, seconds: float) -> None:
        while (left := seconds - self.quiet_seconds) > 0:  # noqa: ASYNC110  they may act meanwhile
            await asyncio.sleep(left)

    async def until_input(self, seconds: float) -> None:
        acted = asyncio.Event()
        self._waiting.append(acted)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await acted.wait()
        finally:
            self._waiting.remove(acted)

    async def pause_after_input(self) -> None:
        if self.is_input_recent:
            await asyncio.sleep(_ATTENTION)

    def block_after_input(self) -> None:
        """Sleep after recent input, in a thread that is not the event loop's.

        Computing threads share the interpreter, so the key would take twice as long.
        """
        if self.is_input_recent:
            sleep(_ATTENTION)


INPUT_PRIORITY = InputPriority()
"""The input priority of this program."""
