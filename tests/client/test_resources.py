"""What each method asks, and what it makes of the answer."""

import asyncio
import json
from collections.abc import Sequence
from itertools import count
from typing import Any

import httpx
import pytest

from tests.client.answers import answer_to, ids_of
from tests.client.recorded import METHODS, known_to_ask, task_documents
from tests.client.scripted import client, ids, ok, session
from tui.client import errors
from tui.client.answers import Answer
from tui.client.capabilities import Capabilities
from tui.client.decoding import decode
from tui.client.documents import Document
from tui.client.editions.client import client_for
from tui.client.endpoints import Endpoint
from tui.client.site_time import OWN_CLOCK
from tui.schema.tasks import Task

_ELSEWHERE = {
    *(Endpoint.WHO_AM_I, Endpoint.LIST_SITE_USERS),
    *(Endpoint.UPDATE_COMMENT_OWN, Endpoint.UPDATE_REPLY_OWN),
}
"""What the site of a service answers, and what is read back: `deployed_services` has these."""
_OF_SERVICE = [endpoint for endpoint in Endpoint if endpoint not in _ELSEWHERE]


@pytest.mark.parametrize("endpoint", _OF_SERVICE, ids=lambda endpoint: endpoint.name)
async def test_every_method_asks_its_endpoint(endpoint: Endpoint) -> None:
    one, script = client(ok(answer_to(endpoint)), known=known_to_ask(endpoint))
    await METHODS[endpoint](one, **ids_of(endpoint))
    assert script.asked == [str(endpoint.at(*(ids_of(endpoint).values() or ["service"])))]


_CONTENT_TO_HEAR_NOTHING = {
    Endpoint.DELETE_BOARD,
    Endpoint.DELETE_TASK,
    Endpoint.DELETE_COMMENT,
    Endpoint.DELETE_COMMENT_OWN,
    Endpoint.DELETE_REPLY_OWN,
    Endpoint.DELETE_SUBTASK,
    Endpoint.DELETE_SUBTASK_GROUP,
    Endpoint.DELETE_LABEL,
    Endpoint.DETACH_LABEL,
    Endpoint.REPOSITION_FIELD,
    Endpoint.DELETE_FIELD,
    Endpoint.DELETE_FOLDER,
    Endpoint.ADD_BOARDS_TO_FOLDER,
    Endpoint.REMOVE_BOARD_FROM_FOLDER,
    Endpoint.REMOVE_MEMBER,
    Endpoint.REMOVE_USER_FROM_BOARD,
    Endpoint.SYNC_ROLES,
    Endpoint.DELETE_WEBHOOK,
    Endpoint.HAS_DATA_CHANGED,
    Endpoint.LIST_AVAILABLE_POSITIONS,
}
"""Endpoints whose answer needs to hold nothing."""
_AN_ARRAY = {Endpoint.SEARCH_USERS}
"""Endpoints whose answer is an array."""


@pytest.mark.parametrize("endpoint", _OF_SERVICE, ids=lambda endpoint: endpoint.name)
async def test_an_answer_that_is_no_object_is_never_a_success(endpoint: Endpoint) -> None:
    answers: list[object] = ["text", 7] if endpoint in _AN_ARRAY else [[], "text", 7]
    for answer in answers:
        await _expect_nonsense(endpoint, answer)


@pytest.mark.parametrize(
    "endpoint",
    [endpoint for endpoint in _OF_SERVICE if endpoint not in _CONTENT_TO_HEAR_NOTHING],
    ids=lambda endpoint: endpoint.name,
)
async def test_an_answer_without_what_is_due_is_never_a_success(endpoint: Endpoint) -> None:
    await _expect_nonsense(endpoint, {"unexpected": True})


async def _expect_nonsense(endpoint: Endpoint, answer: object) -> None:
    one, _ = client(ok(answer), known=known_to_ask(endpoint))
    with pytest.raises(errors.UnexpectedAnswer) as caught:
        await METHODS[endpoint](one, **ids_of(endpoint))
    assert caught.value.may_have_happened is (endpoint.method != "GET")


async def test_boards_are_listed_from_all_pages() -> None:
    pages: list[Any] = [
        {"boards": {"data": [{"id": 3}, {"id": 2}], "current_page": 1, "last_page": 2}},
        {"boards": {"data": [{"id": 2}, {"id": 1}, "?"], "current_page": 2, "last_page": 2}},
    ]
    one, script = client(*map(ok, pages))
    listing = await one.list_boards(archived=True)
    assert ids(listing) == [3, 2, 1]
    assert [dict(request.url.params) for request in script.requests] == [
        {"per_page": "100", "page": "1", "option": "archived"},
        {"per_page": "100", "page": "2", "option": "archived"},
    ]


async def test_activities_come_page_by_page() -> None:
    one, script = client(
        ok({"activities": {"data": [{"id": 2}], "last_page": 2}}),
        ok({"activities": {"data": [{"id": 1}], "last_page": 2}}),
    )
    pages = [await one.activities(1, 3, number, order="oldest", per_page=1) for number in (1, 2)]
    assert [(ids(page.documents), page.is_last) for page in pages] == [([2], False), ([1], True)]
    assert script.requests[0].url.params["filter"] == "oldest"


async def test_a_task_comes_with_the_others_that_changed() -> None:
    body = {"task": {"id": 3}, "updatedTasks": {"1": {"id": 4}, "2": 7, "3": {"id": 3}}}
    answer = Answer(Endpoint.CREATE_TASK.at(1), body, OWN_CLOCK)
    task, others = await answer.changed()
    assert (task["id"], ids(others)) == (3, [4])


async def test_the_position_of_a_task_is_the_one_that_was_stored() -> None:
    told, stored = {"id": 3, "position": 0.125}, {"id": 3, "position": "0.13"}
    for updated, position in (([stored], 0.13), ([{"id": 3}], 0.125), ([], 0.125)):
        one, _ = client(ok({"task": told, "updatedTasks": updated}))
        assert (await one.create_task(1, 2, "T"))["position"] == position


@pytest.mark.parametrize("index", [0, -1])
async def test_a_place_below_one_is_never_sent(index: int) -> None:
    one, script = client(ok({}))
    with pytest.raises(ValueError, match="from 1"):
        await one.move_task(1, 3, 2, index)
    assert script.requests == []


async def test_both_spellings_of_available_positions_are_read() -> None:
    for answer in ({"availablePositions": ["1", 2]}, {"data": {"available_positions": [1, "2"]}}):
        one, _ = client(ok(answer))
        assert await one.available_positions(1, 2) == (1, 2)


async def test_a_board_that_must_be_read_again_says_so() -> None:
    one, _ = client(ok({"has_changes": "1", "synced_at": "2026-11-21", "sync_reset": True}))
    changes = await one.ask_changes(1, "2026-11-20 00:00:00")
    assert (changes.has_changes, changes.synced_at, changes.must_reload) == (
        True,
        "2026-11-21",
        True,
    )


async def test_a_board_knows_what_to_ask_for_news_with() -> None:
    one, _ = client(ok({"board": {"id": 1, "stages": []}, "synced_at": "2026-11-21 12:00:00"}))
    assert (await one.board(1))["synced_at"] == "2026-11-21 12:00:00"


async def test_an_empty_list_is_a_list() -> None:
    one, _ = client(ok({"tasks": {}}))
    assert await one.tasks(1) == []


async def test_a_client_closes_its_session() -> None:
    one, _ = client(ok({}))
    async with one:
        pass
    with pytest.raises(errors.Unreachable):
        await one.list_boards()


def test_a_listed_task_is_typed() -> None:
    task = decode(Task, {"id": "3", "stage_id": "5", "isOverdue": True})
    assert (task["id"], task["stage_id"], task["isOverdue"]) == (3, 5, True)


async def test_tasks_come_in_listings_as_they_arrive() -> None:
    rows = [{"id": number} if number % 1_000 else {"id": "?"} for number in range(1, 5_001)]
    parts: list[Sequence[Document]] = []
    sizes: list[int] = []

    def hear(documents: Sequence[Document], received: int) -> None:
        parts.append(documents)
        sizes.append(received)

    one, _ = client(ok({"before": [1], "tasks": rows, "after": {}}))
    tasks = await one.tasks(1, hear)
    assert ids(tasks) == [row["id"] for row in rows if row["id"] != "?"]
    assert tasks == [task for part in parts for task in part]
    assert len(parts) > 1
    assert sizes == sorted(sizes)


async def test_a_list_that_is_cut_short_is_no_list() -> None:
    body = json.dumps({"tasks": [{"id": number} for number in range(1, 101)]})
    one, _ = client(httpx.Response(200, text=body[:-20]))
    with pytest.raises(errors.UnexpectedAnswer):
        await one.tasks(1)


async def test_a_deletion_may_be_answered_without_content() -> None:
    one, _ = client(httpx.Response(204), known=Capabilities.embedded())
    await one.delete_board(1)
    await one.delete_task(1, 3)


async def test_a_creation_answered_without_content_may_have_happened() -> None:
    one, _ = client(httpx.Response(204))
    with pytest.raises(errors.UnexpectedAnswer) as caught:
        await one.create_task(1, 2, "T")
    assert caught.value.may_have_happened


@pytest.mark.long
async def test_a_list_of_thousands_leaves_the_loop_its_turns() -> None:
    row = task_documents()[0]
    body = json.dumps({"tasks": [{**row, "id": number} for number in range(1, 3_001)]})
    transport = httpx.MockTransport(lambda _: httpx.Response(200, text=body))
    turns = count()

    async def beat() -> None:
        while True:
            next(turns)
            await asyncio.sleep(0)

    async with client_for(session(transport, largest_answer=10_000_000)) as one:
        heart = asyncio.create_task(beat())
        documents = await one.tasks(9)
        heart.cancel()
    assert [document["id"] for document in documents] == [*range(1, 3_001)]
    assert next(turns) > 10


@pytest.mark.parametrize("status", [400, 500])
async def test_a_subtask_that_cannot_be_read_alone_is_read_among_its_brothers(status: int) -> None:
    listed = ok({"data": [{"id": 5, "parent_id": 3, "title": "Rake"}]})
    refusal = ok({"code": "internal_server_error", "message": "x", "data": {}}, status)
    one, script = client(listed, refusal, listed)
    await one.subtask_groups(1, 3)
    assert (await one.task(1, 5))["title"] == "Rake"
    assert len(script.requests) == 3
