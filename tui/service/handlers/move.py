"""Moves of tasks: within a stage, to another stage or board, to a subtask and back (4.3, 4.5).

An index counts from 1 among the other active tasks of the target stage. A stage whose default
status is closed closes tasks moved into it from elsewhere; moving out reopens nothing. Other fields
stay when a task becomes a subtask, or a subtask a task.
"""

from tui.schema.base import DONE, Wall
from tui.schema.tasks import SUBTASKS, TASKS_DONE, Task
from tui.service import values
from tui.service.accounts.accounts import BoardRole, memberships_on, role_of
from tui.service.call import Call, Document, answers
from tui.service.database.base import Later, Row
from tui.service.documents.boards import stage_settings
from tui.service.documents.tasks import by_id, task_document, task_documents
from tui.service.errors import conflict, forbidden, invalid, missing
from tui.service.handlers.subtasks import (
    changed_subtasks,
    default_group,
    position_in,
)
from tui.service.lookups import (
    board_of,
    group_of,
    parent_of,
    refuse_archived,
    stage_of,
    subtask_of,
    task_of,
    title_of,
)
from tui.service.requests.body import optional, required
from tui.service.tables.changes import note, record, touch
from tui.service.tables.notifications import ask_for_audience
from tui.service.tables.positions import FreePosition, in_stage
from tui.service.tables.tasks import assign, assignees_of, member_names, unassign_strangers

_TAKEN = (
    # The labels of the other board with the same title and colour, instead of the present ones.
    """insert into task_label (task_id, label_id, created_at)
    select task_label.task_id, twin.id, task_label.created_at
    from task_label
    join label on label.id = task_label.label_id
    join label as twin on twin.board_id = :board and twin.bg_color = label.bg_color
        and coalesce(twin.title, '') = coalesce(label.title, '')
    where task_label.task_id {in_ids}
    on conflict do nothing""",
    """delete from task_label where task_id {in_ids}
        and label_id not in (select id from label where board_id = :board)""",
    # Values in those fields of the other board that are the same as the present ones.
    """insert into custom_field_value (task_id, custom_field_id, value, created_at, updated_at)
    select custom_field_value.task_id, twin.id, custom_field_value.value,
        custom_field_value.created_at, custom_field_value.updated_at
    from custom_field_value
    join custom_field on custom_field.id = custom_field_value.custom_field_id
    join custom_field as twin on twin.board_id = :board and twin.title = custom_field.title
        and twin.type = custom_field.type and twin.options = custom_field.options
    join task on task.id = custom_field_value.task_id
    where custom_field_value.task_id {in_ids}
    order by task.parent_id is not null, task.id, custom_field_value.id
    on conflict (task_id, custom_field_id) do nothing""",
    """delete from custom_field_value where task_id {in_ids}
        and custom_field_id not in (select id from custom_field where board_id = :board)""",
    """delete from task_watcher where task_id {in_ids} and account_id not in
        (select account_id from membership where board_id = :board)""",
    "update task set board_id = :board where id {in_ids}",
    "update comment set board_id = :board where task_id {in_ids}",
    "update activity set board_id = :board where task_id {in_ids}",
    """update comment_image set board_id = :board
    where comment_id in (select id from comment where task_id {in_ids})""",
)
"""Statements that adapt tasks to their new board."""


@answers({"task": Task, "last_updated": Wall} | TASKS_DONE, refuses=(409,))
def move_task(
    call: Call,
    stage_id: int = required("newStageId", values.identifier("stage")),
    index: int | None = optional("newIndex", values.place),
    board_id: int | None = optional("newBoardId", values.identifier("board")),
) -> Later[Document]:
    """PUT /projects/{board_id}/tasks/{task_id}/move-task.

    `newStageId` is required; without `newIndex`, or with one past the end, the task goes to the
    end. `newBoardId` moves it to another board, on which the caller must be a member too. Raises
    422, 403, 404, and 409 when the task or the stage is archived.
    """
    task = task_of(call)
    if board_id is not None:
        # The role on the path's board is checked before the handler, that on the target is not.
        require_member(call, board_id)
    changed = relocate(call, task, stage_id, board_id, index)
    call.touched.tasks.update(changed)
    documents = task_documents(call, changed)

    def reply() -> Document:
        tasks = documents()
        return {
            "message": "Task has been moved",
            "task": by_id(tasks, task["id"]),
            "updatedTasks": tasks,
            "last_updated": call.wall,
        }

    return reply


def require_member(call: Call, board_id: int) -> None:
    """Raises 404 for a board that does not exist and 403 if the caller is no member."""
    memberships = memberships_on(call.db, board_id, call.user)
    board_of(call, board_id)
    role = role_of(call.user, memberships)
    if role is None or role < BoardRole.MEMBER:
        raise forbidden("You may not move tasks to that board.")


def relocate(
    call: Call, task: Row, stage_id: int, board_id: int | None, index: int | None
) -> list[int]:
    """Move a task to a stage of any board; returns the ids of all changed tasks.

    Raises 404, 409.
    """
    # All of these queries are collected before the first rows are read, for one round trip.
    old = title_of(call, "stage", task["stage_id"])
    free = in_stage(call.db, stage_id, task["id"]).place(index)
    if board_id is None and stage_id != task["stage_id"]:
        ask_for_audience(call, task["id"])
    stage = stage_of(call, stage_id, board_id)
    refuse_archived(stage, "stage")
    refuse_archived(task, "task")
    if task["parent_id"] is not None:
        raise conflict("task_is_subtask", "A subtask has no stage and cannot be moved to one.")
    if stage["board_id"] != task["board_id"]:
        _change_board(call, task, stage["board_id"])
    place = free()
    is_closed = _put_into(call, task, stage, place)
    location = {"board_id": stage["board_id"], "task_id": task["id"]}
    if stage["id"] == task["stage_id"]:
        record(call, "moved", "position", **location)
    else:
        record(call, "moved", "stage", **location, old=old(), new=stage["title"])
    if is_closed:
        record(call, "changed", "status", **location, old="open", new="closed")
    return in_stage(call.db, stage["id"]).ids() if place.renumbered else [task["id"]]


def _put_into(call: Call, task: Row, stage: Row, place: FreePosition) -> bool:
    arrives = stage["id"] != task["stage_id"] and task["status"] != "closed"
    closes: bool = arrives and stage_settings(stage)["default_task_status"] == "closed"
    call.change(
        "task",
        task["id"],
        board_id=stage["board_id"],
        stage_id=stage["id"],
        parent_id=None,
        subtask_group_id=None,
        position=place.position,
        **({"status": "closed", "last_completed_at": call.wall} if closes else {}),
    )
    return closes


def _change_board(call: Call, task: Row, board_id: int) -> None:
    # Assignees who are members there stay, and labels and field values for which the other board
    # has a label or field of the same name and kind; for subtasks too.
    call.reach_beyond()
    target = board_of(call, board_id)
    ids = [task["id"], *(row["id"] for row in call.db.select("task", parent_id=task["id"]))]
    call.touched.tasks.update(ids)
    unassign_strangers(call, ids, board_id)
    for statement in _TAKEN:
        call.db.run(statement, board=board_id, ids=ids)
    # For the board that it leaves; `relocate` records the arrival on the other one.
    record(call, "moved", "task", old=task["title"], new=target["title"])
    touch(call, board_id)


@answers({"parentTask": Task} | DONE, refuses=(409,))
def convert_to_subtask(
    call: Call,
    parent_id: int = required("parent_id", values.identifier("task")),
    group_id: int | None = optional("subtaskGroupId", values.identifier("subtask group")),
    assignee_id: int | None = optional("assigneeId", values.identifier("member")),
) -> Document:
    """PUT /projects/{board_id}/tasks/{task_id}/convert-to-subtask: a subtask of `parent_id`.

    It goes to the end of `subtaskGroupId`, or of the parent's Default Subtask Group, which is made
    if it is not there; `assigneeId` joins its assignees, and what people were told of the task so
    far is forgotten. Raises 404 for the task, the parent or
    the group, 422, and 409 when either is archived or a subtask already, or when the task has
    subtasks itself, which could not be shown any more.
    """
    task = task_of(call)
    parent = _parent_for(call, task, parent_id)
    if group_id is None:
        group_id = default_group(call, parent["id"])
    _make_subtask(call, task, parent, group_of(call, group_id, parent["id"])["id"])
    if assignee_id is not None:
        members, people = member_names(call, call.board_id), assignees_of(call, task["id"])
        name = members().get(assignee_id)
        if name is None:
            raise missing("member")
        if assignee_id not in {row["id"] for row in people}:
            assign(call, task["id"], {assignee_id: name})
    return {
        "message": "Task has been converted to a subtask",
        "parentTask": task_document(call, parent["id"])(),
    }


def set_parent(call: Call, task: Row, name: str, value: object) -> list[int]:
    """Make a task, or a subtask of another parent, a subtask of the given task (4.3).

    It goes to the end of the parent's default group. Null, 0 and empty text leave a task unchanged;
    they are refused for a subtask, which would need a stage. Returns the ids of changed tasks.
    Raises 404, 409, 422 as `convert_to_subtask` does.
    """
    parent_id = None if value in (None, "") else values.identifier("task")(name, value) or None
    if parent_id == task["parent_id"]:
        return [task["id"]]
    if parent_id is None:
        raise invalid(name, "cannot be cleared; move-to-board makes a subtask a task")
    parent = _parent_for(call, task, parent_id)
    group_id = default_group(call, parent_id)
    if task["parent_id"] is None:
        _make_subtask(call, task, parent, group_id)
    else:
        refuse_archived(task, "task", called="subtask")
        old = title_of(call, "task", task["parent_id"])
        _put_below(call, task, parent, group_id)
        record(call, "changed", name, task_id=task["id"], old=old(), new=parent["title"])
        note(call, task["parent_id"], "removed", "subtask", old=task["title"])
        note(call, parent_id, "added", "subtask", new=task["title"])
    return [task["id"], parent_id]


def _parent_for(call: Call, task: Row, parent_id: int) -> Row:
    # As a subtask cannot have subtasks, there are no cycles.
    parent = parent_of(call, parent_id)
    if parent["id"] == task["id"]:
        raise invalid("parent_id", "must be another task")
    refuse_archived(parent, "parent", called="parent task")
    return parent


def _make_subtask(call: Call, task: Row, parent: Row, group_id: int) -> None:
    if task["parent_id"] is not None:
        raise conflict("task_is_subtask", "A subtask cannot have subtasks itself.")
    refuse_archived(task, "task")
    stage = title_of(call, "stage", task["stage_id"])
    if call.db.value("select count(*) from task where parent_id = :task", task=task["id"]):
        raise conflict(
            "task_has_subtasks",
            "The task has subtasks itself; move them to the board or delete them first.",
        )
    # Its groups are empty, and a subtask has none.
    call.db.delete("subtask_group", task_id=task["id"])
    _put_below(call, task, parent, group_id)
    record(call, "converted", "task", task_id=task["id"], old=stage(), new=parent["title"])
    note(call, parent["id"], "added", "subtask", new=task["title"], description=stage())


def _put_below(call: Call, task: Row, parent: Row, group_id: int) -> None:
    call.change(
        "task",
        task["id"],
        parent_id=parent["id"],
        subtask_group_id=group_id,
        stage_id=None,
        position=position_in(call, group_id, None)(),
    )


@answers({"moveSubtask": Task} | SUBTASKS | DONE, refuses=(409,))
def move_to_board(
    call: Call, stage_id: int = required("stage_id", values.identifier("stage"))
) -> Document:
    """PUT /projects/{board_id}/tasks/{task_id}/move-to-board: a task at the end of `stage_id`.

    {task_id} is a subtask. Raises 404 for it or the stage, 409 when either is archived, 422.
    """
    row = subtask_of(call, call.ids["task_id"])
    parent = title_of(call, "task", row["parent_id"])
    free = in_stage(call.db, stage_id, row["id"]).place(None)
    stage = stage_of(call, stage_id)
    refuse_archived(stage, "stage")
    refuse_archived(row, "task", called="subtask")
    is_closed = _put_into(call, row, stage, free())
    stage_title = stage["title"]
    record(call, "converted", "subtask", task_id=row["id"], old=parent(), new=stage_title)
    note(call, row["parent_id"], "removed", "subtask", old=row["title"], description=stage_title)
    if is_closed:
        record(call, "changed", "status", task_id=row["id"], old="open", new="closed")
    moved = task_document(call, row["id"])
    return {
        "changedSubtasks": changed_subtasks(call, row["parent_id"]),
        "moveSubtask": moved(),
        "message": "Subtask has been moved to the board",
    }
