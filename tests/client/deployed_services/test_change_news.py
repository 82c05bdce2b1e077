"""What has changed on a board, where a service can tell."""

from dataclasses import fields

import pytest

from tests.client.deployed_services.deployed import NO_ROUTE
from tests.client.scripted import Script, ok, session
from tui.client import errors
from tui.client.capabilities import Capabilities, Feature
from tui.client.documents import BoardChanges
from tui.client.editions.client import client_for

_SINCE = "2026-11-21 11:48:07"
_NOTHING: dict[str, object] = {
    one.name: getattr(BoardChanges(), one.name) for one in fields(BoardChanges)
} | {"tasks": [], "parts": {"stages": [], "labels": [], "board": []}}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            {"has_changes": False, "synced_at": _SINCE, "sync_reset": False, "board": {}},
            {**_NOTHING, "has_changes": False, "synced_at": _SINCE},
        ),
        ({"has_changes": "1", "taskDeleted": [3, "4"]}, {"gone": {3, 4}}),
        ({"taskDeleted": [{"id": 3}]}, {"has_gone": True}),
        ({"taskDeleted": True, "stageDeleted": False}, {"has_gone": True}),
        ({"taskDeleted": "0"}, {"has_gone": False}),
        ({"sync_reset": "1"}, {"must_reload": True}),
        ({"taskResetRequired": True}, {"must_reload": True}),
        ({"labelDeleted": True}, {"is_frame_outdated": True}),
        ({"stageResetRequired": True}, {"is_frame_outdated": True}),
        ({}, _NOTHING),
    ],
)
async def test_what_it_says(said: dict[str, object], expected: dict[str, object]) -> None:
    learnt: list[Capabilities] = []
    async with client_for(session(Script(ok(said))), learned=learnt.append) as client:
        changes = await client.changes_since(1, _SINCE)
    assert changes is not None
    assert {name: getattr(changes, name) for name in expected} == expected
    assert [known.offered for known in learnt] == [{Feature.CHANGE_NEWS}]


async def test_what_changed_is_read_as_everywhere() -> None:
    said = {
        "board": {"title": "Garden"},
        "tasks": [{"id": "7", "stage_id": "2"}, {"title": "no id"}],
        "stages": [{"id": 2}],
        "labels": [{"id": 5}],
    }
    async with client_for(session(Script(ok(said)))) as client:
        changes = await client.changes_since(1, _SINCE)
    assert changes is not None
    assert [(task["id"], task["stage_id"]) for task in changes.tasks] == [(7, 2)]
    assert changes.frame is None
    assert changes.parts == {
        "stages": [{"id": 2}],
        "labels": [{"id": 5}],
        "board": [{"id": 1, "title": "Garden"}],
    }


async def test_a_board_told_whole_is_not_told_in_part_too() -> None:
    whole = {"title": "Garden", "stages": [{"id": 2}]}
    async with client_for(session(Script(ok({"board": whole})))) as client:
        changes = await client.changes_since(1, _SINCE)
    assert changes is not None
    assert changes.frame is not None
    assert changes.frame["title"] == "Garden"
    assert changes.parts["board"] == []


@pytest.mark.parametrize(
    ("since", "asked"),
    [(_SINCE, "2026-11-21 11:48:06"), (f"{_SINCE}.000042", f"{_SINCE}.000042")],
)
async def test_whole_seconds_overlap(since: str, asked: str) -> None:
    script = Script(ok({}))
    async with client_for(session(script)) as client:
        await client.changes_since(1, since)
    assert script.requests[0].url.params["since"] == asked


async def test_a_service_that_cannot_tell_is_asked_once() -> None:
    script = Script(ok(NO_ROUTE, 404))
    async with client_for(session(script)) as client:
        assert await client.changes_since(1, _SINCE) is None
        assert await client.changes_since(2, _SINCE) is None
    assert len(script.requests) == 1


async def test_a_time_that_is_too_old_is_an_error() -> None:
    body = {"code": "internal_server_error", "message": "<p>critical</p>"}
    async with client_for(session(Script(ok(body, 500)))) as client:
        with pytest.raises(errors.ServerFault):
            await client.changes_since(1, _SINCE)


@pytest.mark.parametrize("waits", [True, False])
async def test_a_wait_is_asked_for_and_one_that_did_not_happen_is_found_out(*, waits: bool) -> None:
    script = Script(ok({"has_changes": False, "synced_at": _SINCE, "waits": waits}))
    async with client_for(session(script)) as client:
        if waits:
            assert await client.wait_for_change(1, _SINCE) is False
        else:
            with pytest.raises(errors.NotOffered):
                await client.wait_for_change(1, _SINCE)
        assert client.service.offers(Feature.WAITING_FOR_CHANGES) is waits
    assert dict(script.requests[0].url.params) == {"since": _SINCE, "wait": "25"}
