"""What the endpoints of copies, subtasks and custom fields are asked, in a detailed world."""

from tests.service.endpoints import Endpoint, Refusal
from tests.service.world import Form

_BOARD = "/projects/{board_id:id}"
_TASK = _BOARD + "/tasks/{task_id:id}"
_FIELD = _BOARD + "/custom-field/{custom_field_id:id}"
_CLONE = {
    "title": "Dig again",
    "stage_id": 1,
    "assignee": True,
    "subtask": True,
    "label": True,
    "attachment": False,
    "comment": True,
}


def _gone(path: str, thing: str, body: object = None) -> Refusal:
    return Refusal(path, 404, f"{thing}_not_found", body)


def _wrong(path: str, name: str, body: object) -> Refusal:
    return Refusal(path, 422, "invalid_field", body, name)


def _conflict(path: str, code: str, body: object = None) -> Refusal:
    return Refusal(path, 409, code, body)


def _field(title: str, kind: str, *options: str) -> Form:
    fields = {"title": title, "type": kind, "options][": list(options)}
    return Form({f"customField[{name}]": value for name, value in fields.items()})


COPY_ENDPOINTS = (
    Endpoint(
        f"POST {_BOARD}/duplicate-board",
        "/projects/1/duplicate-board",
        "bob",
        {"board": {"title": "Copy"}, "isWithTasks": "yes", "isWithLabels": "no"},
        seen={
            "board.title": "Copy",
            "board.owner.user_login": "bob",
            "board.users.#": 1,
            "board.users.0.role": "admin",
            "board.stages.#": 3,
            "board.stages.2.settings.default_task_status": "closed",
            "board.labels.#": 0,
            "board.custom_fields.#": 5,
            "board.settings.tasks_count": 3,
        },
        refusals=(
            _gone("/projects/77/duplicate-board", "board", {"board": {"title": "x"}}),
            _wrong("/projects/1/duplicate-board", "board", {}),
            _wrong("/projects/1/duplicate-board", "board.title", {"board": {}}),
            _wrong(
                "/projects/1/duplicate-board",
                "isWithTasks",
                {"board": {"title": "x"}, "isWithTasks": "some"},
            ),
        ),
    ),
    Endpoint(
        f"POST {_TASK}/clone-task",
        "/projects/1/tasks/1/clone-task",
        "bob",
        _CLONE,
        seen={
            "task.title": "Dig again",
            "task.slug": "dig-again",
            "task.status": "open",
            "task.stage.title": "Open",
            "task.position": 1.5,
            "task.created_by": 3,
            "task.comments_count": 1,
            "task.labels.0.id": 1,
            "task.settings.subtask_count": 3,
            "task.task_custom_fields.0.settings.value": "North",
            "task.is_watching": True,
            "updatedTasks.#": 1,
        },
        refusals=(
            _gone("/projects/1/tasks/77/clone-task", "task", _CLONE),
            _gone("/projects/1/tasks/1/clone-task", "stage", _CLONE | {"stage_id": 4}),
            _conflict("/projects/1/tasks/1/clone-task", "stage_archived", _CLONE | {"stage_id": 7}),
            _conflict("/projects/1/tasks/4/clone-task", "task_is_subtask", _CLONE),
            _wrong("/projects/1/tasks/1/clone-task", "title", _CLONE | {"title": ""}),
            _wrong("/projects/1/tasks/1/clone-task", "assignee", {"title": "x", "stage_id": 1}),
            _wrong("/projects/1/tasks/1/clone-task", "comment", _CLONE | {"comment": "some"}),
        ),
    ),
)

SUBTASK_ENDPOINTS = (
    Endpoint(
        f"GET {_TASK}/subtasks",
        "/projects/1/tasks/1/subtasks",
        "vic",
        seen={
            "subtaskGroups.#": 2,
            "subtaskGroups.0.value": "Tools",
            "subtaskGroups.0.task_id": 1,
            "subtaskGroups.0.subtasks.#": 2,
            "subtaskGroups.0.subtasks.0.title": "Spade",
            "subtaskGroups.0.subtasks.0.stage_id": None,
            "subtaskGroups.0.subtasks.0.meta": {"subtask_group_id": 1, "group_name": "Tools"},
            "subtaskGroups.0.subtasks.0.assignees.0.user_login": "bob",
            "subtaskGroups.1.subtasks.0.title": "Peas",
        },
        refusals=(_gone("/projects/1/tasks/77/subtasks", "task"),),
    ),
    Endpoint(
        f"POST {_TASK}/subtasks",
        "/projects/1/tasks/1/subtasks",
        "bob",
        {"title": " Fork\x1b[31m ", "group_id": 1, "due_at": "2027-01-01T10:00:00.000Z"},
        seen={
            "subtask.title": "Fork",
            "subtask.parent_id": 1,
            "subtask.stage_id": None,
            "subtask.position": 3,
            "subtask.due_at": "2027-01-01 12:00:00",
            "subtask.meta": {"subtask_group_id": 1, "group_name": "Tools"},
            "message": "Subtask has been added",
        },
        refusals=(
            _gone("/projects/1/tasks/77/subtasks", "task", {"title": "x", "group_id": 1}),
            _gone("/projects/1/tasks/1/subtasks", "subtask_group", {"title": "x", "group_id": 3}),
            _gone(
                "/projects/1/tasks/1/subtasks", "subtask_group", {"title": "x", "group_id": 2**70}
            ),
            _conflict(
                "/projects/1/tasks/4/subtasks", "task_is_subtask", {"title": "x", "group_id": 1}
            ),
            _wrong("/projects/1/tasks/1/subtasks", "title", {"group_id": 1}),
            _wrong("/projects/1/tasks/1/subtasks", "group_id", {"title": "x"}),
            _wrong(
                "/projects/1/tasks/1/subtasks",
                "due_at",
                {"title": "x", "group_id": 1, "due_at": "soon"},
            ),
        ),
    ),
    Endpoint(
        f"POST {_TASK}/subtask-group",
        "/projects/1/tasks/1/subtask-group",
        "bob",
        {"title": "Help"},
        seen={
            "subtaskGroup.value": "Help",
            "subtaskGroup.key": "group_name",
            "subtaskGroup.task_id": 1,
        },
        refusals=(
            _gone("/projects/1/tasks/77/subtask-group", "task", {"title": "x"}),
            _conflict("/projects/1/tasks/4/subtask-group", "task_is_subtask", {"title": "x"}),
            _wrong("/projects/1/tasks/1/subtask-group", "title", {"title": " "}),
        ),
    ),
    Endpoint(
        f"PUT {_TASK}/subtask-group",
        "/projects/1/tasks/1/subtask-group",
        "bob",
        {"group_id": "2", "title": "Plants"},
        seen={"subtaskGroup.id": 2, "subtaskGroup.value": "Plants"},
        refusals=(
            _gone(
                "/projects/1/tasks/1/subtask-group", "subtask_group", {"group_id": 3, "title": "x"}
            ),
            _wrong("/projects/1/tasks/1/subtask-group", "group_id", {"title": "x"}),
            _wrong("/projects/1/tasks/1/subtask-group", "title", {"group_id": 1}),
        ),
    ),
    Endpoint(
        f"DELETE {_TASK}/subtask-group",
        "/projects/1/tasks/1/subtask-group",
        "bob",
        {"group_id": 1},
        seen={"message": "Subtask group has been deleted"},
        refusals=(
            _gone("/projects/1/tasks/2/subtask-group", "subtask_group", {"group_id": 1}),
            _wrong("/projects/1/tasks/1/subtask-group", "group_id", {"group_id": "all"}),
        ),
    ),
    Endpoint(
        f"DELETE {_TASK}/delete-subtask",
        "/projects/1/tasks/4/delete-subtask",
        "bob",
        seen={
            "deletedSubtask.id": 4,
            "deletedSubtask.title": "Spade",
            "changedSubtasks.#": 2,
            "changedSubtasks.0.id": 6,
        },
        refusals=(
            _gone("/projects/1/tasks/1/delete-subtask", "subtask"),
            _gone("/projects/1/tasks/77/delete-subtask", "subtask"),
        ),
    ),
    Endpoint(
        f"POST {_TASK}/move-subtask",
        "/projects/1/tasks/1/move-subtask",
        "bob",
        {"group_id": 2, "subtask_id": [5, 4]},
        seen={
            "subtask.id": 5,
            "subtask.parent_id": 1,
            "subtask.position": 2,
            "subtask.meta.group_name": "Seeds",
            "subtasks.1.id": 4,
            "subtasks.1.position": 3,
            "subtasks.1.assignees.0.user_login": "bob",
        },
        refusals=(
            _gone(
                "/projects/1/tasks/1/move-subtask",
                "subtask_group",
                {"group_id": 3, "subtask_id": 4},
            ),
            _gone("/projects/1/tasks/1/move-subtask", "subtask", {"group_id": 2, "subtask_id": 8}),
            _gone("/projects/1/tasks/1/move-subtask", "subtask", {"group_id": 2, "subtask_id": 2}),
            _conflict(
                "/projects/1/tasks/1/move-subtask",
                "task_archived",
                {"group_id": 2, "subtask_id": [4, 7]},
            ),
            _wrong("/projects/1/tasks/1/move-subtask", "subtask_id", {"group_id": 2}),
            _wrong(
                "/projects/1/tasks/1/move-subtask",
                "subtask_id",
                {"group_id": 2, "subtask_id": []},
            ),
            _wrong("/projects/1/tasks/1/move-subtask", "group_id", {"subtask_id": 4}),
        ),
    ),
    Endpoint(
        f"PUT {_BOARD}/tasks/update-subtask-position/{{subtask_id:id}}",
        "/projects/1/tasks/update-subtask-position/6",
        "bob",
        {"newPosition": 2, "newSubtasksGroupId": 1},
        seen={
            "changedSubtasks.#": 3,
            "changedSubtasks.1.id": 6,
            "changedSubtasks.1.position": 1.5,
            "changedSubtasks.1.meta.subtask_group_id": 1,
            "changedSubtasks.0.assignees.0.user_login": "bob",
        },
        refusals=(
            _gone("/projects/1/tasks/update-subtask-position/1", "subtask", {"newPosition": 1}),
            _gone(f"/projects/1/tasks/update-subtask-position/{2**63}", "subtask", {}),
            _gone(
                "/projects/1/tasks/update-subtask-position/6",
                "subtask_group",
                {"newPosition": 1, "newSubtasksGroupId": 3},
            ),
            _conflict(
                "/projects/1/tasks/update-subtask-position/7", "task_archived", {"newPosition": 1}
            ),
            _wrong("/projects/1/tasks/update-subtask-position/6", "newPosition", {}),
            _wrong(
                "/projects/1/tasks/update-subtask-position/6", "newPosition", {"newPosition": 0}
            ),
        ),
    ),
    Endpoint(
        f"PUT {_TASK}/convert-to-subtask",
        "/projects/1/tasks/9/convert-to-subtask",
        "bob",
        {"parent_id": 1, "assigneeId": 4, "subtaskGroupId": 2},
        seen={"parentTask.id": 1, "parentTask.settings.subtask_count": 4},
        refusals=(
            _gone("/projects/1/tasks/77/convert-to-subtask", "task", {"parent_id": 1}),
            _gone("/projects/1/tasks/9/convert-to-subtask", "task", {"parent_id": 77}),
            _gone(
                "/projects/1/tasks/9/convert-to-subtask",
                "subtask_group",
                {"parent_id": 1, "subtaskGroupId": 3},
            ),
            _gone(
                "/projects/1/tasks/9/convert-to-subtask",
                "member",
                {"parent_id": 1, "assigneeId": 5},
            ),
            _wrong("/projects/1/tasks/9/convert-to-subtask", "parent_id", {}),
            _wrong("/projects/1/tasks/9/convert-to-subtask", "parent_id", {"parent_id": 9}),
            _conflict(
                "/projects/1/tasks/9/convert-to-subtask", "task_is_subtask", {"parent_id": 4}
            ),
            _conflict(
                "/projects/1/tasks/9/convert-to-subtask", "parent_archived", {"parent_id": 3}
            ),
            _conflict(
                "/projects/1/tasks/1/convert-to-subtask", "task_has_subtasks", {"parent_id": 2}
            ),
            _conflict("/projects/1/tasks/3/convert-to-subtask", "task_archived", {"parent_id": 1}),
            _conflict(
                "/projects/1/tasks/4/convert-to-subtask", "task_is_subtask", {"parent_id": 1}
            ),
        ),
    ),
    Endpoint(
        f"PUT {_TASK}/move-to-board",
        "/projects/1/tasks/4/move-to-board",
        "bob",
        {"stage_id": 2},
        seen={
            "moveSubtask.id": 4,
            "moveSubtask.parent_id": None,
            "moveSubtask.stage_id": 2,
            "moveSubtask.status": "open",
            "moveSubtask.meta": {},
            "moveSubtask.task_custom_fields.0.settings.value": "12.50",
            "changedSubtasks.#": 2,
        },
        refusals=(
            _gone("/projects/1/tasks/1/move-to-board", "subtask", {"stage_id": 2}),
            _gone("/projects/1/tasks/4/move-to-board", "stage", {"stage_id": 4}),
            _conflict("/projects/1/tasks/4/move-to-board", "stage_archived", {"stage_id": 7}),
            _conflict("/projects/1/tasks/7/move-to-board", "task_archived", {"stage_id": 2}),
            _wrong("/projects/1/tasks/4/move-to-board", "stage_id", {}),
        ),
    ),
    Endpoint(
        f"POST {_TASK}/clone-subtask",
        "/projects/1/tasks/4/clone-subtask",
        "bob",
        seen={
            "subtask.title": "Spade (cloned)",
            "subtask.parent_id": 1,
            "subtask.position": 1.5,
            "subtask.meta.group_name": "Tools",
            "subtask.assignees.0.user_login": "bob",
            "subtask.labels.0.id": 2,
            "subtask.task_custom_fields.0.settings.value": "12.50",
        },
        refusals=(
            _gone("/projects/1/tasks/1/clone-subtask", "subtask"),
            _conflict("/projects/1/tasks/7/clone-subtask", "task_archived"),
        ),
    ),
)

FIELD_ENDPOINTS = (
    Endpoint(
        f"GET {_BOARD}/custom-fields",
        "/projects/1/custom-fields",
        "vic",
        seen={
            "customFields.#": 5,
            "customFields.0.title": "Cost",
            "customFields.0.type": "custom-field",
            "customFields.0.settings": {"custom_field_type": "number"},
            "customFields.1.settings": {
                "custom_field_type": "select",
                "select_options": ["North", "South"],
            },
        },
        refusals=(_gone("/projects/77/custom-fields", "board"),),
    ),
    Endpoint(
        f"POST {_BOARD}/custom-field",
        "/projects/1/custom-field",
        "ann",
        _field("Size\x07", "select", "S", " M ", "S"),
        seen={
            "customField.title": "Size",
            "customField.slug": "size",
            "customField.position": 6,
            "customField.settings.select_options": ["S", "M"],
        },
        refusals=(
            _wrong("/projects/1/custom-field", "customField", Form({})),
            _wrong("/projects/1/custom-field", "customField.title", Form({"customField[x]": "y"})),
            _wrong("/projects/1/custom-field", "customField.title", _field(" ", "text")),
            _wrong("/projects/1/custom-field", "customField.type", _field("x", "colour")),
            _wrong(
                "/projects/1/custom-field", "customField.type", Form({"customField[title]": "x"})
            ),
            _wrong("/projects/1/custom-field", "customField.options", _field("x", "select")),
            _wrong(
                "/projects/1/custom-field", "customField.options.1", _field("x", "select", "a", "")
            ),
            _wrong(
                "/projects/1/custom-field",
                "customField.options",
                _field("x", "select", *map(str, range(201))),
            ),
        ),
    ),
    Endpoint(
        f"PUT {_FIELD}",
        "/projects/1/custom-field/2",
        "ann",
        _field("Bed", "select", "North", "West"),
        seen={
            "customField.id": 2,
            "customField.title": "Bed",
            "customField.position": 2,
            "customField.settings.select_options": ["North", "West"],
        },
        refusals=(
            _gone("/projects/1/custom-field/77", "custom_field", _field("x", "text")),
            _gone(f"/projects/1/custom-field/{2**63}", "custom_field", _field("x", "text")),
            _conflict("/projects/1/custom-field/2", "values_in_the_way", _field("x", "date")),
            _wrong(
                "/projects/1/custom-field/2", "customField.title", Form({"customField[t]": "x"})
            ),
            _wrong("/projects/1/custom-field/2", "customField.type", _field("x", "")),
        ),
    ),
    Endpoint(
        f"PUT {_FIELD}/update-position",
        "/projects/1/custom-field/3/update-position",
        "ann",
        Form({"newIndex": 1}),
        seen={"message": "Custom field has been moved"},
        refusals=(
            _gone(
                "/projects/1/custom-field/77/update-position", "custom_field", Form({"newIndex": 1})
            ),
            _wrong("/projects/1/custom-field/3/update-position", "newIndex", Form({"index": 1})),
            _wrong("/projects/1/custom-field/3/update-position", "newIndex", Form({"newIndex": 0})),
        ),
    ),
    Endpoint(
        f"DELETE {_FIELD}",
        "/projects/1/custom-field/2",
        "ann",
        seen={"message": "Custom field has been deleted"},
        refusals=(_gone("/projects/1/custom-field/77", "custom_field"),),
    ),
    Endpoint(
        f"GET {_TASK}/custom-fields",
        "/projects/1/tasks/1/custom-fields",
        "vic",
        seen={
            "customFields.#": 1,
            "customFields.0.object_id": 1,
            "customFields.0.object_type": "task_custom_field",
            "customFields.0.foreign_id": 2,
            "customFields.0.settings": {"value": "North"},
            "customFields.0.preferences": None,
        },
        refusals=(_gone("/projects/1/tasks/77/custom-fields", "task"),),
    ),
    Endpoint(
        f"POST {_TASK}/custom-fields",
        "/projects/1/tasks/1/custom-fields",
        "bob",
        {"custom_field_id": 2, "value": "South"},
        seen={"customField.id": 2, "customField.title": "Place"},
        refusals=(
            _gone(
                "/projects/1/tasks/77/custom-fields", "task", {"custom_field_id": 2, "value": "x"}
            ),
            _gone(
                "/projects/1/tasks/1/custom-fields",
                "custom_field",
                {"custom_field_id": 77, "value": "x"},
            ),
            _wrong("/projects/1/tasks/1/custom-fields", "custom_field_id", {"value": "x"}),
            _wrong("/projects/1/tasks/1/custom-fields", "value", {"custom_field_id": 2}),
            _wrong(
                "/projects/1/tasks/1/custom-fields",
                "value",
                {"custom_field_id": 2, "value": "East"},
            ),
        ),
    ),
)

DETAIL_ENDPOINTS = COPY_ENDPOINTS + SUBTASK_ENDPOINTS + FIELD_ENDPOINTS
