"""The workspace of a service somewhere else: files of its own, and trouble that is said."""

import asyncio
import base64
import os
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from tests.client.deployed_services.deployed import NO_ROUTE
from tests.client.scripted import Script, ok, session
from tests.client.sockets import listening
from tui.client.capabilities import Feature
from tui.client.editions.client import client_for
from tui.config.paths import Places
from tui.config.profiles import Profile
from tui.connecting.connections import ServiceConnection
from tui.errors import CallboardError
from tui.model.people import Account
from tui.store.operations import CreateTask
from tui.store.outbox.file import open_outbox
from tui.workspace import ServiceMoved, Workspace, check_move, memory_of

PROFILE = Profile("work", url="http://127.0.0.1:9/v2", login="ann")
ELSEWHERE = PROFILE._replace(url="https://example.org/x/v2")


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """The places below a folder, with no password in the environment."""
    for name in [name for name in os.environ if name.startswith("CALLBOARD_PASSWORD")]:
        monkeypatch.delenv(name)
    return Places.find({"CALLBOARD_HOME": str(tmp_path)})


async def opened_and_closed(places: Places, profile: Profile) -> Workspace:
    workspace = Workspace.open(places, profile)
    await workspace.aclose()
    return workspace


async def test_each_profile_has_files_of_its_own(places: Places) -> None:
    work = await opened_and_closed(places, PROFILE)
    other = await opened_and_closed(places, PROFILE._replace(name="other"))
    assert work.store.me == Account("ann")
    assert work.preferences != other.preferences
    assert {each.name for each in places.data.iterdir()} == {"work", "other"}
    assert {each.name for each in places.cache.iterdir()} == {"work", "other"}


async def test_what_keeps_from_connecting_is_said_and_tried_again_on_demand(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bytes] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        body = b'{"code": "rest_forbidden", "message": "No.", "data": {"status": 401}}'
        head = f"HTTP/1.1 401 No\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode() + body)

    async with listening(refuse) as port:
        workspace = Workspace.open(places, PROFILE._replace(url=f"http://127.0.0.1:{port}/v2"))
        store = workspace.store
        with pytest.raises(CallboardError, match="no password for the profile work"):
            await workspace.connect()
        assert "no password for the profile work" in store.status().problem
        with pytest.raises(CallboardError, match="no password"):
            await store.refresh()
        assert asked == []
        for password in (b"correct horse", b"battery staple"):
            monkeypatch.setenv("CALLBOARD_PASSWORD_WORK", password.decode())
            await store.refresh()
            assert "does not accept" in store.status().problem
            assert base64.b64encode(b"ann:" + password) in asked[-1]
            assert not store.is_connected
        await workspace.aclose()


async def test_an_address_that_cannot_be_used_is_said_without_the_program_ending(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALLBOARD_PASSWORD", "correct horse")
    workspace = Workspace.open(places, PROFILE._replace(url="http://example.org/v2"))
    with pytest.raises(CallboardError, match="begins with http://"):
        await workspace.connect()
    assert "begins with http://" in workspace.store.status(1).problem
    await workspace.aclose()


async def test_another_service_under_the_same_name_begins_with_nothing(places: Places) -> None:
    await opened_and_closed(places, PROFILE)
    old = (places.data / "work" / "outbox.sqlite3").stat().st_ino
    workspace = await opened_and_closed(places, ELSEWHERE)
    assert "another service now" in workspace.messages[-1]
    assert (places.data / "work.earlier" / "outbox.sqlite3").stat().st_ino == old
    assert (await opened_and_closed(places, ELSEWHERE)).messages == ()


async def test_boards_of_another_service_that_cannot_be_removed_are_never_shown(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened_and_closed(places, PROFILE)
    of_another_service = places.cache / "work" / "board"
    of_another_service.touch()

    def refuse(path: str | Path, **_: object) -> None:
        raise PermissionError(13, "Permission denied", path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", refuse)
        with pytest.raises(CallboardError, match="cannot be set aside: permission denied"):
            Workspace.open(places, ELSEWHERE)
    await opened_and_closed(places, ELSEWHERE)
    assert not of_another_service.exists()
    assert [each.name for each in places.cache.iterdir()] == ["work"]


@pytest.mark.parametrize("changed", [ELSEWHERE, PROFILE._replace(login="bob")])
async def test_changes_that_wait_are_never_sent_to_another_service(
    places: Places, changed: Profile
) -> None:
    await opened_and_closed(places, PROFILE)
    outbox, _ = open_outbox(places.data / "work" / "outbox.sqlite3", datetime.now(UTC))
    change = (CreateTask.new(1, 1, "Waiting"), ())
    outbox.add(1, [change], datetime.now(UTC))
    outbox.close()
    with pytest.raises(ServiceMoved):
        check_move(places, changed, memory_of(places, changed))
    with pytest.raises(ServiceMoved) as refused:
        Workspace.open(places, changed)
    assert "changes wait for the earlier one: 1" in refused.value.message
    assert PROFILE.url in refused.value.hint
    assert not (await opened_and_closed(places, PROFILE)).messages


async def test_what_a_service_offers_is_found_out_once() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        is_list = request.url.path.endswith("/projects")
        return ok({"boards": {"data": []}}) if is_list else ok(NO_ROUTE, 404)

    script = Script(answer)
    connection = ServiceConnection(client_for(session(script)), "ann")
    assert await connection.find_out() is None
    assert connection.remote.offers(Feature.SUBTASKS) is False
    asked = len(script.requests)
    assert await connection.find_out() is None
    assert len(script.requests) == asked
    await connection.aclose()
