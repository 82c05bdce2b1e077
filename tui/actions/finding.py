"""Finding something anywhere, and going there."""

from tui.actions.action import Action
from tui.actions.host import Host
from tui.model.found import Found, Thing
from tui.navigation import BoardRequested, BoardsRequested, TaskRequested, ThreadRequested
from tui.text.clean import quoted


class FindAnywhere(Action[Host]):
    """Asks for a board, card, comment or person, and goes there."""

    id, keys, label, asks = "go.find", "g f", "Find anywhere", True

    async def run(self, on: Host) -> None:
        from tui.dialogs.find_anywhere import FindAnywhereDialog
        from tui.dialogs.found import Finder

        found = await on.ask(FindAnywhereDialog(Finder(on.context)))
        if found is not None:
            go_to(found, on)


def go_to(found: Found, on: Host) -> None:
    """Open a board, or a task or its comments on top of its board.

    The application is asked, because the screen in front may be closed on the way.
    """
    if found.thing is Thing.BOARD and found.is_archived:
        said = f"{quoted(found.title)} is archived"
        on.app.post_message(BoardsRequested(said, "t lists archived boards, A restores one"))
        return
    card_id = found.task_id if found.thing in (Thing.SUBTASK, Thing.COMMENT) else found.id
    is_board = found.thing is Thing.BOARD
    on.app.post_message(BoardRequested(found.board_id, None if is_board else card_id))
    if found.thing is Thing.COMMENT:
        on.app.post_message(ThreadRequested(found.board_id, found.task_id, found.id))
    elif not is_board:
        parent_id = found.task_id or None
        on.app.post_message(TaskRequested(found.board_id, found.id, parent_id))
