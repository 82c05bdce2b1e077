"""Reading the activity log of a board in as many parts as it needs."""

from datetime import datetime

from tui.store.protocol import Store

_MOST_PARTS = 50


async def read_back(store: Store, board_id: int, since: datetime) -> datetime | None:
    """Read a log back to `since`; returns back to when it is known then.

    Raises `CallboardError`; what was read before that stays.
    """
    back_to = None
    for _ in range(_MOST_PARTS):
        await store.read_history(board_id, since)
        before, back_to = back_to, (await store.history(board_id)).complete_since
        if back_to is None or back_to <= since or back_to == before:
            break
    return back_to
