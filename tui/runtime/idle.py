"""Work done while the user is idle: garbage collection, and preloading of screens.

A full collection takes a tenth of a second with a board of 100,000 tasks, so it must not happen
between a key and its effect, and only rarely at all. Modules are loaded in a thread, after the
first board is drawn.
"""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from functools import partial
from importlib import import_module
from time import monotonic, perf_counter

from tui.runtime.input_priority import INPUT_PRIORITY, PAUSE, InputPriority, until_beat

_LOOK_EVERY = 1.0
_PAUSE_SECONDS = 2.0
_WORTH_IT = 10
_LONGEST = 5.0
"""Seconds without a pause after which one key may wait for a collection instead."""
_EVERYTHING = 60.0
"""Seconds between the collections of everything, which keep closed screens from using memory."""
_TOO_MANY = 1_000
_AFTER_START = 1.5
_MODULES = (
    *("tui.screens.task.screen", "tui.screens.thread.screen"),
    *(f"tui.actions.tasks.{name}" for name in ("moving", "labels", "people")),
)


def freeze_old_objects() -> None:
    """Exclude existing objects from collections, and old ones from automatic ones."""
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _TOO_MANY)
    gc.freeze()


class Collector:
    """Collects garbage when the user is idle, and from time to time when that never happens.

    What is left after a collection is excluded from the next ones, until one of everything: that
    is done in a pause, at most once a minute. `waiting` counts the automatic collections since the
    last one; `clock` is monotonic.
    """

    def __init__(
        self,
        priority: InputPriority = INPUT_PRIORITY,
        *,
        waiting: Callable[[], int] = lambda: gc.get_count()[2],
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self._priority = priority
        self._waiting = waiting
        self._clock = clock
        self._collected_at = self._everything_at = clock()
        self._excludes_any = False

    @property
    def _is_idle(self) -> bool:
        return self._priority.quiet_seconds >= _PAUSE_SECONDS

    @property
    def _is_for_everything(self) -> bool:
        return self._is_idle and self._clock() - self._everything_at >= _EVERYTHING

    def is_due(self) -> bool:
        """Whether there may be garbage, and a key would not notice or it has waited long."""
        if self._waiting() < _WORTH_IT:
            return self._excludes_any and self._is_for_everything
        return self._is_idle or self._clock() - self._collected_at >= _LONGEST

    def collect(self) -> None:
        self._excludes_any = not self._is_for_everything
        if self._excludes_any:
            gc.collect(1)
        else:
            gc.unfreeze()
            gc.collect()
            self._everything_at = self._clock()
        gc.freeze()
        self._collected_at = self._clock()


async def collect_in_pauses() -> None:
    """Collect garbage whenever that is due; never returns."""
    collector = Collector()
    while True:
        await asyncio.sleep(until_beat(_LOOK_EVERY, monotonic()))
        if collector.is_due():
            collector.collect()


async def preload_in_pauses(
    then: Callable[[], object],
    *,
    before: Callable[[], Awaitable[None]] | None = None,
    after: float = _AFTER_START,
) -> None:
    """Import the screens of a task, and `then` mount one, so that the first opens as fast.

    Begins so many seconds `after` it is called, with what is to be done `before`.
    """
    await asyncio.sleep(after)
    if before is not None:
        await before()
    await INPUT_PRIORITY.run_in_pauses(partial(import_module, module) for module in _MODULES)
    await INPUT_PRIORITY.until_quiet(PAUSE)
    gc.freeze()
    await INPUT_PRIORITY.until_quiet(PAUSE)
    then()
