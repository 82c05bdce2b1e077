"""Stages are changed where and how the service has it."""

from typing import Any

import httpx
import pytest

from tests.client.deployed_services.deployed import NO_ROUTE
from tests.client.scripted import Script, ok, session
from tui.client import errors
from tui.client.capabilities import UNKNOWN, Capabilities, StageBody
from tui.client.client import Client

_REQUIRED = ok({"title": {"required": "The title field is required."}}, 422)
_STAGE = ok({"updatedStage": {"id": 2, "title": "T"}})
_NO_SUCH_ROUTE = ok(NO_ROUTE, 404)
_FAULT = ok({"code": "internal_server_error", "message": "x"}, 500)
_FLAT, _NESTED = {"title": "T"}, {"stage": {"title": "T"}}


def _client(
    *steps: Any, known: Capabilities = UNKNOWN
) -> tuple[Client, Script, list[Capabilities]]:
    script = Script(*steps)
    learnt: list[Capabilities] = []
    return Client(session(script), capabilities=known, learned=learnt.append), script, learnt


async def test_the_specification_comes_first() -> None:
    client, script, learnt = _client(_STAGE)
    await client.stages.update(1, 2, title="T")
    assert script.bodies == [_FLAT]
    assert [known.stage_body for known in learnt] == [StageBody.FLAT]


async def test_a_refused_body_is_nested_and_that_is_remembered() -> None:
    client, script, learnt = _client(_REQUIRED, _STAGE)
    for _ in range(2):
        assert (await client.stages.update(1, 2, title="T")).title == "T"
    assert script.bodies == [_FLAT, _NESTED, _NESTED]
    assert [known.stage_body for known in learnt] == [StageBody.NESTED]


async def test_the_last_resort_is_one_property_a_call() -> None:
    client, script, _ = _client(_REQUIRED, _REQUIRED, ok({"stage": {"id": 2, "title": "T"}}))
    await client.stages.update(1, 2, title="T", settings={"a": 1})
    assert script.asked[2:] == ["PUT /projects/1/update-stage-property/2"] * 2
    assert script.bodies[2:] == [
        {"property": "title", "value": "T"},
        {"property": "settings", "value": {"a": 1}},
    ]


async def test_where_all_is_refused_the_first_reason_is_given_and_nothing_learnt() -> None:
    client, script, learnt = _client(_REQUIRED, _REQUIRED, _NO_SUCH_ROUTE)
    with pytest.raises(errors.Refused, match="title field is required"):
        await client.stages.update(1, 2, title="T")
    assert len(script.requests) == 3
    assert learnt == []


@pytest.mark.parametrize("known", [StageBody.NESTED, StageBody.PROPERTY])
async def test_what_is_remembered_may_have_become_wrong(known: StageBody) -> None:
    client, script, learnt = _client(_NO_SUCH_ROUTE, _STAGE, known=Capabilities(stage_body=known))
    await client.stages.update(1, 2, title="T")
    assert len(script.requests) == 2
    assert [known.stage_body for known in learnt] == [StageBody.FLAT]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (_FAULT, errors.ServerFault),
        (ok({"code": "plugin_exception", "data": [], "message": "No."}, 500), errors.Refused),
        (ok("Unauthorized Action", 403), errors.NotAllowed),
        (httpx.ReadError("gone"), errors.Unreachable),
    ],
)
async def test_nothing_else_falls_back(answer: Any, kind: type[errors.ApiError]) -> None:
    client, script, _ = _client(answer)
    with pytest.raises(kind):
        await client.stages.update(1, 2, title="T")
    assert len(script.requests) == 1


async def test_a_stage_without_a_title_is_asked_once() -> None:
    client, script, _ = _client(_REQUIRED)
    with pytest.raises(errors.Refused):
        await client.stages.update(1, 2, title=" ")
    assert len(script.requests) == 1


async def test_a_trusted_service_means_its_refusal() -> None:
    client, script, _ = _client(_REQUIRED, known=Capabilities.embedded())
    with pytest.raises(errors.Refused):
        await client.stages.update(1, 2, title="T")
    assert len(script.requests) == 1
