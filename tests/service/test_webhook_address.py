"""The address of a webhook: what makes a task there, and what does not."""

import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.service.letters import Desk
from tests.service.sharing_endpoints import sharing_world
from tests.service.world import World
from tui.service.accounts.auth import Throttle
from tui.service.mail import MailQueue

pytestmark = pytest.mark.world(make=sharing_world)

_ALL = {
    "title": "  Ring\tthe bell ",
    "stage": "in-progress",
    "status": "closed",
    "description": "<b onclick='x()'>now</b>",
    "priority": "high",
    "due_at": "2026-12-24 17:30",
    "started_at": "2026-12-01",
    "source": "tracker",
    "source_id": "bcy664",
    "crm_contact_id": "6465",
    "contact_email": "john@example.org",
    "contact_first_name": "John",
    "contact_last_name": "Doe",
}


def _address(world: World) -> str:
    address: str = world.done("ann", "GET", "/webhooks").at("webhooks.0.value.url")
    return address


def _post(world: World, address: str = "", **sent: Any) -> Any:
    response = world.fetch("nobody", "POST", address or _address(world), **sent)
    assert response.status_code == 200, response.text
    return response.json()


def _made(world: World, **sent: Any) -> Any:
    answer = _post(world, **sent)
    assert answer["success"], answer
    return world.done("ann", "GET", f"/projects/1/tasks/{answer['data']['task_id']}").at("task")


def _refused(world: World, fields: dict[str, Any]) -> tuple[str, str]:
    answer = _post(world, json=fields)
    assert answer["success"] is False
    return answer["data"]["type"], answer["data"]["message"]


def test_the_address_holds_marker_route_and_key(world: World) -> None:
    hook = world.done("ann", "GET", "/webhooks").at("webhooks.0")
    expected = f"http://embedded/?callboard=1&route=task&hash={hook['key']}"
    assert hook["value"]["url"] == expected


@pytest.mark.parametrize("way", ["json", "form", "query"])
def test_a_task_is_made_from_json_a_form_or_a_query(world: World, way: str) -> None:
    if way == "json":
        lists: dict[str, Any] = {"labels": [1, "PURPLE"], "assignees": [3]}
        task = _made(world, json=_ALL | lists)
    elif way == "form":
        task = _made(world, data=_ALL | {"labels[]": ["1", "purple"], "assignees[]": "3"})
    else:
        query = urlencode(_ALL | {"labels": "1,purple", "assignees": "3"})
        task = _made(world, address=f"{_address(world)}&{query}")
    assert (task["title"], task["stage_id"], task["status"]) == ("Ring the bell", 2, "closed")
    assert (task["description"], task["priority"]) == ("<b>now</b>", "high")
    assert (task["due_at"], task["started_at"]) == ("2026-12-24 17:30:00", "2026-12-01 00:00:00")
    assert (task["source"], task["source_id"]) == ("tracker", "bcy664")
    assert task["crm_contact_id"] == 6465
    assert task["last_completed_at"] == "2026-11-21 13:30:00"
    contact = {name: value for name, value in _ALL.items() if name.startswith("contact")}
    assert {name: task["meta"][name] for name in contact} == contact
    assert [label["id"] for label in task["labels"]] == [1, 5]
    assert [user["user_login"] for user in task["assignees"]] == ["bob"]


def test_a_title_is_enough(world: World) -> None:
    task = _made(world, json={"title": "x"})
    assert (task["stage_id"], task["status"], task["priority"]) == (2, "open", "low")
    assert (task["source"], task["created_by"]) == ("webhook", world.id("ann"))
    empty = dict.fromkeys([*_ALL, "labels", "assignees", "parent_id"], "") | {"title": "y"}
    assert _made(world, data=empty)["stage_id"] == 2


@pytest.mark.parametrize("stage", ["3", 3, "completed", "Completed"])
def test_a_stage_is_named_by_id_title_or_slug_and_closes(world: World, stage: object) -> None:
    task = _made(world, json={"title": "x", "stage": stage})
    assert (task["stage_id"], task["status"]) == (3, "closed")


def test_a_parent_makes_a_subtask(world: World) -> None:
    task = _made(world, json={"title": "Small", "parent_id": 1, "assignees": 3})
    assert (task["parent_id"], task["stage_id"]) == (1, None)
    groups = world.done("ann", "GET", "/projects/1/tasks/1/subtasks").at("subtaskGroups")
    assert [(group["value"], len(group["subtasks"])) for group in groups] == [
        ("Default Subtask Group", 1)
    ]
    assert 2 not in [
        task["stage_id"] for task in world.done("ann", "GET", "/projects/1/tasks").body["tasks"]
    ]


@pytest.mark.parametrize(
    ("fields", "kind", "word"),
    [
        ({}, "invalid_field", "title"),
        ({"title": " "}, "invalid_field", "title"),
        ({"title": ["x"]}, "invalid_field", "title"),
        ({"title": "x", "stage": "Nowhere"}, "invalid_field", "stage"),
        ({"title": "x", "stage": 4}, "invalid_field", "stage"),
        ({"title": "x", "stage": 7}, "stage_archived", "stage"),
        ({"title": "x", "status": "half"}, "invalid_field", "status"),
        ({"title": "x", "priority": "huge"}, "invalid_field", "priority"),
        ({"title": "x", "due_at": "soon"}, "invalid_field", "due_at"),
        ({"title": "x", "started_at": 7}, "invalid_field", "started_at"),
        ({"title": "x", "crm_contact_id": "abc"}, "invalid_field", "crm_contact_id"),
        ({"title": "x", "labels": ["none such"]}, "invalid_field", "labels"),
        ({"title": "x", "labels": {"a": 1}}, "invalid_field", "labels"),
        ({"title": "x", "labels": [[1]]}, "invalid_field", "labels"),
        ({"title": "x", "assignees": [5]}, "invalid_field", "assignees"),
        ({"title": "x", "assignees": ["bob"]}, "invalid_field", "assignees"),
        ({"title": "x", "parent_id": 77}, "task_not_found", "task"),
        ({"title": "x", "parent_id": 3}, "parent_archived", "parent"),
    ],
)
def test_a_wrong_field_is_named_and_makes_nothing(
    world: World, fields: dict[str, Any], kind: str, word: str
) -> None:
    since = world.done("ann", "GET", "/projects/1").at("synced_at")
    found, message = _refused(world, fields)
    assert found == kind
    assert word in message
    assert world.done("ann", "GET", "/projects/1").at("synced_at") == since


def test_a_wrong_key_is_refused(world: World) -> None:
    address = _address(world)
    for wrong in (address + "x", address.partition("&hash")[0], address[:-1] + "é"):
        answer = _post(world, wrong, json={"title": "x"})
        assert answer["data"]["type"] == "invalid_webhook_hash"


def test_guesses_at_keys_are_slowed_down_like_passwords(world: World) -> None:
    right = _address(world)
    served = World(world.database, throttle=Throttle())
    body = {"json": {"title": "x"}}

    def kind(address: str) -> str:
        return str(_post(served, address, **body)["data"]["type"])

    assert kind(right) == "task_created"
    wrong = [kind(f"{right}{number}") for number in range(21)]
    assert wrong == ["invalid_webhook_hash"] * 20 + ["too_many_attempts"]
    answer = served.fetch("nobody", "POST", f"{right}x", **body)
    assert (answer.status_code, answer.headers["Retry-After"]) == (200, "1")
    assert kind(right) == "task_created"
    unknown = World(world.database, throttle=Throttle())
    for number in range(20):
        _post(unknown, f"{right}{number}", **body)
    assert _post(unknown, right, **body)["data"]["type"] == "too_many_attempts"
    unknown.clock.advance(seconds=1)
    assert _post(unknown, right, **body)["data"]["type"] == "task_created"
    for each in (served, unknown):
        each.hang_up()


def test_the_key_is_of_no_use_once_its_webhook_or_board_is_gone(world: World) -> None:
    address = _address(world)
    world.done("ann", "PUT", "/projects/1/archive-board")
    assert _post(world, address, json={"title": "x"})["data"]["type"] == "board_archived"
    world.done("ann", "PUT", "/projects/1/restore-board")
    world.done("ann", "DELETE", "/webhooks/1")
    assert _post(world, address, json={"title": "x"})["data"]["type"] == "invalid_webhook_hash"
    other = world.done("sam", "GET", "/webhooks").at("webhooks.0.value.url")
    world.done("sam", "DELETE", "/projects/2")
    assert _post(world, other, json={"title": "x"})["data"]["type"] == "invalid_webhook_hash"
    assert world.done("root", "GET", "/webhooks").at("webhooks") == []


@pytest.mark.parametrize(
    ("path", "body"),
    [("/projects/1/user/2/remove", None), ("/projects/1/user/2/make-viewer", None)],
)
def test_a_webhook_ends_with_the_membership_of_who_made_it(
    world: World, path: str, body: object
) -> None:
    address = _address(world)
    world.done("root", "POST", "/projects/1/user/3/make-manager")
    world.done("root", "POST", path, body)
    answer = _post(world, address, json={"title": "x"})
    assert (answer["success"], answer["data"]["type"]) == (False, "webhook_owner_lost_access")
    assert "may no longer add tasks to its board" in answer["data"]["message"]
    assert len(world.tasks_in(2)) == 0


def test_the_body_of_a_request_without_a_valid_key_is_not_read(world: World) -> None:
    read: list[bool] = []

    async def body() -> AsyncIterator[bytes]:
        read.append(True)
        yield b'{"title": "x"}'

    address = _address(world)
    assert _post(world, address + "x", content=body())["success"] is False
    assert read == []
    assert _post(world, address, content=body())["success"] is True
    assert read == [True]


def test_reading_the_address_makes_nothing(world: World) -> None:
    response = world.fetch("nobody", "GET", f"{_address(world)}&title=x")
    assert response.status_code == 200
    assert response.json() == {
        "success": False,
        "data": {
            "message": "The webhook takes POST only.",
            "type": "invalid_request_method",
        },
    }
    assert len(world.tasks_in(2)) == 0


@pytest.mark.parametrize(
    "query", ["", "?callboard=1", "?route=task&hash=x", "?callboard=2&route=task"]
)
def test_the_root_holds_nothing_else(world: World, query: str) -> None:
    response = world.fetch("nobody", "POST", f"http://embedded/{query}", json={"title": "x"})
    assert (response.status_code, response.json()["code"]) == (404, "rest_no_route")


@pytest.mark.parametrize("content", [b"{", b"[1]", b"\xff", b'{"title": NaN}'])
def test_a_body_that_cannot_be_read_is_refused(world: World, content: bytes) -> None:
    answer = _post(world, content=content)
    assert answer["data"]["type"] == "invalid_json"


def test_a_made_task_is_noticed_recorded_and_told() -> None:
    desk = Desk()
    world = sharing_world(mail=(room := MailQueue(desk)))
    with world.database.transaction(writing=True) as db:
        db.run("update account set email = login || '@example.org'")
    since = world.done("ann", "GET", "/projects/1").at("synced_at")
    _made(world, json={"title": "x", "assignees": [3]})
    assert world.done("ann", "GET", "/projects/1").at("synced_at") != since
    activities = world.done("ann", "GET", "/projects/1/activities").at("activities.data")
    assert [(one["action"], one["column"]) for one in activities[:2]] == [
        ("added", "assignee"),
        ("created", "task"),
    ]
    assert [(letter.to, letter.subject) for letter in desk.delivered(room)] == [
        ("bob@example.org", "[Garden] Ann assigned you to “x”")
    ]
    world.close()


def test_searching_webhooks_looks_at_their_names(world: World) -> None:
    assert world.done("root", "GET", "/webhooks?search=MA").at("webhooks.#") == 1
    assert world.done("root", "GET", "/webhooks?search=%25").at("webhooks.#") == 0
    assert world.done("root", "GET", "/webhooks").at("webhooks.#") == 2
    assert world.ask("vic", "DELETE", "/webhooks/77").status == 403


_ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    fields=st.dictionaries(
        st.sampled_from([*_ALL, "labels", "assignees", "parent_id"]), _ANYTHING, max_size=4
    )
)
def test_whatever_is_sent_is_answered_in_words(world: World, fields: dict[str, Any]) -> None:
    text = json.dumps({"title": "x"} | fields).encode()
    answer = _post(world, content=text)
    assert set(answer) == {"success", "data"}
    assert answer["data"]["type"] != "internal_server_error"
