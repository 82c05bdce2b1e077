"""Work done while the user is idle: garbage collection, and preloading of screens.

A full collection takes a tenth of a second with a board of thousands, so it must not happen between
a key and its effect. Modules are loaded in a thread, after the first board is drawn.
"""

import asyncio
import gc
from importlib import import_module

from textual.app import App

from tui import theme
from tui.runtime.input_priority import INPUT_PRIORITY, InputPriority

_LOOK_EVERY = 1.0
_PAUSE_SECONDS = 2.0
_WORTH_IT = 10
_TOO_MANY = 1_000
_AFTER_START = 3.0
_PAUSE = 0.5
_MODULES = ("tui.screens.task.screen", "tui.screens.thread.screen")
_STYLES = ("task.tcss", "thread.tcss")


def freeze_old_objects() -> None:
    """Exclude existing objects from collections, and old ones from automatic ones."""
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _TOO_MANY)
    gc.freeze()


def is_time_to_collect(priority: InputPriority) -> bool:
    """Whether there is garbage to collect, and the user is idle."""
    return priority.quiet_seconds >= _PAUSE_SECONDS and gc.get_count()[2] >= _WORTH_IT


async def collect_in_pauses() -> None:
    """Collect garbage whenever the user is idle; never returns."""
    while True:
        await asyncio.sleep(_LOOK_EVERY)
        if is_time_to_collect(INPUT_PRIORITY):
            gc.collect()


async def preload_in_pauses(
    app: App[None], priority: InputPriority = INPUT_PRIORITY, *, after: float = _AFTER_START
) -> None:
    """Import the screens of a task, so that the first one opens as fast as the next.

    Begins so many seconds `after` it is called.
    """
    await asyncio.sleep(after)
    for module in _MODULES:
        await priority.until_quiet(_PAUSE)
        await asyncio.to_thread(import_module, module)
    await priority.until_quiet(_PAUSE)
    gc.freeze()
    for name in _STYLES:
        path = theme.stylesheet(name)
        if not app.stylesheet.has_source(str(path), ""):
            app.stylesheet.read(path)
    app.stylesheet.reparse()
    await priority.until_quiet(_PAUSE)
    app.stylesheet.update(app)
