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

_UPCOMING = timedelta(days=1)
_COVER = {"cover": {"backgroundColor": ""}}
_NO_SUBTASKS = {"subtask_count": 0, "attachment_count": 0, "subtask_completed_count": 0}


def task_documents(call: Call, ids: list[int]) -> list[Document]:
    """Tasks by id, in the order of (position, id), with labels, assignees and field values."""
    rows = call.db.select("task", "position, id", id=ids)
    labels = label_documents_of(call, ids)
    assignees = _people(call, "task_assignee", ids)
    watched = call.db.select("task_watcher", "task_id", account_id=call.user.id, task_id=ids)
    watched_ids = {row["task_id"] for row in watched}
    subtasks = _subtask_counts(call, ids)
    groups = _groups(call, ids)
    fields = value_documents(call.db, ids)
    now, soon = call.wall, call.service.site.wall(call.now + _UPCOMING)
    documents = []
    for row in rows:
        task_id = row["id"]
        due = row["due_at"] if row["status"] == "open" else None
        document = {name: row[name] for name in SHOWN_COLUMNS}
        document |= {
            "settings": _COVER | json.loads(row["settings"]) | subtasks.get(task_id, _NO_SUBTASKS),
            "meta": json.loads(row["meta"]) | groups.get(task_id, {}),
            "repeat_task_meta": None,
            "isOverdue": due is not None and due < now,
            "isUpcoming": due is not None and now <= due <= soon,
            "is_watching": task_id in watched_ids,
            "labels": labels[task_id],
            "assignees": assignees[task_id],
            "task_custom_fields": fields[task_id],
        }
        documents.append(document)
    return documents


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
        "watchers": _people(call, "task_watcher", [task_id])[task_id],
        "attachments": [],
    }


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
        pivot = {
            "object_id": row["attached_to"],
            "foreign_id": row["id"],
            "settings": None,
            "created_at": row["attached_at"],
            "updated_at": row["attached_at"],
        }
        labels[row["attached_to"]].append(label_document(row) | {"pivot": pivot})
    return labels


def _people(call: Call, table: str, ids: list[int]) -> dict[int, list[Document]]:
    """The assignees or watchers of tasks, by task id."""
    rows = call.db.select(table, "created_at, account_id", task_id=ids)
    known = user_documents(call, (row["account_id"] for row in rows))
    people: dict[int, list[Document]] = defaultdict(list)
    for row in rows:
        people[row["task_id"]].append(known[row["account_id"]])
    return people


def _subtask_counts(call: Call, ids: list[int]) -> dict[int, Document]:
    """The counts in the settings of tasks that have subtasks."""
    rows = call.db.all(
        """select parent_id, count(*) as total,
            sum(case when status = 'closed' then 1 else 0 end) as closed
        from task where parent_id {in_ids} and archived_at is null group by parent_id""",
        ids=ids,
    )
    return {
        row["parent_id"]: _NO_SUBTASKS
        | {"subtask_count": row["total"], "subtask_completed_count": row["closed"]}
        for row in rows
    }


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
