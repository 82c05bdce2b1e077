"""What each method sends."""

import json
from collections.abc import Awaitable, Callable
from urllib.parse import parse_qsl

import pytest

from tests.client.answers import ANSWER
from tests.client.scripted import Script, client, ok, session
from tui.client.capabilities import Capabilities
from tui.client.client import Client
from tui.client.editions.client import client_for
from tui.model.task import Person

_Call = Callable[[Client], Awaitable[object]]

_TRUSTED = Capabilities.embedded()
_BOB = Person(2, "Bob", "bob")
_HI_BOB = "Hi @\u200bbob\u200c"

_BODIES: list[tuple[_Call, object]] = [
    (
        lambda c: c.create_board("T", "<p>D</p>", "roadmap", currency="EUR"),
        {"board": {"title": "T", "description": "<p>D</p>", "type": "roadmap", "currency": "EUR"}},
    ),
    (lambda c: c.update_board(1, title="T"), {"title": "T"}),
    (lambda c: c.update_board(1, title="T", description=""), {"title": "T", "description": ""}),
    (lambda c: c.archive_board(1), None),
    (
        lambda c: c.duplicate_board(1, "T", with_tasks=True),
        {
            "board": {"title": "T"},
            "isWithTasks": "yes",
            "isWithLabels": "no",
            "isWithTemplates": "no",
        },
    ),
    (lambda c: c.create_stage(1, "T"), {"title": "T"}),
    (
        lambda c: c.create_stage(1, "T", position=1.5, status="closed"),
        {"title": "T", "position": 1.5, "status": "closed"},
    ),
    (
        lambda c: c.update_stage(1, 2, title="T", settings={"is_template": "no"}),
        {"title": "T", "settings": {"is_template": "no"}},
    ),
    (lambda c: c.reposition_stages(1, (3, 2)), {"list": [3, 2]}),
    (
        lambda c: c.sort_tasks(1, 2, by="priority", direction="DESC"),
        {"order": "priority", "orderBy": "DESC"},
    ),
    (
        lambda c: c.create_task(1, 2, "T", priority="high", crm_contact_id=7, is_template="yes"),
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
    (lambda c: c.set_task(1, 3, "due_at", None), {"property": "due_at", "value": None}),
    (
        lambda c: c.set_task(1, 3, "assignees", [1, 2]),
        {"property": "assignees", "value": [1, 2]},
    ),
    (lambda c: c.move_task(1, 3, 2, 4), {"newStageId": 2, "newIndex": 4}),
    (
        lambda c: c.move_task(1, 3, 2, 4, new_board_id=9),
        {"newStageId": 2, "newIndex": 4, "newBoardId": 9},
    ),
    (
        lambda c: c.clone_task(1, 3, 2, "T", {"label"}),
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
    (
        lambda c: c.create_comment(1, 3, "Hi"),
        {"comment": "Hi", "comment_type": "comment", "parent_id": None},
    ),
    (
        lambda c: c.create_comment(1, 3, "Hi @bob", mentions=[_BOB]),
        {
            "comment": _HI_BOB,
            "comment_type": "comment",
            "parent_id": None,
            "mentionData": [2],
        },
    ),
    (
        lambda c: c.update_comment(1, 3, 4, "Hi @bob", mentions=[_BOB]),
        {"comment": _HI_BOB, "mentionData": [2]},
    ),
    (
        lambda c: c.create_label(1, "L", text_color="#000000", color="#ffffff"),
        {"label": "L", "color": "#000000", "bg_color": "#ffffff"},
    ),
    (lambda c: c._attach_label(1, 3, 5), {"taskId": 3, "labelId": 5}),
    (lambda c: c._detach_label(1, 3, 5), None),
    (
        lambda c: c.create_board("T", "", "to-do", folder_id=3, stages=[{"title": "S"}]),
        {
            "board": {"title": "T", "description": "", "type": "to-do"},
            "folder_id": 3,
            "stages": [{"title": "S"}],
        },
    ),
    (
        lambda c: c.create_comment(1, 3, "", image_ids=[4, 5]),
        {"comment": "", "comment_type": "comment", "parent_id": None, "images": [4, 5]},
    ),
    (
        lambda c: c.create_comment(1, 3, "Hi @bob", parent_id=4, mentions=[_BOB]),
        {
            "comment": _HI_BOB,
            "comment_type": "reply",
            "parent_id": 4,
            "mentionData": [2],
        },
    ),
    (lambda c: c.update_comment(1, 3, 4, "Hi", image_ids=[]), {"comment": "Hi", "images": []}),
    (lambda c: c.create_subtask(1, 3, 6, "S"), {"title": "S", "group_id": 6, "add_to_top": False}),
    (
        lambda c: c.create_subtask(1, 3, 6, "S", due_at="2026-12-01 09:00:00", on_top=True),
        {"title": "S", "group_id": 6, "add_to_top": True, "due_at": "2026-12-01 09:00:00"},
    ),
    (lambda c: c.create_subtask_group(1, 3, "G"), {"title": "G"}),
    (lambda c: c.rename_subtask_group(1, 3, 6, "G"), {"group_id": 6, "title": "G"}),
    (lambda c: c.delete_subtask_group(1, 3, 6), {"group_id": 6}),
    (lambda c: c.delete_subtask(1, 7), None),
    (lambda c: c.move_subtasks(1, 3, 6, [7]), {"group_id": 6, "subtask_id": 7}),
    (lambda c: c.move_subtasks(1, 3, 6, (7, 8)), {"group_id": 6, "subtask_id": [7, 8]}),
    (lambda c: c.place_subtask(1, 7, 0, 2), {"newPosition": 2}),
    (
        lambda c: c.place_subtask(1, 7, 6, 2),
        {"newPosition": 2, "newSubtasksGroupId": 6},
    ),
    (lambda c: c.task_to_subtask(1, 3, 4), {"parent_id": 4}),
    (
        lambda c: c.task_to_subtask(1, 3, 4, assignee_id=9, group_id=6),
        {"parent_id": 4, "assigneeId": 9, "subtaskGroupId": 6},
    ),
    (lambda c: c.subtask_to_task(1, 7, 2), {"stage_id": 2}),
    (lambda c: c.clone_subtask(1, 7), None),
    (lambda c: c.set_field_value(1, 3, 7, True), {"custom_field_id": 7, "value": "true"}),
    (lambda c: c.add_to_folder(8, (1, 2)), {"board_ids": [1, 2]}),
    (lambda c: c.add_member(1, 9), {"memberId": 9}),
    (
        lambda c: c.add_member(1, 9, viewer_only=True),
        {"memberId": 9, "isViewerOnly": "yes"},
    ),
    (lambda c: c.remove_member(1, 9), None),
    (lambda c: c.remove_user(1, 9), {"boardId": 1, "userId": 9}),
    (
        lambda c: c.sync_roles(9, {1: "admin", 2: ""}),
        {"roles": {"1": "admin", "2": ""}},
    ),
    (lambda c: c.create_webhook("W", 1, 2), {"name": "W", "board": 1, "stage": 2}),
]


@pytest.mark.parametrize(("method", "body"), _BODIES)
async def test_every_method_sends_its_body(method: _Call, body: object) -> None:
    one, script = client(ok(ANSWER), known=_TRUSTED)
    await method(one)
    assert script.bodies == [body]


_FORMS: list[tuple[_Call, list[tuple[str, str]]]] = [
    (
        lambda c: c.create_field(1, "Größe & Co", "select", options=["S", "M=L"]),
        [
            ("customField[title]", "Größe & Co"),
            ("customField[type]", "select"),
            ("customField[options][]", "S"),
            ("customField[options][]", "M=L"),
        ],
    ),
    (
        lambda c: c.update_field(1, 7, title="T", field_type="text"),
        [("customField[title]", "T"), ("customField[type]", "text")],
    ),
    (lambda c: c.reposition_field(1, 7, 2), [("newIndex", "2")]),
    (lambda c: c.create_folder("F"), [("title", "F")]),
    (lambda c: c.rename_folder(8, "F"), [("title", "F")]),
    (lambda c: c.remove_from_folder(8, 1), [("board_id", "1")]),
]


@pytest.mark.parametrize(("method", "fields"), _FORMS)
async def test_a_form_is_sent_where_one_is_due(
    method: _Call, fields: list[tuple[str, str]]
) -> None:
    one, script = client(ok(ANSWER))
    await method(one)
    (request,) = script.requests
    assert request.headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert parse_qsl(request.content.decode(), keep_blank_values=True) == fields


_QUERIES: list[tuple[_Call, dict[str, str]]] = [
    (
        lambda c: c.list_boards(archived=True),
        {"per_page": "100", "page": "1", "option": "archived"},
    ),
    (
        lambda c: c.comments(1, 3, 2, order="oldest", per_page=5),
        {"filter": "oldest", "per_page": "5", "page": "2"},
    ),
    (lambda c: c.webhooks("x"), {"search": "x"}),
    (lambda c: c.webhooks(), {}),
]


@pytest.mark.parametrize(("method", "query"), _QUERIES)
async def test_what_is_asked_for_is_in_the_query(method: _Call, query: dict[str, str]) -> None:
    one, script = client(ok(ANSWER))
    await method(one)
    assert dict(script.requests[0].url.params) == query


async def test_a_search_for_people_sends_json_with_a_get() -> None:
    one, script = client(ok([{"ID": "9", "which_boards": [{"id": 1}]}]))
    found = await one.search_users("an")
    (request,) = script.requests
    assert (request.method, json.loads(request.content)) == ("GET", {"searchInput": "an"})
    assert [board["id"] for board in found[0]["which_boards"]] == [1]


async def test_the_path_has_the_services_own_word() -> None:
    script = Script(ok({"users": []}), ok([]))
    async with client_for(session(script), path_word="acme") as one:
        await one.users()
        await one.search_users("x")
    assert script.asked == ["GET /acme-users", "GET /search-acme-users"]


_NEVER_SENT: list[_Call] = [
    lambda c: c.move_task(1, 3, 2, 0),
    lambda c: c.place_subtask(1, 7, 6, 0),
    lambda c: c.move_subtasks(1, 3, 6, []),
    lambda c: c.reposition_field(1, 7, -1),
    lambda c: c.create_comment(1, 3, "an orphan", parent_id=0),
]


@pytest.mark.parametrize("method", _NEVER_SENT)
async def test_what_makes_no_sense_is_never_sent(method: _Call) -> None:
    one, script = client(ok(ANSWER))
    with pytest.raises(ValueError, match=r"counted from 1|no subtask|needs its comment"):
        await method(one)
    assert script.requests == []
