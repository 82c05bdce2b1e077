"""A task moves: in its stage, to another stage or board, below another task, and back (4.3, 4.5).

A place is told by counting from 1 among the other active tasks of the target stage. A stage whose
default status is closed closes what is moved into it from elsewhere; moving out again reopens
nothing. All else stays when a task becomes a subtask, or a subtask a task.
"""

from tui.service import values
from tui.service.accounts.accounts import Role, role_on
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.documents.boards import stage_settings
from tui.service.documents.tasks import task_document, task_documents
from tui.service.errors import conflict, forbidden, invalid, missing
from tui.service.handlers.subtasks import (
    changed_subtasks,
    default_group,
    note,
    position_in,
    refuse_archived,
)
from tui.service.handlers.tasks import refuse_archived_stage
from tui.service.lookups import board_of, group_of, parent_of, stage_of, subtask_of, task_of
from tui.service.records.base import DONE, Wall
from tui.service.records.tasks import SUBTASKS, TASKS_DONE, Task
from tui.service.requests.body import Fields, optional, required
from tui.service.tables.activity import record
from tui.service.tables.changes import touch
from tui.service.tables.positions import active_ids, place_at
from tui.service.tables.tasks import member_ids, set_assignees, unassign

_TAKEN = (
    "update task set board_id = :board where id = :task",
    "update comment set board_id = :board where task_id = :task",
    "update activity set board_id = :board where task_id = :task",
    "update notification set board_id = :board where task_id = :task",
    """update comment_image set board_id = :board
    where comment_id in (select id from comment where task_id = :task)""",
)


class _MoveTask(Fields):
    stage_id = required("newStageId", values.identifier("stage"))
    index = optional("newIndex", values.place)
    board_id = optional("newBoardId", values.identifier("board"))


@answers({"task": Task, "last_updated": Wall} | TASKS_DONE, _MoveTask, refuses=(409,))
def move_task(call: Call, asked: _MoveTask) -> Document:
    """PUT /projects/{board_id}/tasks/{task_id}/move-task.

    `newStageId` is required; without `newIndex`, or with one past the end, the task goes to the
    end. `newBoardId` moves it to another board, on which the caller must be a member too. Raises
    422, 403, 404, and 409 when the task or the stage is archived.
    """
    task = task_of(call)
    board_id = asked.board_id
    if board_id is None:
        board_id = call.board_id
    require_member(call, board_id)
    stage = stage_of(call, asked.stage_id, board_id)
    touched = relocate(call, task, stage, asked.index)
    return {
        "message": "Task has been moved",
        "task": task_document(call, task["id"]),
        "updatedTasks": task_documents(call, touched),
        "last_updated": call.wall,
    }


def require_member(call: Call, board_id: int) -> None:
    """Raises 404 for a board that is not there and 403 for one the caller may not work on."""
    board_of(call, board_id)
    role = role_on(call.db, board_id, call.user)
    if role is None or role < Role.MEMBER:
        raise forbidden("You may not put tasks on that board.")


def relocate(call: Call, task: Row, stage: Row, index: int | None) -> list[int]:
    """Put a task into a stage of any board; returns the ids of every task that changed."""
    _refuse_immovable(task, stage)
    if stage["board_id"] != task["board_id"]:
        _change_board(call, task, stage["board_id"])
    place = place_at(call.db, stage["id"], index, task["id"])
    arrives = stage["id"] != task["stage_id"]
    closes = arrives and stage_settings(stage)["default_task_status"] == "closed"
    is_newly_closed = closes and task["status"] != "closed"
    call.change(
        "task",
        task["id"],
        board_id=stage["board_id"],
        stage_id=stage["id"],
        position=place.position,
        status="closed" if closes else task["status"],
        last_completed_at=call.wall if is_newly_closed else task["last_completed_at"],
    )
    _record_move(call, task, stage, closed=is_newly_closed)
    return active_ids(call.db, stage["id"]) if place.renumbered else [task["id"]]


def _refuse_immovable(task: Row, stage: Row) -> None:
    refuse_archived_stage(stage)
    if task["archived_at"] is not None:
        raise conflict("task_archived", "The task is archived; restore it first.")
    if task["parent_id"] is not None:
        raise conflict("task_is_subtask", "A subtask has no stage and cannot be moved to one.")


def _record_move(call: Call, task: Row, stage: Row, *, closed: bool) -> None:
    board_id = stage["board_id"]
    if stage["id"] == task["stage_id"]:
        record(call, "moved", "position", task_id=task["id"])
        return
    old = call.db.value("select title from stage where id = :id", id=task["stage_id"])
    record(
        call,
        "moved",
        "stage",
        board_id=board_id,
        task_id=task["id"],
        old=old,
        new=stage["title"],
    )
    if closed:
        record(
            call,
            "changed",
            "status",
            board_id=board_id,
            task_id=task["id"],
            old="open",
            new="closed",
        )


def _change_board(call: Call, task: Row, board_id: int) -> None:
    """Take along what means something on the other board, for the subtasks too.

    That is its people, and labels and fields of its own that are like those of this board.
    """
    call.reach_beyond()
    target = board_of(call, board_id)
    subtasks = call.db.all("select id from task where parent_id = :task", task=task["id"])
    call.touched.tasks.update((task["id"], *(subtask["id"] for subtask in subtasks)))
    for task_id in (task["id"], *(subtask["id"] for subtask in subtasks)):
        _take_labels(call, task_id, board_id)
        _take_values(call, task_id, board_id)
        _take_people(call, task_id, board_id)
        for statement in _TAKEN:
            call.db.run(statement, board=board_id, task=task_id)
    record(call, "moved", "task", old=task["title"], new=target["title"])
    touch(call, board_id)


def _take_labels(call: Call, task_id: int, board_id: int) -> None:
    """Replace a task's labels by those of the other board with the same title and colour."""
    call.db.run(
        """insert into task_label (task_id, label_id, created_at)
        select task_label.task_id, twin.id, task_label.created_at
        from task_label
        join label on label.id = task_label.label_id
        join label as twin on twin.board_id = :board and twin.bg_color = label.bg_color
            and coalesce(twin.title, '') = coalesce(label.title, '')
        where task_label.task_id = :task
        on conflict do nothing""",
        board=board_id,
        task=task_id,
    )
    call.db.run(
        """delete from task_label where task_id = :task
            and label_id not in (select id from label where board_id = :board)""",
        board=board_id,
        task=task_id,
    )


def _take_values(call: Call, task_id: int, board_id: int) -> None:
    """Replace a task's values by those in the other board's fields that are the same."""
    call.db.run(
        """insert into custom_field_value (task_id, custom_field_id, value, created_at, updated_at)
        select custom_field_value.task_id, twin.id, custom_field_value.value,
            custom_field_value.created_at, custom_field_value.updated_at
        from custom_field_value
        join custom_field on custom_field.id = custom_field_value.custom_field_id
        join custom_field as twin on twin.board_id = :board and twin.title = custom_field.title
            and twin.type = custom_field.type and twin.options = custom_field.options
        where custom_field_value.task_id = :task
        order by custom_field_value.id
        on conflict (task_id, custom_field_id) do nothing""",
        board=board_id,
        task=task_id,
    )
    call.db.run(
        """delete from custom_field_value where task_id = :task
            and custom_field_id not in (select id from custom_field where board_id = :board)""",
        board=board_id,
        task=task_id,
    )


def _take_people(call: Call, task_id: int, board_id: int) -> None:
    """Take people off a task, and from watching it, who are not members of the other board."""
    rows = call.db.all("select account_id from task_assignee where task_id = :t", t=task_id)
    people = {row["account_id"] for row in rows}
    unassign(call, task_id, sorted(people - member_ids(call, board_id)))
    call.db.run(
        """delete from task_watcher where task_id = :task and account_id not in
            (select account_id from membership where board_id = :board)""",
        task=task_id,
        board=board_id,
    )


class _ConvertToSubtask(Fields):
    parent_id = required("parent_id", values.identifier("task"))
    group_id = optional("subtaskGroupId", values.identifier("subtask group"))
    assignee_id = optional("assigneeId", values.identifier("member"))


@answers({"parentTask": Task} | DONE, _ConvertToSubtask, refuses=(409,))
def convert_to_subtask(call: Call, asked: _ConvertToSubtask) -> Document:
    """PUT /projects/{board_id}/tasks/{task_id}/convert-to-subtask: a subtask of `parent_id`.

    It goes to the end of `subtaskGroupId`, or of the parent's Default Subtask Group, which is made
    if it is not there; `assigneeId` joins its assignees, and what people were told of the task so
    far is forgotten. Raises 404 for the task, the parent or
    the group, 422, and 409 when either is archived or a subtask already, or when the task has
    subtasks itself, which could not be shown any more.
    """
    task = task_of(call)
    parent = _parent_for(call, task, asked.parent_id)
    _make_subtask(call, task, parent, _group(call, parent["id"], asked.group_id))
    _assign(call, task["id"], asked.assignee_id)
    return {
        "message": "Task has been converted to a subtask",
        "parentTask": task_document(call, parent["id"]),
    }


def set_parent(call: Call, task: Row, name: str, parent_id: int | None) -> list[int]:
    """Make a task, or a subtask of another parent, a subtask of `parent_id` (4.3).

    It goes to the end of the parent's default group. Null leaves a task a task; a subtask needs a
    stage to become one, so that is refused. Returns the ids of what changed. Raises 404, 409, 422
    as `convert_to_subtask` does.
    """
    if parent_id == task["parent_id"]:
        return [task["id"]]
    if parent_id is None:
        raise invalid(name, "cannot be cleared; move-to-board makes a subtask a task")
    parent = _parent_for(call, task, parent_id)
    group_id = default_group(call, parent_id)
    if task["parent_id"] is None:
        _make_subtask(call, task, parent, group_id)
    else:
        refuse_archived(task)
        _put_below(call, task, parent, group_id)
        old = call.db.value("select title from task where id = :id", id=task["parent_id"])
        record(call, "changed", name, task_id=task["id"], old=old, new=parent["title"])
        note(call, task["parent_id"], "removed", "subtask", old=task["title"])
        note(call, parent_id, "added", "subtask", new=task["title"])
    return [task["id"], parent_id]


def _parent_for(call: Call, task: Row, parent_id: int) -> Row:
    """The task that `task` can be a subtask of. Raises 404, 409, 422.

    As a subtask cannot have subtasks, no task can come to be below itself.
    """
    parent = parent_of(call, parent_id)
    if parent["id"] == task["id"]:
        raise invalid("parent_id", "must be another task")
    if parent["archived_at"] is not None:
        raise conflict("parent_archived", "The parent task is archived; restore it first.")
    return parent


def _make_subtask(call: Call, task: Row, parent: Row, group_id: int) -> None:
    """Take a task out of its stage and put it below another one. Raises 409."""
    if task["parent_id"] is not None:
        raise conflict("task_is_subtask", "A subtask cannot have subtasks itself.")
    if task["archived_at"] is not None:
        raise conflict("task_archived", "The task is archived; restore it first.")
    if call.db.value("select count(*) from task where parent_id = :task", task=task["id"]):
        raise conflict(
            "task_has_subtasks",
            "The task has subtasks itself; move them to the board or delete them first.",
        )
    stage = call.db.value("select title from stage where id = :id", id=task["stage_id"])
    call.db.run("delete from notification where task_id = :task", task=task["id"])
    call.db.run("delete from subtask_group where task_id = :task", task=task["id"])
    _put_below(call, task, parent, group_id)
    record(call, "converted", "task", task_id=task["id"], old=stage, new=parent["title"])
    note(call, parent["id"], "added", "subtask", new=task["title"], description=stage)


def _put_below(call: Call, task: Row, parent: Row, group_id: int) -> None:
    """Put a task at the end of a group of another one."""
    call.db.run(
        """update task set parent_id = :parent, subtask_group_id = :group, stage_id = null,
            position = :position, updated_at = :now
        where id = :task""",
        parent=parent["id"],
        group=group_id,
        position=position_in(call, group_id, None),
        now=call.stamp,
        task=task["id"],
    )


def _group(call: Call, parent_id: int, group_id: int | None) -> int:
    """The group that was named, or the parent's default one."""
    if group_id is None:
        return default_group(call, parent_id)
    return int(group_of(call, group_id, parent_id)["id"])


def _assign(call: Call, task_id: int, person: int | None) -> None:
    """Add a person who was named to a task's assignees. Raises 404 for a stranger."""
    if person is None:
        return
    if person not in member_ids(call, call.board_id):
        raise missing("member")
    rows = call.db.all("select account_id from task_assignee where task_id = :t", t=task_id)
    present = [row["account_id"] for row in rows]
    set_assignees(call, task_id, list(dict.fromkeys([*present, person])))


class _MoveToBoard(Fields):
    stage_id = required("stage_id", values.identifier("stage"))


@answers({"moveSubtask": Task} | SUBTASKS | DONE, _MoveToBoard, refuses=(409,))
def move_to_board(call: Call, asked: _MoveToBoard) -> Document:
    """PUT /projects/{board_id}/tasks/{task_id}/move-to-board: a task at the end of `stage_id`.

    {task_id} is a subtask. Raises 404 for it or the stage, 409 when either is archived, 422.
    """
    row = subtask_of(call, call.ids["task_id"])
    stage = stage_of(call, asked.stage_id)
    refuse_archived_stage(stage)
    refuse_archived(row)
    closes = stage_settings(stage)["default_task_status"] == "closed" and row["status"] == "open"
    call.db.run(
        """update task set parent_id = null, subtask_group_id = null, stage_id = :stage,
            position = :position, status = :status, last_completed_at = :completed,
            updated_at = :now
        where id = :task""",
        stage=stage["id"],
        position=place_at(call.db, stage["id"], None).position,
        status="closed" if closes else row["status"],
        completed=call.wall if closes else row["last_completed_at"],
        now=call.stamp,
        task=row["id"],
    )
    _record_return(call, row, stage, closed=closes)
    return {
        "moveSubtask": task_document(call, row["id"]),
        "changedSubtasks": changed_subtasks(call, row["parent_id"]),
        "message": "Subtask has been moved to the board",
    }


def _record_return(call: Call, row: Row, stage: Row, *, closed: bool) -> None:
    parent = call.db.value("select title from task where id = :id", id=row["parent_id"])
    record(call, "converted", "subtask", task_id=row["id"], old=parent, new=stage["title"])
    note(call, row["parent_id"], "removed", "subtask", old=row["title"], description=stage["title"])
    if closed:
        record(call, "changed", "status", task_id=row["id"], old="open", new="closed")
