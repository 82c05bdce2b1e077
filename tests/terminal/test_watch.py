"""`callboard watch` on a served team: changes and mentions arrive at once, also after an outage."""

import asyncio
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, Self

import pytest

from tests.server.launched import PASSWORD
from tests.terminal.served import COLLEAGUE, LOGIN, PROFILE, Served
from tui.client.client import Client
from tui.client.editions.client import client_for
from tui.client.http.credentials import Credentials, Secret
from tui.client.http.session import Session
from tui.config.paths import HOME_VARIABLE
from tui.model.task import Person

pytestmark = pytest.mark.long

_PATIENCE = 60


def colleague(served: Served, change: Callable[[Client], Awaitable[object]]) -> None:
    """The colleague changes something, from elsewhere."""

    async def run() -> None:
        session = Session(served.address, Credentials(COLLEAGUE, Secret(PASSWORD)))
        async with client_for(session) as client:
            await change(client)

    asyncio.run(run())


class Watching:
    """The command of a person whose home this is; `output` and `beside` are its lines."""

    def __init__(self, home: Path) -> None:
        self.process = subprocess.Popen(  # noqa: S603  our own interpreter and program
            [sys.executable, "-m", "tui", "-p", PROFILE, "watch"],
            env={**os.environ, HOME_VARIABLE: str(home), "CALLBOARD_PASSWORD": PASSWORD},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.output, self.beside = queue.Queue[str](), queue.Queue[str]()
        streams = ((self.process.stdout, self.output), (self.process.stderr, self.beside))
        self._threads = [threading.Thread(target=_read, args=each) for each in streams]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()


def _read(stream: IO[str] | None, lines: "queue.Queue[str]") -> None:
    assert stream is not None
    with stream:
        for line in stream:
            lines.put(line.rstrip())


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
    with Watching(home) as watching:
        with served.there():
            told = ""
            for number in range(_PATIENCE):  # until it has read the board
                title = f"Login {number}"
                colleague(served, partial(_rename, task_id, title))
                with suppress(queue.Empty):
                    told = watching.output.get(timeout=1)
                    break
            assert "Team: Ben Cook renamed #1 to “Login " in told
        assert watching.beside.get(timeout=_PATIENCE).endswith("It is tried again.")
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
            assert watching.process.wait(_PATIENCE) == 0
    assert watching.beside.empty()
