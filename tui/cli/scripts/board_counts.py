"""How many cards boards have: templates are none, though deployed services count them."""

from collections.abc import Sequence
from dataclasses import replace

from tui.model.board import Board
from tui.model.query.language import parse
from tui.store.protocol import Store
from tui.text.dates import wall_clock

_OPEN_TEMPLATES = parse("is:template -is:closed")


async def without_templates(store: Store, boards: Sequence[Board]) -> list[Board]:
    """The boards with counts that leave out templates, as far as these are cached."""
    ids = [board.id for board in boards]
    found = await store.find_cards(_OPEN_TEMPLATES, ids, wall_clock(), ids)
    templates = {view.board.id: sum(1 for _ in view.all_tasks()) for view in found.views}
    corrected = []
    for board in boards:
        count = templates.get(board.id, 0)
        view = await store.load_board(board.id) if count else None
        # A service that counts as many cards as are there, counts templates too.
        if view is not None and board.tasks_count == sum(1 for _ in view.all_tasks()):
            corrected.append(replace(board, tasks_count=board.tasks_count - count))
        else:
            corrected.append(board)
    return corrected
