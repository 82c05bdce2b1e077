"""The activity of boards, page by page, and the log of a board in as many parts as it needs."""

from collections.abc import Iterable
from datetime import datetime

from tui.errors import CallboardError
from tui.model.work.activity_log import ActivityPage
from tui.store.clock import few_at_once
from tui.store.documents.assemble import Assembler
from tui.store.documents.assemble_detail import DetailAssembler
from tui.store.protocol import Store
from tui.store.remote import Remote

_MOST_PARTS = 50


async def page(remote: Remote, board_id: int, number: int) -> ActivityPage:
    """A page of the activity of a board; pages count from 1."""
    reply = await remote.activity_page(board_id, number)
    activities = DetailAssembler(Assembler()).activities(reply.documents)
    return ActivityPage(activities, reply.is_last)


async def newest(remote: Remote, board_ids: Iterable[int]) -> dict[int, ActivityPage]:
    """The first page of each board that answers.

    Raises the first `CallboardError` if none does.
    """
    pages: dict[int, ActivityPage] = {}
    errors: list[CallboardError] = []

    async def read(board_id: int) -> None:
        try:
            pages[board_id] = await page(remote, board_id, 1)
        except CallboardError as error:
            errors.append(error)

    await few_at_once(read, board_ids)
    if errors and not pages:
        raise errors[0]
    return pages


async def read_back(store: Store, board_id: int, since: datetime) -> datetime | None:
    """Read the log of a board back to `since`; returns how far back it is complete then.

    Raises `CallboardError`; what was read before that stays.
    """
    back_to = None
    for _ in range(_MOST_PARTS):
        await store.read_history(board_id, since)
        # Each call reads a limited number of pages; one that gets no further ends the loop.
        previous, back_to = back_to, (await store.history(board_id)).complete_since
        if back_to is None or back_to <= since or back_to == previous:
            break
    return back_to
