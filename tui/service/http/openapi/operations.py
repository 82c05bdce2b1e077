"""What every endpoint takes and answers with (section 4), by the function that answers.

The rule it keeps: an endpoint is described here once; its method, path and roles are those of the
route table and are not repeated. What every endpoint may answer is added by `document`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tui.service.call import Handler
from tui.service.copies import boards as board_copies, clones
from tui.service.handlers import (
    boards,
    comment_images,
    comments,
    conversion,
    custom_fields,
    field_values,
    folders,
    labels,
    members,
    move,
    people,
    roles,
    stages,
    subtask_groups,
    subtasks,
    task_listing,
    task_properties,
    tasks,
)
from tui.service.handlers.task_properties import PROPERTIES
from tui.service.tables import activity, changes
from tui.service.webhooks import handlers as webhooks


@dataclass(frozen=True, slots=True)
class Operation:
    """An endpoint: its answer, its body and query, and the refusals that are its own.

    All three are in the notation of `notation`; `answer` may begin with a bracket for a list.
    `refuses` holds statuses beside those that follow from path, role, body and query.
    """

    answer: str
    body: str = ""
    query: str = ""
    refuses: tuple[int, ...] = ()


_PAGED = "page? place; per_page? place"
_FIELD_BODY = """customField {title title; options? [line];
    type =text|textarea|number|date|checkbox|select}"""
_TITLED = "title title"
_DONE = "message string"
_STEP = Operation(f"member Member; {_DONE}", refuses=(409,))

_BOARDS: Mapping[Handler, Operation] = {
    boards.list_boards: Operation(
        "boards page(Board); folder_mapping [{board_id integer; folder_id integer}]",
        query=f"""{_PAGED}; search? line; option? =active|archived; type? =to-do|roadmap;
            order_by? =id|title|created_at; order_type? =ASC|DESC""",
    ),
    boards.create_board: Operation(
        f"board Board; {_DONE}",
        body="""board {title title; type =to-do|roadmap; description? html; currency? line;
            background? {color? color}}; folder_id? id?; stages? [any]""",
        refuses=(404,),
    ),
    boards.get_board: Operation("board Board; synced_at string"),
    boards.update_board: Operation(
        f"board Board; stages [Stage]; {_DONE}", body=f"{_TITLED}; description? html"
    ),
    boards.delete_board: Operation(_DONE),
    boards.archive_board: Operation(f"board Board; {_DONE}"),
    boards.restore_board: Operation(f"board Board; {_DONE}"),
    board_copies.duplicate_board: Operation(
        "board Board",
        body="""board {title title}; isWithTasks? flag; isWithLabels? flag;
            isWithTemplates? flag""",
    ),
    activity.list_board_activities: Operation("activities page(Activity)", query=_PAGED),
    changes.has_data_changed: Operation(
        "has_changes boolean; synced_at string; sync_reset boolean; is_complete boolean; "
        "board object; tasks [Task]; taskDeleted ids",
        query="since string",
    ),
}

_STAGES: Mapping[Handler, Operation] = {
    stages.create_stage: Operation(
        f"updatedStages [Stage]; {_DONE}",
        body=f"{_TITLED}; position? number; status? =open|closed",
    ),
    stages.update_stage: Operation(f"data Stage; {_DONE}", body="title? title; settings? object"),
    stages.archive_stage: Operation(f"updatedStage Stage; {_DONE}"),
    stages.restore_stage: Operation(f"success boolean; updatedStage Stage; {_DONE}"),
    stages.reposition_stages: Operation(f"updatedStages [Stage]; {_DONE}", body="list ids"),
    stages.list_archived_stages: Operation(
        "stages page(Stage)", query=f"{_PAGED}; noPagination? boolean"
    ),
    stages.list_available_positions: Operation(
        "data {stage_id integer; available_positions ids; current_task_count integer}"
    ),
    tasks.archive_all_tasks: Operation(f"updatedTasks [Task]; {_DONE}"),
    tasks.sort_tasks: Operation(
        f"updatedTasks [Task]; {_DONE}",
        body="order =priority|due_at|position|created_at|title; orderBy =ASC|DESC",
    ),
}

_TASKS: Mapping[Handler, Operation] = {
    task_listing.list_tasks: Operation("tasks [Task]"),
    tasks.get_task: Operation("task Task"),
    tasks.create_task: Operation(
        f"task Task; updatedTasks [Task]; {_DONE}",
        body="""task {title title; board_id id; stage_id id; priority? =low|medium|high;
            crm_contact_id? integer?; is_template? flag}""",
        refuses=(409,),
    ),
    task_properties.set_property: Operation(
        f"task Task; updatedTasks [Task]; {_DONE}",
        body=f"property ={'|'.join(PROPERTIES)}; value any",
        refuses=(409,),
    ),
    tasks.delete_task: Operation(f"updatedTasks [Task]; {_DONE}"),
    move.move_task: Operation(
        f"task Task; updatedTasks [Task]; last_updated wall; {_DONE}",
        body="newStageId id; newIndex? place?; newBoardId? id",
        refuses=(409,),
    ),
    clones.clone_task: Operation(
        f"task Task; updatedTasks [Task]; {_DONE}",
        body=f"""{_TITLED}; stage_id id; assignee flag; subtask flag; label flag;
            attachment flag; comment flag""",
        refuses=(409,),
    ),
    activity.list_task_activities: Operation(
        "activities page(Activity)", query=f"{_PAGED}; filter? =newest|oldest"
    ),
}

_COMMENTS: Mapping[Handler, Operation] = {
    comments.list_comments: Operation(
        "comments page(Comment); total integer",
        query=f"""{_PAGED}; type? =comment|reply; privacy? =private|public;
            include_replies? boolean; include_images? boolean; filter? =latest|oldest""",
    ),
    comments.create_comment: Operation(
        f"comment Comment; {_DONE}",
        body="""comment? string; comment_type =comment|reply; parent_id? integer?;
            privacy? =private|public; comment_by? id; images? ids?; mentionData? ids""",
    ),
    comments.update_comment: Operation(
        f"comment Comment; {_DONE}", body="comment? string; images? ids?; mentionData? ids"
    ),
    comments.delete_comment: Operation(_DONE),
    comment_images.upload_image: Operation(
        f"imageAttachment Image; {_DONE}", body="file file", refuses=(409,)
    ),
}

_SUBTASKS: Mapping[Handler, Operation] = {
    subtask_groups.list_groups: Operation("subtaskGroups [SubtaskGroup]"),
    subtask_groups.create_group: Operation(
        f"subtaskGroup SubtaskGroup; {_DONE}", body=_TITLED, refuses=(409,)
    ),
    subtask_groups.rename_group: Operation(
        f"subtaskGroup SubtaskGroup; {_DONE}", body=f"group_id id; {_TITLED}"
    ),
    subtask_groups.delete_group: Operation(_DONE, body="group_id id"),
    subtasks.create_subtask: Operation(
        f"subtask Task; {_DONE}",
        body=f"{_TITLED}; group_id id; due_at? string?; add_to_top? flag",
        refuses=(409,),
    ),
    subtasks.delete_subtask: Operation(f"deletedSubtask Task; changedSubtasks [Task]; {_DONE}"),
    subtasks.move_subtasks: Operation(
        f"subtask Task; subtasks [Task]; {_DONE}",
        body="group_id id; subtask_id any",
        refuses=(409,),
    ),
    subtasks.reposition_subtask: Operation(
        "changedSubtasks [Task]",
        body="newPosition place; newSubtasksGroupId? id",
        refuses=(409,),
    ),
    conversion.convert_to_subtask: Operation(
        f"parentTask Task; {_DONE}",
        body="parent_id id; subtaskGroupId? id?; assigneeId? id?",
        refuses=(409,),
    ),
    conversion.move_to_board: Operation(
        f"moveSubtask Task; changedSubtasks [Task]; {_DONE}", body="stage_id id", refuses=(409,)
    ),
    clones.clone_subtask: Operation(f"subtask Task; {_DONE}", refuses=(409,)),
}

_FIELDS: Mapping[Handler, Operation] = {
    custom_fields.list_fields: Operation("customFields [CustomField]"),
    custom_fields.create_field: Operation(f"customField CustomField; {_DONE}", body=_FIELD_BODY),
    custom_fields.update_field: Operation(
        f"customField CustomField; {_DONE}", body=_FIELD_BODY, refuses=(409,)
    ),
    custom_fields.reposition_field: Operation(_DONE, body="newIndex place"),
    custom_fields.delete_field: Operation(_DONE),
    field_values.list_values: Operation("customFields [FieldValue]"),
    field_values.set_value: Operation(
        f"customField CustomField; {_DONE}", body="custom_field_id id; value any"
    ),
}

_LABEL_BODY = "label? line?; bg_color color"
_LABELS: Mapping[Handler, Operation] = {
    labels.list_labels: Operation("labels [Label]"),
    labels.create_label: Operation(f"label Label; {_DONE}", body=f"{_LABEL_BODY}; color color"),
    labels.update_label: Operation(f"label Label; {_DONE}", body=f"{_LABEL_BODY}; color? color?"),
    labels.delete_label: Operation(f"type string; {_DONE}"),
    labels.list_used_labels: Operation("labels [Label]"),
    labels.attach_label: Operation(f"label TaskLabel; {_DONE}", body="taskId id; labelId id"),
    labels.list_task_labels: Operation("labels [TaskLabel]"),
    labels.detach_label: Operation(_DONE),
}

_PEOPLE: Mapping[Handler, Operation] = {
    members.list_users: Operation("users [Member]; global_admins [User]"),
    members.list_assignees: Operation("data [Member]"),
    members.add_member: Operation(
        f"member Member; {_DONE}", body="memberId id; isViewerOnly? flag", refuses=(409,)
    ),
    members.remove_member: Operation(_DONE, refuses=(409,)),
    people.list_people: Operation(
        """users [Person];
        boards [{id integer; title string; meta object; isUserOnlyViewer boolean}]""",
        refuses=(403,),
    ),
    people.search_people: Operation("[User]", body="searchInput? line", refuses=(403,)),
    people.remove_from_board: Operation(
        _DONE, body="boardId id; userId id", refuses=(403, 404, 409)
    ),
    roles.make_manager: _STEP,
    roles.remove_manager: _STEP,
    roles.make_member: _STEP,
    roles.make_viewer: _STEP,
    roles.sync_roles: Operation(_DONE, body="roles object", refuses=(403, 409)),
}

_FOLDERS: Mapping[Handler, Operation] = {
    folders.list_folders: Operation("folders [Folder]"),
    folders.create_folder: Operation(f"folder Folder; {_DONE}", body=_TITLED, refuses=(403,)),
    folders.rename_folder: Operation(f"folder Folder; {_DONE}", body=_TITLED, refuses=(403,)),
    folders.delete_folder: Operation(_DONE, refuses=(403,)),
    folders.add_boards: Operation(_DONE, body="board_ids ids", refuses=(403,)),
    folders.remove_board: Operation(_DONE, body="board_id id", refuses=(403,)),
}

_WEBHOOKS: Mapping[Handler, Operation] = {
    webhooks.list_webhooks: Operation(
        "webhooks [Webhook]; fields [WebhookField]", query="search? line", refuses=(403,)
    ),
    webhooks.create_webhook: Operation(
        f"id integer; webhook WebhookValue; webhooks [Webhook]; {_DONE}",
        body="name line; board id; stage id",
        refuses=(403, 404),
    ),
    webhooks.delete_webhook: Operation(f"webhooks [Webhook]; {_DONE}", refuses=(403,)),
}

OPERATIONS: Mapping[Handler, Operation] = {
    **_BOARDS,
    **_STAGES,
    **_TASKS,
    **_COMMENTS,
    **_SUBTASKS,
    **_FIELDS,
    **_LABELS,
    **_PEOPLE,
    **_FOLDERS,
    **_WEBHOOKS,
}
"""Every endpoint's description, by its handler."""
