"""`callboard watch` on a served team: changes and mentions arrive at once, also after an outage."""

import asyncio
import queue
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from tests.cli.watching import Watching
from tests.server.launched import PASSWORD
from tests.terminal.served import COLLEAGUE, LOGIN, PROFILE, Served
from tui.client.client import Client
from tui.client.editions.client import client_for
from tui.client.http.credentials import Credentials, Secret
from tui.client.http.session import HttpSession
from tui.model.task import Person

pytestmark = pytest.mark.long

_PATIENCE = 60


def colleague(served: Served, change: Callable[[Client], Awaitable[object]]) -> None:
    """The colleague changes something, from elsewhere."""

    async def run() -> None:
        session = HttpSession(served.address, Credentials(COLLEAGUE, Secret(PASSWORD)))
        async with client_for(session) as client:
            await change(client)

    asyncio.run(run())


async def _furnish(client: Client) -> int:
    board = await client.create_board("Team", "", "to-do")
    await client.add_member(board["id"], 2)
    task = await client.create_task(board["id"], board["stages"][0]["id"], "Fix login", "low")
    return int(task["id"])


async def _rename(task_id: int, title: str, client: Client) -> None:
    await client.set_task(1, task_id, "title", title)


def test_a_team_is_watched_through_an_outage(tmp_path: Path) -> None:
    served, home = Served(tmp_path / "server"), tmp_path / "home"
    settings = home / "config" / "config.toml"
    settings.parent.mkdir(parents=True)
    me = Person(1, "Ann Miller", LOGIN)
    with served.there():
        task_id = served.asked(_furnish)
        profile = f'[profiles.{PROFILE}]\nurl = "{served.address}"\nlogin = "{LOGIN}"\n'
        settings.write_text(profile, "utf-8")
    with Watching(home, "-p", PROFILE, "watch", CALLBOARD_PASSWORD=PASSWORD) as watching:
        with served.there():
            told = ""
            for number in range(_PATIENCE):  # until it has read the board
                title = f"Login {number}"
                colleague(served, partial(_rename, task_id, title))
                with suppress(queue.Empty):
                    told = watching.output.get(timeout=1)
                    break
            assert "Team: Ben Cook renamed #1 to “Login " in told
        assert watching.beside.get(timeout=_PATIENCE).endswith("Retrying.")
        with served.there():
            assert watching.beside.get(timeout=_PATIENCE) == "callboard: connected again."
            colleague(
                served,
                lambda client: client.create_comment(1, task_id, "Look, @ann", mentions=[me]),
            )
            while "mentioned you" not in told:
                told = watching.output.get(timeout=_PATIENCE)
            assert told.endswith("Ben Cook mentioned you: Look, @ann")
            watching.process.terminate()
            assert watching.ended(_PATIENCE) == (0, [])
