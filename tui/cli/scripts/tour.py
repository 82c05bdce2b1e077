"""`callboard tour`: makes the board that teaches the keys again, and opens it."""

import sys
from functools import partial

from tui.cli.output import say
from tui.cli.scripts.opened import Opened, run_opened
from tui.errors import CannotGoOn
from tui.navigation import BoardRequested
from tui.tour import TITLE, make_tour


def show_tour(profile: str, *, ascii_only: bool) -> int:
    """Make the board; on a terminal open it, else say where it is. Raises `CallboardError`."""
    made: list[int] = []
    code = run_opened(profile, partial(_made, made))
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return code
    from tui.cli.program import run

    return run(
        ascii_only=ascii_only,
        boards=False,
        profile=profile,
        request=lambda _: BoardRequested(made[0]),
    )


async def _made(made: list[int], opened: Opened) -> int:
    board_id = await opened.connect()
    if opened.problems:
        raise CannotGoOn(opened.problems[0].message, hint=opened.problems[0].hint)
    made.append(board_id or await make_tour(await opened.store.service()))
    say(f"made the board “{TITLE}” ({made[0]}); callboard --boards lists it")
    return 0
