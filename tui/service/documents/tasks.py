"""Documents of tasks (2.2).

Labels, people and everything else around tasks is read in one query for all of them, so that
listing a board of thousands is fast.
"""

import json
from collections import defaultdict
from datetime import timedelta
from typing import Any

from tui.service.call import Call, Document
from tui.service.database.base import Row
from tui.service.documents.boards import (
    board_document,
    label_document,
    stage_document,
    value_documents,
)
from tui.service.documents.people import user_documents
from tui.service.lookups import board_of
from tui.service.records.tasks import SHOWN_COLUMNS

UPCOMING = timedelta(days=1)


def task_documents(call: Call, ids: list[int]) -> list[Document]:
    """Tasks by id, in the order of (position, id), with labels, assignees and field values."""
    rows = call.db.select("task", "position, id", id=ids)
    labels = label_documents_of(call, ids)
    assignees = people_of(call, "task_assignee", ids)
    watched = watched_ids(call, ids)
    subtasks = subtask_counts(call, ids)
    groups = _groups(call, ids)
    fields = value_documents(call.db, ids)
    now, soon = call.wall, call.service.site.wall(call.now + UPCOMING)
    return [
        _task_document(row, now, soon, subtasks.get(row["id"], (0, 0)))
        | {
            "meta": json.loads(row["meta"]) | groups.get(row["id"], {}),
            "task_custom_fields": fields[row["id"]],
            "is_watching": row["id"] in watched,
            "labels": labels[row["id"]],
            "assignees": assignees[row["id"]],
        }
        for row in rows
    ]


def task_document(call: Call, task_id: int) -> Document:
    """One task, as in replies to a change."""
    return task_documents(call, [task_id])[0]


def full_task_document(call: Call, task_id: int) -> Document:
    """One task with its board, stage, next stage, watchers and attachments."""
    document = task_document(call, task_id)
    stage = call.db.find("stage", id=document["stage_id"])
    return document | {
        "board": board_document(call, board_of(call, document["board_id"])),
        "stage": None if stage is None else stage_document(stage),
        "nextStage": None if stage is None else _next_stage(call, stage),
        "watchers": people_of(call, "task_watcher", [task_id])[task_id],
        "attachments": [],
    }


def _task_document(row: Row, now: str, soon: str, subtasks: tuple[int, int]) -> Document:
    document = {name: row[name] for name in SHOWN_COLUMNS}
    due = row["due_at"] if row["status"] == "open" else None
    document["settings"] = settings_document(row["settings"], subtasks)
    document["repeat_task_meta"] = None
    document["isOverdue"] = due is not None and due < now
    document["isUpcoming"] = due is not None and now <= due <= soon
    return document


def settings_document(stored: str, subtasks: tuple[int, int]) -> dict[str, Any]:
    """The stored settings with the current counts of subtasks."""
    kept: dict[str, Any] = json.loads(stored)
    total, closed = subtasks
    counts = {
        "subtask_count": total,
        "attachment_count": 0,
        "subtask_completed_count": closed,
    }
    return {"cover": {"backgroundColor": ""}} | kept | counts


def label_documents_of(call: Call, ids: list[int]) -> dict[int, list[Document]]:
    """The labels of tasks in their order, each with its pivot, by task id."""
    rows = call.db.all(
        """select label.*, task_label.task_id as attached_to, task_label.created_at as attached_at
        from task_label join label on label.id = task_label.label_id
        where task_label.task_id {in_ids}
        order by label.position, label.id""",
        ids=ids,
    )
    labels: dict[int, list[Document]] = defaultdict(list)
    for row in rows:
        labels[row["attached_to"]].append(label_document(row))
    return labels


def people_of(
    call: Call, table: str, ids: list[int], *, is_masked: bool = False
) -> dict[int, list[Document]]:
    """The assignees or watchers of tasks, by task id; see `user_document`."""
    rows = call.db.select(table, "created_at, account_id", task_id=ids)
    known = user_documents(call, (row["account_id"] for row in rows), is_masked=is_masked)
    people: dict[int, list[Document]] = defaultdict(list)
    for row in rows:
        people[row["task_id"]].append(known[row["account_id"]])
    return people


def watched_ids(call: Call, ids: list[int]) -> set[int]:
    """Those of the tasks that the caller watches."""
    rows = call.db.select("task_watcher", "task_id", account_id=call.user.id, task_id=ids)
    return {row["task_id"] for row in rows}


def subtask_counts(call: Call, ids: list[int]) -> dict[int, tuple[int, int]]:
    """The number of subtasks of tasks, and of closed ones."""
    rows = call.db.all(
        """select parent_id, count(*) as total,
            sum(case when status = 'closed' then 1 else 0 end) as closed
        from task where parent_id {in_ids} and archived_at is null group by parent_id""",
        ids=ids,
    )
    return {row["parent_id"]: (row["total"], row["closed"]) for row in rows}


def _groups(call: Call, ids: list[int]) -> dict[int, dict[str, Any]]:
    """The group fields in the `meta` of subtasks."""
    rows = call.db.all(
        """select task.id, subtask_group.id as group_id, subtask_group.title from task
        join subtask_group on subtask_group.id = task.subtask_group_id
        where task.id {in_ids}""",
        ids=ids,
    )
    return {
        row["id"]: {"subtask_group_id": row["group_id"], "group_name": row["title"]} for row in rows
    }


def _next_stage(call: Call, stage: Row) -> str | None:
    title: str | None = call.db.value(
        """select title from stage
        where board_id = :board and archived_at is null
            and (position > :position or (position = :position and id > :id))
        order by position, id limit 1""",
        board=stage["board_id"],
        position=stage["position"],
        id=stage["id"],
    )
    return title
