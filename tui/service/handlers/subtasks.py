"""Subtasks and their groups: create, order, move, delete (4.5).

A subtask has a parent and a place in one of its groups, and no stage. An index in a group counts
from 1 among the other active subtasks. A task that is no subtask is a missing one here. Activities
of groups and subtasks are recorded with the parent.
"""

from collections import defaultdict
from collections.abc import Callable
from datetime import timedelta

from tui.schema.base import DONE, filled
from tui.schema.tasks import GROUP_DONE, SUBTASKS, SubtaskGroup, Task
from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Later, Row, Written, first
from tui.service.documents.tasks import task_document, task_documents
from tui.service.errors import invalid, missing
from tui.service.lookups import group_of, parent_of, refuse_archived, subtask_of, task_of, title_of
from tui.service.requests.body import optional, required
from tui.service.tables.changes import note, record
from tui.service.tables.positions import in_group
from tui.service.tables.tasks import insert_task, watch
from tui.service.times import iso
from tui.text.clean import counted

DEFAULT_TITLE = "Default Subtask Group"
_RECENTLY = timedelta(minutes=1)


@answers({"subtaskGroups": list[SubtaskGroup]})
def list_groups(call: Call) -> Document:
    """GET /projects/{board_id}/tasks/{task_id}/subtasks: groups by age, with active subtasks.

    A subtask has none: its list is empty. Raises 404.
    """
    task = task_of(call)
    rows = call.db.select("task", parent_id=task["id"], archived_at=None)
    groups = call.db.select("subtask_group", task_id=task["id"])
    subtasks: dict[int, list[Document]] = defaultdict(list)
    for subtask in task_documents(call, [row["id"] for row in rows])():
        subtasks[subtask["meta"]["subtask_group_id"]].append(subtask)
    documents = [_group_document(group) | {"subtasks": subtasks[group["id"]]} for group in groups]
    return {"subtaskGroups": documents}


@answers(GROUP_DONE, refuses=(409,))
def create_group(call: Call, title: str = required("title", values.title)) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/subtask-group. Raises 404, 409, 422."""
    group = add_group(call, parent_of(call)["id"], title)
    return {"subtaskGroup": _group_document(group), "message": "Subtask group has been added"}


@answers(GROUP_DONE)
def rename_group(
    call: Call,
    group_id: int = required("group_id", values.identifier("subtask group")),
    title: str = required("title", values.title),
) -> Document:
    """PUT /projects/{board_id}/tasks/{task_id}/subtask-group: `group_id` gets a new `title`.

    Raises 404, 422.
    """
    group = group_of(call, group_id, task_of(call)["id"])
    changed = call.change("subtask_group", group["id"], title=title)
    if title != group["title"]:
        note(call, group["task_id"], "changed", "subtask group", old=group["title"], new=title)
    return {"subtaskGroup": _group_document(changed), "message": "Subtask group has been updated"}


@answers(DONE)
def delete_group(
    call: Call, group_id: int = required("group_id", values.identifier("subtask group"))
) -> Document:
    """DELETE /projects/{board_id}/tasks/{task_id}/subtask-group: `group_id` with its subtasks.

    Archived subtasks of the group go too. Raises 404, 422.
    """
    group = group_of(call, group_id, task_of(call)["id"])
    words = f"with {counted(len(in_group(call.db, group_id).ids()), 'subtask')}"
    call.db.delete("subtask_group", id=group_id)
    note(call, group["task_id"], "deleted", "subtask group", old=group["title"], description=words)
    return {"message": "Subtask group has been deleted"}


def add_group(call: Call, task_id: int, title: str) -> Written:
    """Add a group to a task."""
    row = call.add("subtask_group", task_id=task_id, title=title)
    note(call, task_id, "created", "subtask group", new=title)
    return row


def default_group(call: Call, task_id: int) -> int:
    """The id of the Default Subtask Group of a task, created if missing."""
    rows = call.db.select("subtask_group", task_id=task_id, title=DEFAULT_TITLE)
    group = first(rows) or add_group(call, task_id, DEFAULT_TITLE)
    return int(group["id"])


def _group_document(row: Written) -> Document:
    return filled(SubtaskGroup, row, key="group_name", value=row["title"])


@answers({"subtask": Task} | DONE, refuses=(409,))
def create_subtask(
    call: Call,
    title: str = required("title", values.title),
    group_id: int = required("group_id", values.identifier("subtask group")),
    due_at: object = optional("due_at", values.as_sent(type="string")),
    is_first: bool = optional("add_to_top", values.flag, False),
) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/subtasks: at the end of `group_id`.

    `due_at` is a date, `add_to_top` puts it first. Who makes a subtask watches it, as with tasks.
    Raises 404 for the parent or the group, 409 when the parent is a subtask, 422.
    """
    parent = parent_of(call)
    position = position_in(call, group_id, 1 if is_first else None)
    group = group_of(call, group_id, parent["id"])
    subtask_id = insert_task(
        call,
        {
            "board_id": call.board_id,
            "parent_id": parent["id"],
            "subtask_group_id": group["id"],
            "title": title,
            "due_at": values.wall_time(call.service.site)("due_at", due_at),
            "position": position(),
        },
    )
    note(call, parent["id"], "created", "subtask", new=title, description=group["title"])
    watch(call, subtask_id)
    return {"subtask": task_document(call, subtask_id)(), "message": "Subtask has been added"}


@answers({"deletedSubtask": Task} | SUBTASKS | DONE)
def delete_subtask(call: Call) -> Document:
    """DELETE /projects/{board_id}/tasks/{task_id}/delete-subtask: for good. Raises 404."""
    row = subtask_of(call, call.ids["task_id"])
    document = task_document(call, row["id"])
    call.db.delete("task", id=row["id"])
    note(call, row["parent_id"], "deleted", "subtask", old=row["title"])
    return {
        "changedSubtasks": changed_subtasks(call, row["parent_id"]),
        "deletedSubtask": document(),
        "message": "Subtask has been deleted",
    }


@values.takes()
def _one_or_more(field: str, value: object) -> list[int]:
    ids = values.ids(field, value if isinstance(value, list) else [value])
    if not ids:
        raise invalid(field, "must name a subtask")
    return ids


@answers({"subtask": Task, "subtasks": list[Task]} | DONE, refuses=(409,))
def move_subtasks(
    call: Call,
    group_id: int = required("group_id", values.identifier("subtask group")),
    ids: list[int] = required("subtask_id", _one_or_more),
) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/move-subtask: to the end of `group_id`.

    {task_id} is the parent; `subtask_id` is one of its subtasks or a list of them, which keep the
    order of the list. One that is in the group already stays where it is. Answers with the first
    as `subtask` and all of them as `subtasks`. Raises 404, 409 for an archived one, 422.
    """
    parent = task_of(call)
    subtasks = call.db.select("task", id=ids, board_id=call.board_id)
    group = group_of(call, group_id, parent["id"])
    rows = {row["id"]: row for row in subtasks}
    for row in [rows.get(subtask_id) for subtask_id in ids]:
        if row is None or row["parent_id"] != parent["id"]:
            raise missing("subtask")
        refuse_archived(row, "task", called="subtask")
        if row["subtask_group_id"] != group["id"]:
            _place(call, row, group["id"], None)(group)
    documents = {document["id"]: document for document in task_documents(call, ids)()}
    moved = [documents[subtask_id] for subtask_id in ids]
    return {"subtask": moved[0], "subtasks": moved, "message": "Subtask has been moved"}


@answers(SUBTASKS, refuses=(409,))
def reposition_subtask(
    call: Call,
    index: int = required("newPosition", values.place),
    group_id: int | None = optional("newSubtasksGroupId", values.identifier("subtask group")),
) -> Document:
    """PUT /projects/{board_id}/tasks/update-subtask-position/{subtask_id}.

    `newPosition` counts from 1, one past the end is the end; `newSubtasksGroupId` names another
    group of the same parent. Raises 404, 409 for an archived subtask, 422.
    """
    row = subtask_of(call, call.ids["subtask_id"])
    refuse_archived(row, "task", called="subtask")
    if group_id is None:
        group_id = int(row["subtask_group_id"])
    move = _place(call, row, group_id, index)
    move(group_of(call, group_id, row["parent_id"]))
    return {"changedSubtasks": changed_subtasks(call, row["parent_id"])}


def position_in(call: Call, group_id: int, index: int | None, besides: int = 0) -> Later[float]:
    """A free position in a group; renumbered subtasks are touched."""
    free = in_group(call.db, group_id, besides).place(index)

    def position() -> float:
        place = free()
        # `changed_subtasks` finds them by the time of their change.
        if place.renumbered:
            call.db.run(
                """update task set updated_at = :now
                where subtask_group_id = :group and archived_at is null""",
                now=call.stamp,
                group=group_id,
            )
        return place.position

    return position


def changed_subtasks(call: Call, parent_id: int) -> list[Document]:
    """The active subtasks of a task changed within the last minute, in order."""
    rows = call.db.all(
        """select id from task
        where parent_id = :parent and archived_at is null and updated_at >= :since""",
        parent=parent_id,
        since=iso(call.now - _RECENTLY),
    )
    return task_documents(call, [row["id"] for row in rows])()


def _place(call: Call, row: Row, group_id: int, index: int | None) -> Callable[[Row], None]:
    old = title_of(call, "subtask_group", row["subtask_group_id"])
    position = position_in(call, group_id, index, row["id"])

    def put(group: Row) -> None:
        call.change("task", row["id"], subtask_group_id=group["id"], position=position())
        if group["id"] == row["subtask_group_id"]:
            record(call, "moved", "position", task_id=row["id"])
        else:
            names = {"old": old(), "new": group["title"]}
            record(call, "moved", "subtask group", task_id=row["id"], **names)

    return put
