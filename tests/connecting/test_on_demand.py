"""The embedded service, opened only when something is asked that its file does not tell."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.party import until
from tui.client.errors import ApiError
from tui.config.paths import Places
from tui.connecting.connections import ServiceConnection, open_embedded
from tui.connecting.on_demand import OnDemandConnection
from tui.errors import CannotGoOn
from tui.service.database.change_counts import ChangeCounts
from tui.store.operations import CreateBoard
from tui.workspace import Workspace

LOGIN = "ann"
PREPARED = """
import asyncio, sys
from tui.config.paths import Places
from tui.store import operations
from tui.workspace import Workspace

async def main():
    workspace = Workspace.open(Places.find())
    await workspace.connect()
    await workspace.store.open_board(int(sys.argv[1]))
    board = workspace.store.board(int(sys.argv[1]))
    print(*sys.modules)
    await workspace.prepare()
    prepared = set(sys.modules)
    task, stage = next(iter(board.in_stage(board.stages[0].id))), board.stages[1]
    move = operations.MoveTask.on(task, stage.id, board.end_of(stage.id))
    await workspace.store.submit(move)
    while workspace.store.pending():
        await asyncio.sleep(0.01)
    print(*set(sys.modules) - prepared)
    await workspace.aclose()

asyncio.run(main())
"""
"""Prints what a start imports, and what the first change after a pause does."""


class Opener:
    """Opens the service, and counts how often; fails as long as there is a `failure`."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.failure: CannotGoOn | None = None
        self.count = 0

    def __call__(self) -> ServiceConnection:
        if self.failure is not None:
            raise self.failure
        self.count += 1
        return open_embedded(self.database, LOGIN)


async def board_in(database: Path) -> int:
    """Make a board in a file; its id."""
    earlier = open_embedded(database, LOGIN)
    board = await earlier.remote.create_board("Relaunch", "", "to-do")
    await earlier.aclose()
    return int(board["id"])


def on_demand(opener: Opener) -> OnDemandConnection:
    counts = ChangeCounts.open(opener.database, LOGIN)
    assert counts is not None
    return OnDemandConnection(counts, opener)


async def test_what_did_not_change_is_told_without_the_service(tmp_path: Path) -> None:
    opener = Opener(tmp_path / "boards.sqlite3")
    board_id = await board_in(opener.database)
    first = on_demand(opener)
    since = (await first.remote.board(board_id))["synced_at"]
    version = await first.remote.list_version()
    await first.aclose()

    again = on_demand(opener)
    news = await again.remote.changes_since(board_id, since)
    assert news is not None
    assert (news.has_changes, news.is_complete, news.synced_at) == (False, True, since)
    assert await again.remote.list_version() == version
    await again.aclose()
    assert opener.count == 1


async def test_what_another_program_changed_is_told_by_the_service(tmp_path: Path) -> None:
    opener = Opener(tmp_path / "boards.sqlite3")
    board_id = await board_in(opener.database)
    other = open_embedded(opener.database, LOGIN)
    board = await other.remote.board(board_id)
    connection = on_demand(opener)
    version = await connection.remote.list_version()
    made = await other.remote.create_task(board_id, board["stages"][0]["id"], "Theirs", "low")
    await other.aclose()

    news = await connection.remote.changes_since(board_id, board["synced_at"])
    assert news is not None
    assert [task["id"] for task in news.tasks] == [made["id"]]
    assert await connection.remote.list_version() != version
    await connection.aclose()
    assert opener.count == 1


async def test_a_change_is_waited_for_without_the_service(tmp_path: Path) -> None:
    opener = Opener(tmp_path / "boards.sqlite3")
    board_id = await board_in(opener.database)
    other = open_embedded(opener.database, LOGIN)
    board = await other.remote.board(board_id)
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            await other.remote.update_board(board_id, "Garden", None)

    reads: list[int] = []

    class Counts(ChangeCounts):
        def of_board(self, board_id: int) -> int | None:
            reads.append(board_id)
            return super().of_board(board_id)

    counts = Counts.open(opener.database, LOGIN)
    assert counts is not None
    connection = OnDemandConnection(counts, opener, sleep=pause)
    assert await connection.remote.wait_for_change(board_id, board["synced_at"])
    assert len(pauses) == 3
    now = (await other.remote.board(board_id))["synced_at"]
    assert not await connection.remote.wait_for_change(board_id, now)
    assert len(pauses[3:]) == 100, "four times a second"
    assert max(pauses) <= 0.25
    assert reads == [board_id] * 27, "twice, and then once a second"
    await other.aclose()
    await connection.aclose()
    assert opener.count == 0


async def test_a_service_that_cannot_be_opened_is_tried_again(tmp_path: Path) -> None:
    opener = Opener(tmp_path / "boards.sqlite3")
    board_id = await board_in(opener.database)
    connection = on_demand(opener)
    opener.failure = CannotGoOn("The board file is gone.", hint="Put it back.")
    with pytest.raises(ApiError, match=r"The board file is gone\.") as failed:
        await connection.remote.board(board_id)
    assert failed.value.is_passing
    assert not failed.value.may_have_happened
    opener.failure = None
    assert (await connection.remote.board(board_id))["id"] == board_id
    await connection.aclose()


async def test_a_pause_opens_the_service_for_the_first_change(tmp_path: Path) -> None:
    opener = Opener(tmp_path / "boards.sqlite3")
    board_id = await board_in(opener.database)
    connection = on_demand(opener)
    opener.failure = CannotGoOn("The board file is gone.", hint="Put it back.")
    await connection.prepare()
    assert opener.count == 0
    opener.failure = None
    await connection.prepare()
    assert opener.count == 1
    assert (await connection.remote.board(board_id))["id"] == board_id
    await connection.aclose()
    assert opener.count == 1


@pytest.mark.long
async def test_the_first_change_after_a_pause_imports_next_to_nothing(tmp_path: Path) -> None:
    first = Workspace.open(Places.find({"CALLBOARD_HOME": str(tmp_path)}))
    board_id = await first.connect()
    await first.store.refresh(board_id)
    await first.aclose()
    by_start, by_change = imported_by_first_change(tmp_path, board_id)
    assert not {"httpx", "pydantic", "starlette"}.intersection(by_start)
    assert len(by_change) < 10, by_change


async def test_the_service_comes_first_where_a_file_does_not_say_enough(tmp_path: Path) -> None:
    database = tmp_path / "boards.sqlite3"
    assert ChangeCounts.open(database, LOGIN) is None
    assert not database.exists()
    await board_in(database)
    assert ChangeCounts.open(database, "bob") is None
    database.write_bytes(b"not a database" * 100)
    assert ChangeCounts.open(database, LOGIN) is None


async def test_changes_that_wait_are_delivered_after_the_start(tmp_path: Path) -> None:
    places = Places.find({"CALLBOARD_HOME": str(tmp_path)})
    first = Workspace.open(places)
    await first.connect()
    await first.aclose()
    workspace = Workspace.open(places)
    await workspace.store.submit(CreateBoard.new("Relaunch"))
    await workspace.connect()
    await until(workspace.store, lambda: not workspace.store.pending())
    await workspace.aclose()
    other = open_embedded(workspace.database, LOGIN)
    assert "Relaunch" in [board["title"] for board in await other.remote.boards()]
    await other.aclose()


async def test_another_program_that_has_looked_loses_nothing(tmp_path: Path) -> None:
    """SQLite's write-ahead log goes with the last program that holds the file."""
    opener = Opener(tmp_path / "boards.sqlite3")
    board_id = await board_in(opener.database)
    connection = on_demand(opener)
    await connection.remote.board(board_id)
    for count in range(3):
        board = await connection.remote.board(board_id)
        await connection.remote.create_task(board_id, board["stages"][0]["id"], "Mine", "low")
        assert stored_tasks(opener.database) == count + 1
    await connection.aclose()


def imported_by_first_change(home: Path, board_id: int | None) -> tuple[list[str], list[str]]:
    """The modules imported by a start, and by the first change after a pause."""
    environment = {"CALLBOARD_HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", PREPARED, str(board_id)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)  # noqa: S603  ours
    by_start, by_change = ran.stdout.splitlines()
    return by_start.split(), by_change.split()


def stored_tasks(database: Path) -> int:
    """How many tasks another program finds in the file."""
    code = "import sqlite3, sys; print(*next(sqlite3.connect(sys.argv[1]).execute(sys.argv[2])))"
    asked = [sys.executable, "-c", code, str(database), "select count(*) from task"]
    return int(subprocess.run(asked, check=True, capture_output=True).stdout)  # noqa: S603  ours
