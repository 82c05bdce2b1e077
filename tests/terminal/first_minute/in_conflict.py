"""A home with a change that somebody else made differently meanwhile."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.drivers.terminal import Terminal
from tests.terminal.first_minute.furnished import BOARD, CARD, NEXT_CARD
from tests.terminal.served import Served
from tui.client.client import Client

OWN_TITLE, OTHER_TITLE = "Mend the gate", "Paint the gate"

Ids = tuple[int, int]


def bring_into_conflict(home: Path) -> None:
    """Rename a card while the service is away, and differently at the service.

    The program is left then; it is to be started for the profile of `served`, whose service is
    away again.
    """
    with TemporaryDirectory() as folder:
        served = Served(Path(folder) / "served")
        with ExitStack() as stack:
            with served.there():
                board_id, card_id = served.asked(_furnish)
                terminal = stack.enter_context(served.program(home))
                terminal.sees(BOARD)
                terminal.press("enter")
                terminal.sees(CARD)
            terminal.press("e", "ctrl+u", OWN_TITLE, "enter")
            terminal.sees(OWN_TITLE, "1 pending", "offline")
            _leave(terminal)
        with served.there():
            served.asked(lambda client: client.set_task(board_id, card_id, "title", OTHER_TITLE))
            with served.program(home) as terminal:
                terminal.sees("needs attention")
                _leave(terminal)


def _leave(terminal: Terminal) -> None:
    terminal.press("q")
    terminal.ends_well()


async def _furnish(client: Client) -> Ids:
    board_id = (await client.create_board(BOARD, "", "to-do"))["id"]
    stage_id = (await client.board(board_id))["stages"][0]["id"]
    card = await client.create_task(board_id, stage_id, CARD)
    await client.create_task(board_id, stage_id, NEXT_CARD)
    return board_id, card["id"]
