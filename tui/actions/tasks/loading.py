"""Waiting for the cards of a board, for what needs all of them."""

import asyncio

from tui.actions.host import Host
from tui.actions.tasks.refresh import AGAIN
from tui.model.board import BoardView


async def complete_board(host: Host, board_id: int) -> BoardView | None:
    """The board once all its cards are loaded; if they cannot be loaded now, say so, return None.

    Later keys wait meanwhile, if an action awaits it.
    """
    store = host.context.store
    changed = asyncio.Event()
    unsubscribe = store.subscribe(lambda _event: changed.set())
    try:
        while (view := store.board(board_id)) is None or not view.complete:
            status = store.status(board_id)
            if status.problem:
                host.say(f"not all cards are loaded: {status.problem}", hint=AGAIN)
                return None
            # No await since the board was read, so no change of it is missed.
            changed.clear()
            await changed.wait()
        return view
    finally:
        unsubscribe()
