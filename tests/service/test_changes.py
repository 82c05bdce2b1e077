"""`has-data-changed` sees every change, and the record of activities names it."""

from contextlib import closing
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import pytest

from tests.harness.cases import mostly_long
from tests.service.detail_endpoints import DETAIL_ENDPOINTS
from tests.service.detailed_world import detailed_world
from tests.service.endpoints import ENDPOINTS, Endpoint
from tests.service.sharing_endpoints import SHARING_ENDPOINTS
from tests.service.world import World
from tui.service.database.sqlite import SqliteDatabase

_WRITES = [e for e in ENDPOINTS if e.method != "GET" and e.path.startswith("/projects/1/")]
_EVERY_WRITE = [e for e in (*ENDPOINTS, *DETAIL_ENDPOINTS, *SHARING_ENDPOINTS) if e.method != "GET"]
_SILENT = {"PUT /projects/{board_id:id}/restore-board"}


def _has_changed(world: World, since: str) -> bool:
    path = f"/projects/1/has-data-changed?since={quote(since)}"
    changed: bool = world.done("ann", "GET", path).at("has_changes")
    return changed


@pytest.mark.parametrize("endpoint", _WRITES, ids=lambda endpoint: str(endpoint.route))
def test_every_write_is_noticed_and_recorded(world: World, endpoint: Endpoint) -> None:
    since = world.done("ann", "GET", "/projects/1").at("synced_at")
    records = world.done("ann", "GET", "/projects/1/activities").at("activities.total")
    assert not _has_changed(world, since)
    world.done(endpoint.least, endpoint.method, endpoint.path, endpoint.body)
    assert _has_changed(world, since)
    if endpoint.route not in _SILENT:
        now = world.done("ann", "GET", "/projects/1/activities").at("activities.total")
        assert now > records


@mostly_long("endpoint", _EVERY_WRITE, every=3, ids=lambda endpoint: str(endpoint.route))
def test_what_is_told_makes_up_for_reading_everything(endpoint: Endpoint) -> None:
    with closing(detailed_world()) as world:
        before = world.done("root", "GET", "/projects/1")
        since, board = before.at("synced_at"), before.at("board")
        tasks = _tasks(world)
        world.ask(endpoint.least, endpoint.method, endpoint.path, endpoint.body)
        now = world.ask("root", "GET", "/projects/1")
        if now.status == HTTPStatus.NOT_FOUND:
            return
        told = world.done("root", "GET", f"/projects/1/has-data-changed?since={quote(since)}")
        assert told.at("is_complete")
        assert not told.at("sync_reset")
        board = told.at("board") or board
        tasks |= {task["id"]: task for task in told.at("tasks")}
        for task_id in told.at("taskDeleted"):
            tasks.pop(task_id, None)
        stage_ids = {stage["id"] for stage in board["stages"] if not stage["archived_at"]}
        on_board = {
            task_id: task
            for task_id, task in tasks.items()
            if not task["archived_at"] and not task["parent_id"] and task["stage_id"] in stage_ids
        }
        assert on_board == _tasks(world)
        for name in ("title", "description", "archived_at", "users", "stages", "labels"):
            assert board[name] == now.at("board")[name]


def _tasks(world: World) -> dict[int, Any]:
    tasks = world.done("root", "GET", "/projects/1/tasks").at("tasks")
    return {task["id"]: task for task in tasks}


@pytest.mark.parametrize(
    ("prepared", "method", "path"),
    [
        (("/tasks/1", {"property": "assignees", "value": [3]}), "POST", "/user/3/remove"),
        (("/archive-stage/1", None), "PUT", "/restore-stage/1"),
    ],
)
def test_tasks_that_change_with_the_board_are_listed(
    world: World, prepared: tuple[str, object], method: str, path: str
) -> None:
    assert world.id("bob") == 3
    world.done("ann", "PUT", f"/projects/1{prepared[0]}", prepared[1])
    since = world.done("ann", "GET", "/projects/1").at("synced_at")
    world.done("ann", method, f"/projects/1{path}")
    told = world.done("ann", "GET", f"/projects/1/has-data-changed?since={quote(since)}")
    assert {task["id"] for task in told.at("tasks")} >= {1}
    assert told.at("board.id") == 1


@pytest.mark.long
def test_what_is_too_much_or_too_long_ago_is_not_listed(world: World) -> None:
    since = world.done("ann", "GET", "/projects/1").at("synced_at")
    path = f"/projects/1/has-data-changed?since={quote(since)}"
    for _ in range(501):
        world.done("ann", "PUT", "/projects/1", {"title": "x"})
    told = world.done("ann", "GET", path)
    assert told.at("sync_reset")
    assert told.at("tasks") == []
    path = f"/projects/1/has-data-changed?since={quote(told.at('synced_at'))}"
    assert not world.done("ann", "GET", path).at("sync_reset")


def test_a_change_is_listed_without_looking_through_the_board(world: World) -> None:
    database = world.database
    assert isinstance(database, SqliteDatabase)
    steps: list[int] = []
    for more in (0, 2_000):
        with database.transaction(writing=True) as db:
            (model,) = db.all("select * from task where id = 1")
            names = [name for name in model if name != "id"]
            values = ", ".join(f":{name}" for name in names)
            db.many(
                f"insert into task ({', '.join(names)}) values ({values})",  # noqa: S608 - ours
                [dict(model)] * more,
            )
        since = world.done("ann", "GET", "/projects/1").at("synced_at")
        body = {"property": "title", "value": f"Another {more}"}
        world.done("ann", "PUT", "/projects/1/tasks/1", body)
        steps.append(0)
        database._link.set_progress_handler(lambda: steps.append(steps.pop() + 1), 1)
        told = world.done("ann", "GET", f"/projects/1/has-data-changed?since={quote(since)}")
        database._link.set_progress_handler(None, 0)
        assert [task["id"] for task in told.at("tasks")] == [1]
    assert steps[1] <= steps[0] * 1.5, steps


def test_reading_changes_nothing(world: World) -> None:
    since = world.done("ann", "GET", "/projects/1").at("synced_at")
    for endpoint in ENDPOINTS:
        if endpoint.method == "GET":
            world.done(endpoint.least, "GET", endpoint.path)
    assert not _has_changed(world, since)


def test_a_refused_write_changes_nothing(world: World) -> None:
    since = world.done("ann", "GET", "/projects/1").at("synced_at")
    body = {"property": "title", "value": ""}
    assert world.ask("ann", "PUT", "/projects/1/tasks/1", body).status == 422
    assert not _has_changed(world, since)


@pytest.mark.parametrize(
    ("since", "expected"),
    [
        ("2026-11-21 13:29:59", True),
        ("2026-11-21 13:30:00", True),
        ("2026-11-21T13:30:01", False),
        ("2026-11-21 13:31:00", False),
        ("2026-11-21 13:31:01", True),
    ],
)
def test_plain_times_are_taken_too(world: World, since: str, *, expected: bool) -> None:
    world.clock.advance(minutes=1)
    assert _has_changed(world, since) is expected


def test_two_changes_of_one_second_are_told_apart(world: World) -> None:
    first = world.done("ann", "GET", "/projects/1").at("synced_at")
    world.done("ann", "PUT", "/projects/1", {"title": "x"})
    second = world.done("ann", "GET", "/projects/1").at("synced_at")
    assert first[:19] == second[:19]
    assert _has_changed(world, first)
    assert not _has_changed(world, second)


def test_records_name_who_and_what(world: World) -> None:
    world.done("bob", "PUT", "/projects/1/tasks/1/move-task", {"newStageId": 3})
    records = world.done("vic", "GET", "/projects/1/activities").at("activities.data")
    told = [
        (r["action"], r["column"], r["old_value"], r["new_value"], r["user"]["user_login"])
        for r in records[:2]
    ]
    assert told == [
        ("changed", "status", "open", "closed", "bob"),
        ("moved", "stage", "Open", "Completed", "bob"),
    ]
    assert records[0]["settings"] == {"task_id": 1}
    ids = [record["id"] for record in records]
    assert ids == sorted(ids, reverse=True)


def test_the_record_outlives_the_task(world: World) -> None:
    world.done("bob", "DELETE", "/projects/1/tasks/1")
    records = world.done("vic", "GET", "/projects/1/activities").at("activities.data")
    assert [(r["action"], r["old_value"]) for r in records[:1]] == [("deleted", "Dig")]
    assert any(r["new_value"] == "Dig" and r["action"] == "created" for r in records)


def test_task_activities_are_oldest_first_unless_asked(world: World) -> None:
    path = "/projects/1/tasks/1/activities"
    oldest = world.done("vic", "GET", path).at("activities.data")
    newest = world.done("vic", "GET", f"{path}?filter=newest").at("activities.data")
    assert oldest == newest[::-1]
    assert [record["action"] for record in oldest] == ["created", "added", "added"]


def test_long_values_are_cut_in_the_record(world: World) -> None:
    body = {"property": "description", "value": "x" * 5000}
    world.done("ann", "PUT", "/projects/1/tasks/1", body)
    record = world.done("vic", "GET", "/projects/1/activities").at("activities.data.0")
    assert record["new_value"] == "x" * 999 + "…"


def test_an_activity_says_what_made_the_request_in_place_of_the_user(world: World) -> None:
    label = "/projects/1/labels"
    for via, kept in (("mcp", "mcp"), ("MCP!", None), ("a" * 21, None), ("", None), (None, None)):
        headers = {} if via is None else {"Callboard-Via": via}
        body = {"title": f"new {via}", "bg_color": "#ff0000", "color": "#ffffff"}
        assert world.ask("ann", "POST", label, body, headers=headers).status in (200, 201)
        newest = world.done("ann", "GET", "/projects/1/activities").at("activities.data.0")
        assert newest["column"] == "label"
        assert (newest["settings"] or {}).get("via") == kept
