"""Opens the program in the standup that is asked for on the command line."""

from tui.cli.scripts.opened import active_boards
from tui.cli.scripts.standup import Wanted, named
from tui.cli.terminal import check_terminal
from tui.context import Context
from tui.model.standup.writing import Lens
from tui.navigation import StandupRequested
from tui.screens.boards.content import read_folders
from tui.text.dates import parse_past_day


def open_program(wanted: Wanted) -> int:
    """Open the program in the standup; returns its exit code. Raises `CallboardError`."""
    check_terminal()
    from tui.cli.program import run

    return run(
        ascii_only=wanted.ascii_only,
        boards=False,
        profile=wanted.profile,
        request=lambda context: request(wanted, context),
    )


def request(wanted: Wanted, context: Context) -> StandupRequested:
    """What the program is to show, of the boards that are cached. Raises `CallboardError`."""
    boards = active_boards(context.store)
    chosen = named(wanted, boards, read_folders(context.preferences))
    people = [person for board in chosen or boards for person in board.people]
    return StandupRequested(
        tuple(board.id for board in chosen),
        parse_past_day(wanted.since, context.now().date()) if wanted.since else None,
        wanted.lens is Lens.BY_PERSON,
        context.store.me.among(people) if wanted.only_me else None,
    )
