"""Lets background work yield to the person at the keyboard.

A key becomes a drawn line in many turns of the event loop, and waits for a slice of other work
before each of them. So after a key all others rest until it must have been drawn; however long
somebody holds a key down, they go on, only slower.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter, sleep

_ATTENTION = 0.025
"""Seconds after a key in which what it does is still being drawn."""
_TURNS = 8
SWITCH_SECONDS = 0.0005
"""How long a thread may compute while another wants to; the default is ten times that.

A key becomes a drawn line in several steps, and at each of them the event loop may have to wait
this long for the thread of the embedded service.
"""


class InputPriority:
    """Knows when the person last acted. `clock` gives seconds, monotonic."""

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._received_at = -_ATTENTION
        self._waiting: list[asyncio.Event] = []

    def input_received(self) -> None:
        """A key was pressed, or the mouse."""
        self._received_at = self._clock()
        for acted in self._waiting:
            acted.set()

    @property
    def quiet_seconds(self) -> float:
        """How long ago the person acted last."""
        return self._clock() - self._received_at

    @property
    def is_input_recent(self) -> bool:
        """Whether what the person did may still be on its way to the screen."""
        return self.quiet_seconds < _ATTENTION

    async def yield_to_input(self) -> None:
        """Let others have their turns: a few of them, or a rest if the person just acted."""
        if self.is_input_recent:
            await asyncio.sleep(_ATTENTION)
            return
        for _ in range(_TURNS):
            await asyncio.sleep(0)

    async def until_quiet(self, seconds: float) -> None:
        """Wait until the person has not acted for so long."""
        while (left := seconds - self.quiet_seconds) > 0:  # noqa: ASYNC110  they may act meanwhile
            await asyncio.sleep(left)

    async def until_input(self, seconds: float) -> None:
        """Wait until the person acts, for so many seconds at most."""
        acted = asyncio.Event()
        self._waiting.append(acted)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await acted.wait()
        finally:
            self._waiting.remove(acted)

    async def pause_after_input(self) -> None:
        """Rest if the person just acted."""
        if self.is_input_recent:
            await self.yield_to_input()

    def block_after_input(self) -> None:
        """Rest if the person just acted, in a thread that is not the event loop's.

        Two threads that compute share the interpreter, and the key would take twice as long.
        """
        if self.is_input_recent:
            sleep(_ATTENTION)


INPUT_PRIORITY = InputPriority()
"""That of this program: there is one person at one keyboard."""
