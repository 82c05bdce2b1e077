"""Subtasks and the groups in which they stand: create, order, move, delete (4.5).

A subtask has a parent and a place in one of the parent's groups, and no stage. The order of a group
is told like that of a stage, counting from 1 among the other active subtasks, and never runs out. A
task that is no subtask is a missing one here. What happens to groups and subtasks is recorded with
the parent.
"""

from collections import defaultdict
from datetime import timedelta

from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.documents.tasks import task_document, task_documents
from tui.service.errors import conflict, invalid
from tui.service.lookups import group_of, parent_of, subtask_of, task_of
from tui.service.records.base import DONE, filled
from tui.service.records.tasks import GROUP_DONE, SUBTASKS, SubtaskGroup, Task
from tui.service.requests.body import Fields, optional, required
from tui.service.tables.activity import counted, record
from tui.service.tables.positions import active_subtask_ids, place_in_group
from tui.service.tables.tasks import insert_task, watch
from tui.service.times import iso
from tui.service.values import slug

DEFAULT_TITLE = "Default Subtask Group"
_RECENTLY = timedelta(minutes=1)


@answers({"subtaskGroups": list[SubtaskGroup]})
def list_groups(call: Call) -> Document:
    """GET /projects/{board_id}/tasks/{task_id}/subtasks: groups by age, with active subtasks.

    A subtask has none: its list is empty. Raises 404.
    """
    task = task_of(call)
    rows = call.db.all(
        "select id from task where parent_id = :task and archived_at is null", task=task["id"]
    )
    subtasks: dict[int, list[Document]] = defaultdict(list)
    for subtask in task_documents(call, [row["id"] for row in rows]):
        subtasks[subtask["meta"]["subtask_group_id"]].append(subtask)
    groups = call.db.all(
        "select * from subtask_group where task_id = :task order by id", task=task["id"]
    )
    return {
        "subtaskGroups": [
            group_document(group) | {"subtasks": subtasks[group["id"]]} for group in groups
        ]
    }


class _CreateGroup(Fields):
    title = required("title", values.title)


@answers(GROUP_DONE, _CreateGroup, refuses=(409,))
def create_group(call: Call, asked: _CreateGroup) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/subtask-group. Raises 404, 409, 422."""
    task, title = parent_of(call), asked.title
    group = group_of(call, add_group(call, task["id"], title), task["id"])
    return {"subtaskGroup": group_document(group), "message": "Subtask group has been added"}


class _DeleteGroup(Fields):
    group_id = required("group_id", values.identifier("subtask group"))


class _RenameGroup(_DeleteGroup):
    title = required("title", values.title)


@answers(GROUP_DONE, _RenameGroup)
def rename_group(call: Call, asked: _RenameGroup) -> Document:
    """PUT /projects/{board_id}/tasks/{task_id}/subtask-group: `group_id` gets a new `title`.

    Raises 404, 422.
    """
    task, group = _named_group(call, asked)
    title = asked.title
    changed = call.change("subtask_group", group["id"], title=title)
    if title != group["title"]:
        note(call, task["id"], "changed", "subtask group", old=group["title"], new=title)
    return {
        "subtaskGroup": group_document(changed),
        "message": "Subtask group has been updated",
    }


@answers(DONE, _DeleteGroup)
def delete_group(call: Call, asked: _DeleteGroup) -> Document:
    """DELETE /projects/{board_id}/tasks/{task_id}/subtask-group: `group_id` with its subtasks.

    Archived subtasks of the group go too. Raises 404, 422.
    """
    task, group = _named_group(call, asked)
    count = len(active_subtask_ids(call.db, group["id"]))
    call.db.run("delete from subtask_group where id = :group", group=group["id"])
    note(
        call,
        task["id"],
        "deleted",
        "subtask group",
        old=group["title"],
        description=f"with {counted(count, 'subtask')}",
    )
    return {"message": "Subtask group has been deleted"}


def add_group(call: Call, task_id: int, title: str) -> int:
    """Give a task another group, recorded; returns its id."""
    group_id = insert_group(call, task_id, title)
    note(call, task_id, "created", "subtask group", new=title)
    return group_id


def insert_group(call: Call, task_id: int, title: str) -> int:
    """Give a task another group, unrecorded, as a part of something greater; returns its id."""
    made: int = call.add("subtask_group", task_id=task_id, title=title)["id"]
    return made


def default_group(call: Call, task_id: int) -> int:
    """The Default Subtask Group of a task, made if there is none; returns its id."""
    found: int | None = call.db.value(
        """select id from subtask_group where task_id = :task and title = :title
        order by id limit 1""",
        task=task_id,
        title=DEFAULT_TITLE,
    )
    return add_group(call, task_id, DEFAULT_TITLE) if found is None else found


def group_document(row: Row) -> Document:
    """A row of `subtask_group` as a Subtask group record (2.11)."""
    return filled(SubtaskGroup, row, key="group_name", value=row["title"])


def note(
    call: Call,
    parent_id: int,
    action: str,
    column: str,
    *,
    old: str | None = None,
    new: str | None = None,
    description: str | None = None,
) -> None:
    """Record what happened to a task's subtasks with the task, which has changed by it."""
    record(call, action, column, task_id=parent_id, old=old, new=new, description=description)
    call.change("task", parent_id)


def _named_group(call: Call, asked: _DeleteGroup) -> tuple[Row, Row]:
    """The task of the path and its group that the body names."""
    task = task_of(call)
    return task, group_of(call, asked.group_id, task["id"])


class _CreateSubtask(Fields):
    title = required("title", values.title)
    group_id = required("group_id", values.identifier("subtask group"))
    due_at = optional("due_at", values.as_sent(type="string"))
    is_first = optional("add_to_top", values.flag, default=False)


@answers({"subtask": Task} | DONE, _CreateSubtask, refuses=(409,))
def create_subtask(call: Call, asked: _CreateSubtask) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/subtasks: at the end of `group_id`.

    `due_at` is a date, `add_to_top` puts it first. Who makes a subtask watches it, as with tasks.
    Raises 404 for the parent or the group, 409 when the parent is a subtask, 422.
    """
    parent = parent_of(call)
    title = asked.title
    group = group_of(call, asked.group_id, parent["id"])
    due_at = values.wall_time(call.service.site)("due_at", asked.due_at)
    is_first = asked.is_first
    subtask_id = insert_task(
        call,
        {
            "board_id": call.board_id,
            "parent_id": parent["id"],
            "subtask_group_id": group["id"],
            "title": title,
            "slug": slug(title),
            "due_at": due_at,
            "position": position_in(call, group["id"], 1 if is_first else None),
        },
    )
    note(call, parent["id"], "created", "subtask", new=title, description=group["title"])
    watch(call, subtask_id)
    return {"subtask": task_document(call, subtask_id), "message": "Subtask has been added"}


@answers({"deletedSubtask": Task} | SUBTASKS | DONE)
def delete_subtask(call: Call) -> Document:
    """DELETE /projects/{board_id}/tasks/{task_id}/delete-subtask: for good. Raises 404."""
    row = subtask_of(call, call.ids["task_id"])
    document = task_document(call, row["id"])
    call.db.run("delete from task where id = :task", task=row["id"])
    note(call, row["parent_id"], "deleted", "subtask", old=row["title"])
    return {
        "deletedSubtask": document,
        "changedSubtasks": changed_subtasks(call, row["parent_id"]),
        "message": "Subtask has been deleted",
    }


@values.takes()
def _one_or_more(field: str, value: object) -> list[int]:
    """An id or a list of ids with at least one in it."""
    found = values.ids(field, value if isinstance(value, list) else [value])
    if not found:
        raise invalid(field, "must name a subtask")
    return found


class _MoveSubtasks(Fields):
    group_id = required("group_id", values.identifier("subtask group"))
    subtask_ids = required("subtask_id", _one_or_more)


@answers({"subtask": Task, "subtasks": list[Task]} | DONE, _MoveSubtasks, refuses=(409,))
def move_subtasks(call: Call, asked: _MoveSubtasks) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/move-subtask: to the end of `group_id`.

    {task_id} is the parent; `subtask_id` is one of its subtasks or a list of them, which keep the
    order of the list. One that is in the group already stays where it is. Answers with the first
    as `subtask` and all of them as `subtasks`. Raises 404, 409 for an archived one, 422.
    """
    parent = task_of(call)
    group = group_of(call, asked.group_id, parent["id"])
    ids = asked.subtask_ids
    for row in [subtask_of(call, subtask_id, parent["id"]) for subtask_id in ids]:
        refuse_archived(row)
        if row["subtask_group_id"] != group["id"]:
            _put(call, row, group, None)
    documents = {document["id"]: document for document in task_documents(call, ids)}
    moved = [documents[subtask_id] for subtask_id in ids]
    return {"subtask": moved[0], "subtasks": moved, "message": "Subtask has been moved"}


class _RepositionSubtask(Fields):
    position = required("newPosition", values.place)
    group_id = optional("newSubtasksGroupId", values.identifier("subtask group"))


@answers(SUBTASKS, _RepositionSubtask, refuses=(409,))
def reposition_subtask(call: Call, asked: _RepositionSubtask) -> Document:
    """PUT /projects/{board_id}/tasks/update-subtask-position/{subtask_id}.

    `newPosition` counts from 1, one past the end is the end; `newSubtasksGroupId` names another
    group of the same parent. Raises 404, 409 for an archived subtask, 422.
    """
    row = subtask_of(call, call.ids["subtask_id"])
    index, group_id = asked.position, asked.group_id
    if group_id is None:
        group_id = row["subtask_group_id"]
    refuse_archived(row)
    _put(call, row, group_of(call, group_id, row["parent_id"]), index)
    return {"changedSubtasks": changed_subtasks(call, row["parent_id"])}


def position_in(
    call: Call, group_id: int, index: int | None, subtask_id: int | None = None
) -> float:
    """A free position in a group; if the others are numbered anew for it, they have changed."""
    place = place_in_group(call.db, group_id, index, subtask_id)
    if place.renumbered:
        call.db.run(
            """update task set updated_at = :now
            where subtask_group_id = :group and archived_at is null""",
            now=call.stamp,
            group=group_id,
        )
    return place.position


def changed_subtasks(call: Call, parent_id: int) -> list[Document]:
    """The active subtasks of a task that were changed within the last minute, in order."""
    rows = call.db.all(
        """select id from task
        where parent_id = :parent and archived_at is null and updated_at >= :since""",
        parent=parent_id,
        since=iso(call.now - _RECENTLY),
    )
    return task_documents(call, [row["id"] for row in rows])


def refuse_archived(row: Row) -> None:
    """Raises 409 for a subtask that is in no order because it is archived."""
    if row["archived_at"] is not None:
        raise conflict("task_archived", "The subtask is archived; restore it first.")


def _put(call: Call, row: Row, group: Row, index: int | None) -> None:
    """Put a subtask into a group of its parent, and record it."""
    call.change(
        "task",
        row["id"],
        subtask_group_id=group["id"],
        position=position_in(call, group["id"], index, row["id"]),
    )
    if group["id"] == row["subtask_group_id"]:
        record(call, "moved", "position", task_id=row["id"])
        return
    old = call.db.value(
        "select title from subtask_group where id = :id", id=row["subtask_group_id"]
    )
    record(call, "moved", "subtask group", task_id=row["id"], old=old, new=group["title"])
