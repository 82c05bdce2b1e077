"""What belongs to tasks is copied to copies of them, for one task as for a whole board.

The rule it keeps: every function takes the copies as a map from the id of an original to that of
its copy, and asks the database once for all of them.
"""

from collections.abc import Collection, Iterable, Mapping

from tui.service.call import Call
from tui.service.database.base import Row
from tui.service.handlers.subtask_groups import insert_group
from tui.service.tables.task_rows import copied, insert_task

Ids = Mapping[int, int]
"""From originals to copies."""

_PEOPLE = {
    "assignees": (
        """select task_id, account_id from task_assignee where task_id {in_ids}
        order by created_at, account_id""",
        """insert into task_assignee (task_id, account_id, created_at)
        values (:task, :person, :now) on conflict do nothing""",
    ),
    "watchers": (
        """select task_id, account_id from task_watcher where task_id {in_ids}
        order by created_at, account_id""",
        """insert into task_watcher (task_id, account_id, created_at)
        values (:task, :person, :now) on conflict do nothing""",
    ),
}


def copy_people(call: Call, relation: str, tasks: Ids, members: Collection[int]) -> None:
    """Copy the `assignees` or the `watchers`, those who are members where the copies are."""
    read, write = _PEOPLE[relation]
    rows = call.db.all(read, ids=list(tasks))
    call.db.many(
        write,
        [
            {"task": tasks[row["task_id"]], "person": row["account_id"], "now": call.stamp}
            for row in rows
            if row["account_id"] in members
        ],
    )


def copy_labels(call: Call, tasks: Ids, labels: Ids | None = None) -> None:
    """Copy the labels that tasks have, as their own copies where `labels` names them."""
    rows = call.db.all(
        "select task_id, label_id from task_label where task_id {in_ids}", ids=list(tasks)
    )
    call.db.many(
        "insert into task_label (task_id, label_id, created_at) values (:task, :label, :now)",
        [
            {
                "task": tasks[row["task_id"]],
                "label": row["label_id"] if labels is None else labels[row["label_id"]],
                "now": call.stamp,
            }
            for row in rows
        ],
    )


def copy_values(call: Call, tasks: Ids, fields: Ids | None = None) -> None:
    """Copy the values of custom fields, as values of the copied `fields` where they are given."""
    rows = call.db.all(
        "select * from custom_field_value where task_id {in_ids} order by id", ids=list(tasks)
    )
    call.db.many(
        """insert into custom_field_value (task_id, custom_field_id, value, created_at, updated_at)
        values (:task, :field, :value, :now, :now)""",
        [
            {
                "task": tasks[row["task_id"]],
                "field": _in_place_of(row["custom_field_id"], fields),
                "value": row["value"],
                "now": call.stamp,
            }
            for row in rows
        ],
    )


def _in_place_of(original: int, copies: Ids | None) -> int:
    return original if copies is None else copies[original]


def copy_subtasks(
    call: Call, tasks: Ids, board_id: int, *, kept: Iterable[str] = ()
) -> dict[int, int]:
    """Copy the groups of tasks and the active subtasks in them; returns the subtasks' copies.

    The copies are on `board_id`; `kept` names columns in which they are like the originals beyond
    what `copied` says.
    """
    groups = _copy_groups(call, tasks)
    rows = call.db.all(
        "select * from task where parent_id {in_ids} and archived_at is null order by id",
        ids=list(tasks),
    )
    return {
        row["id"]: insert_task(
            call,
            copied(row)
            | {name: row[name] for name in kept}
            | {
                "board_id": board_id,
                "parent_id": tasks[row["parent_id"]],
                "subtask_group_id": groups[row["subtask_group_id"]],
            },
        )
        for row in rows
    }


def _copy_groups(call: Call, tasks: Ids) -> dict[int, int]:
    rows = call.db.all(
        "select * from subtask_group where task_id {in_ids} order by id", ids=list(tasks)
    )
    return {row["id"]: insert_group(call, tasks[row["task_id"]], row["title"]) for row in rows}


def copy_comments(call: Call, task_id: int, copy_id: int) -> None:
    """Copy a task's comments and replies with their authors and their times.

    Those without text, which hold pictures only, stay behind with the replies to them.
    """
    copies: dict[int | None, int | None] = {None: None}
    rows = call.db.all(
        "select * from comment where task_id = :task and description <> '' order by id",
        task=task_id,
    )
    for row in rows:
        if row["parent_id"] in copies:
            copies[row["id"]] = _insert_comment(call, row, copy_id, copies[row["parent_id"]])
    call.db.run(
        """update task set comments_count =
            (select count(*) from comment where task_id = :copy) where id = :copy""",
        copy=copy_id,
    )


def _insert_comment(call: Call, row: Row, task_id: int, parent_id: int | None) -> int:
    made: int = call.db.value(
        """insert into comment (board_id, task_id, parent_id, type, privacy, status, author_name,
            author_email, description, settings, created_by, created_at, updated_at)
        values (:board_id, :task_id, :parent_id, :type, :privacy, :status, :author_name,
            :author_email, :description, :settings, :created_by, :created_at, :updated_at)
        returning id""",
        **(row | {"task_id": task_id, "parent_id": parent_id}),
    )
    return made
