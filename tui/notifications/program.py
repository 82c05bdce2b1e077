"""The notifications of the program while it runs."""

import asyncio
from collections.abc import Callable

from tui.context import Context
from tui.notifications.notifier import Notifier, Terminal
from tui.notifications.reader import NewsReader


async def notify(context: Context, terminal: Terminal, shows: Callable[[int], bool]) -> None:
    """Send notifications of news on all boards but those of cards it `shows`; never returns."""
    store = context.store

    def board_ids() -> list[int]:
        return [each.id for each in store.boards() if each.archived_at is None and each.id > 0]

    notifier = Notifier(
        store,
        lambda: context.settings,
        context.preferences,
        terminal,
        is_on_screen=shows,
    )
    reader = NewsReader(store, board_ids, lambda batch: notifier.add(batch.news), context.now)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(reader.run())
        tasks.create_task(notifier.run())
