"""What goes wrong while the service runs: the disk, other programs, a sudden end, a bug."""

import asyncio
import contextlib
import logging
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.service.world import BASE_URL as WORLD_URL, World
from tui.service.accounts.auth import LocalSession
from tui.service.application import create_application
from tui.service.database.sqlite import failure, open_database
from tui.service.embedded import BASE_URL, open_embedded
from tui.service.requests.replies import LARGEST_BODY

_TASK = {"task": {"title": "x", "board_id": 1, "stage_id": 1}}


@pytest.fixture
def disk_world(tmp_path: Path) -> Iterator[World]:
    """A furnished world in a file."""
    world = World(open_database(tmp_path / "b"))
    world.furnish()
    yield world
    world.close()


def test_a_full_disk_is_told_and_nothing_is_half_done(disk_world: World) -> None:
    link = disk_world.link
    pages = link.execute("pragma page_count").fetchone()[0]
    link.execute(f"pragma max_page_count = {pages}")
    body = {"property": "description", "value": "x" * 200_000}
    before = disk_world.done("ann", "GET", "/projects/1").body
    answer = disk_world.ask("ann", "PUT", "/projects/1/tasks/1", body)
    assert (answer.status, answer.body["code"]) == (507, "disk_full")
    assert disk_world.done("ann", "GET", "/projects/1").body == before
    link.execute(f"pragma max_page_count = {pages + 1000}")
    disk_world.done("ann", "PUT", "/projects/1/tasks/1", body)


def test_a_file_that_turned_read_only_is_told(disk_world: World) -> None:
    disk_world.link.execute("pragma query_only = on")
    answer = disk_world.ask("ann", "POST", "/projects/1/tasks", _TASK)
    assert (answer.status, answer.body["code"]) == (503, "read_only")
    assert disk_world.ask("ann", "GET", "/projects/1/tasks").status == 200
    disk_world.link.execute("pragma query_only = off")
    assert disk_world.ask("ann", "POST", "/projects/1/tasks", _TASK).status == 200


def test_another_program_that_writes_is_told(disk_world: World, tmp_path: Path) -> None:
    disk_world.link.execute("pragma busy_timeout = 1")
    with contextlib.closing(sqlite3.connect(tmp_path / "b", isolation_level=None)) as other:
        other.execute("begin immediate")
        answer = disk_world.ask("ann", "POST", "/projects/1/tasks", _TASK)
        assert (answer.status, answer.body["code"]) == (503, "busy")
        again = disk_world.fetch("ann", "POST", WORLD_URL + "/projects/1/tasks", json=_TASK)
        assert (again.status_code, again.headers["Retry-After"]) == (503, "1")
        assert disk_world.ask("ann", "GET", "/projects/1/tasks").status == 200
        other.execute("rollback")
    assert disk_world.ask("ann", "POST", "/projects/1/tasks", _TASK).status == 200


def test_a_closed_file_is_told(world: World) -> None:
    world.database.close()
    answer = world.ask("ann", "GET", "/projects")
    assert (answer.status, answer.body["code"]) == (503, "closed")


def test_a_bug_leaves_no_traceback_in_the_reply(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    with world.database.transaction(writing=True) as db:
        db.run("drop table task_watcher")
    with caplog.at_level(logging.ERROR):
        answer = world.ask("ann", "DELETE", "/projects/1/tasks/1/labels/1")
        assert answer.status == 200
        answer = world.ask("ann", "GET", "/projects/1/tasks")
    assert (answer.status, answer.body["code"]) == (500, "internal_server_error")
    assert "task_watcher" not in str(answer.body)
    assert "task_watcher" in caplog.text


def test_an_error_of_our_own_is_no_failure_of_the_disk() -> None:
    link = sqlite3.connect(":memory:")
    with contextlib.closing(link), pytest.raises(sqlite3.OperationalError) as caught:
        link.execute("select nothing")
    assert failure(caught.value) is None
    assert failure(sqlite3.ProgrammingError("closed")) is None


def test_a_body_without_end_is_refused(world: World) -> None:
    content = b" " * (LARGEST_BODY + 1)
    answer = world.ask("ann", "POST", "/projects", content=content)
    assert (answer.status, answer.body["code"]) == (413, "too_large")


def test_text_that_no_encoding_knows_is_cleaned(world: World) -> None:
    content = b'{"property": "title", "value": "a\\ud800b\\u0000c"}'
    answer = world.ask("ann", "PUT", "/projects/1/tasks/1", content=content)
    assert answer.at("task.title") == "abc"
    content = b'{"property": "settings", "value": {"a\\ud800": "\\ud800"}}'
    assert world.ask("ann", "PUT", "/projects/1/tasks/1", content=content).status == 200
    assert world.ask("vic", "GET", "/projects/1/tasks").status == 200


_WRITER = """
import asyncio, sys
from pathlib import Path
import httpx
from tui.service.embedded import BASE_URL, open_embedded

async def write() -> None:
    service = open_embedded(Path(sys.argv[1]), login="ann", display_name="Ann")
    transport = httpx.ASGITransport(app=service.application)
    auth = (service.login, service.password)
    async with httpx.AsyncClient(transport=transport, base_url=BASE_URL, auth=auth) as client:
        await client.post("/projects", json={"board": {"title": "B", "type": "to-do"}})
        while True:
            task = {"title": "x", "board_id": 1, "stage_id": 1}
            reply = await client.post("/projects/1/tasks", json={"task": task})
            print(reply.json()["task"]["id"], flush=True)

asyncio.run(write())
"""


@pytest.mark.long
def test_what_was_answered_survives_a_sudden_end(tmp_path: Path) -> None:
    path = tmp_path / "b"
    writer = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", _WRITER, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": "."},
    )
    with writer:
        assert writer.stdout is not None
        answered = [int(writer.stdout.readline()) for _ in range(40)]
        writer.send_signal(signal.SIGKILL)
        answered += [int(line) for line in writer.stdout.read().split()]
    service = open_embedded(path, login="ann", display_name="Ann")
    with service.database.transaction(writing=False) as db:
        kept = [row["id"] for row in db.all("select id from task order by id")]
        assert db.value("pragma integrity_check") == "ok"
    service.close()
    assert kept[: len(answered)] == answered
    assert len(kept) - len(answered) <= 1


async def test_parallel_requests_on_one_file_all_succeed(tmp_path: Path) -> None:
    service = open_embedded(tmp_path / "b", login="ann", display_name="Ann")
    session = LocalSession("ann")
    other = open_database(tmp_path / "b")
    applications = (
        (service.application, service.password),
        (create_application(other, session=session), session.password),
    )
    async with contextlib.AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(
                httpx.AsyncClient(
                    transport=httpx.ASGITransport(app=application),
                    base_url=BASE_URL,
                    auth=("ann", password),
                )
            )
            for application, password in applications
        ]
        board = {"board": {"title": "B", "type": "to-do"}}
        await clients[0].post("/projects", json=board)
        replies = await asyncio.gather(
            *(client.post("/projects/1/tasks", json=_TASK) for client in clients * 10)
        )
        assert {reply.status_code for reply in replies} == {200}
        assert len((await clients[1].get("/projects/1/tasks")).json()["tasks"]) == 20
    service.close()
    other.close()
