"""The latest comments on a card, which need not be opened for that."""

from tui.model.comment import Thread, threaded
from tui.store.documents.assemble import Assembler
from tui.store.documents.assemble_detail import DetailAssembler
from tui.store.documents.flat import flat
from tui.store.remote import Remote


async def latest(remote: Remote, board_id: int, task_id: int) -> Thread:
    """The first page of the comments on a card, with their replies."""
    page = await remote.comments(board_id, task_id)
    return threaded(DetailAssembler(Assembler()).comments(flat(page.documents, task_id)))
