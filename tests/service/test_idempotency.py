"""A request that is repeated under its `Idempotency-Key` is carried out once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.postgres.clients import run_clients
from tests.service import pictures
from tests.service.detail_endpoints import DETAIL_ENDPOINTS
from tests.service.detailed_world import detailed_world
from tests.service.endpoints import ENDPOINTS, Endpoint
from tests.service.letters import Desk
from tests.service.world import BASE_URL, Form, World, furnished_world
from tui.service import idempotency
from tui.service.account_keeping import remove_account
from tui.service.attachments import Attachments
from tui.service.mail import MailQueue
from tui.service.times import SiteClock

_TASKS = "/projects/1/tasks"
_COMMENTS = "/projects/1/tasks/1/comments"
_UPLOAD = "/projects/1/tasks/1/comment-image-upload"
_COMMENT = {"comment": "Water it", "comment_type": "comment"}
_STORED = "select count(*) from idempotent_reply"
_LONGEST_STORED = "select max(length(body)) from idempotent_reply"
_MOST_STORED = 2_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "attachments"


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def world(folder: Path, desk: Desk) -> Iterator[World]:
    world = furnished_world(attachments=Attachments(folder), mail=MailQueue(desk))
    yield world
    world.close()


def _task(title: str, board_id: int = 1, stage_id: int = 1) -> dict[str, Any]:
    return {"task": {"title": title, "board_id": board_id, "stage_id": stage_id}}


def _send(
    world: World, method: str, path: str, key: str, body: object = None, *, who: str = "bob"
) -> httpx.Response:
    sent = {"data": body.fields} if isinstance(body, Form) else {"json": body}
    return world.fetch(who, method, BASE_URL + path, headers={"Idempotency-Key": key}, **sent)


def _stored(world: World) -> int:
    with world.database.transaction(writing=False) as db:
        return int(db.value(_STORED))


def _assert_replayed(first: httpx.Response, second: httpx.Response) -> None:
    assert "idempotent-replayed" not in first.headers
    assert second.headers["idempotent-replayed"] == "true"
    assert (second.status_code, second.content) == (first.status_code, first.content)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", _TASKS, _task("Rake")),
        ("POST", _COMMENTS, _COMMENT),
        ("PUT", f"{_TASKS}/1/move-task", {"newStageId": 2, "newIndex": 1}),
        ("PUT", f"{_TASKS}/1", {"property": "title", "value": "Dig deep"}),
        ("DELETE", f"{_TASKS}/2", None),
        ("POST", "/projects", {"board": {"title": "Shed", "type": "to-do"}}),
        (
            "POST",
            f"{_TASKS}/1/clone-task",
            {
                "title": "Dig again",
                "stage_id": 1,
                "assignee": False,
                "subtask": False,
                "label": False,
                "attachment": False,
                "comment": False,
            },
        ),
    ],
)
def test_a_repetition_gets_the_first_reply_and_changes_nothing(
    world: World, method: str, path: str, body: object
) -> None:
    first = _send(world, method, path, "k-1", body)
    assert first.is_success, first.text
    since = world.done("bob", "GET", "/projects/1").at("synced_at")
    boards = world.done("bob", "GET", "/projects").at("boards.total")
    world.clock.advance(hours=47)
    _assert_replayed(first, _send(world, method, path, "k-1", body))
    assert not world.done("bob", "GET", f"/projects/1/has-data-changed?since={since}").at(
        "has_changes"
    )
    assert world.done("bob", "GET", "/projects").at("boards.total") == boards


@pytest.mark.parametrize(
    "endpoint",
    [e for e in ENDPOINTS + DETAIL_ENDPOINTS if not e.route.startswith("GET")],
    ids=lambda endpoint: endpoint.route,
)
def test_every_reply_is_made_anew_for_a_repetition(endpoint: Endpoint) -> None:
    world = detailed_world() if endpoint in DETAIL_ENDPOINTS else furnished_world()
    replies = [
        _send(world, endpoint.method, endpoint.path, "k", endpoint.body, who=endpoint.least)
        for _ in range(2)
    ]
    world.close()
    assert replies[0].is_success, replies[0].text
    assert "idempotent-replayed" not in replies[0].headers
    assert replies[1].headers["idempotent-replayed"] == "true"
    first, second = replies[0].json(), replies[1].json()
    assert replies[1].status_code == replies[0].status_code
    if "deletedSubtask" in first:
        first["deletedSubtask"] = {"id": first["deletedSubtask"]["id"]}
    assert second == first


def test_long_texts_are_not_stored_again_with_each_reply(world: World) -> None:
    text = "\u6f22" * 100_000
    first = _send(world, "PUT", f"{_TASKS}/1", "1", {"property": "description", "value": text})
    assert text in first.json()["task"]["description"]
    for number in range(2, 6):
        body = {"property": "title", "value": f"Dig {number}"}
        assert _send(world, "PUT", f"{_TASKS}/1", f"{number}", body).is_success
    board = {"title": "Garden", "description": text}
    _send(world, "PUT", "/projects/1", "6", board, who="ann")
    with world.database.transaction(writing=False) as db:
        assert db.value(_LONGEST_STORED) <= _MOST_STORED
    again = _send(world, "PUT", f"{_TASKS}/1", "1", {"property": "description", "value": text})
    assert again.headers["idempotent-replayed"] == "true"
    assert (again.json()["task"]["title"], again.json()["task"]["description"]) == ("Dig 5", text)


@pytest.mark.long
def test_a_reply_of_many_tasks_is_stored_without_them_and_the_change_is_made_once(
    world: World,
) -> None:
    ids = [
        world.done("bob", "POST", _TASKS, _task(f"Task {number}")).at("task.id")
        for number in range(300)
    ]
    path = "/projects/1/stage/1/archive-all-task"
    first = _send(world, "PUT", path, "all", who="ann")
    assert len(first.json()["updatedTasks"]) >= len(ids)
    with world.database.transaction(writing=False) as db:
        assert db.value(_LONGEST_STORED) <= _MOST_STORED
    world.done("ann", "PUT", f"{_TASKS}/{ids[0]}", {"property": "archived_at", "value": None})
    again = _send(world, "PUT", path, "all", who="ann")
    assert (again.status_code, again.json()["updatedTasks"]) == (200, [])
    assert again.headers["idempotent-replayed"] == "true"
    assert ids[0] in world.tasks_in(1)


def test_a_repetition_shows_nothing_to_who_may_not_see_it_any_more(world: World) -> None:
    made = _send(world, "POST", _TASKS, "k", _task("Rake"))
    world.done("ann", "POST", f"/projects/1/user/{world.id('bob')}/remove")
    again = _send(world, "POST", _TASKS, "k", _task("Rake"))
    assert again.headers["idempotent-replayed"] == "true"
    assert again.json()["task"] == {"id": made.json()["task"]["id"]}


def test_a_repetition_names_what_was_deleted_since_and_does_not_make_it_again(world: World) -> None:
    task_id = _send(world, "POST", _TASKS, "k", _task("Rake")).json()["task"]["id"]
    world.done("ann", "DELETE", f"{_TASKS}/{task_id}")
    tasks = world.tasks_in(1)
    assert _send(world, "POST", _TASKS, "k", _task("Rake")).json()["task"] == {"id": task_id}
    assert world.tasks_in(1) == tasks


def test_a_repeated_deletion_of_a_board_succeeds(world: World) -> None:
    first = _send(world, "DELETE", "/projects/1", "gone", who="ann")
    _assert_replayed(first, _send(world, "DELETE", "/projects/1", "gone", who="ann"))
    assert _send(world, "DELETE", "/projects/1", "again", who="ann").status_code == 404


def test_a_key_belongs_to_one_account(world: World) -> None:
    for who in ("ann", "bob"):
        reply = _send(world, "POST", _COMMENTS, "same", _COMMENT, who=who)
        assert "idempotent-replayed" not in reply.headers
    assert world.done("vic", "GET", _COMMENTS).at("total") == 3


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", _COMMENTS, {**_COMMENT, "comment": "Water them"}),
        ("POST", "/projects/1/tasks/2/comments", _COMMENT),
        ("POST", _COMMENTS + "?page=2", _COMMENT),
        ("PUT", f"{_COMMENTS}/1", _COMMENT),
    ],
)
def test_a_key_that_was_used_for_another_request_is_refused(
    world: World, method: str, path: str, body: object
) -> None:
    _send(world, "POST", _COMMENTS, "used", _COMMENT)
    refused = _send(world, method, path, "used", body)
    assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_key_reused")
    assert world.done("vic", "GET", _COMMENTS).at("total") == 2


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 129, "\u00e9", "a\tb"])
def test_a_malformed_key_is_refused(world: World, key: str) -> None:
    headers = [(b"Idempotency-Key", key.encode("latin-1"))]
    refused = world.fetch("bob", "POST", BASE_URL + _COMMENTS, json=_COMMENT, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_idempotency_key")
    assert world.done("vic", "GET", _COMMENTS).at("total") == 1


def test_two_keys_in_one_request_are_refused(world: World) -> None:
    headers = [("Idempotency-Key", "a"), ("Idempotency-Key", "b")]
    refused = world.fetch("bob", "POST", BASE_URL + _COMMENTS, json=_COMMENT, headers=headers)
    assert refused.json()["code"] == "invalid_idempotency_key"


def test_a_refused_request_may_be_sent_again_under_its_key(world: World) -> None:
    path = "/projects/2/tasks"
    assert _send(world, "POST", path, "k", _task("Rake", 2, 4)).status_code == 403
    assert _stored(world) == 0
    world.done("sam", "POST", "/projects/2/add-members", {"memberId": world.id("bob")})
    assert _send(world, "POST", path, "k", _task("Rake", 2, 4)).is_success


def test_a_change_whose_reply_cannot_be_stored_is_not_made(world: World) -> None:
    world.link.execute("drop table idempotent_reply")
    assert _send(world, "POST", _COMMENTS, "k", _COMMENT).status_code == 500
    assert world.done("vic", "GET", _COMMENTS).at("total") == 1


def test_a_repeated_upload_keeps_one_file(world: World, folder: Path) -> None:
    def upload(content: bytes, name: str = "p.png") -> httpx.Response:
        return world.fetch(
            "bob",
            "POST",
            BASE_URL + _UPLOAD,
            files={"file": (name, content, "image/png")},
            headers={"Idempotency-Key": "picture"},
        )

    first = upload(pictures.png())
    assert first.is_success
    _assert_replayed(first, upload(pictures.png()))
    assert len(list(folder.iterdir())) == 1
    assert upload(pictures.gif()).status_code == 422
    assert upload(pictures.png(), "q.png").status_code == 422
    assert len(list(folder.iterdir())) == 1


def test_a_repetition_mails_nobody_again(world: World, desk: Desk) -> None:
    with world.database.transaction(writing=True) as db:
        db.run("update account set email = login || '@example.org'")
    world.done("ann", "PUT", f"{_TASKS}/1", {"property": "assignees", "value": [world.id("ann")]})
    for _ in range(2):
        _send(world, "POST", _COMMENTS, "k", _COMMENT)
    assert world.mail is not None
    assert [letter.to for letter in desk.delivered(world.mail)] == ["ann@example.org"]


def test_stored_replies_older_than_two_days_are_deleted(world: World) -> None:
    _send(world, "POST", _COMMENTS, "old", _COMMENT)
    world.clock.advance(days=2, seconds=1)
    for number in range(2, 64):
        _send(world, "PUT", f"{_TASKS}/1", f"k-{number}", {"property": "title", "value": "x"})
    assert _stored(world) == 63
    _send(world, "PUT", f"{_TASKS}/1", "k-64", {"property": "title", "value": "x"})
    assert _stored(world) == 63
    assert "idempotent-replayed" not in _send(world, "POST", _COMMENTS, "old", _COMMENT).headers


def test_of_each_account_so_many_newest_replies_are_stored(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "MOST_KEPT", 5)
    title = {"property": "title", "value": "x"}
    _send(world, "POST", _COMMENTS, "ann's", _COMMENT, who="ann")
    for number in range(20):
        _send(world, "PUT", f"{_TASKS}/1", f"k-{number}", title)
        assert _stored(world) == 1 + min(number + 1, 5)
    for key, is_stored in (("k-14", False), ("k-16", True), ("k-19", True)):
        reply = _send(world, "PUT", f"{_TASKS}/1", key, title)
        assert ("idempotent-replayed" in reply.headers) is is_stored
    reply = _send(world, "POST", _COMMENTS, "ann's", _COMMENT, who="ann")
    assert "idempotent-replayed" in reply.headers


def test_replies_to_a_removed_account_are_deleted(world: World) -> None:
    _send(world, "POST", _COMMENTS, "k", _COMMENT)
    with world.database.transaction(writing=True) as db:
        remove_account(db, SiteClock(world.clock), "bob")
    assert _stored(world) == 0


def test_simultaneous_requests_with_one_key_are_carried_out_once(world: World) -> None:
    replies: list[httpx.Response] = []

    def comment(client: World, _number: int) -> None:
        replies.append(_send(client, "POST", _COMMENTS, "one", _COMMENT))

    run_clients(world.database, 6, comment)
    assert {reply.content for reply in replies} == {replies[0].content}
    assert sum("idempotent-replayed" not in reply.headers for reply in replies) == 1
    assert world.done("vic", "GET", _COMMENTS).at("total") == 2


def test_a_request_without_a_key_costs_no_statement(world: World) -> None:
    statements: list[str] = []
    world.link.set_trace_callback(statements.append)
    world.done("bob", "POST", _COMMENTS, _COMMENT)
    world.fetch("bob", "GET", BASE_URL + _TASKS, headers={"Idempotency-Key": "ignored"})
    world.link.set_trace_callback(None)
    assert not [statement for statement in statements if "idempotent_reply" in statement]


@pytest.mark.parametrize(
    ("who", "path", "status"),
    [
        ("bob", _TASKS, 200),
        ("nobody", _TASKS, 401),
        ("sam", _TASKS, 403),
        ("bob", "/nowhere", 404),
        ("bob", "/comment-images/1", 403),
    ],
)
def test_every_reply_announces_idempotency_keys(
    world: World, who: str, path: str, status: int
) -> None:
    reply = world.fetch(who, "GET", BASE_URL + path)
    assert reply.status_code == status
    assert reply.headers["callboard-features"] == "idempotency-keys, archived-tasks, claims"
