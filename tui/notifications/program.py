"""The notifications of the program while it runs."""

import asyncio
import logging
from collections.abc import Callable, Coroutine

from tui.context import Context
from tui.model.work.inbox import with_news
from tui.notifications.notifier import Notifier, Terminal
from tui.notifications.reader import Batch, NewsReader
from tui.store.clock import Clock, SystemClock, begin_soon, end_all
from tui.text.clean import counted, line

logger = logging.getLogger(__name__)

_FIRST_PAUSE, _LONGEST_PAUSE = 1, 32
"""Minutes until the next attempt after a failure; they start over after a long run."""


async def notify(
    context: Context,
    terminal: Terminal,
    shows: Callable[[int], bool],
    clock: Clock | None = None,
) -> None:
    """Send notifications of news on all boards, but not of cards it `shows`; never returns.

    A failure is shown to the user, and retried after growing pauses.
    """
    store, clock = context.store, clock or SystemClock()

    def board_ids() -> list[int]:
        return [board.id for board in store.boards() if board.archived_at is None and board.id > 0]

    notifier = Notifier(
        store,
        lambda: context.settings,
        context.preferences,
        terminal,
        is_on_screen=shows,
        inbox=context.inbox,
        clock=clock,
    )

    def tell(batch: Batch) -> None:
        context.inbox.change(lambda inbox: with_news(inbox, batch.news, context.now()))
        notifier.add(batch.news)

    reader = NewsReader(store, board_ids, tell, context.now, clock=clock)
    pause = _FIRST_PAUSE
    while True:
        begun_at = clock.elapsed()
        try:
            await _both(reader.run(), notifier.run())
        except Exception as mistake:  # whatever it is, people are told of what comes later
            logger.exception("Notifications stopped")
            if clock.elapsed() - begun_at > _LONGEST_PAUSE * 60:
                pause = _FIRST_PAUSE
            reason = line(str(mistake)).rstrip(".") or type(mistake).__name__
            terminal.complain(
                f"Notifications failed ({reason}). Next attempt in {counted(pause, 'minute')}."
            )
            await clock.sleep(pause * 60)
            pause = min(2 * pause, _LONGEST_PAUSE)


async def _both(*works: Coroutine[None, None, None]) -> None:
    # Not a TaskGroup: if a task of one fails while it is made, as eager ones can, Python 3.12
    # cancels the next wait of the task that made the group, too.
    tasks = [begin_soon(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        await end_all(tasks)
