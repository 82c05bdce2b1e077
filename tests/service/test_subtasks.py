"""Subtasks and their groups beyond what the table of endpoints tries."""

from typing import Any

import pytest

from tests.service.detailed_world import detailed_world, subtasks_in
from tests.service.world import World

pytestmark = pytest.mark.world(make=detailed_world)

_TASK = "/projects/1/tasks/1"


def _read(world: World, task_id: int) -> dict[str, Any]:
    task: dict[str, Any] = world.done("vic", "GET", f"/projects/1/tasks/{task_id}").at("task")
    return task


def _put(world: World, task_id: int, name: str, value: object) -> dict[str, Any]:
    body = {"property": name, "value": value}
    answer: dict[str, Any] = world.done("ann", "PUT", f"/projects/1/tasks/{task_id}", body).body
    return answer


def _told(world: World, task_id: int) -> list[tuple[str, str, str | None, str | None]]:
    """What the record says of a task, newest first."""
    path = f"/projects/1/tasks/{task_id}/activities?filter=newest"
    records = world.done("vic", "GET", path).at("activities.data")
    return [(r["action"], r["column"], r["old_value"], r["new_value"]) for r in records]


def test_the_board_lists_tasks_only(world: World) -> None:
    tasks = world.done("vic", "GET", "/projects/1/tasks").body["tasks"]
    assert {task["id"] for task in tasks} == {1, 2, 9}
    board = world.done("vic", "GET", "/projects/1").at("board")
    assert board["settings"]["tasks_count"] == 3


def test_a_parent_counts_its_active_subtasks(world: World) -> None:
    counts = ("subtask_count", "subtask_completed_count")
    assert [_read(world, 1)["settings"][name] for name in counts] == [3, 0]
    parent = _put(world, 4, "status", "closed")["updatedTasks"]
    assert [task["id"] for task in parent] == [1, 4]
    assert [parent[0]["settings"][name] for name in counts] == [3, 1]
    _put(world, 4, "archived_at", value=True)
    assert [_read(world, 1)["settings"][name] for name in counts] == [2, 0]


def test_an_archived_subtask_comes_back_on_top_of_its_group(world: World) -> None:
    assert subtasks_in(world) == {1: [4, 5], 2: [6]}
    _put(world, 7, "archived_at", value=None)
    assert subtasks_in(world) == {1: [7, 4, 5], 2: [6]}
    positions = [_read(world, subtask)["position"] for subtask in (7, 4, 5)]
    assert positions == sorted(set(positions))


def test_add_to_top_puts_a_subtask_first(world: World) -> None:
    body = {"title": "Fork", "group_id": 1, "add_to_top": True, "due_at": None}
    made = world.done("bob", "POST", f"{_TASK}/subtasks", body).at("subtask")
    assert subtasks_in(world)[1] == [made["id"], 4, 5]
    assert (made["due_at"], made["created_by"], made["is_watching"]) == (None, 3, True)


def test_a_group_is_deleted_with_its_subtasks_archived_ones_too(world: World) -> None:
    world.done("bob", "DELETE", f"{_TASK}/subtask-group", {"group_id": 1})
    assert subtasks_in(world) == {2: [6]}
    for gone in (4, 5, 7):
        assert world.ask("vic", "GET", f"/projects/1/tasks/{gone}").status == 404
    assert _read(world, 1)["settings"]["subtask_count"] == 1
    assert _told(world, 1)[0] == ("deleted", "subtask group", "Tools", None)


def test_a_renamed_group_is_renamed_in_its_subtasks(world: World) -> None:
    body = {"group_id": 1, "title": "Iron"}
    world.done("bob", "PUT", f"{_TASK}/subtask-group", body)
    assert _read(world, 4)["meta"] == {"subtask_group_id": 1, "group_name": "Iron"}
    assert _told(world, 1)[0] == ("changed", "subtask group", "Tools", "Iron")
    told = len(_told(world, 1))
    world.done("bob", "PUT", f"{_TASK}/subtask-group", body)
    assert len(_told(world, 1)) == told


def test_deleting_a_task_deletes_its_subtasks_and_groups(world: World) -> None:
    world.done("bob", "DELETE", _TASK)
    assert world.ask("vic", "GET", "/projects/1/tasks/4").status == 404
    record = world.done("vic", "GET", "/projects/1/activities").at("activities.data.0")
    assert (record["old_value"], record["description"]) == ("Dig", "with 4 subtasks")
    with world.database.transaction(writing=False) as db:
        assert db.value("select count(*) from subtask_group") == 1
        assert db.value("select count(*) from custom_field_value") == 0


def test_a_subtask_deleted_as_a_task_brings_its_parent_up_to_date(world: World) -> None:
    answer = world.done("bob", "DELETE", "/projects/1/tasks/4")
    assert answer.at("updatedTasks.0.id") == 1
    assert answer.at("updatedTasks.0.settings.subtask_count") == 2


def test_a_subtask_that_is_in_the_group_stays_where_it_is(world: World) -> None:
    body = {"group_id": 1, "subtask_id": [4, 6]}
    world.done("bob", "POST", f"{_TASK}/move-subtask", body)
    assert subtasks_in(world) == {1: [4, 5, 6], 2: []}
    assert _told(world, 6)[0] == ("moved", "subtask group", "Seeds", "Tools")
    assert _told(world, 4)[0][0] != "moved"


def test_a_refused_move_moves_none_of_them(world: World) -> None:
    body = {"group_id": 2, "subtask_id": [4, 5, 77]}
    assert world.ask("bob", "POST", f"{_TASK}/move-subtask", body).status == 404
    assert subtasks_in(world) == {1: [4, 5], 2: [6]}


def test_changed_subtasks_are_those_of_the_last_minute(world: World) -> None:
    world.clock.advance(minutes=2)
    path = "/projects/1/tasks/update-subtask-position/5"
    changed = world.done("bob", "PUT", path, {"newPosition": 1}).at("changedSubtasks")
    assert [task["id"] for task in changed] == [5]
    assert _told(world, 5)[0] == ("moved", "position", None, None)
    world.clock.advance(seconds=60)
    path = "/projects/1/tasks/update-subtask-position/6"
    changed = world.done("bob", "PUT", path, {"newPosition": 9}).at("changedSubtasks")
    assert [task["id"] for task in changed] == [5, 6]


def test_a_renumbered_group_comes_back_whole(world: World) -> None:
    changed = []
    for turn in range(60):
        world.clock.advance(minutes=2)
        path = f"/projects/1/tasks/update-subtask-position/{4 + turn % 2}"
        answer = world.done("bob", "PUT", path, {"newPosition": 1}).at("changedSubtasks")
        changed.append([task["id"] for task in answer])
    assert [5] in changed
    assert any(sorted(ids) == [4, 5] for ids in changed)
    assert subtasks_in(world)[1] == [5, 4]


def test_a_task_is_converted_into_the_default_group(world: World) -> None:
    world.done("ann", "POST", "/projects/1/labels/task", {"taskId": 9, "labelId": 3})
    answer = world.done("bob", "PUT", "/projects/1/tasks/9/convert-to-subtask", {"parent_id": 2})
    assert answer.at("parentTask.settings.subtask_count") == 2
    groups = world.done("vic", "GET", "/projects/1/tasks/2/subtasks").at("subtaskGroups")
    assert [group["value"] for group in groups] == ["Other", "Default Subtask Group"]
    subtask = groups[1]["subtasks"][0]
    assert (subtask["id"], subtask["parent_id"], subtask["stage_id"]) == (9, 2, None)
    assert (subtask["priority"], subtask["labels"][0]["id"]) == ("high", 3)
    assert world.tasks_in(2) == []
    assert _told(world, 9)[0] == ("converted", "task", "In Progress", "Sow")
    assert ("added", "subtask", None, "Loose") in _told(world, 2)
    task = {"title": "Next", "board_id": 1, "stage_id": 1}
    made = world.done("ann", "POST", "/projects/1/tasks", {"task": task}).at("task.id")
    world.done("bob", "PUT", f"/projects/1/tasks/{made}/convert-to-subtask", {"parent_id": 2})
    assert list(subtasks_in(world, 2).values()) == [[8], [9, made]]


def test_a_task_becomes_a_subtask_by_its_parent_id(world: World) -> None:
    answer = _put(world, 9, "parent_id", 2)
    assert (answer["task"]["parent_id"], answer["task"]["stage_id"]) == (2, None)
    assert {task["id"]: task["settings"]["subtask_count"] for task in answer["updatedTasks"]} == {
        9: 0,
        2: 2,
    }
    assert list(subtasks_in(world, 2).values()) == [[8], [9]]
    assert _told(world, 9)[0] == ("converted", "task", "In Progress", "Sow")
    assert _put(world, 9, "parent_id", "2")["task"]["parent_id"] == 2
    assert list(subtasks_in(world, 2).values()) == [[8], [9]]


def test_a_subtask_is_given_to_another_parent_by_its_parent_id(world: World) -> None:
    answer = _put(world, 4, "parent_id", 9)
    assert {task["id"] for task in answer["updatedTasks"]} == {4, 9, 1}
    assert (subtasks_in(world), list(subtasks_in(world, 9).values())) == ({1: [5], 2: [6]}, [[4]])
    assert [person["ID"] for person in _read(world, 4)["assignees"]] == [3]
    assert _told(world, 4)[0] == ("changed", "parent_id", "Dig", "Loose")
    assert _told(world, 1)[0] == ("removed", "subtask", "Spade", None)
    assert ("added", "subtask", None, "Spade") in _told(world, 9)


@pytest.mark.parametrize(
    ("task_id", "value", "status", "code"),
    [
        (9, 9, 422, "invalid_field"),
        (9, 77, 404, "task_not_found"),
        (9, 2**63, 404, "task_not_found"),
        (9, 3, 409, "parent_archived"),
        (9, 4, 409, "task_is_subtask"),
        (1, 2, 409, "task_has_subtasks"),
        (1, 4, 409, "task_is_subtask"),
        (3, 9, 409, "task_archived"),
        (7, 9, 409, "task_archived"),
        (4, None, 422, "invalid_field"),
        (4, 0, 422, "invalid_field"),
        (4, "", 422, "invalid_field"),
        (4, 4, 409, "task_is_subtask"),
    ],
)
def test_a_parent_that_cannot_be_is_refused(
    world: World, task_id: int, value: object, status: int, code: str
) -> None:
    before = [_read(world, task) for task in (1, 2, 4, 9)]
    body = {"property": "parent_id", "value": value}
    answer = world.ask("ann", "PUT", f"/projects/1/tasks/{task_id}", body)
    assert (answer.status, answer.body["code"]) == (status, code)
    assert [_read(world, task) for task in (1, 2, 4, 9)] == before


def test_a_parent_on_another_board_is_missing(world: World) -> None:
    task = {"title": "Far", "board_id": 2, "stage_id": 4}
    far = world.done("sam", "POST", "/projects/2/tasks", {"task": task}).at("task.id")
    body = {"property": "parent_id", "value": far}
    assert world.ask("ann", "PUT", "/projects/1/tasks/9", body).status == 404


def test_the_assignee_joins_those_who_are_there(world: World) -> None:
    _put(world, 9, "assignees", [2])
    body = {"parent_id": 1, "assigneeId": 3}
    world.done("bob", "PUT", "/projects/1/tasks/9/convert-to-subtask", body)
    assert [person["ID"] for person in _read(world, 9)["assignees"]] == [2, 3]


def test_a_converted_task_may_go_back_and_its_empty_groups_are_gone(world: World) -> None:
    path = "/projects/1/tasks/9"
    world.done("bob", "POST", f"{path}/subtask-group", {"title": "Empty"})
    world.done("bob", "PUT", f"{path}/convert-to-subtask", {"parent_id": 1})
    assert subtasks_in(world, 9) == {}
    moved = world.done("bob", "PUT", f"{path}/move-to-board", {"stage_id": 1}).body
    assert (moved["moveSubtask"]["parent_id"], moved["moveSubtask"]["meta"]) == (None, {})
    assert world.tasks_in(1) == [1, 2, 9]
    assert _told(world, 9)[0] == ("converted", "subtask", "Dig", "Open")
    assert _told(world, 1)[0] == ("removed", "subtask", "Loose", None)


def test_a_stage_that_closes_closes_a_subtask_moved_into_it(world: World) -> None:
    answer = world.done("bob", "PUT", "/projects/1/tasks/4/move-to-board", {"stage_id": 3})
    assert answer.at("moveSubtask.status") == "closed"
    assert answer.at("moveSubtask.last_completed_at") == "2026-11-21 13:30:00"
    assert _told(world, 4)[0] == ("changed", "status", "open", "closed")


def test_subtasks_follow_their_parent_to_another_board(world: World) -> None:
    made = world.done("ann", "POST", "/projects", {"board": {"title": "C", "type": "to-do"}})
    board = made.at("board.id")
    world.add_labels(board)
    field = {"customField": {"title": "Cost", "type": "number"}}
    twin = world.done("ann", "POST", f"/projects/{board}/custom-field", field).at("customField.id")
    body = {"newBoardId": board, "newStageId": made.at("board.stages.0.id")}
    world.done("ann", "PUT", f"{_TASK}/move-task", body)
    assert world.ask("ann", "GET", "/projects/1/tasks/4").status == 404
    path = f"/projects/{board}/tasks/1/subtasks"
    subtask = world.done("ann", "GET", path).at("subtaskGroups.0.subtasks.0")
    assert (subtask["id"], subtask["board_id"], subtask["assignees"]) == (4, board, [])
    assert subtask["labels"][0]["board_id"] == board
    assert [value["foreign_id"] for value in subtask["task_custom_fields"]] == [twin]
    parent = world.done("ann", "GET", f"/projects/{board}/tasks/1").at("task")
    assert parent["task_custom_fields"] == []


def test_subtasks_have_no_place_in_a_stage(world: World) -> None:
    answer = world.ask("bob", "PUT", "/projects/1/tasks/4/move-task", {"newStageId": 1})
    assert (answer.status, answer.body["code"]) == (409, "task_is_subtask")


def test_subtasks_of_a_long_list_are_read_at_once(world: World) -> None:
    asked: list[str] = []
    subtasks_in(world)  # the credentials are known from now on
    world.link.set_trace_callback(asked.append)
    subtasks_in(world)
    few = len(asked)
    world.link.set_trace_callback(None)
    for number in range(30):
        body = {"title": f"{number}", "group_id": number % 2 + 1}
        world.done("bob", "POST", f"{_TASK}/subtasks", body)
    asked.clear()
    world.link.set_trace_callback(asked.append)
    assert sum(map(len, subtasks_in(world).values())) == 33
    assert len(asked) == few
