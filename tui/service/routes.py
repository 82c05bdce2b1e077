"""Every endpoint of the service, one line each: method, path, who answers, the least role.

The rule it keeps: what is not in this table does not exist and answers 404 `rest_no_route`. A new
resource group is a module of handlers and its lines here.
"""

from tui.service import (
    activity,
    boards,
    changes,
    comments,
    labels,
    members,
    move,
    stages,
    task_properties,
    tasks,
)
from tui.service.accounts import Role
from tui.service.call import Route

_VIEWER, _MEMBER, _ADMIN = Role.VIEWER, Role.MEMBER, Role.ADMIN

_BOARD = "/projects/{board_id:int}"
_STAGE = _BOARD + "/stage/{stage_id:int}"
_TASK = _BOARD + "/tasks/{task_id:int}"

BOARD_ROUTES = (
    Route("GET", "/projects", boards.list_boards),
    Route("POST", "/projects", boards.create_board, status=201),
    Route("GET", _BOARD, boards.get_board, _VIEWER),
    Route("PUT", _BOARD, boards.update_board, _MEMBER),
    Route("DELETE", _BOARD, boards.delete_board, _ADMIN),
    Route("PUT", _BOARD + "/archive-board", boards.archive_board, _ADMIN),
    Route("PUT", _BOARD + "/restore-board", boards.restore_board, _ADMIN),
    Route("GET", _BOARD + "/activities", activity.list_board_activities, _VIEWER),
    Route("GET", _BOARD + "/has-data-changed", changes.has_data_changed, _VIEWER),
)

_ONE_STAGE = "/{stage_id:int}"
STAGE_ROUTES = (
    Route("POST", _BOARD + "/stage-create", stages.create_stage, _MEMBER),
    Route("PUT", _BOARD + "/update-stage" + _ONE_STAGE, stages.update_stage, _MEMBER),
    Route("PUT", _BOARD + "/archive-stage" + _ONE_STAGE, stages.archive_stage, _MEMBER),
    Route("PUT", _BOARD + "/restore-stage" + _ONE_STAGE, stages.restore_stage, _MEMBER),
    Route("PUT", _BOARD + "/re-position-stages", stages.reposition_stages, _MEMBER),
    Route("GET", _BOARD + "/archived-stages", stages.list_archived_stages, _VIEWER),
    Route("PUT", _STAGE + "/archive-all-task", tasks.archive_all_tasks, _MEMBER),
    Route("PUT", _STAGE + "/sort-task", tasks.sort_tasks, _MEMBER),
    Route(
        "GET",
        _BOARD + "/stage-task-available-positions" + _ONE_STAGE,
        stages.list_available_positions,
        _VIEWER,
    ),
)

TASK_ROUTES = (
    Route("GET", _BOARD + "/tasks", tasks.list_tasks, _VIEWER),
    Route("POST", _BOARD + "/tasks", tasks.create_task, _MEMBER),
    Route("GET", _TASK, tasks.get_task, _VIEWER),
    Route("PUT", _TASK, task_properties.set_property, _MEMBER),
    Route("DELETE", _TASK, tasks.delete_task, _MEMBER),
    Route("PUT", _TASK + "/move-task", move.move_task, _MEMBER),
    Route("GET", _TASK + "/activities", activity.list_task_activities, _VIEWER),
)

COMMENT_ROUTES = (
    Route("GET", _TASK + "/comments", comments.list_comments, _VIEWER),
    Route("POST", _TASK + "/comments", comments.create_comment, _MEMBER),
    Route("PUT", _TASK + "/comments/{comment_id:int}", comments.update_comment, _MEMBER),
    Route(
        "DELETE",
        _BOARD + "/tasks/comments/{comment_id:int}",
        comments.delete_comment,
        _MEMBER,
    ),
)

LABEL_ROUTES = (
    Route("GET", _BOARD + "/labels", labels.list_labels, _VIEWER),
    Route("POST", _BOARD + "/labels", labels.create_label, _MEMBER),
    Route("PUT", _BOARD + "/labels/{label_id:int}", labels.update_label, _MEMBER),
    Route("DELETE", _BOARD + "/labels/{label_id:int}", labels.delete_label, _MEMBER),
    Route("GET", _BOARD + "/labels/used-in-tasks", labels.list_used_labels, _VIEWER),
    Route("POST", _BOARD + "/labels/task", labels.attach_label, _MEMBER),
    Route("GET", _TASK + "/labels", labels.list_task_labels, _VIEWER),
    Route("DELETE", _TASK + "/labels/{label_id:int}", labels.detach_label, _MEMBER),
)

MEMBER_ROUTES = (
    Route("GET", _BOARD + "/users", members.list_users, _VIEWER),
    Route("GET", _BOARD + "/assignees", members.list_assignees, _VIEWER),
    Route("POST", _BOARD + "/add-members", members.add_member, _ADMIN),
    Route("POST", _BOARD + "/user/{user_id:int}/remove", members.remove_member, _VIEWER),
)

ROUTES: tuple[Route, ...] = (
    BOARD_ROUTES + STAGE_ROUTES + TASK_ROUTES + COMMENT_ROUTES + LABEL_ROUTES + MEMBER_ROUTES
)
