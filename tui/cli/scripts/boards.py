"""`callboard board add`: makes a board with its stages."""

from collections.abc import Sequence

from tui.cli.scripts.chosen import chosen
from tui.cli.scripts.given import file_given, title_given, words_given
from tui.cli.scripts.opened import Opened
from tui.cli.scripts.writing import How, Plan, write
from tui.client.capabilities import Feature
from tui.errors import CallboardError
from tui.model.board import BoardType, BoardView
from tui.store import operations as change
from tui.text.markdown import to_html


def add_board(
    how: How,
    title: Sequence[str],
    *,
    kind: str,
    stages: Sequence[str],
    description: str | None,
    currency: str,
    folder: str,
) -> int:
    """Add a board; without stages it has those of the service. Raises `CallboardError`."""
    name = title_given(words_given(title, "the title"))
    titles = tuple(map(title_given, stages))
    markdown = "" if description is None else file_given(description, "the description")

    async def planning(opened: Opened) -> Plan:
        folder_id = await _folder_id(opened, folder) if folder else None
        made = change.new_board(
            name,
            BoardType(kind),
            titles,
            description=to_html(markdown) if markdown else "",
            currency=currency,
            folder_id=folder_id,
        )
        board = made[0].board
        return Plan(made, "added the board", [], [BoardView(board)], board=board)

    return write(how, planning)


async def _folder_id(opened: Opened, words: str) -> int:
    if opened.store.offers(Feature.FOLDERS) is False:
        raise CallboardError("folders are not offered by this service's edition.")
    return chosen(words, await opened.folders(), "folder").id
