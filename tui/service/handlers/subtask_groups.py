"""The groups in which a task's subtasks stand (4.5).

The rule it keeps: every subtask is in a group of its own parent. What happens to groups and
subtasks is recorded with the parent.
"""

from collections import defaultdict

from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.documents.tasks import task_documents
from tui.service.lookups import group_of, parent_of, task_of
from tui.service.records.base import DONE, filled
from tui.service.records.tasks import GROUP_DONE, SubtaskGroup
from tui.service.requests.body import Fields, required
from tui.service.tables.activity import record
from tui.service.tables.positions import active_subtask_ids
from tui.service.wording import counted

DEFAULT_TITLE = "Default Subtask Group"


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
def create_group(call: Call) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/subtask-group. Raises 404, 409, 422."""
    task, title = parent_of(call), _CreateGroup(call.body).title
    group = group_of(call, add_group(call, task["id"], title), task["id"])
    return {"subtaskGroup": group_document(group), "message": "Subtask group has been added"}


class _DeleteGroup(Fields):
    group_id = required("group_id", values.identifier("subtask group"))


class _RenameGroup(_DeleteGroup):
    title = required("title", values.title)


@answers(GROUP_DONE, _RenameGroup)
def rename_group(call: Call) -> Document:
    """PUT /projects/{board_id}/tasks/{task_id}/subtask-group: `group_id` gets a new `title`.

    Raises 404, 422.
    """
    task, group = _named_group(call)
    title = _RenameGroup(call.body).title
    call.db.run(
        "update subtask_group set title = :title, updated_at = :now where id = :group",
        title=title,
        now=call.stamp,
        group=group["id"],
    )
    if title != group["title"]:
        note(call, task["id"], "changed", "subtask group", old=group["title"], new=title)
    document = group_document(group_of(call, group["id"], task["id"]))
    return {"subtaskGroup": document, "message": "Subtask group has been updated"}


@answers(DONE, _DeleteGroup)
def delete_group(call: Call) -> Document:
    """DELETE /projects/{board_id}/tasks/{task_id}/subtask-group: `group_id` with its subtasks.

    Archived subtasks of the group go too. Raises 404, 422.
    """
    task, group = _named_group(call)
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
    made: int = call.db.value(
        """insert into subtask_group (task_id, title, created_at, updated_at)
        values (:task, :title, :now, :now) returning id""",
        task=task_id,
        title=title,
        now=call.stamp,
    )
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
    call.db.run(
        "update task set updated_at = :now where id = :task", now=call.stamp, task=parent_id
    )


def _named_group(call: Call) -> tuple[Row, Row]:
    """The task of the path and its group that the body names."""
    task = task_of(call)
    return task, group_of(call, _DeleteGroup(call.body).group_id, task["id"])
