"""What each method asks, and what it makes of the answer."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

import httpx
import pytest

from tests.api.recorded import METHODS, task_documents
from tests.api.scripted import client, ids, ok, session
from tui.api import errors
from tui.api.client import Client
from tui.api.endpoints import Endpoint
from tui.api.listing import gather
from tui.api.records import TaskRecord

_ANSWER = {
    "board": {"id": 1},
    "boards": {"data": []},
    "data": {"id": 2, "available_positions": [1]},
    "updatedStage": {"id": 2},
    "updatedStages": [{"id": 2}],
    "stages": {"data": []},
    "task": {"id": 3},
    "tasks": [],
    "updatedTasks": [],
    "comment": {"id": 4},
    "comments": {"data": []},
    "label": {"id": 5},
    "labels": [],
    "users": [],
    "activities": {"data": []},
    "has_changes": False,
    "synced_at": "2026-11-21 12:00:00",
}
_IDS = {"board_id": 1, "stage_id": 2, "task_id": 3, "comment_id": 4, "label_id": 5}

_BODIES: list[tuple[Callable[[Client], Awaitable[object]], object]] = [
    (
        lambda c: c.boards.create("T", "roadmap", description="<p>D</p>", currency="EUR"),
        {"board": {"title": "T", "description": "<p>D</p>", "type": "roadmap", "currency": "EUR"}},
    ),
    (lambda c: c.boards.update(1, title="T"), {"title": "T"}),
    (lambda c: c.boards.update(1, title="T", description=""), {"title": "T", "description": ""}),
    (lambda c: c.boards.archive(1), None),
    (
        lambda c: c.boards.duplicate(1, "T", with_tasks=True),
        {
            "board": {"title": "T"},
            "isWithTasks": "yes",
            "isWithLabels": "no",
            "isWithTemplates": "no",
        },
    ),
    (lambda c: c.stages.create(1, "T"), {"title": "T"}),
    (
        lambda c: c.stages.create(1, "T", position=1.5, status="closed"),
        {"title": "T", "position": 1.5, "status": "closed"},
    ),
    (
        lambda c: c.stages.update(1, 2, title="T", settings={"is_template": "no"}),
        {"title": "T", "settings": {"is_template": "no"}},
    ),
    (lambda c: c.stages.reposition(1, (3, 2)), {"list": [3, 2]}),
    (
        lambda c: c.stages.sort_tasks(1, 2, by="priority", direction="DESC"),
        {"order": "priority", "orderBy": "DESC"},
    ),
    (
        lambda c: c.tasks.create(1, 2, "T", priority="high", crm_contact_id=7, is_template=True),
        {
            "task": {
                "title": "T",
                "board_id": 1,
                "stage_id": 2,
                "priority": "high",
                "crm_contact_id": 7,
                "is_template": "yes",
            }
        },
    ),
    (lambda c: c.tasks.update(1, 3, "due_at", None), {"property": "due_at", "value": None}),
    (
        lambda c: c.tasks.update(1, 3, "assignees", [1, 2]),
        {"property": "assignees", "value": [1, 2]},
    ),
    (lambda c: c.tasks.move(1, 3, 2, 4), {"newStageId": 2, "newIndex": 4}),
    (
        lambda c: c.tasks.move(1, 3, 2, 4, new_board_id=9),
        {"newStageId": 2, "newIndex": 4, "newBoardId": 9},
    ),
    (
        lambda c: c.tasks.clone(1, 3, 2, "T", labels=True),
        {
            "title": "T",
            "stage_id": 2,
            "assignee": False,
            "subtask": False,
            "label": True,
            "attachment": False,
            "comment": False,
        },
    ),
    (lambda c: c.comments.create(1, 3, "Hi"), {"comment": "Hi", "comment_type": "comment"}),
    (
        lambda c: c.comments.create(1, 3, "Hi", mentions=[2]),
        {"comment": "Hi", "comment_type": "comment", "mentionData": [2]},
    ),
    (
        lambda c: c.comments.update(1, 3, 4, "Hi", mentions=[2]),
        {"comment": "Hi", "mentionData": [2]},
    ),
    (
        lambda c: c.labels.create(1, "L", color="#000000", bg_color="#ffffff"),
        {"label": "L", "color": "#000000", "bg_color": "#ffffff"},
    ),
    (lambda c: c.labels.attach(1, 3, 5), {"taskId": 3, "labelId": 5}),
    (lambda c: c.labels.detach(1, 3, 5), None),
]


def _ids_of(endpoint: Endpoint) -> dict[str, int]:
    return {name: number for name, number in _IDS.items() if f"{{{name}}}" in endpoint.path}


@pytest.mark.parametrize("endpoint", [*Endpoint], ids=lambda endpoint: endpoint.name)
async def test_every_method_asks_its_endpoint(endpoint: Endpoint) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if "/tasks/99/comments/" in request.url.path:
            return ok({"code": "rest_no_route", "message": "No."}, 404)
        return ok(_ANSWER)

    one, script = client(answer)
    await METHODS[endpoint](one, **_ids_of(endpoint))
    assert script.asked[-1] == str(endpoint.at(**_ids_of(endpoint)))


_CONTENT_TO_HEAR_NOTHING = {
    Endpoint.DELETE_BOARD,
    Endpoint.DELETE_TASK,
    Endpoint.DELETE_COMMENT,
    Endpoint.DELETE_LABEL,
    Endpoint.DETACH_LABEL,
    Endpoint.HAS_DATA_CHANGED,
    Endpoint.LIST_AVAILABLE_POSITIONS,
}


@pytest.mark.parametrize("endpoint", [*Endpoint], ids=lambda endpoint: endpoint.name)
@pytest.mark.parametrize("answer", [[], "text", 7])
async def test_an_answer_that_is_no_object_is_never_a_success(
    endpoint: Endpoint, answer: object
) -> None:
    await _expect_nonsense(endpoint, answer)


@pytest.mark.parametrize(
    "endpoint",
    [endpoint for endpoint in Endpoint if endpoint not in _CONTENT_TO_HEAR_NOTHING],
    ids=lambda endpoint: endpoint.name,
)
async def test_an_answer_without_what_is_due_is_never_a_success(endpoint: Endpoint) -> None:
    await _expect_nonsense(endpoint, {"unexpected": True})


async def _expect_nonsense(endpoint: Endpoint, answer: object) -> None:
    one, _ = client(ok(answer))
    with pytest.raises(errors.Nonsense) as caught:
        await METHODS[endpoint](one, **_ids_of(endpoint))
    assert caught.value.may_have_happened is not endpoint.is_safe


@pytest.mark.parametrize(("method", "body"), _BODIES)
async def test_every_method_sends_its_body(
    method: Callable[[Client], Awaitable[object]], body: object
) -> None:
    one, script = client(ok(_ANSWER))
    await method(one)
    assert script.bodies == [body]


async def test_boards_are_listed_from_all_pages() -> None:
    pages: list[Any] = [
        {"boards": {"data": [{"id": 3}, {"id": 2}], "current_page": 1, "last_page": 2}},
        {"boards": {"data": [{"id": 2}, {"id": 1}, "?"], "current_page": 2, "last_page": 2}},
    ]
    one, script = client(*map(ok, pages))
    listing = await one.boards.list(archived=True)
    assert ids(listing.records) == [3, 2, 1]
    assert len(listing.skipped) == 1
    assert [dict(request.url.params) for request in script.requests] == [
        {"per_page": "100", "page": "1", "option": "archived"},
        {"per_page": "100", "page": "2", "option": "archived"},
    ]


async def test_activities_come_page_by_page() -> None:
    one, script = client(
        ok({"activities": {"data": [{"id": 2}], "last_page": 2}}),
        ok({"activities": {"data": [{"id": 1}], "last_page": 2}}),
    )
    pages = [page async for page in one.tasks.activities(1, 3, order="oldest", per_page=1)]
    assert [ids(page.records) for page in pages] == [[2], [1]]
    assert script.requests[0].url.params["filter"] == "oldest"


async def test_a_task_comes_with_the_others_that_changed() -> None:
    one, _ = client(
        ok({"task": {"id": 3}, "updatedTasks": {"1": {"id": 4}, "2": 7}, "last_updated": "now"})
    )
    answer = await one.tasks.move(1, 3, 2, 1)
    assert (answer.task.id, ids(answer.updated_tasks)) == (3, [4])
    assert answer.last_updated == "now"
    assert len(answer.skipped) == 1


@pytest.mark.parametrize("index", [0, -1])
async def test_a_place_below_one_is_never_sent(index: int) -> None:
    one, script = client(ok({}))
    with pytest.raises(ValueError, match="from 1"):
        await one.tasks.move(1, 3, 2, index)
    assert script.requests == []


async def test_a_stage_body_that_is_refused_is_nested() -> None:
    one, script = client(
        ok({"title": {"required": "The title field is required."}}, 422),
        ok({"updatedStage": {"id": 2, "title": "T"}}),
    )
    assert (await one.stages.update(1, 2, title="T")).title == "T"
    assert script.bodies == [{"title": "T"}, {"stage": {"title": "T"}}]


async def test_a_stage_without_a_title_is_asked_once() -> None:
    one, script = client(ok({"title": {"required": "The title field is required."}}, 422))
    with pytest.raises(errors.Refused):
        await one.stages.update(1, 2, title=" ")
    assert len(script.requests) == 1


async def test_a_comment_is_updated_where_deployed_services_have_it() -> None:
    one, script = client(
        ok({"code": "rest_no_route", "message": "No route."}, 404), ok({"comment": {"id": 4}})
    )
    assert (await one.comments.update(1, 3, 4, "Hi")).id == 4
    assert script.asked == [
        "PUT /projects/1/tasks/3/comments/4",
        "PUT /projects/1/tasks/comments/4",
    ]


async def test_both_spellings_of_available_positions_are_read() -> None:
    for answer in ({"availablePositions": ["1", 2]}, {"data": {"available_positions": [1, "2"]}}):
        one, _ = client(ok(answer))
        assert await one.stages.available_positions(1, 2) == (1, 2)


async def test_a_board_that_must_be_read_again_says_so() -> None:
    one, _ = client(ok({"has_changes": "1", "synced_at": "2026-11-21", "sync_reset": True}))
    changes = await one.boards.has_data_changed(1, "2026-11-20 00:00:00")
    assert (changes.has_changes, changes.synced_at, changes.must_reload) == (
        True,
        "2026-11-21",
        True,
    )


async def test_a_board_knows_what_to_ask_for_news_with() -> None:
    one, _ = client(ok({"board": {"id": 1}, "synced_at": "2026-11-21 12:00:00"}))
    assert (await one.boards.get(1)).document()["synced_at"] == "2026-11-21 12:00:00"


async def test_an_empty_list_is_a_list() -> None:
    one, _ = client(ok({"tasks": {}}))
    assert (await one.tasks.list(1)).records == []


async def test_a_client_closes_its_session() -> None:
    one, _ = client(ok({}))
    async with one:
        pass
    with pytest.raises(errors.Unreachable):
        await gather(one.boards.pages())


def test_a_listed_task_is_typed() -> None:
    task = TaskRecord.model_validate({"id": "3", "stage_id": "5", "isOverdue": True})
    assert (task.id, task.stage_id, task.document()["isOverdue"]) == (3, 5, True)


async def test_a_deletion_may_be_answered_without_content() -> None:
    one, _ = client(httpx.Response(204))
    await one.boards.delete(1)
    assert (await one.tasks.delete(1, 3)).records == []


async def test_a_creation_answered_without_content_may_have_happened() -> None:
    one, _ = client(httpx.Response(204))
    with pytest.raises(errors.Nonsense) as caught:
        await one.tasks.create(1, 2, "T")
    assert caught.value.may_have_happened


async def test_a_list_of_thousands_leaves_the_loop_its_turns() -> None:
    row = task_documents()[0]
    body = json.dumps({"tasks": [{**row, "id": number} for number in range(1, 3_001)]})
    transport = httpx.MockTransport(lambda _: httpx.Response(200, text=body))
    turns = count()

    async def beat() -> None:
        while True:
            next(turns)
            await asyncio.sleep(0)

    async with Client(session(transport, largest_answer=10_000_000)) as one:
        heart = asyncio.create_task(beat())
        listing = await one.tasks.list(9)
        documents = await listing.documents()
        heart.cancel()
    assert [document["id"] for document in documents] == [*range(1, 3_001)]
    assert next(turns) > 10
