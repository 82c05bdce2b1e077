"""Whether a board has changed, where a service can tell."""

import pytest

from tests.api.dialect.deployed import NO_ROUTE
from tests.api.scripted import Script, ok, session
from tui.api import errors
from tui.api.client import Client
from tui.api.dialect.capabilities import Capabilities, Feature

_SINCE = "2026-11-21 11:48:07"


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ({"has_changes": False, "synced_at": _SINCE, "sync_reset": False}, False),
        ({"has_changes": "1", "synced_at": _SINCE}, True),
        ({"has_changes": False, "sync_reset": True}, True),
        ({}, None),
    ],
)
async def test_what_it_says(said: dict[str, object], changed: bool | None) -> None:
    learnt: list[Capabilities] = []
    async with Client(session(Script(ok(said))), learned=learnt.append) as client:
        assert await client.dialect.has_changed(1, _SINCE) is changed
        assert await client.dialect.time_of_asking(1, _SINCE) == said.get("synced_at", "")
    assert [known.offered for known in learnt] == [{Feature.CHANGE_NEWS}]


async def test_a_service_that_cannot_tell_is_asked_once() -> None:
    script = Script(ok(NO_ROUTE, 404))
    async with Client(session(script)) as client:
        assert await client.dialect.has_changed(1, _SINCE) is None
        assert await client.dialect.has_changed(2, _SINCE) is None
        assert await client.dialect.time_of_asking(1, _SINCE) == ""
    assert len(script.requests) == 1


async def test_a_time_that_is_too_old_is_an_error() -> None:
    body = {"code": "internal_server_error", "message": "<p>critical</p>"}
    async with Client(session(Script(ok(body, 500)))) as client:
        with pytest.raises(errors.ServerFault):
            await client.dialect.has_changed(1, _SINCE)
