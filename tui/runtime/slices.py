"""Keeps long work from blocking the event loop: in slices of a few milliseconds, or in a thread.

A parser is sliced, because a thread would hold the interpreter for as long as one call takes.
"""

import asyncio
import time
from collections.abc import Callable

from tui.runtime.input_priority import INPUT_PRIORITY

_LONGEST_SLICE = 0.002
_LONG = 50_000
"""Characters that are converted within a frame or two."""


class Slicer:
    """Measures the time since it last yielded. `clock` is monotonic."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._began = clock()

    @property
    def is_over(self) -> bool:
        return self._clock() - self._began >= _LONGEST_SLICE

    async def yield_if_over(self) -> None:
        if self.is_over:
            await INPUT_PRIORITY.yield_to_input()
            self._began = self._clock()


async def turned(turn: Callable[..., str], *texts: str) -> str:
    """The result of a function of texts; in a thread if they are long."""
    if sum(map(len, texts)) < _LONG:
        return turn(*texts)
    return await asyncio.to_thread(turn, *texts)
