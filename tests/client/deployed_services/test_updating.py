"""Stages are changed where and how the service has it."""

from typing import Any

import httpx
import pytest

from tests.client.deployed_services.deployed import NO_ROUTE
from tests.client.scripted import Script, ok, session
from tui.client import errors
from tui.client.capabilities import UNKNOWN, Capabilities, StageBody, StageStatus
from tui.client.client import Client
from tui.client.editions.client import client_for

_REQUIRED = ok({"title": {"required": "The title field is required."}}, 422)
_STAGE = ok({"updatedStage": {"id": 2, "title": "T"}})
_NO_SUCH_ROUTE = ok(NO_ROUTE, 404)
_FAULT = ok({"code": "internal_server_error", "message": "x"}, 500)
_NO = ok({"code": "plugin_exception", "data": [], "message": "No."}, 500)
_FLAT, _NESTED = {"title": "T"}, {"stage": {"title": "T"}}


def _client(
    *steps: Any, known: Capabilities = UNKNOWN
) -> tuple[Client, Script, list[Capabilities]]:
    script = Script(*steps)
    learnt: list[Capabilities] = []
    return client_for(session(script), capabilities=known, learned=learnt.append), script, learnt


async def test_the_specification_comes_first() -> None:
    client, script, learnt = _client(_STAGE)
    await client.update_stage(1, 2, title="T")
    assert script.bodies == [_FLAT]
    assert [known.stage_body for known in learnt] == [StageBody.FLAT]


async def test_a_refused_body_is_nested_and_that_is_remembered() -> None:
    client, script, learnt = _client(_REQUIRED, _board("T"), _STAGE, _board("T"), _STAGE)
    for _ in range(2):
        assert (await client.update_stage(1, 2, title="T"))["title"] == "T"
    assert [body for body in script.bodies if body] == [_FLAT, _NESTED, _NESTED]
    assert [known.stage_body for known in learnt] == [StageBody.NESTED]


async def test_the_last_resort_is_one_property_a_call() -> None:
    done = ok({"stage": {"id": 2, "title": "T"}})
    client, script, _ = _client(_REQUIRED, _board("S"), _REQUIRED, done, done, _board("T"))
    await client.update_stage(1, 2, title="T", settings={"a": 1})
    assert script.asked[3:] == [*["PUT /projects/1/update-stage-property/2"] * 2, "GET /projects/1"]
    assert script.bodies[3:5] == [
        {"property": "title", "value": "T"},
        {"property": "settings", "value": {"a": 1}},
    ]


@pytest.mark.parametrize("known", [UNKNOWN, Capabilities(stage_body=StageBody.NESTED)])
async def test_a_property_that_changes_nothing_is_no_form_that_is_accepted(
    known: Capabilities,
) -> None:
    # As on the old paid edition, which echoes the title here; its right form has a fault today.
    def answer(asked: httpx.Request) -> httpx.Response:
        if asked.method == "GET":
            return _board("Old")
        return _STAGE if "property" in asked.url.path else _FAULT

    client, _, learnt = _client(answer, known=known)
    with pytest.raises(errors.ServerFault, match="failed"):
        await client.update_stage(1, 2, title="T")
    assert learnt == []


async def test_where_all_is_refused_the_first_reason_is_given_and_nothing_learnt() -> None:
    client, script, learnt = _client(_REQUIRED, _REQUIRED, _NO_SUCH_ROUTE)
    with pytest.raises(errors.Refused, match="title field is required"):
        await client.update_stage(1, 2, title="T")
    assert len(script.requests) == 3
    assert learnt == []


@pytest.mark.parametrize("known", [StageBody.NESTED, StageBody.PROPERTY])
async def test_what_is_remembered_may_have_become_wrong(known: StageBody) -> None:
    client, script, learnt = _client(_NO_SUCH_ROUTE, _STAGE, known=Capabilities(stage_body=known))
    await client.update_stage(1, 2, title="T")
    assert len(script.requests) == 2
    assert [known.stage_body for known in learnt] == [StageBody.FLAT]


def _board(title: str, color: str = "") -> httpx.Response:
    return ok({"board": {"id": 1, "stages": [{"id": 2, "title": title, "bg_color": color}]}})


async def test_a_nested_title_takes_the_present_colour_along() -> None:
    client, script, _ = _client(_REQUIRED, _board("Old", "#ff0000"), _STAGE)
    await client.update_stage(1, 2, title="T")
    assert script.bodies[2] == {"stage": {"title": "T", "cover_bg": "#ff0000"}}


_STATUS = "default_task_status"


def _board_with(status: str) -> httpx.Response:
    stage = {"id": 2, "title": "T", "settings": {_STATUS: status}}
    return ok({"board": {"id": 1, "stages": [stage]}})


async def test_the_status_of_a_stage_is_a_property_and_that_is_remembered() -> None:
    stored = _board_with("closed")
    client, script, learnt = _client(ok({"message": "Updated"}), stored)
    stage = await client.set_stage_setting(1, 2, "T", _STATUS, "closed")
    assert stage["settings"][_STATUS] == "closed"
    assert script.asked == ["PUT /projects/1/update-stage-property/2", "GET /projects/1"]
    assert script.bodies[0] == {"property": "status", "value": "closed"}
    assert [known.stage_status for known in learnt] == [StageStatus.PROPERTY]


async def test_the_status_of_a_stage_is_a_setting_where_there_is_no_such_property() -> None:
    done = ok({"data": {"id": 2, "title": "T", "settings": {_STATUS: "closed"}}})
    client, script, learnt = _client(_NO_SUCH_ROUTE, _board_with("open"), done)
    await client.set_stage_setting(1, 2, "T", _STATUS, "closed")
    assert script.asked[2] == "PUT /projects/1/update-stage/2"
    assert learnt[-1].stage_status is StageStatus.SETTING


async def test_a_status_that_nothing_stores_is_said() -> None:
    unchanged = _board_with("open")
    client, _, learnt = _client(lambda asked: unchanged if asked.method == "GET" else _STAGE)
    with pytest.raises(errors.NotStored):
        await client.set_stage_setting(1, 2, "T", _STATUS, "closed")
    assert learnt == []


async def test_a_new_stage_gets_the_status_that_the_service_passed_over() -> None:
    made = ok({"updatedStages": [{"id": 2, "title": "T", "settings": {_STATUS: "open"}}]})
    empty = ok({"board": {"id": 1, "stages": []}})
    client, script, _ = _client(empty, made, ok({"message": "Updated"}), _board_with("closed"))
    (stage,) = await client.create_stage(1, "T", "closed")
    assert stage["settings"][_STATUS] == "closed"
    assert script.asked[1:3] == [
        "POST /projects/1/stage-create",
        "PUT /projects/1/update-stage-property/2",
    ]


async def test_a_stage_that_was_there_before_keeps_its_status() -> None:
    made = ok({"updatedStages": [{"id": 2, "title": "T", "settings": {_STATUS: "open"}}]})
    client, script, _ = _client(_board_with("open"), made)
    await client.create_stage(1, "T", "closed")
    assert script.asked == ["GET /projects/1", "POST /projects/1/stage-create"]


@pytest.mark.parametrize("fault", [_FAULT, _NO])
async def test_a_body_that_breaks_the_service_is_nested_if_it_took_no_effect(fault: Any) -> None:
    old = _board("Old")
    client, script, learnt = _client(fault, old, old, _STAGE, old, _STAGE)
    for _ in range(2):
        await client.update_stage(1, 2, title="T")
    assert [body for body in script.bodies if body] == [_FLAT, _NESTED, _NESTED]
    assert [known.stage_body for known in learnt] == [StageBody.NESTED]


async def test_a_change_that_took_effect_all_the_same_is_sent_once_and_teaches_nothing() -> None:
    client, script, learnt = _client(_FAULT, _board("T", "#ff0000"))
    stage = await client.set_stage_color(1, 2, "T", "#ff0000")
    assert (stage["title"], stage["bg_color"]) == ("T", "#ff0000")
    assert script.asked == ["PUT /projects/1/update-stage/2", "GET /projects/1"]
    assert learnt == []


async def test_nothing_is_sent_again_while_nobody_can_look() -> None:
    client, script, _ = _client(_FAULT, ok("Unauthorized Action", 403))
    with pytest.raises(errors.ServerFault) as caught:
        await client.update_stage(1, 2, title="T")
    assert caught.value.may_have_happened
    assert script.asked == ["PUT /projects/1/update-stage/2", "GET /projects/1"]


async def test_a_colour_that_is_not_stored_is_sent_in_another_body() -> None:
    stored = ok({"updatedStage": {"id": 2, "title": "T", "bg_color": "#FF0000"}})
    client, script, learnt = _client(_STAGE, stored)
    await client.set_stage_color(1, 2, "T", "#ff0000")
    assert script.bodies[1] == {"stage": {"title": "T", "cover_bg": "#ff0000"}}
    assert [known.stage_body for known in learnt] == [StageBody.NESTED]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (ok({"code": "x", "message": "busy"}, 503), errors.ServerFault),
        (ok("Unauthorized Action", 403), errors.NotAllowed),
        (httpx.ReadError("gone"), errors.Unreachable),
    ],
)
async def test_nothing_else_falls_back(answer: Any, kind: type[errors.ApiError]) -> None:
    client, script, _ = _client(answer)
    with pytest.raises(kind):
        await client.update_stage(1, 2, title="T")
    assert len(script.requests) == 1


async def test_a_stage_without_a_title_is_asked_once() -> None:
    client, script, _ = _client(_REQUIRED)
    with pytest.raises(errors.Refused):
        await client.update_stage(1, 2, title=" ")
    assert len(script.requests) == 1


async def test_a_trusted_service_means_its_refusal() -> None:
    client, script, _ = _client(_REQUIRED, known=Capabilities.embedded())
    with pytest.raises(errors.Refused):
        await client.update_stage(1, 2, title="T")
    assert len(script.requests) == 1
