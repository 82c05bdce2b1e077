"""Work that goes on behind the scenes.

The rule it keeps: a mistake in it never goes unheard. It is logged whole, and whoever started the
work can tell a person.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine

logger = logging.getLogger(__name__)


def start(work: Coroutine[None, None, None], on_mistake: Callable[[], None]) -> asyncio.Task[None]:
    """Start the work; `on_mistake` is called if it ends with an error nobody caught."""
    task = asyncio.get_running_loop().create_task(work)

    def ended(task: asyncio.Task[None]) -> None:
        if task.cancelled():
            return
        error = task.exception()
        if error is not None:
            logger.error("Work behind the scenes ended with a mistake", exc_info=error)
            on_mistake()

    task.add_done_callback(ended)
    return task
