"""Requests that wait for changes of several processes on one database."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.postgres.server import Server
from tests.postgres.worlds import Worlds
from tests.service.waiting import BOARD, asking
from tui.service.database.base import Database
from tui.service.database.postgres import open_postgres

pytestmark = pytest.mark.long

_LISTENING = "from pg_stat_activity where query = 'listen callboard_changes'"


@pytest.fixture
def name(worlds: Worlds) -> str:
    """The name of a furnished database."""
    return worlds.database()


@pytest.fixture
def processes(server: Server, name: str) -> Iterator[tuple[Database, Database]]:
    """That database as two processes open it."""
    opened = open_postgres(server.url(name)), open_postgres(server.url(name))
    yield opened
    for one in opened:
        one.close()


async def test_changes_of_both_processes_are_told(processes: tuple[Database, Database]) -> None:
    ours, theirs = processes
    async with asking(ours) as ann, asking(ours, "root") as root, asking(theirs, "bob") as bob:
        for changing in (root, bob):
            wait = await ann.waiting()
            await changing.change(f"Garden of {changing}"[:30])
            told = await wait
            assert told["has_changes"] is True
            ann.since = told["synced_at"]


async def test_no_change_is_missed_however_it_falls(processes: tuple[Database, Database]) -> None:
    ours, theirs = processes
    async with (
        asking(ours, threads=True) as ann,
        asking(theirs, "bob", threads=True) as bob,
    ):
        for turn in range(40):
            asked = asyncio.create_task(ann.ask())
            for _ in range(turn):
                await asyncio.sleep(0)
            await bob.change(f"Garden {turn}")
            told = await asked
            assert told["has_changes"] is True
            ann.since = told["synced_at"]


async def test_a_lost_connection_is_made_again(
    processes: tuple[Database, Database],
    name: str,
    server: Server,
    caplog: pytest.LogCaptureFixture,
) -> None:
    ours, theirs = processes
    async with asking(ours, threads=True) as ann, asking(theirs, "bob", threads=True) as bob:
        wait = asyncio.create_task(ann.ask())
        await asyncio.to_thread(listening, ours, server, name)
        end = f"select pg_terminate_backend(pid, 5000) {_LISTENING}"
        await asyncio.to_thread(server.execute, end, name)
        await bob.change()
        assert (await wait)["has_changes"] is True
    assert "are not heard of" in caplog.text


def listening(database: Database, server: Server, name: str) -> None:
    """Wait until the process hears of what others do."""
    while not server.value(f"select count(*) {_LISTENING}", name):
        with database.transaction(writing=False) as db:
            db.value("select count(*) from board")


async def test_many_boards_at_once_are_told_as_all(processes: tuple[Database, Database]) -> None:
    ours, theirs = processes
    async with asking(ours) as ann, asking(theirs) as bob:
        wait = await ann.waiting()
        with theirs.transaction(writing=True) as db:
            db.run("update board set change_count = change_count + 1")
            db.changed_boards.update(range(BOARD, 1000))
        assert (await wait)["has_changes"] is True
        await bob.refresh()
