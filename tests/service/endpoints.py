"""What every endpoint is asked in `test_endpoints.py`, one entry each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Refusal:
    """A request that is refused, with what the refusal says."""

    path: str
    status: int
    code: str
    body: Any = None
    field: str | None = None


@dataclass(frozen=True)
class Endpoint:
    """A route and the requests that try it.

    `least` is the person with the least role who may; `seen` maps dotted paths in the answer to
    values; `refusals` are asked by the same person.
    """

    route: str
    path: str
    least: str
    body: Any = None
    status: int = 200
    seen: Mapping[str, Any] = field(default_factory=dict)
    refusals: tuple[Refusal, ...] = ()

    @property
    def method(self) -> str:
        return self.route.split()[0]


_BOARD = "/projects/{board_id:id}"
_TASK = _BOARD + "/tasks/{task_id:id}"


def _gone(path: str, thing: str, body: object = None) -> Refusal:
    return Refusal(path, 404, f"{thing}_not_found", body)


def _wrong(path: str, name: str, body: object) -> Refusal:
    return Refusal(path, 422, "invalid_field", body, name)


_CLAIM = {"stageId": 1, "assignees": [], "labels": [], "newStageId": 2}

ENDPOINTS = (
    # boards
    Endpoint(
        "GET /projects",
        "/projects",
        "vic",
        seen={"boards.total": 1, "boards.data.0.title": "Garden", "boards.data.0.users.#": 3},
        refusals=(
            _wrong("/projects?per_page=-1", "per_page", None),
            _wrong("/projects?page=x", "page", None),
            _wrong("/projects?order_by=password_hash", "order_by", None),
        ),
    ),
    Endpoint(
        "POST /projects",
        "/projects",
        "sam",
        {"board": {"title": " New\tone ", "type": "to-do"}},
        201,
        {"board.title": "New one", "board.type": "to-do", "board.stages.#": 3},
        (
            _wrong("/projects", "board", {}),
            _wrong("/projects", "board.title", {"board": {"type": "to-do"}}),
            _wrong("/projects", "board.title", {"board": {"title": " ", "type": "to-do"}}),
            _wrong("/projects", "board.type", {"board": {"title": "x"}}),
            _wrong("/projects", "board.type", {"board": {"title": "x", "type": "list"}}),
        ),
    ),
    Endpoint(
        f"GET {_BOARD}",
        "/projects/1",
        "vic",
        seen={
            "board.title": "Garden",
            "board.owner.user_login": "ann",
            "board.users.#": 3,
            "board.users.2.role": "viewer",
            "board.stages.#": 3,
            "board.stages.2.settings.default_task_status": "closed",
            "board.labels.#": 5,
            "board.labels.0.title": None,
            "board.labels.0.bg_color": "#4bce97",
            "board.labels.0.position": "1.00",
            "board.completed_tasks_count": "0",
            "board.stages.0.settings.is_template": False,
            "board.labelColor.green": "#4bce97",
            "board.labelColorText.green_dark": "#fff",
            "board.custom_fields": [],
            "board.isUserOnlyViewer": True,
            "board.settings.tasks_count": 2,
        },
        refusals=(_gone("/projects/77", "board"), _gone(f"/projects/{2**63}", "board")),
    ),
    Endpoint(
        f"PUT {_BOARD}",
        "/projects/1",
        "bob",
        {"title": "Park", "description": '<b onclick="x()">green</b><script>bad()</script>'},
        seen={"board.title": "Park", "board.description": "<b>green</b>", "stages.#": 3},
        refusals=(
            _gone("/projects/77", "board", {"title": "x"}),
            _wrong("/projects/1", "title", {"description": "x"}),
            _wrong("/projects/1", "title", {"title": "x" * 1_001}),
        ),
    ),
    Endpoint(
        f"PUT {_BOARD}/archive-board",
        "/projects/1/archive-board",
        "ann",
        seen={"board.archived_at": "2026-11-21 13:30:00"},
        refusals=(_gone("/projects/77/archive-board", "board"),),
    ),
    Endpoint(
        f"PUT {_BOARD}/restore-board",
        "/projects/1/restore-board",
        "ann",
        seen={"board.archived_at": None},
        refusals=(_gone("/projects/77/restore-board", "board"),),
    ),
    Endpoint(
        f"DELETE {_BOARD}",
        "/projects/1",
        "ann",
        seen={"message": "Board has been deleted"},
        refusals=(_gone("/projects/77", "board"),),
    ),
    Endpoint(
        f"GET {_BOARD}/activities",
        "/projects/1/activities",
        "vic",
        seen={
            "activities.per_page": 20,
            "activities.data.0.column": "comment",
            "activities.data.0.user.user_login": "bob",
        },
        refusals=(_wrong("/projects/1/activities?page=0", "page", None),),
    ),
    Endpoint(
        f"GET {_BOARD}/has-data-changed",
        "/projects/1/has-data-changed?since=2026-11-20%2000:00:00",
        "vic",
        seen={"has_changes": True},
        refusals=(
            _wrong("/projects/1/has-data-changed", "since", None),
            _wrong("/projects/1/has-data-changed?since=yesterday", "since", None),
        ),
    ),
    # stages
    Endpoint(
        f"POST {_BOARD}/stage-create",
        "/projects/1/stage-create",
        "bob",
        {"title": "Done at last", "status": "closed"},
        seen={
            "updatedStages.0.title": "Done at last",
            "updatedStages.0.position": 4,
            "updatedStages.0.settings.default_task_status": "closed",
        },
        refusals=(
            _wrong("/projects/1/stage-create", "title", {}),
            _wrong("/projects/1/stage-create", "position", {"title": "x", "position": "last"}),
            _wrong("/projects/1/stage-create", "status", {"title": "x", "status": "half"}),
        ),
    ),
    Endpoint(
        f"PUT {_BOARD}/update-stage/{{stage_id:id}}",
        "/projects/1/update-stage/2",
        "bob",
        {"title": "Busy", "settings": {"limit": 3}, "bg_color": "#4bce97"},
        seen={
            "data.title": "Busy",
            "data.bg_color": "#4bce97",
            "data.settings": {
                "limit": 3,
                "default_task_status": "open",
                "default_task_assignees": [],
                "is_template": False,
            },
        },
        refusals=(
            _gone("/projects/1/update-stage/77", "stage", {"title": "x"}),
            _wrong("/projects/1/update-stage/2", "title", {"title": 7}),
            _wrong("/projects/1/update-stage/2", "bg_color", {"bg_color": "green"}),
            _wrong(
                "/projects/1/update-stage/2",
                "settings.default_task_status",
                {"settings": {"default_task_status": "half"}},
            ),
            _wrong(
                "/projects/1/update-stage/2",
                "settings.is_template",
                {"settings": {"is_template": "perhaps"}},
            ),
        ),
    ),
    Endpoint(
        f"PUT {_BOARD}/archive-stage/{{stage_id:id}}",
        "/projects/1/archive-stage/2",
        "bob",
        seen={"updatedStage.position": 0, "updatedStage.archived_at": "2026-11-21 13:30:00"},
        refusals=(_gone("/projects/1/archive-stage/5", "stage"),),
    ),
    Endpoint(
        f"PUT {_BOARD}/restore-stage/{{stage_id:id}}",
        "/projects/1/restore-stage/7",
        "bob",
        seen={"success": True, "updatedStage.position": 4, "updatedStage.archived_at": None},
        refusals=(_gone("/projects/1/restore-stage/77", "stage"),),
    ),
    Endpoint(
        f"PUT {_BOARD}/re-position-stages",
        "/projects/1/re-position-stages",
        "bob",
        {"list": [3, "1"]},
        seen={"updatedStages.0.id": 3, "updatedStages.1.id": 1, "updatedStages.2.id": 2},
        refusals=(
            _wrong("/projects/1/re-position-stages", "list", {}),
            _wrong("/projects/1/re-position-stages", "list", {"list": []}),
            _wrong("/projects/1/re-position-stages", "list", {"list": [1, 5]}),
            _wrong("/projects/1/re-position-stages", "list", {"list": "1,2"}),
        ),
    ),
    Endpoint(
        f"GET {_BOARD}/archived-stages",
        "/projects/1/archived-stages?noPagination=true",
        "vic",
        seen={"stages.total": 1, "stages.data.0.title": "Gone"},
        refusals=(_wrong("/projects/1/archived-stages?noPagination=maybe", "noPagination", None),),
    ),
    Endpoint(
        f"PUT {_BOARD}/stage/{{stage_id:id}}/archive-all-task",
        "/projects/1/stage/1/archive-all-task",
        "bob",
        seen={
            "updatedTasks.#": 2,
            "updatedTasks.0.position": 0,
            "updatedTasks.1.archived_at": "2026-11-21 13:30:00",
        },
        refusals=(_gone("/projects/1/stage/77/archive-all-task", "stage"),),
    ),
    Endpoint(
        f"PUT {_BOARD}/stage/{{stage_id:id}}/sort-task",
        "/projects/1/stage/1/sort-task",
        "bob",
        {"order": "title", "orderBy": "DESC"},
        seen={"updatedTasks.0.title": "Sow", "updatedTasks.1.title": "Dig"},
        refusals=(
            _gone("/projects/1/stage/77/sort-task", "stage", {"order": "title", "orderBy": "ASC"}),
            _wrong("/projects/1/stage/1/sort-task", "order", {"order": "id", "orderBy": "ASC"}),
            _wrong("/projects/1/stage/1/sort-task", "orderBy", {"order": "title"}),
        ),
    ),
    Endpoint(
        f"GET {_BOARD}/stage-task-available-positions/{{stage_id:id}}",
        "/projects/1/stage-task-available-positions/1",
        "vic",
        seen={"data": {"stage_id": 1, "available_positions": [1, 2, 3], "current_task_count": 2}},
        refusals=(_gone("/projects/1/stage-task-available-positions/77", "stage"),),
    ),
    # tasks
    Endpoint(
        f"GET {_BOARD}/tasks",
        "/projects/1/tasks",
        "vic",
        seen={"tasks.#": 2, "tasks.0.labels.0.pivot.object_id": 1, "tasks.0.comments_count": 1},
        refusals=(_gone("/projects/77/tasks", "board"),),
    ),
    Endpoint(
        f"POST {_BOARD}/tasks",
        "/projects/1/tasks",
        "bob",
        {"task": {"title": "[b]Rake[/b]\x1b[31m", "board_id": "1", "stage_id": 1}},
        seen={
            "task.title": "[b]Rake[/b]",
            "task.status": "open",
            "task.priority": "low",
            "task.position": 3,
            "task.is_watching": True,
            "updatedTasks.#": 1,
        },
        refusals=(
            _wrong("/projects/1/tasks", "task", {}),
            _wrong("/projects/1/tasks", "task.title", {"task": {"board_id": 1, "stage_id": 1}}),
            _wrong("/projects/1/tasks", "task.stage_id", {"task": {"title": "x", "board_id": 1}}),
            _wrong(
                "/projects/1/tasks",
                "task.board_id",
                {"task": {"title": "x", "board_id": 2, "stage_id": 4}},
            ),
            _wrong(
                "/projects/1/tasks",
                "task.priority",
                {"task": {"title": "x", "board_id": 1, "stage_id": 1, "priority": "huge"}},
            ),
            _gone(
                "/projects/1/tasks", "stage", {"task": {"title": "x", "board_id": 1, "stage_id": 4}}
            ),
            Refusal(
                "/projects/1/tasks",
                409,
                "stage_archived",
                {"task": {"title": "x", "board_id": 1, "stage_id": 7}},
            ),
        ),
    ),
    Endpoint(
        f"GET {_TASK}",
        "/projects/1/tasks/1",
        "vic",
        seen={
            "task.title": "Dig",
            "task.board.title": "Garden",
            "task.stage.title": "Open",
            "task.nextStage": "In Progress",
            "task.attachments": [],
            "task.watchers.0.user_login": "ann",
            "task.is_watching": False,
        },
        refusals=(
            _gone("/projects/1/tasks/77", "task"),
            Refusal("/projects/1/tasks/first", 404, "rest_no_route"),
        ),
    ),
    Endpoint(
        f"PUT {_TASK}",
        "/projects/1/tasks/1",
        "bob",
        {"property": "title", "value": "Dig deep"},
        seen={"task.title": "Dig deep", "updatedTasks.0.id": 1},
        refusals=(
            _gone("/projects/1/tasks/77", "task", {"property": "title", "value": "x"}),
            _wrong("/projects/1/tasks/1", "property", {"value": "x"}),
            _wrong("/projects/1/tasks/1", "property", {"property": "created_by", "value": 1}),
            _wrong("/projects/1/tasks/1", "value", {"property": "title"}),
        ),
    ),
    Endpoint(
        f"DELETE {_TASK}",
        "/projects/1/tasks/1",
        "bob",
        seen={"message": "Task has been deleted", "updatedTasks": []},
        refusals=(_gone("/projects/1/tasks/77", "task"),),
    ),
    Endpoint(
        f"PUT {_TASK}/move-task",
        "/projects/1/tasks/2/move-task",
        "bob",
        {"newStageId": 1, "newIndex": 1},
        seen={
            "task.position": 0.5,
            "task.stage_id": 1,
            "updatedTasks.#": 1,
            "last_updated": "2026-11-21 13:30:00",
        },
        refusals=(
            _wrong("/projects/1/tasks/2/move-task", "newStageId", {"newIndex": 1}),
            _wrong("/projects/1/tasks/2/move-task", "newIndex", {"newStageId": 1, "newIndex": 0}),
            _wrong(
                "/projects/1/tasks/2/move-task", "newIndex", {"newStageId": 1, "newIndex": "top"}
            ),
            _gone("/projects/1/tasks/2/move-task", "stage", {"newStageId": 4}),
            _gone("/projects/1/tasks/2/move-task", "stage", {"newStageId": 2**70}),
            _gone("/projects/1/tasks/77/move-task", "task", {"newStageId": 1}),
            Refusal("/projects/1/tasks/2/move-task", 409, "stage_archived", {"newStageId": 7}),
            Refusal("/projects/1/tasks/3/move-task", 409, "task_archived", {"newStageId": 1}),
            Refusal(
                "/projects/1/tasks/2/move-task",
                403,
                "forbidden",
                {"newStageId": 4, "newBoardId": 2},
            ),
        ),
    ),
    Endpoint(
        f"PUT {_TASK}/claim",
        "/projects/1/tasks/2/claim",
        "bob",
        {**_CLAIM, "labelId": 1, "comment": "◇ codex: claimed"},
        seen={"task.stage_id": 2, "task.assignees.#": 1, "updatedTasks.#": 1},
        refusals=(
            _wrong("/projects/1/tasks/2/claim", "labels", {**_CLAIM, "labels": "x"}),
            _gone("/projects/1/tasks/77/claim", "task", _CLAIM),
            _gone("/projects/1/tasks/2/claim", "stage", {**_CLAIM, "newStageId": 4}),
            _gone("/projects/1/tasks/2/claim", "label", {**_CLAIM, "labelId": 99}),
            Refusal("/projects/1/tasks/2/claim", 409, "task_claimed", {**_CLAIM, "stageId": 2}),
            Refusal("/projects/1/tasks/2/claim", 409, "task_claimed", {**_CLAIM, "assignees": [2]}),
            Refusal("/projects/1/tasks/2/claim", 409, "task_claimed", {**_CLAIM, "labels": [1]}),
            Refusal("/projects/1/tasks/3/claim", 409, "task_archived", _CLAIM),
        ),
    ),
    Endpoint(
        f"GET {_TASK}/activities",
        "/projects/1/tasks/1/activities",
        "vic",
        seen={
            "activities.per_page": 15,
            "activities.data.0.action": "created",
            "activities.data.0.object_type": "task_activity",
            "activities.data.0.object_id": "1",
        },
        refusals=(
            _gone("/projects/1/tasks/77/activities", "task"),
            _wrong("/projects/1/tasks/1/activities?filter=best", "filter", None),
        ),
    ),
    # comments
    Endpoint(
        f"GET {_TASK}/comments",
        "/projects/1/tasks/1/comments",
        "vic",
        seen={
            "total": 1,
            "comments.per_page": 10,
            "comments.data.0.settings.raw_description": "Mind the roots",
            "comments.data.0.user.user_login": "bob",
        },
        refusals=(
            _gone("/projects/1/tasks/77/comments", "task"),
            _wrong("/projects/1/tasks/1/comments?filter=best", "filter", None),
        ),
    ),
    Endpoint(
        f"POST {_TASK}/comments",
        "/projects/1/tasks/1/comments",
        "bob",
        {"comment": "a < b & see https://x.org/a.", "comment_type": "comment"},
        seen={
            "comment.description": 'a &lt; b &amp; see <a href="https://x.org/a">https://x.org/a</a>.',
            "comment.author_name": "Bob",
            "comment.task.comments_count": 2,
        },
        refusals=(
            _gone(
                "/projects/1/tasks/77/comments", "task", {"comment": "x", "comment_type": "comment"}
            ),
            _wrong("/projects/1/tasks/1/comments", "comment_type", {"comment": "x"}),
            Refusal(
                "/projects/1/tasks/1/comments",
                400,
                "comment_empty",
                {"comment": " \x1b[2J ", "comment_type": "comment"},
            ),
            _wrong(
                "/projects/1/tasks/1/comments",
                "comment",
                {"comment": "ä" * 40_000, "comment_type": "comment"},
            ),
            _gone(
                "/projects/1/tasks/1/comments", "image", {"images": [1], "comment_type": "comment"}
            ),
            Refusal(
                "/projects/1/tasks/1/comments",
                403,
                "forbidden",
                {"comment": "I quit", "comment_type": "comment", "comment_by": 2},
            ),
        ),
    ),
    Endpoint(
        f"PUT {_TASK}/comments/{{comment_id:id}}",
        "/projects/1/tasks/1/comments/1",
        "bob",
        {"comment": "Mind the worms"},
        seen={"comment.settings.raw_description": "Mind the worms", "comment.id": 1},
        refusals=(
            _gone("/projects/1/tasks/1/comments/77", "comment", {"comment": "x"}),
            _gone("/projects/1/tasks/2/comments/1", "comment", {"comment": "x"}),
            Refusal("/projects/1/tasks/1/comments/1", 400, "comment_empty", {}),
        ),
    ),
    Endpoint(
        f"DELETE {_BOARD}/tasks/comments/{{comment_id:id}}",
        "/projects/1/tasks/comments/1",
        "bob",
        seen={"message": "Comment has been deleted"},
        refusals=(_gone("/projects/1/tasks/comments/77", "comment"),),
    ),
    # labels
    Endpoint(
        f"GET {_BOARD}/labels",
        "/projects/1/labels",
        "vic",
        seen={"labels.#": 5, "labels.4.slug": "purple"},
        refusals=(_gone("/projects/77/labels", "board"),),
    ),
    Endpoint(
        f"POST {_BOARD}/labels",
        "/projects/1/labels",
        "bob",
        {"label": "Urgent", "color": "#fff", "bg_color": "#ff0000"},
        seen={"label.title": "Urgent", "label.bg_color": "#ff0000", "label.position": "6.00"},
        refusals=(
            _wrong("/projects/1/labels", "bg_color", {"color": "#fff"}),
            _wrong("/projects/1/labels", "color", {"bg_color": "#fff"}),
            _wrong("/projects/1/labels", "color", {"bg_color": "#fff", "color": "red"}),
        ),
    ),
    Endpoint(
        f"PUT {_BOARD}/labels/{{label_id:id}}",
        "/projects/1/labels/1",
        "bob",
        {"label": "Plant", "bg_color": "#00ff00"},
        seen={"label.title": "Plant", "label.bg_color": "#00ff00", "label.color": "#1B2533"},
        refusals=(
            _gone("/projects/1/labels/77", "label", {"bg_color": "#fff"}),
            _wrong("/projects/1/labels/1", "bg_color", {"label": "x"}),
        ),
    ),
    Endpoint(
        f"DELETE {_BOARD}/labels/{{label_id:id}}",
        "/projects/1/labels/1",
        "bob",
        seen={"message": "Label has been deleted", "type": "success"},
        refusals=(_gone("/projects/1/labels/6", "label"),),
    ),
    Endpoint(
        f"GET {_BOARD}/labels/used-in-tasks",
        "/projects/1/labels/used-in-tasks",
        "vic",
        seen={"labels.#": 1, "labels.0.id": 1},
        refusals=(_gone("/projects/77/labels/used-in-tasks", "board"),),
    ),
    Endpoint(
        f"POST {_BOARD}/labels/task",
        "/projects/1/labels/task",
        "bob",
        {"taskId": 2, "labelId": 3},
        seen={"label.id": 3, "label.pivot.object_id": 2, "label.pivot.foreign_id": 3},
        refusals=(
            _wrong("/projects/1/labels/task", "taskId", {"labelId": 3}),
            _wrong("/projects/1/labels/task", "labelId", {"taskId": 2}),
            _gone("/projects/1/labels/task", "task", {"taskId": 77, "labelId": 3}),
            _gone("/projects/1/labels/task", "label", {"taskId": 2, "labelId": 6}),
        ),
    ),
    Endpoint(
        f"GET {_TASK}/labels",
        "/projects/1/tasks/1/labels",
        "vic",
        seen={"labels.#": 1, "labels.0.pivot.foreign_id": 1},
        refusals=(_gone("/projects/1/tasks/77/labels", "task"),),
    ),
    Endpoint(
        f"DELETE {_TASK}/labels/{{label_id:id}}",
        "/projects/1/tasks/1/labels/1",
        "bob",
        seen={"message": "Label has been removed"},
        refusals=(
            _gone("/projects/1/tasks/77/labels/1", "task"),
            _gone("/projects/1/tasks/1/labels/77", "label"),
        ),
    ),
    # members
    Endpoint(
        f"GET {_BOARD}/users",
        "/projects/1/users",
        "vic",
        seen={
            "users.#": 3,
            "users.0.user_login": "ann",
            "users.0.role": "admin",
            "users.1.role": "member",
            "global_admins.0.user_login": "root",
        },
        refusals=(_gone("/projects/77/users", "board"),),
    ),
    Endpoint(
        f"GET {_BOARD}/assignees",
        "/projects/1/assignees",
        "vic",
        seen={"data.#": 3, "data.0.pivot.object_id": 1, "data.0.pivot.foreign_id": 2},
        refusals=(_gone("/projects/77/assignees", "board"),),
    ),
    Endpoint(
        f"POST {_BOARD}/add-members",
        "/projects/1/add-members",
        "ann",
        {"memberId": 5},
        seen={"member.user_login": "sam", "member.role": "member"},
        refusals=(
            _wrong("/projects/1/add-members", "memberId", {}),
            _gone("/projects/1/add-members", "user", {"memberId": 77}),
            Refusal("/projects/1/add-members", 409, "already_member", {"memberId": 3}),
        ),
    ),
    Endpoint(
        f"POST {_BOARD}/user/{{user_id:id}}/remove",
        "/projects/1/user/4/remove",
        "vic",
        seen={"message": "Member has been removed"},
        refusals=(Refusal("/projects/1/user/3/remove", 403, "forbidden"),),
    ),
)
