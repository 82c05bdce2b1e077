"""The client against what running installations answered.

The recordings beside the tests are a chosen few; where the whole set lies beside the project, that
is taken.
"""

import re
from collections.abc import Callable, Collection
from typing import Any

import pytest

from tests.client.lossless import documents, lost, rows
from tests.client.recorded import HERE, METHODS, WHOLE, Exchange, load, recordings, replay
from tests.client.scripted import ids
from tests.lint import tables
from tui.client import errors
from tui.client.endpoints import Endpoint
from tui.client.values import as_flags
from tui.text import clean

_FOLDER = WHOLE if WHOLE.is_dir() else HERE
_BY_NAME = {exchange.name: exchange for exchange in load(HERE)}
_SUCCESSES = [exchange for exchange in load(_FOLDER) if exchange.status < 400]
_REFUSALS = [exchange for exchange in load(_FOLDER) if exchange.status >= 400]

_NO_RECORDS: dict[Endpoint, Collection[str]] = {
    Endpoint.LIST_AVAILABLE_POSITIONS: ("moveTargets",),
    Endpoint.HAS_DATA_CHANGED: ("board",),
    Endpoint.UPDATE_STAGE: ("stages",),
    Endpoint.CREATE_TASK: ("updatedTasks",),
    Endpoint.UPDATE_TASK: ("updatedTasks",),
    Endpoint.CLONE_TASK: ("updatedTasks",),
    Endpoint.DELETE_TASK: ("updatedTasks",),
    Endpoint.MOVE_TASK: ("updatedTasks",),
    Endpoint.DELETE_SUBTASK: ("deletedSubtask", "changedSubtasks"),
    Endpoint.MOVE_SUBTASK_TO_BOARD: ("changedSubtasks",),
    Endpoint.LIST_USERS: ("boards",),
    Endpoint.CREATE_WEBHOOK: ("webhook", "webhooks"),
    Endpoint.DELETE_WEBHOOK: ("webhooks",),
    Endpoint.LIST_BOARD_USERS: ("global_admins",),
}
"""Members of answers that are not given to the caller as records."""

_OUTSIDE = {
    r"\w+ {base_host}.*": "not below the base URL",
    r"\w+ .*/abc(/\w+)?": "no id where one is due",
    r"\w+ .*/(reply/\d+|table)": "an edition's own path",
    r"\w+ /(ajax-options|member|options|quick-search|notifications|no-such-route)\b.*": "the same",
    r"(GET /webhooks|POST /projects)/\d+|HEAD .*": "no such method there",
}
"""Recorded requests that are none of the interface's, and why."""


def _name(exchange: Exchange) -> str:
    return exchange.name


@pytest.mark.parametrize("exchange", _SUCCESSES, ids=_name)
async def test_a_recorded_success_is_read_without_loss(exchange: Exchange) -> None:
    endpoint, _ = exchange.endpoint() or pytest.fail("not of the interface")
    kept = documents(await replay(exchange))
    for row in rows(exchange.body, besides=_NO_RECORDS.get(endpoint, ())):
        if _is_told_twice(row, exchange.body):
            continue
        losses = [lost(row, document) for document in kept if _id(document) == _id(row)]
        assert losses, f"nothing was read from {sorted(row)[:5]}"
        assert min(losses, key=len) == []


def _is_told_twice(row: dict[str, Any], body: Any) -> bool:
    """Whether a row is the changed task once more, which is given to the caller as one record."""
    task = body.get("task") if isinstance(body, dict) else None
    return isinstance(task, dict) and row != task and _id(row) == _id(task)


def _id(row: dict[str, Any]) -> object:
    return row.get("id", row.get("ID"))


@pytest.mark.parametrize("exchange", _REFUSALS, ids=_name)
async def test_a_recorded_refusal_is_told_in_a_clean_line(exchange: Exchange) -> None:
    if exchange.method == "DELETE" and errors.NotFound in _expected(exchange):
        assert await replay(exchange) is None  # it is gone already
        return
    with pytest.raises(errors.ApiError) as caught:
        await replay(exchange)
    error = caught.value
    assert type(error) in _expected(exchange)
    assert error.message == clean.line(error.message) != ""
    assert not any(sign in error.message for sign in ("<", "&", "\\", "::", "SQL", "/html"))
    assert str(exchange.status) in error.details
    assert error.may_have_happened is (exchange.status >= 500 and exchange.method != "GET")


def _expected(exchange: Exchange) -> set[type[errors.ApiError]]:
    """What an answer means, told from its status and what every edition writes."""
    text = exchange.content.decode()
    if "rest_no_route" in text:
        return {errors.NotOffered}
    if re.search(r"No query results for model|\b(Task|Stage|Label) not found", text):
        return {errors.NotFound}
    if exchange.status == 401:
        return {errors.NotAllowed if "Unauthorized Action" in text else errors.WrongCredentials}
    if exchange.status == 500:
        return {errors.ServerFault, errors.Refused}
    by_status = {403: errors.NotAllowed, 404: errors.NotFound, 413: errors.TooLarge}
    return {by_status.get(exchange.status, errors.Refused)}


def test_a_recorded_request_is_the_clients_or_outside_of_the_interface() -> None:
    for exchange in recordings(_FOLDER):
        request = f"{exchange.method} {exchange.path}"
        is_outside = any(re.fullmatch(path, request) for path in _OUTSIDE)
        assert (exchange.endpoint() is None) is is_outside, request


def test_every_endpoint_has_a_method() -> None:
    lines = (
        f"Endpoint.{each.name}: lambda c, {', '.join(re.findall('{(.+?)}', each.path))}:"
        " c.METHOD(ARGUMENTS),"
        for each in set(Endpoint) - METHODS.keys()
    )
    tables.check(tables.missing(lines, "`METHODS`", "tests/client/recorded.py"))


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("4.1_archive_board_unknown", errors.NotFound, "There is no board 99999."),
        ("4.2_stage_create_position_text", errors.Refused, "The position must be a number."),
        ("4.3_move_cross_board", errors.Refused, "The service refused this."),
        ("4.4_comment_update_not_author_admin", errors.NotAllowed, "Unauthorized Action"),
        ("4.4_comment_delete_twice", errors.ServerFault, "The service failed."),
        ("4.4_comment_update_spec_path", errors.NotOffered, "does not offer"),
        ("4.4_image_upload_70MB_over_proxy_limit", errors.TooLarge, "."),
        ("4.10_webhook_create_missing_name", errors.Refused, "Name, board and stage are required"),
        ("ext_GET_admin_folders", errors.NotOffered, "does not offer"),
        ("5_auth_bad_password", errors.WrongCredentials, "does not accept this login"),
    ],
)
async def test_a_recorded_refusal_is_told_in_words(
    name: str, kind: type[errors.ApiError], message: str
) -> None:
    with pytest.raises(kind, match=message):
        await replay(_BY_NAME[name])


_EXPECTED: list[tuple[str, Callable[[Any], object], object]] = [
    ("4.1_projects_create", lambda board: (board["id"], board["type"]), (2, "to-do")),
    ("4.1_project_update", lambda board: ids(board["stages"])[:2], [14, 15]),
    ("4.2_archive_stage", lambda stage: stage["position"], 0.0),
    ("4.2_archived_stages", ids, [63]),
    ("4.2_available_positions", lambda places: places, (1, 2, 3, 4, 5)),
    ("4.2_stage_create", lambda stages: stages[0]["board_id"], 2),
    ("4.2_stage_update_nested_stage_body", lambda stage: stage["title"], "Renamed"),
    ("4.3_tasks_list_as_admin", lambda tasks: tasks[0]["stage_id"], 74),
    ("4.4_comment_as_member", lambda comment: comment["id"], 27),
    (
        "4.4_comment_update_mention",
        lambda comment: (
            comment["settings"]["raw_description"],
            comment["settings"]["mentioned_id"],
        ),
        ("hi @\u200balice\u200c", [2]),
    ),
    (
        "4.4_image_upload_bmp",
        lambda image: (image["id"], image["object_id"], image["attachment_type"]),
        (4, 0, "image/bmp"),
    ),
    (
        "extended-4.5_subtask_create",
        lambda task: (task["parent_id"], task.get("stage_id"), task["position"]),
        (9, None, 1.0),
    ),
    ("extended-4.5_delete_subtask", lambda nothing: nothing, None),
    (
        "extended-4.5_subtasks_empty",
        lambda groups: [(group["id"], group["subtasks"]) for group in groups],
        [(0, [])],
    ),
    (
        "extended-4.5_convert_to_subtask",
        lambda parent: parent["id"],
        9,
    ),
    ("4.6_label_attach", lambda label: label["board_id"], 13),
    ("4.6_label_attach", lambda label: label["pivot"]["foreign_id"], 109),
    (
        "extended-4.7_custom_fields",
        lambda fields: [field["settings"]["custom_field_type"] for field in fields][:2],
        ["text", "select"],
    ),
    (
        "extended-4.7_task_custom_field_checkbox_false",
        lambda field: field["settings"]["custom_field_type"],
        "checkbox",
    ),
    ("4.9_add_member_alice", lambda user: user["user_login"], "alice"),
    (
        "4.9_assignees",
        lambda users: [(u["ID"], as_flags(u["pivot"]["settings"])["is_admin"]) for u in users],
        [(1, True), (2, False), (3, False)],
    ),
    (
        "4.9_assignees",
        lambda users: as_flags(users[2]["pivot"]["settings"]),
        {"is_admin": False, "is_viewer_only": True},
    ),
    (
        "extended-4.9_make_manager",
        lambda user: (user["is_admin"], user["is_board_admin"]),
        (True, True),
    ),
    (
        "extended-4.9_service_users",
        lambda everybody: [(board["id"], board["role"]) for board in everybody[0]["boards"]],
        [(2, "member"), (3, "admin")],
    ),
    (
        "older-4.9_search_users_json_body",
        lambda users: [
            (b["id"], as_flags(b["pivot"]["settings"])["is_admin"])
            for b in users[0]["which_boards"]
        ],
        [(8, True), (2, False)],
    ),
    (
        "4.10_webhooks_list",
        lambda hooks: [webhook["value"]["board"] for webhook in hooks[0]],
        [99999, 14],
    ),
    (
        "4.10_webhooks_list",
        lambda hooks: [each["key"] for each in hooks[1] if each["field"]["rules"] == "required"],
        ["title"],
    ),
    (
        "4.10_webhook_create",
        lambda webhook_id: webhook_id,
        7,
    ),
    ("5_has_data_changed_as_viewer", lambda changes: changes.has_changes, False),
    ("4.1_board_users_as_admin", lambda users: users[-1]["role"], "admin"),
]


@pytest.mark.parametrize(("name", "look", "expected"), _EXPECTED)
async def test_a_recorded_success_has_its_values(
    name: str, look: Callable[[Any], object], expected: object
) -> None:
    assert look(await replay(_BY_NAME[name])) == expected


async def test_a_document_keeps_every_field_of_a_recorded_task() -> None:
    exchange = _BY_NAME["4.3_tasks_list_as_admin"]
    kept = documents(await replay(exchange))
    for row in exchange.body["tasks"]:
        document = next(document for document in kept if document.get("id") == row["id"])
        assert set(row) == set(document)
        assert document["watchers"][0].keys() == row["watchers"][0].keys()
