"""Cloned tasks and subtasks, duplicated boards: what comes along and what stays behind."""

from typing import Any

import pytest

from tests.service.detailed_world import detailed_world, subtasks_in
from tests.service.world import World

pytestmark = pytest.mark.world(make=detailed_world)

_NOTHING = dict.fromkeys(("assignee", "subtask", "label", "attachment", "comment"), False)
_ALL = dict.fromkeys(_NOTHING, True)


def _put(world: World, task_id: int, name: str, value: object) -> None:
    body = {"property": name, "value": value}
    world.done("ann", "PUT", f"/projects/1/tasks/{task_id}", body)


def _clone(world: World, task_id: int, **body: object) -> dict[str, Any]:
    path = f"/projects/1/tasks/{task_id}/clone-task"
    sent = {"title": "Again", "stage_id": 1} | body
    clone: dict[str, Any] = world.done("bob", "POST", path, sent).at("task")
    return clone


def _duplicate(world: World, who: str = "ann", **flags: str) -> dict[str, Any]:
    body = {"board": {"title": "Copy"}} | flags
    copy: dict[str, Any] = world.done(who, "POST", "/projects/1/duplicate-board", body).at("board")
    return copy


def _tasks(world: World, board_id: int) -> dict[str, dict[str, Any]]:
    tasks = world.done("ann", "GET", f"/projects/{board_id}/tasks").body["tasks"]
    return {task["title"]: task for task in tasks}


def test_a_clone_has_the_contents_and_none_of_the_history(world: World) -> None:
    for name, value in (
        ("description", "<p>deep</p>"),
        ("priority", "high"),
        ("due_at", "2027-01-02 03:04:05"),
        ("remind_at", "2027-01-01"),
        ("settings", {"cover": {"backgroundColor": "#fff"}}),
        ("is_template", True),
        ("assignees", [2]),
        ("status", "closed"),
    ):
        _put(world, 1, name, value)
    clone = _clone(world, 1, **_NOTHING)
    assert clone["description"] == "<p>deep</p>"
    assert (clone["priority"], clone["due_at"]) == ("high", "2027-01-02 03:04:05")
    assert clone["settings"]["cover"] == {"backgroundColor": "#fff"}
    assert clone["task_custom_fields"][0]["settings"] == {"value": "North"}
    assert (clone["status"], clone["last_completed_at"], clone["remind_at"]) == ("open", None, None)
    assert clone["meta"] == {}
    assert (clone["assignees"], clone["labels"], clone["comments_count"]) == ([], [], 0)
    assert clone["settings"]["subtask_count"] == 0
    path = f"/projects/1/tasks/{clone['id']}/activities"
    records = world.done("vic", "GET", path).at("activities.data")
    told = [(r["action"], r["new_value"], r["description"]) for r in records]
    assert told == [("created", "Again", "clone of “Dig”")]


def test_every_aspect_comes_along_when_asked(world: World) -> None:
    _put(world, 1, "assignees", [2, 3])
    _put(world, 5, "status", "closed")
    clone = _clone(world, 1, **_ALL)
    assert [person["ID"] for person in clone["assignees"]] == [2, 3]
    assert [label["id"] for label in clone["labels"]] == [1]
    comments = world.done("vic", "GET", f"/projects/1/tasks/{clone['id']}/comments")
    assert comments.at("comments.data.0.settings.raw_description") == "Mind the roots"
    assert comments.at("comments.data.0.user.user_login") == "bob"
    assert list(subtasks_in(world, clone["id"]).values()) == [[11, 12], [13]]
    groups = world.done("vic", "GET", f"/projects/1/tasks/{clone['id']}/subtasks").body
    first, second = groups["subtaskGroups"][0]["subtasks"]
    assert (first["title"], first["meta"]["group_name"], first["parent_id"]) == (
        "Spade",
        "Tools",
        clone["id"],
    )
    assert [person["ID"] for person in first["assignees"]] == [3]
    assert [label["id"] for label in first["labels"]] == [2]
    assert first["task_custom_fields"][0]["settings"] == {"value": "12.50"}
    assert (second["title"], second["status"]) == ("Rake", "open")
    assert subtasks_in(world) == {1: [4, 5], 2: [6]}


def test_subtasks_come_without_people_unless_those_are_asked_for(world: World) -> None:
    clone = _clone(world, 1, **_NOTHING | {"subtask": True})
    path = f"/projects/1/tasks/{clone['id']}/subtasks"
    first = world.done("vic", "GET", path).at("subtaskGroups.0.subtasks.0")
    assert (first["assignees"], first["labels"]) == ([], [])


def test_a_clone_stands_below_its_original_or_at_the_end(world: World) -> None:
    below = _clone(world, 1, **_NOTHING)["id"]
    assert world.tasks_in(1) == [1, below, 2]
    elsewhere = _clone(world, 1, **_NOTHING | {"stage_id": 2})["id"]
    assert world.tasks_in(2) == [9, elsewhere]
    revived = _clone(world, 3, **_NOTHING)
    assert world.tasks_in(1) == [1, below, 2, revived["id"]]
    assert revived["archived_at"] is None


def test_cloning_at_one_place_never_runs_out(world: World) -> None:
    clones = [_clone(world, 1, **_NOTHING)["id"] for _ in range(30)]
    assert world.tasks_in(1) == [1, *reversed(clones), 2]


def test_replies_are_cloned_with_their_comments_and_pictures_alone_stay(world: World) -> None:
    with world.database.transaction(writing=True) as db:
        for parent, text in ((1, "yes"), (None, ""), (3, "nice")):
            db.run(
                """insert into comment (board_id, task_id, parent_id, type, privacy, status,
                    author_name, author_email, description, settings, created_by, created_at,
                    updated_at)
                values (1, 1, :parent, 'comment', 'private', 'published', 'Bob', '', :text, '{}',
                    3, 't', 't')""",
                parent=parent,
                text=text,
            )
    clone = _clone(world, 1, **_ALL)
    with world.database.transaction(writing=False) as db:
        rows = db.all("select * from comment where task_id = :task order by id", task=clone["id"])
    assert [row["description"] for row in rows] == ["Mind the roots", "yes"]
    assert rows[1]["parent_id"] == rows[0]["id"]
    assert clone["comments_count"] == 2


def test_a_cloned_subtask_keeps_dates_people_and_watchers(world: World) -> None:
    _put(world, 4, "due_at", "2027-01-02")
    _put(world, 4, "started_at", "2027-01-01")
    _put(world, 4, "status", "closed")
    clone = world.done("bob", "POST", "/projects/1/tasks/4/clone-subtask").at("subtask")
    assert subtasks_in(world)[1] == [4, clone["id"], 5]
    assert (clone["due_at"], clone["started_at"]) == ("2027-01-02 00:00:00", "2027-01-01 00:00:00")
    assert clone["status"] == "open"
    full = world.done("vic", "GET", f"/projects/1/tasks/{clone['id']}").at("task")
    assert [person["user_login"] for person in full["watchers"]] == ["ann"]
    last = world.done("bob", "POST", "/projects/1/tasks/5/clone-subtask").at("subtask.id")
    assert subtasks_in(world)[1] == [4, clone["id"], 5, last]


def test_the_title_of_a_clone_is_no_longer_than_titles_may_be(world: World) -> None:
    _put(world, 4, "title", "x" * 1_000)
    clone = world.done("bob", "POST", "/projects/1/tasks/4/clone-subtask").at("subtask.title")
    assert (len(clone), clone[-10:]) == (1_000, "x (cloned)")


def test_a_bare_duplicate_has_stages_and_fields(world: World) -> None:
    copy = _duplicate(world)
    assert [stage["title"] for stage in copy["stages"]] == ["Open", "In Progress", "Completed"]
    assert [field["title"] for field in copy["custom_fields"]][:2] == ["Cost", "Place"]
    assert copy["labels"] == []
    assert _tasks(world, copy["id"]) == {}
    assert world.ask("bob", "GET", f"/projects/{copy['id']}").status == 403
    source = world.done("ann", "GET", "/projects/1").at("board")
    for name in ("background", "currency", "type", "description"):
        assert copy[name] == source[name]


def test_a_duplicate_with_everything_is_a_board_of_its_own(world: World) -> None:
    _put(world, 1, "assignees", [2, 3])
    _put(world, 2, "status", "closed")
    world.done("ann", "PUT", "/projects/1/labels/1", {"label": "Urgent", "bg_color": "#ff0000"})
    settings = {"settings": {"default_task_assignees": [2, 3]}}
    world.done("ann", "PUT", "/projects/1/update-stage/1", settings)
    copy = _duplicate(world, isWithTasks="yes", isWithLabels="yes", isWithTemplates="yes")
    assert copy["stages"][0]["settings"]["default_task_assignees"] == [2]
    assert copy["labels"][0]["title"] == "Urgent"
    tasks = _tasks(world, copy["id"])
    assert sorted(tasks) == ["Dig", "Loose", "Sow"]
    dig = tasks["Dig"]
    assert dig["stage_id"] == copy["stages"][0]["id"]
    assert [person["ID"] for person in dig["assignees"]] == [2]
    assert dig["labels"][0]["id"] == copy["labels"][0]["id"]
    assert dig["task_custom_fields"][0]["foreign_id"] == copy["custom_fields"][1]["id"]
    assert (dig["settings"]["subtask_count"], dig["comments_count"]) == (3, 0)
    assert tasks["Sow"]["status"] == "closed"
    path = f"/projects/{copy['id']}/tasks/{dig['id']}/subtasks"
    groups = world.done("ann", "GET", path).at("subtaskGroups")
    assert [[task["title"] for task in group["subtasks"]] for group in groups] == [
        ["Spade", "Rake"],
        ["Peas"],
    ]
    world.done("ann", "DELETE", f"/projects/{copy['id']}")
    assert sorted(_tasks(world, 1)) == ["Dig", "Loose", "Sow"]
    assert subtasks_in(world) == {1: [4, 5], 2: [6]}


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({"isWithTasks": "yes"}, ["Loose", "Sow"]),
        ({"isWithTemplates": "yes"}, ["Dig"]),
        ({"isWithTasks": "no", "isWithTemplates": "no"}, []),
    ],
)
def test_templates_are_copied_apart(
    world: World, flags: dict[str, str], expected: list[str]
) -> None:
    _put(world, 1, "is_template", value=True)
    copy = _duplicate(world, **flags)
    assert sorted(_tasks(world, copy["id"])) == expected


def test_what_is_archived_stays_behind(world: World) -> None:
    _put(world, 9, "archived_at", value=True)
    world.done("ann", "PUT", "/projects/1/archive-stage/2")
    copy = _duplicate(world, isWithTasks="yes")
    assert list(_tasks(world, copy["id"])) == ["Dig", "Sow"]
    assert len(copy["stages"]) == 2


def test_both_boards_record_a_duplication(world: World) -> None:
    copy = _duplicate(world, isWithTasks="yes")
    records = world.done("ann", "GET", f"/projects/{copy['id']}/activities").at("activities.data")
    assert records[-1]["description"] == "copy of “Garden”"
    assert [record["new_value"] for record in records[:-1]] == ["Loose", "Sow", "Dig"]
    latest = world.done("ann", "GET", "/projects/1/activities").at("activities.data.0")
    assert (latest["action"], latest["new_value"]) == ("duplicated", "Copy")


def test_an_administrator_who_is_no_member_owns_the_copy(world: World) -> None:
    copy = _duplicate(world, "root", isWithTasks="yes")
    assert [user["user_login"] for user in copy["users"]] == ["root"]
    assert copy["owner"]["user_login"] == "root"
