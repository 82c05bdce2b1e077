"""A request that waits for a change is answered by it, by the end of its time, or not at all."""

import asyncio
from base64 import b64encode
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message

from tests.service.waiting import BOARD, asking
from tests.service.world import World
from tests.store.party import rest
from tui.service.accounts.auth import LocalSession
from tui.service.application import create_application
from tui.service.database.schema import APPLICATION_ID
from tui.service.database.sqlite import open_database
from tui.service.database.waiters import Waiters
from tui.service.waiting import Unchanged, when_changed


async def test_a_change_is_told_at_once(world: World) -> None:
    async with asking(world.database) as ann, asking(world.database, "bob") as bob:
        waits = [await ann.waiting() for _ in range(3)]
        assert not any(one.done() for one in waits)
        await bob.change()
        told = await asyncio.gather(*waits)
        assert [one["has_changes"] for one in told] == [True] * 3
        assert told[0]["board"]["title"] == "Garden"
        before = await ann.ask()
        assert (before["has_changes"], before["waits"]) == (True, True), "it was before the wait"
        ann.since = before["synced_at"]
        assert not (await ann.waiting()).done()


async def test_a_change_of_another_board_is_not_told(world: World) -> None:
    async with asking(world.database) as ann:
        wait = await ann.waiting()
        reply = await ann.http.post("/projects", json={"board": {"title": "B", "type": "to-do"}})
        path = f"/projects/{reply.json()['board']['id']}"
        assert (await ann.http.put(path, json={"title": "C"})).is_success
        await rest()
        assert not wait.done()


async def test_without_a_change_it_is_answered_in_time(world: World) -> None:
    async with asking(world.database) as ann:
        assert (await ann.ask(0))["has_changes"] is False
    tried: list[int] = []

    async def reply() -> Response:
        tried.append(1)
        raise Unchanged({"has_changes": False}, 0)

    request = Request({"type": "http", "path_params": {"board_id": BOARD}})
    answer = await when_changed(world.database.waiters, request, reply)
    assert (bytes(answer.body), len(tried)) == (b'{"has_changes":false}', 1)


@pytest.mark.parametrize("wait", ["-1", "26", "1.5", "soon"])
def test_other_times_are_refused(world: World, wait: str) -> None:
    path = f"/projects/1/has-data-changed?since=2026-11-21 11:00:00&wait={wait}"
    answer = world.ask("ann", "GET", path)
    assert (answer.status, answer.at("code")) == (422, "invalid_field")


async def test_who_loses_the_board_is_refused(world: World) -> None:
    async with asking(world.database) as ann, asking(world.database, "bob") as bob:
        wait = await bob.waiting()
        reply = await ann.http.post(f"/projects/{BOARD}/user/{world.id('bob')}/remove")
        assert reply.is_success
        assert (await wait)["code"] == "forbidden"
        await ann.refresh()
        wait = await ann.waiting()
        assert (await ann.http.delete(f"/projects/{BOARD}")).is_success
        assert (await wait)["code"] == "board_not_found"


async def test_it_is_looked_at_again_at_the_end_of_the_time(world: World) -> None:
    looks = [Unchanged({"has_changes": False}, 0)]

    async def reply() -> Response:
        if looks:
            raise looks.pop()
        return Response(status_code=403)

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    request = Request({"type": "http", "path_params": {"board_id": BOARD}}, receive)
    answer = await when_changed(world.database.waiters, request, reply)
    assert answer.status_code == 403


async def test_who_lost_the_account_is_told_no_news(world: World) -> None:
    async with asking(world.database) as ann, asking(world.database, "bob") as bob:
        wait = await bob.waiting()
        with world.database.transaction(writing=True) as db:
            db.run("update account set login = 'robert' where login = 'bob'")
        await ann.change("Shed")
        assert (await wait)["code"] == "unauthorized"


async def test_the_end_of_the_server_is_the_end_of_every_wait(world: World) -> None:
    async with asking(world.database) as ann:
        waits = [await ann.waiting() for _ in range(3)]
        world.database.waiters.end()
        assert [one["has_changes"] for one in await asyncio.gather(*waits)] == [False] * 3
        assert (await ann.ask())["has_changes"] is False, "nobody waits afterwards either"


async def test_a_closed_connection_frees_its_waiter(world: World) -> None:
    session, gone = LocalSession("ann"), asyncio.Event()
    token = b64encode(f"{session.login}:{session.password}".encode()).decode()
    application = create_application(world.database, session=session)
    pieces = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> dict[str, object]:
        for piece in pieces:
            return piece
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(_message: object) -> None:
        """Nobody reads it."""

    async with asking(world.database) as ann:
        asked = ann.http.build_request(
            "GET", f"/projects/{BOARD}/has-data-changed", params={"since": ann.since, "wait": "25"}
        )
    scope = {
        "type": "http",
        "method": "GET",
        "path": asked.url.path,
        "query_string": asked.url.query,
        "headers": [(b"authorization", f"Basic {token}".encode())],
    }
    answering = asyncio.create_task(application(scope, receive, send))
    await rest()
    assert not answering.done()
    assert world.database.waiters.count == 1
    gone.set()
    await rest()
    assert answering.done()
    assert world.database.waiters.count == 0


async def test_a_change_by_another_process_is_told(world: World, tmp_path: Path) -> None:
    path = tmp_path / "boards"
    world.link.execute(f"pragma application_id = {APPLICATION_ID:d}")
    path.write_bytes(world.link.serialize())
    ours, theirs = open_database(path), open_database(path)
    async with asking(ours) as ann, asking(theirs, "bob") as bob:
        for title in ("Garden", "Roof"):
            wait = await ann.waiting()
            await bob.change(title)
            told = await wait
            assert (told["has_changes"], told["board"]["title"]) == (True, title)
            ann.since = told["synced_at"]
    ours.close()
    theirs.close()


async def test_no_change_is_missed_however_it_falls(world: World) -> None:
    async with (
        asking(world.database, threads=True) as ann,
        asking(world.database, "bob", threads=True) as bob,
    ):
        for turn in range(60):
            asked = asyncio.create_task(ann.ask())
            for _ in range(turn):
                await asyncio.sleep(0)
            await bob.change(f"Garden {turn}")
            told = await asked
            assert told["has_changes"] is True
            ann.since = told["synced_at"]


def test_an_end_of_following_is_told_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    def follow(_waiters: Waiters) -> None:
        raise OSError("no such file")

    async def wait(waiters: Waiters) -> None:
        with waiters.registered(BOARD):
            pass

    waiters = Waiters(follow)
    asyncio.run(wait(waiters))
    waiters.close()
    assert "not heard of any more" in caplog.text
