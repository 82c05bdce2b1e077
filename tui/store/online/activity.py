"""The activity of boards, page by page."""

import asyncio
from collections.abc import Iterable

from tui.errors import CallboardError
from tui.model.activity_log import ActivityPage
from tui.store.documents.assemble import Assembler
from tui.store.documents.assemble_detail import DetailAssembler
from tui.store.remote import Remote


async def page(remote: Remote, board_id: int, number: int) -> ActivityPage:
    """A page of the activity of a board; pages count from 1."""
    told = await remote.activity_page(board_id, number)
    made = DetailAssembler(Assembler()).activities(told.documents)
    return ActivityPage(made, told.is_last)


async def newest(remote: Remote, board_ids: Iterable[int]) -> dict[int, ActivityPage]:
    """The first page of each board that answers.

    Raises the first `CallboardError` if none does.
    """
    ids = tuple(board_ids)
    asked = (page(remote, board_id, 1) for board_id in ids)
    answers = dict(zip(ids, await asyncio.gather(*asked, return_exceptions=True), strict=True))
    errors = [one for one in answers.values() if isinstance(one, BaseException)]
    for error in errors:
        if len(errors) == len(ids) or not isinstance(error, CallboardError):
            raise error
    return {
        board_id: one for board_id, one in answers.items() if not isinstance(one, BaseException)
    }
