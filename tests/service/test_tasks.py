"""Tasks: what their properties take, what moving does, what a list of them holds."""

import pytest

from tests.service.world import Answer, World

TASK = "/projects/1/tasks/1"


def put(world: World, name: str, value: object, task: int = 1) -> Answer:
    body = {"property": name, "value": value}
    return world.ask("ann", "PUT", f"/projects/1/tasks/{task}", body)


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("title", "  [b]x[/b]\u202e\n ", "[b]x[/b]"),
        ("title", "  two  words ", "two  words"),
        ("description", "<p onclick='x'>a > b</p>", "<p>a &gt; b</p>"),
        ("description", "", None),
        ("description", None, None),
        ("status", "closed", "closed"),
        ("priority", "high", "high"),
        ("due_at", "2027-01-02", "2027-01-02 00:00:00"),
        ("due_at", "2027-01-02 17:30", "2027-01-02 17:30:00"),
        ("due_at", "2027-01-02T17:30:00Z", "2027-01-02 19:30:00"),
        ("due_at", "2041-01-02 03:04:05", "2041-01-02 03:04:05"),
        ("due_at", "", None),
        ("started_at", None, None),
        ("remind_at", "2027-01-02 08:00:00", "2027-01-02 08:00:00"),
        ("reminder_type", "none", "none"),
        ("crm_contact_id", "12", 12),
        ("crm_contact_id", None, None),
        ("last_completed_at", "2026-01-01", "2026-01-01 00:00:00"),
        ("last_completed_at", True, "2026-11-21 13:30:00"),
        ("type", "task", "task"),
        ("parent_id", None, None),
        ("board_id", 1, 1),
        ("archived_at", True, "2026-11-21 13:30:00"),
        ("archived_at", "2026-01-02", "2026-11-21 13:30:00"),
        ("archived_at", None, None),
        ("archived_at", "", None),
    ],
)
def test_a_property_is_kept(world: World, name: str, value: object, kept: object) -> None:
    answer = put(world, name, value)
    assert answer.status == 200, answer.body
    assert answer.body["task"][name] == kept
    assert world.done("vic", "GET", TASK).body["task"][name] == kept
    assert answer.at("updatedTasks.0.id") == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("title", " \x00 "),
        ("title", 7),
        ("title", "x" * 1_001),
        ("description", ["x"]),
        ("status", "half"),
        ("status", None),
        ("priority", "HUGE"),
        ("due_at", "tomorrow"),
        ("due_at", "0000-00-00 00:00:00"),
        ("due_at", "2026-13-01"),
        ("due_at", 20260101),
        ("started_at", "2026-02-30"),
        ("remind_at", {"at": 1}),
        ("assignees", "2"),
        ("assignees", [True]),
        ("assignees", [5]),
        ("assignees", [77]),
        ("crm_contact_id", "12a"),
        ("crm_contact_id", 2**63),
        ("crm_contact_id", "9" * 5000),
        ("is_watching", "maybe"),
        ("is_watching", 2),
        ("archived_at", {}),
        ("archived_at", "yes"),
        ("archived_at", 1),
        ("archived_at", False),
        ("archived_at", "2026-13-01"),
        ("last_completed_at", "once"),
        ("type", "roadmap"),
        ("parent_id", 1),
        ("parent_id", "two"),
        ("settings", "x"),
        ("settings", {"deep": [[[[[[[[[[[1]]]]]]]]]]]}),
        ("settings", {"long": "x" * 100_000}),
        ("is_template", []),
    ],
)
def test_a_wrong_value_is_refused_by_name(world: World, name: str, value: object) -> None:
    before = world.done("vic", "GET", TASK).body
    answer = put(world, name, value)
    assert answer.status == 422, answer.body
    assert list(answer.body["data"]["params"]) == [name]
    assert world.done("vic", "GET", TASK).body == before


def test_closing_notes_when_and_reopening_forgets_it(world: World) -> None:
    assert put(world, "status", "closed").at("task.last_completed_at") == "2026-11-21 13:30:00"
    assert put(world, "status", "open").at("task.last_completed_at") is None


def test_assignees_are_set_not_toggled(world: World) -> None:
    put(world, "assignees", [2, 3])
    answer = put(world, "assignees", [3, "2", 3])
    assert [user["user_login"] for user in answer.at("task.assignees")] == ["ann", "bob"]
    assert put(world, "assignees", []).at("task.assignees") == []


@pytest.mark.parametrize(("value", "expected"), [(True, True), ("start", True), ("stop", False)])
def test_watching(world: World, value: object, *, expected: bool) -> None:
    assert put(world, "is_watching", not expected).status == 200
    assert put(world, "is_watching", value).at("task.is_watching") is expected


def test_settings_are_replaced_but_counts_are_the_service_own(world: World) -> None:
    put(world, "settings", {"cover": {"backgroundColor": "#fff"}, "own": 1})
    settings = put(world, "settings", {"own": 2, "subtask_count": 9}).at("task.settings")
    assert settings == {
        "cover": {"backgroundColor": ""},
        "own": 2,
        "subtask_count": 0,
        "attachment_count": 0,
        "subtask_completed_count": 0,
    }


def test_template_flag_is_kept_in_meta(world: World) -> None:
    assert put(world, "is_template", "yes").at("task.meta.is_template") == "yes"


def test_due_dates_tell_overdue_and_upcoming(world: World) -> None:
    overdue = put(world, "due_at", "2026-11-21 13:29:59").at("task")
    assert (overdue["isOverdue"], overdue["isUpcoming"]) == (True, False)
    upcoming = put(world, "due_at", "2026-11-22 13:30:00").at("task")
    assert (upcoming["isOverdue"], upcoming["isUpcoming"]) == (False, True)
    assert put(world, "status", "closed").at("task.isUpcoming") is False


def test_restoring_puts_on_top_and_not_into_an_archived_stage(world: World) -> None:
    assert put(world, "archived_at", None, task=3).at("task.position") == 0.5
    assert world.tasks_in(1) == [3, 1, 2]
    put(world, "archived_at", True, task=3)
    world.done("ann", "PUT", "/projects/1/archive-stage/1")
    refused = put(world, "archived_at", None, task=3)
    assert (refused.status, refused.body["code"]) == (409, "stage_archived")


@pytest.mark.long
def test_restoring_over_and_over_never_runs_out_of_room(world: World) -> None:
    for turn in range(40):
        put(world, "archived_at", True, task=turn % 2 + 1)
        put(world, "archived_at", None, task=turn % 2 + 1)
        assert world.tasks_in(1)[0] == turn % 2 + 1


def test_archiving_again_keeps_the_time_and_restoring_an_active_task_its_place(
    world: World,
) -> None:
    world.clock.advance(hours=1)
    assert put(world, "archived_at", True, task=3).at("task.archived_at") == "2026-11-21 13:30:00"
    put(world, "archived_at", None, task=2)
    assert world.tasks_in(1) == [1, 2]


def test_moving_into_a_closing_stage_closes_and_out_of_it_reopens_nothing(world: World) -> None:
    move = "/projects/1/tasks/1/move-task"
    closed = world.done("ann", "PUT", move, {"newStageId": 3}).at("task")
    assert (closed["status"], closed["last_completed_at"]) == ("closed", "2026-11-21 13:30:00")
    assert world.done("ann", "PUT", move, {"newStageId": 1}).at("task.status") == "closed"
    put(world, "status", "open")
    world.done("ann", "PUT", move, {"newStageId": 3})
    put(world, "status", "open")
    reordered = world.done("ann", "PUT", move, {"newStageId": 3, "newIndex": 1})
    assert reordered.at("task.status") == "open"


def test_past_the_end_is_the_end(world: World) -> None:
    body = {"newStageId": 1, "newIndex": 99}
    world.done("ann", "PUT", "/projects/1/tasks/1/move-task", body)
    assert world.tasks_in(1) == [2, 1]


def _second_board(world: World) -> int:
    body = {"board": {"title": "Shed", "type": "to-do"}}
    return int(world.done("ann", "POST", "/projects", body).at("board.id"))


def test_moving_to_another_board_takes_along_what_means_something_there(world: World) -> None:
    other = _second_board(world)
    world.add_labels(other)
    stage = world.done("ann", "GET", f"/projects/{other}").at("board.stages.1.id")
    label = {"label": "Here only", "color": "#fff", "bg_color": "#123456"}
    only_here = world.done("ann", "POST", "/projects/1/labels", label).at("label.id")
    world.done("ann", "POST", "/projects/1/labels/task", {"taskId": 1, "labelId": only_here})
    put(world, "assignees", [2, 3])
    synced = world.done("ann", "GET", f"/projects/{other}").at("synced_at")

    body = {"newStageId": stage, "newBoardId": other, "newIndex": 1}
    moved = world.done("ann", "PUT", "/projects/1/tasks/1/move-task", body).at("task")

    assert (moved["board_id"], moved["stage_id"]) == (other, stage)
    assert [user["user_login"] for user in moved["assignees"]] == ["ann"]
    assert [label["slug"] for label in moved["labels"]] == ["green"]
    assert moved["labels"][0]["board_id"] == other
    assert world.tasks_in(1) == [2]
    assert world.tasks_in(stage, other) == [1]
    comments = world.done("ann", "GET", f"/projects/{other}/tasks/1/comments")
    assert comments.at("total") == 1
    assert world.ask("ann", "GET", "/projects/1/tasks/1").status == 404
    changed = f"/projects/{other}/has-data-changed?since={synced}"
    assert world.done("ann", "GET", changed).at("has_changes") is True


def test_setting_the_board_moves_to_its_first_stage(world: World) -> None:
    other = _second_board(world)
    moved = put(world, "board_id", other).at("task")
    first = world.done("ann", "GET", f"/projects/{other}").at("board.stages.0.id")
    assert (moved["board_id"], moved["stage_id"]) == (other, first)
    assert put(world, "board_id", 2, task=2).status == 403
    assert put(world, "board_id", 2**64, task=2).status == 404


def test_the_list_leaves_out_archived_tasks_and_archived_stages(world: World) -> None:
    world.done("ann", "PUT", "/projects/1/tasks/2/move-task", {"newStageId": 2})
    world.done("ann", "PUT", "/projects/1/archive-stage/2")
    tasks = world.done("vic", "GET", "/projects/1/tasks").body["tasks"]
    assert [task["id"] for task in tasks] == [1]


def test_stage_default_assignees_get_new_tasks_while_they_are_members(world: World) -> None:
    settings = {"settings": {"default_task_assignees": [3, 77]}}
    world.done("ann", "PUT", "/projects/1/update-stage/2", settings)
    task = {"task": {"title": "x", "board_id": 1, "stage_id": 2}}
    made = world.done("ann", "POST", "/projects/1/tasks", task).at("task")
    assert [user["ID"] for user in made["assignees"]] == [3]


@pytest.mark.parametrize(
    ("order", "direction", "expected"),
    [
        ("priority", "ASC", [2, 4, 1]),
        ("priority", "DESC", [1, 4, 2]),
        ("due_at", "ASC", [4, 1, 2]),
        ("due_at", "DESC", [1, 4, 2]),
        ("title", "ASC", [1, 4, 2]),
        ("created_at", "DESC", [4, 1, 2]),
        ("position", "ASC", [1, 2, 4]),
        ("position", "DESC", [4, 2, 1]),
    ],
)
def test_sorting(world: World, order: str, direction: str, expected: list[int]) -> None:
    world.clock.advance(minutes=1)
    task = {"title": "eggs", "board_id": 1, "stage_id": 1, "priority": "medium"}
    world.done("ann", "POST", "/projects/1/tasks", {"task": task})
    put(world, "priority", "high", task=2)
    put(world, "due_at", "2027-02-01", task=1)
    put(world, "due_at", "2027-01-01", task=4)
    body = {"order": order, "orderBy": direction}
    answer = world.done("ann", "PUT", "/projects/1/stage/1/sort-task", body)
    assert [task["id"] for task in answer.body["updatedTasks"]] == expected
    assert [task["position"] for task in answer.body["updatedTasks"]] == [1, 2, 3]
    assert world.tasks_in(1) == expected


def test_ids_are_never_used_again(world: World) -> None:
    world.done("ann", "DELETE", "/projects/1/tasks/3")
    task = {"task": {"title": "x", "board_id": 1, "stage_id": 1}}
    assert world.done("ann", "POST", "/projects/1/tasks", task).at("task.id") == 4


@pytest.mark.long
def test_a_long_list_asks_the_database_no_more_often_than_a_short_one(world: World) -> None:
    asked: list[str] = []
    world.done("vic", "GET", "/projects")  # the credentials are known from now on
    world.link.set_trace_callback(asked.append)
    world.done("vic", "GET", "/projects/1/tasks")
    few = len(asked)
    world.link.set_trace_callback(None)
    for number in range(50):
        task = {"title": f"{number}", "board_id": 1, "stage_id": 2}
        made = world.done("ann", "POST", "/projects/1/tasks", {"task": task}).at("task.id")
        attach = {"taskId": made, "labelId": number % 5 + 1}
        world.done("ann", "POST", "/projects/1/labels/task", attach)
    asked.clear()
    world.link.set_trace_callback(asked.append)
    assert len(world.done("vic", "GET", "/projects/1/tasks").body["tasks"]) == 52
    assert len(asked) == few
