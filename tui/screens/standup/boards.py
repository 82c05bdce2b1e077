"""The boards of a standup: those of the last time, or chosen among all boards and folders."""

from collections.abc import Sequence

from tui.actions.host import Host
from tui.config.preferences import ALL_BOARDS, STANDUP_BOARDS, Preferences
from tui.context import Context
from tui.screens.boards.content import read_folders
from tui.text.clean import counted

_FOLDER = "folder "


def boards_for(context: Context, board_id: int | None) -> list[int]:
    """The boards of a standup that is opened from a board, or from elsewhere.

    Those chosen last, if the board is one of them; otherwise that board alone. From elsewhere, if
    none were chosen, the board opened last, or all of them.
    """
    active = [board.id for board in context.store.boards() if board.archived_at is None]
    if board_id is None:
        return context.preferences.standup_boards(active)
    chosen = context.preferences.numbers(ALL_BOARDS, STANDUP_BOARDS)
    return [one for one in active if one in chosen] if board_id in chosen else [board_id]


def keep_boards(preferences: Preferences, board_ids: Sequence[int]) -> None:
    """Remember these boards for the next standup."""
    preferences.keep(ALL_BOARDS, **{STANDUP_BOARDS: frozenset(board_ids)})


async def ask_boards(host: Host, chosen: Sequence[int]) -> list[int] | None:
    """Ask for boards; a folder stands for its boards. None if cancelled."""
    from tui.dialogs.pick.many import PickChoice, PickMany

    active = [board for board in host.context.store.boards() if board.archived_at is None]
    folders = read_folders(host.context.preferences)
    titles = {one: folder.title for folder in folders for one in folder.board_ids}
    choices = [PickChoice(str(one.id), one.title, titles.get(one.id, "")) for one in active]
    choices += [
        PickChoice(
            f"{_FOLDER}{one.id}",
            one.title,
            f"folder of {counted(sum(board.id in one.board_ids for board in active), 'board')}",
        )
        for one in folders
    ]
    picked = await host.ask(
        PickMany("Standup of which boards?", choices, frozenset(map(str, chosen)))
    )
    if picked is None:
        return None
    filled = {
        one
        for folder in folders
        if f"{_FOLDER}{folder.id}" in picked.chosen
        for one in folder.board_ids
    }
    return [one.id for one in active if str(one.id) in picked.chosen or one.id in filled]
