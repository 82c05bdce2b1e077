"""Loading what a person will want next, while nobody waits for it.

The rule it keeps: nothing is loaded before the first board is painted, or while keys are pressed;
modules are loaded in a thread, and what the event loop has to do comes in short pieces.
"""

import asyncio
import gc
from importlib import import_module

from textual.app import App

from tui import theme
from tui.runtime.input_priority import COURTESY, Courtesy

_AFTER_START = 1.0
_PAUSE = 0.5
_MODULES = ("tui.screens.task.screen", "tui.screens.thread.screen")
_STYLES = ("task.tcss", "thread.tcss")


async def warm_in_a_pause(
    app: App[None], courtesy: Courtesy = COURTESY, *, after: float = _AFTER_START
) -> None:
    """Load the screens of a task, so that the first one opens as fast as the next.

    Begins so many seconds `after` it is called.
    """
    await asyncio.sleep(after)
    for module in _MODULES:
        await courtesy.until_quiet(_PAUSE)
        await asyncio.to_thread(import_module, module)
    await courtesy.until_quiet(_PAUSE)
    gc.freeze()
    for name in _STYLES:
        path = theme.stylesheet(name)
        if not app.stylesheet.has_source(str(path), ""):
            app.stylesheet.read(path)
    app.stylesheet.reparse()
    await courtesy.until_quiet(_PAUSE)
    app.stylesheet.update(app)
