"""Work done while the user is idle: garbage collection, and preloading of screens.

A full collection takes 60 ms with a small board and 200 ms with one of 100,000 cards, so it must
not happen between a key and its effect. Modules are loaded in a thread, after the first board is
drawn.
"""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from functools import partial
from importlib import import_module
from time import monotonic

from tui.runtime.input_priority import INPUT_PRIORITY, PAUSE, until_beat

_COLLECT_EVERY = 60.0
_PAUSE_SECONDS = 2.0
_WORTH_IT = 10
"""Automatic collections since the last full one; fewer leave little to find."""
_TOO_MANY = 1_000
"""Those after which a full one happens by itself: after ten minutes of keys without a pause."""
_AFTER_START = 1.5
_MODULES = (
    *("tui.screens.task.screen", "tui.screens.thread.screen"),
    *(f"tui.actions.tasks.{name}" for name in ("moving", "labels", "people")),
)


def freeze_old_objects() -> None:
    """Exclude existing objects from collections, and postpone automatic full ones."""
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _TOO_MANY)
    gc.freeze()


async def collect_in_pauses() -> None:
    """Collect all garbage in a pause, at most once a minute; never returns."""
    while True:
        await asyncio.sleep(until_beat(_COLLECT_EVERY, monotonic()))
        await INPUT_PRIORITY.until_quiet(_PAUSE_SECONDS)
        collect_if_worth_it()


def collect_if_worth_it() -> None:
    """Collect all garbage, unless hardly anything was allocated since the last time."""
    if gc.get_count()[2] >= _WORTH_IT:
        gc.collect()


async def preload_in_pauses(
    then: Callable[[], object],
    *,
    first: Callable[[], Awaitable[None]] | None = None,
    after: float = _AFTER_START,
) -> None:
    """Import the screens of a task, and `then` mount one, so that the first opens as fast.

    Begins so many seconds `after` it is called, with what is to be done `first`.
    """
    await asyncio.sleep(after)
    if first is not None:
        await first()
    # In pauses, because importing in a thread holds the interpreter.
    await INPUT_PRIORITY.run_in_pauses(partial(import_module, module) for module in _MODULES)
    await INPUT_PRIORITY.until_quiet(PAUSE)
    # The modules stay until the end, so collections need not look at them.
    gc.freeze()
    await INPUT_PRIORITY.until_quiet(PAUSE)
    then()
