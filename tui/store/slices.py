"""Long work on the event loop, in slices short enough to go unnoticed.

The rule it keeps: after a few milliseconds of work everybody else gets a turn.
"""

from collections.abc import Callable, Iterable
from time import perf_counter
from typing import TypeVar

from tui.courtesy import COURTESY

_SLICE_SECONDS = 0.003
_T = TypeVar("_T")
_R = TypeVar("_R")


class Turns:
    """Counts the time since the others last had a turn."""

    def __init__(self) -> None:
        self._since = perf_counter()

    async def give(self) -> None:
        """Give the others some turns if a slice of time is over."""
        if perf_counter() - self._since > _SLICE_SECONDS:
            await COURTESY.give_way()
            self._since = perf_counter()


async def each(items: Iterable[_T], work: Callable[[_T], _R], turns: Turns) -> list[_R]:
    """Do the work on each item, giving turns in between."""
    results = []
    for item in items:
        results.append(work(item))
        await turns.give()
    return results
