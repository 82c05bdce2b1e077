"""Cuts long work on the event loop into slices of a few milliseconds.

A thread would not do: the parser holds the interpreter for as long as one call takes, and a key
would wait.
"""

import time
from collections.abc import Callable

from tui.runtime.input_priority import COURTESY

_LONGEST_SLICE = 0.002


class Slicer:
    """Counts the time since the loop last had a turn. `clock` gives seconds, monotonic."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._began = clock()

    @property
    def is_over(self) -> bool:
        """Whether this slice has lasted for two milliseconds."""
        return self._clock() - self._began >= _LONGEST_SLICE

    async def breathe(self) -> None:
        """Give the event loop a turn if this slice has lasted for two milliseconds."""
        if self.is_over:
            await COURTESY.give_way()
            self._began = self._clock()
