"""Measures how the CPU time of a target grows when the text doubles."""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from tests.attack.corpus import Pattern
from tests.attack.targets import ONE_MB, Target

MOST_GROWTH = 2.3
"""By what factor the time may grow when the size doubles; quadratic time grows by 4."""

_SMALLEST = ONE_MB // 4
_ATTEMPTS = 3
_RUNS = 3
# The clock of the processor may go on in steps of several milliseconds.
_SHORTEST_SECONDS = 0.04
_ENOUGH_SECONDS = 0.05
_LONGEST_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Growth:
    """How long the largest text took, and the smaller factor of the two doublings up to its size.

    Quadratic time has a factor of 4 in both; a cache of the processor that is full, in one.
    """

    size: int
    seconds: float
    factor: float

    @property
    def is_too_steep(self) -> bool:
        """Whether it grows faster than it may.

        Under 50 ms for the largest text that is read, nothing but the caches can be told.
        """
        return self.factor > MOST_GROWTH and self.seconds >= _ENOUGH_SECONDS


def growth(target: Target, pattern: Pattern) -> Growth:
    """Measure a pattern at three sizes, each twice the one before.

    The largest is 256 kB; or less, where the target reads less of a text; or up to 16 MB, where
    less takes under 50 ms, because what fits into the caches of the processor grows faster. A
    factor that is too large is measured again: other programs only ever make it larger.
    """
    size = min(_SMALLEST, target.largest)
    while size < target.largest and _once(target.read, pattern(size)) < _ENOUGH_SECONDS:
        size *= 2
    found = [_measured(target, pattern, size)]
    while found[-1].is_too_steep and len(found) < _ATTEMPTS:
        if found[-1].seconds > _LONGEST_SECONDS:
            break
        found.append(_measured(target, pattern, size))
    return min(found, key=lambda one: one.factor)


def _measured(target: Target, pattern: Pattern, largest: int) -> Growth:
    """Measure three sizes; larger ones are left out when one takes more than 10 s."""
    times: list[float] = []
    for size in (largest // 4, largest // 2, largest):
        text = pattern(size)
        times.append(_seconds(target.read, text))
        if times[-1] > _LONGEST_SECONDS:
            break
    factors = [after / before for before, after in pairwise(times)]
    return Growth(size, times[-1], min(factors, default=float("inf")))


def _seconds(read: Callable[[str], object], text: str) -> float:
    """The CPU time of one call, the median of three measurements; one is enough if it is long."""
    first = _once(read, text)
    if first > 1:
        return first
    return median([first, *(_once(read, text) for _ in range(_RUNS - 1))])


def _once(read: Callable[[str], object], text: str) -> float:
    """The CPU time of one call, among as many as take 40 ms together.

    The garbage collector waits meanwhile, as in `timeit`.
    """
    gc.collect()
    gc.disable()
    try:
        calls = 0
        began = time.process_time()
        while (taken := time.process_time() - began) < _SHORTEST_SECONDS:
            read(text)
            calls += 1
        return taken / calls
    finally:
        gc.enable()
