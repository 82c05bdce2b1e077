"""The route table: every endpoint with its method, path, handler and least role.

Anything else is 404 `rest_no_route`. Fields and replies are declared at the handlers;
`/openapi.json` is generated from both.
"""

from tui.service.accounts.accounts import BoardRole
from tui.service.call import Route
from tui.service.handlers import (
    boards,
    changes,
    claims,
    comments,
    copies,
    custom_fields,
    folders,
    images,
    labels,
    move,
    people,
    stages,
    subtasks,
    task_list,
    task_properties,
    tasks,
    webhooks,
)

_VIEWER, _MEMBER, _ADMIN = BoardRole.VIEWER, BoardRole.MEMBER, BoardRole.ADMIN

_BOARD = "/projects/{board_id:id}"
_STAGE = _BOARD + "/stage/{stage_id:id}"
_TASK = _BOARD + "/tasks/{task_id:id}"
_ONE_STAGE = "/{stage_id:id}"
_GROUP = _TASK + "/subtask-group"
_FIELD = _BOARD + "/custom-field/{custom_field_id:id}"
_USER = _BOARD + "/user/{user_id:id}"
_FOLDER = "/admin/folders/{folder_id:id}"

ROUTES: tuple[Route, ...] = (
    Route("GET", "/projects", boards.list_boards),
    Route("POST", "/projects", boards.create_board, status=201),
    Route("GET", _BOARD, boards.get_board, _VIEWER),
    Route("PUT", _BOARD, boards.update_board, _MEMBER),
    Route("DELETE", _BOARD, boards.delete_board, _ADMIN),
    Route("PUT", _BOARD + "/archive-board", boards.archive_board, _ADMIN),
    Route("PUT", _BOARD + "/restore-board", boards.restore_board, _ADMIN),
    Route("POST", _BOARD + "/duplicate-board", copies.duplicate_board, _MEMBER),
    Route("GET", _BOARD + "/activities", changes.list_board_activities, _VIEWER),
    Route("GET", _BOARD + "/has-data-changed", changes.has_data_changed, _VIEWER),
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
    Route("GET", _BOARD + "/tasks", task_list.list_tasks, _VIEWER),
    Route("POST", _BOARD + "/tasks", tasks.create_task, _MEMBER),
    Route("GET", _TASK, tasks.get_task, _VIEWER),
    Route("PUT", _TASK, task_properties.set_property, _MEMBER),
    Route("DELETE", _TASK, tasks.delete_task, _MEMBER),
    Route("PUT", _TASK + "/move-task", move.move_task, _MEMBER),
    Route("PUT", _TASK + "/claim", claims.claim_task, _MEMBER),
    Route("POST", _TASK + "/clone-task", copies.clone_task, _MEMBER),
    Route("GET", _TASK + "/activities", changes.list_task_activities, _VIEWER),
    Route("GET", _TASK + "/comments", comments.list_comments, _VIEWER),
    Route("POST", _TASK + "/comments", comments.create_comment, _MEMBER),
    Route("PUT", _TASK + "/comments/{comment_id:id}", comments.update_comment, _MEMBER),
    Route("DELETE", _BOARD + "/tasks/comments/{comment_id:id}", comments.delete_comment, _MEMBER),
    Route("POST", _TASK + "/comment-image-upload", images.upload_image, _MEMBER, takes_file=True),
    Route("GET", _TASK + "/subtasks", subtasks.list_groups, _VIEWER),
    Route("POST", _TASK + "/subtasks", subtasks.create_subtask, _MEMBER),
    Route("POST", _GROUP, subtasks.create_group, _MEMBER),
    Route("PUT", _GROUP, subtasks.rename_group, _MEMBER),
    Route("DELETE", _GROUP, subtasks.delete_group, _MEMBER),
    Route("DELETE", _TASK + "/delete-subtask", subtasks.delete_subtask, _MEMBER),
    Route("POST", _TASK + "/move-subtask", subtasks.move_subtasks, _MEMBER),
    Route(
        "PUT",
        _BOARD + "/tasks/update-subtask-position/{subtask_id:id}",
        subtasks.reposition_subtask,
        _MEMBER,
    ),
    Route("PUT", _TASK + "/convert-to-subtask", move.convert_to_subtask, _MEMBER),
    Route("PUT", _TASK + "/move-to-board", move.move_to_board, _MEMBER),
    Route("POST", _TASK + "/clone-subtask", copies.clone_subtask, _MEMBER),
    Route("GET", _BOARD + "/custom-fields", custom_fields.list_fields, _VIEWER),
    Route("POST", _BOARD + "/custom-field", custom_fields.create_field, _ADMIN, takes_form=True),
    Route("PUT", _FIELD, custom_fields.update_field, _ADMIN, takes_form=True),
    Route(
        "PUT", _FIELD + "/update-position", custom_fields.reposition_field, _ADMIN, takes_form=True
    ),
    Route("DELETE", _FIELD, custom_fields.delete_field, _ADMIN),
    Route("GET", _TASK + "/custom-fields", custom_fields.list_values, _VIEWER),
    Route("POST", _TASK + "/custom-fields", custom_fields.set_value, _MEMBER),
    Route("GET", _BOARD + "/labels", labels.list_labels, _VIEWER),
    Route("POST", _BOARD + "/labels", labels.create_label, _MEMBER),
    Route("PUT", _BOARD + "/labels/{label_id:id}", labels.update_label, _MEMBER),
    Route("DELETE", _BOARD + "/labels/{label_id:id}", labels.delete_label, _MEMBER),
    Route("GET", _BOARD + "/labels/used-in-tasks", labels.list_used_labels, _VIEWER),
    Route("POST", _BOARD + "/labels/task", labels.attach_label, _MEMBER),
    Route("GET", _TASK + "/labels", labels.list_task_labels, _VIEWER),
    Route("DELETE", _TASK + "/labels/{label_id:id}", labels.detach_label, _MEMBER),
    Route("GET", _BOARD + "/users", people.list_users, _VIEWER),
    Route("GET", _BOARD + "/assignees", people.list_assignees, _VIEWER),
    Route("POST", _BOARD + "/add-members", people.add_member, _ADMIN),
    Route("POST", _USER + "/remove", people.remove_member, _VIEWER),
    Route("GET", "/service-users", people.list_people),
    Route("GET", "/search-service-users", people.search_people),
    Route("DELETE", "/remove-user-from-board", people.remove_from_board),
    Route("POST", _USER + "/make-manager", people.make_manager, _ADMIN),
    Route("POST", _USER + "/remove-manager", people.remove_manager, _ADMIN),
    Route("POST", _USER + "/make-member", people.make_member, _ADMIN),
    Route("POST", _USER + "/make-viewer", people.make_viewer, _ADMIN),
    Route("POST", "/managers/roles/{user_id:id}", people.sync_roles),
    Route("GET", "/admin/folders", folders.list_folders),
    Route("POST", "/admin/folders", folders.create_folder, takes_form=True),
    Route("PUT", _FOLDER, folders.rename_folder, takes_form=True),
    Route("DELETE", _FOLDER, folders.delete_folder),
    Route("POST", _FOLDER + "/add-board", folders.add_boards),
    Route("POST", _FOLDER + "/remove-board", folders.remove_board, takes_form=True),
    Route("GET", "/webhooks", webhooks.list_webhooks),
    Route("POST", "/webhooks", webhooks.create_webhook),
    Route("DELETE", "/webhooks/{id:id}", webhooks.delete_webhook),
)
