"""Records, whatever a service sends."""

import copy
import json
import logging
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings, strategies as st

from tests.client.recorded import task_documents
from tui.client.answers import gather, read_documents, read_page
from tui.client.decoding import KINDS, decode, has_own_id
from tui.schema.boards import Board, Folder, Label, User, Webhook
from tui.schema.tasks import Comment, Task

_KINDS = [kind for kind in KINDS if has_own_id(kind)]
_ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def _task(**fields: object) -> dict[str, Any]:
    return decode(Task, {"id": "4", **fields})


def test_a_document_has_plain_values_under_the_interfaces_names() -> None:
    document = _task(
        board_id="9",
        stage_id=74,
        position="1.50",
        comments_count="3",
        due_at="2026-12-01T09:00:00+05:00",
        archived_at="0000-00-00 00:00:00",
        created_at="2026-11-21T12:33:50+01:00",
        meta=[],
        settings="",
        nextStage="Done",
        assignees=[{"ID": "2", "role": "Manager"}, {"display_name": "nobody"}, 7],
        labels=None,
    )
    assert document == {
        "id": 4,
        "board_id": 9,
        "stage_id": 74,
        "position": 1.5,
        "comments_count": 3,
        "due_at": "2026-12-01 09:00:00",
        "archived_at": None,
        "zero_dates": ["archived_at"],
        "created_at": "2026-11-21T11:33:50+00:00",
        "meta": {},
        "settings": {},
        "nextStage": "Done",
        "assignees": [{"ID": 2, "role": "admin"}],
        "labels": [],
    }


def test_unknown_fields_stay_as_they_came() -> None:
    odd = {"document": [1, {"x": None}], "is_pinned": 0, "model_config": "text", "contact": ""}
    assert _task(**odd) == {"id": 4, **odd}


def test_what_did_not_come_is_not_in_the_document() -> None:
    assert _task(title="short reply") == {"id": 4, "title": "short reply"}


def test_text_stays_raw() -> None:
    raw = "\x1b]0;pwned\x07 <b>bold</b> &amp; \u202e"
    assert _task(title=raw)["title"] == raw


def test_replies_are_comments_too() -> None:
    row = {"id": 1, "replies": [{"id": "2", "parent_id": "1", "replies": [{"id": "3"}]}]}
    (reply,) = decode(Comment, row)["replies"]
    assert (reply["parent_id"], reply["replies"]) == (1, [{"id": 3}])


@pytest.mark.parametrize("kind", _KINDS)
@settings(deadline=None, max_examples=6)
@given(fields=st.data())
def test_odd_fields_never_lose_a_record(kind: Any, fields: st.DataObject) -> None:
    names = sorted(get_type_hints(kind))
    row = fields.draw(st.dictionaries(st.sampled_from(names) | st.text(), _ODD, max_size=12))
    document = decode(kind, {**row, "id": 5, "ID": 5})
    assert document["id"] == document["ID"] == 5
    others = {"board", "stage"} if kind is Task else set()
    assert set(row) - {"ID"} - others <= set(document)
    json.dumps(document, allow_nan=True)


@settings(deadline=None)
@given(st.data())
async def test_mutated_tasks_lose_no_other_task(data: st.DataObject) -> None:
    rows: list[Any] = copy.deepcopy(task_documents())
    victim = data.draw(st.integers(0, len(rows) - 1))
    if data.draw(st.booleans()):
        rows[victim] = data.draw(_ODD)
    else:
        rows[victim][data.draw(st.sampled_from(sorted(rows[victim])))] = data.draw(_ODD)
    listing = await read_documents(rows, Task)
    assert len(rows) - 1 <= len(listing) <= len(rows)


async def test_a_bad_record_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    listing = await read_documents([{"ID": 1}, {"ID": "x"}, None, {"ID": 2}], User)
    assert [user["ID"] for user in listing] == [1, 2]
    assert [line.partition(":")[0] for line in caplog.messages] == ["User left out"] * 2
    assert "no usable id" in caplog.messages[0]


async def test_what_a_bad_record_held_is_not_repeated(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    await read_documents([{"id": "\x1b[31msecret"}], Label)
    (line,) = caplog.messages
    assert "secret" not in line


async def test_a_bad_record_inside_a_record_costs_itself_only(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    rows = [
        {"id": 1},
        {
            "id": 2,
            "labels": [{"id": 7}, {"ID": 8}, "x", {"id": 9, "ID": "x"}],
            "assignees": {"0": {"ID": "4"}, "3": {"ID": 0, "id": 5}},
            "board": {"id": "none"},
            "stage": "text",
        },
        {"id": 3, "labels": "text", "assignees": [{"ID": 6, "pivot": 5, "boards": [{}]}]},
    ]
    listing = await read_documents(rows, Task)
    assert [[label["id"] for label in task.get("labels", [])] for task in listing] == [
        [],
        [7, 9],
        [],
    ]
    assert [[user["ID"] for user in task.get("assignees", [])] for task in listing] == [
        [],
        [4],
        [6],
    ]
    assert sorted(line.partition(" left out")[0] for line in caplog.messages) == [
        "board",
        "one of assignees",
        "one of boards",
        "one of labels",
        "one of labels",
    ]


def test_zero_dates_are_named_and_none() -> None:
    task = _task(due_at="0000-00-00 00:00:00", started_at="2026-11-21 08:00:00")
    assert (task["due_at"], task["zero_dates"]) == (None, ["due_at"])
    assert _task(**task) == task
    assert "zero_dates" not in _task(due_at=None)


def test_a_folder_knows_its_boards() -> None:
    folder = decode(Folder, {"id": "1", "boards_ids": ["4", 5, "x", None]})
    assert folder["boards_ids"] == [4, 5]


def test_a_webhook_knows_where_its_tasks_go() -> None:
    row = {"id": 1, "value": {"name": "W", "board": "14", "stage": "123", "query_timestamp": "1"}}
    target = decode(Webhook, row)["value"]
    assert (target["board"], target["stage"], target["query_timestamp"]) == (14, 123, "1")


def test_a_user_of_boards_has_their_roles() -> None:
    user = decode(User, {"ID": 1, "boards": [{"id": "2", "role": "Manager"}]})
    assert user["boards"] == [{"id": 2, "role": "admin"}]


async def test_a_page_says_where_it_stands() -> None:
    envelope = {
        "data": [{"id": 1}],
        "current_page": "2",
        "last_page": 3,
        "total": "3",
    }
    page = await read_page(envelope, Label, number=2)
    assert (page.number, page.last, page.total) == (2, 3, 3)


async def test_a_list_without_an_envelope_is_one_page() -> None:
    page = await read_page([{"id": 1}, {"id": 2}], Label, number=1)
    assert (page.last, page.total) == (1, 2)


async def test_pages_are_fetched_until_the_last() -> None:
    asked = []

    async def fetch(number: int) -> Any:
        asked.append(number)
        rows = [{"id": number}, {"id": number + 1}]
        return await read_page({"data": rows, "last_page": 3}, Label, number=number)

    listing = await gather(fetch)
    assert asked == [1, 2, 3]
    assert [record["id"] for record in listing] == [1, 2, 3, 4]


async def test_a_service_that_ignores_the_page_number_is_noticed() -> None:
    asked = []

    async def fetch(number: int) -> Any:
        asked.append(number)
        return await read_page({"data": [{"id": 1}], "last_page": 99}, Label, number=number)

    listing = await gather(fetch)
    assert asked == [1, 2]
    assert len(listing) == 1


async def test_a_page_of_bad_records_does_not_hide_the_pages_after_it() -> None:
    async def fetch(number: int) -> Any:
        rows = [{"id": "?"}] if number == 2 else [{"id": number}]
        envelope = {"data": rows, "current_page": number, "last_page": 3}
        return await read_page(envelope, Label, number=number)

    listing = await gather(fetch)
    assert [record["id"] for record in listing] == [1, 3]


async def test_a_service_that_always_sends_the_same_bad_page_is_noticed() -> None:
    asked = []

    async def fetch(number: int) -> Any:
        asked.append(number)
        envelope = {"data": [{"id": 1}, {"id": "?"}], "current_page": 1, "last_page": 99}
        return await read_page(envelope, Label, number=number)

    await gather(fetch)
    assert asked == [1, 2]


async def test_an_empty_page_is_the_last_whatever_the_service_says() -> None:
    asked = []

    async def fetch(number: int) -> Any:
        asked.append(number)
        envelope = {"data": [], "current_page": number, "last_page": 10**6}
        return await read_page(envelope, Label, number=number)

    assert await gather(fetch) == []
    assert asked == [1, 2]


async def test_a_record_of_a_list_is_read_once() -> None:
    rows = [{"id": 2, "title": "a"}, {"id": "1"}, {"id": 2, "title": "b"}, {"id": "?"}]
    listed = await read_documents(rows, Label)
    assert [(row["id"], row.get("title")) for row in listed] == [(2, "a"), (1, None)]
    board = decode(Board, {"id": 1, "labels": rows[::2]})
    assert [label["title"] for label in board["labels"]] == ["a"]
    board = decode(Board, {"id": 1, "users": [{"ID": 3}, {"id": 3}, {"ID": 4}]})
    assert [user["ID"] for user in board["users"]] == [3, 4]


async def test_a_service_without_a_last_page_does_not_hold_us_for_ever() -> None:
    asked = []

    async def fetch(number: int) -> Any:
        asked.append(number)
        rows = [{"id": number}]
        return await read_page({"data": rows, "last_page": 10**9}, Label, number=number)

    await gather(fetch)
    assert len(asked) == 1_000


@pytest.mark.parametrize(
    ("settings", "told", "role"),
    [
        ('a:1:{s:8:"is_admin";b:1;}', {}, "admin"),
        ('a:1:{s:8:"is_admin";b:0;}', {}, "member"),
        ('a:2:{s:8:"is_admin";b:0;s:14:"is_viewer_only";b:1;}', {}, "viewer"),
        ('a:1:{s:8:"is_admin";b:0;}', {"role": "Viewer"}, "viewer"),
        (None, {}, None),
    ],
)
def test_a_member_without_a_role_has_that_of_the_pivot(
    settings: str | None, told: dict[str, str], role: str | None
) -> None:
    user = decode(User, {"ID": 2, "pivot": {"settings": settings}, **told})
    assert user.get("role") == role
