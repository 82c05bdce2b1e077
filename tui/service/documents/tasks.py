"""Documents of tasks (2.2).

Labels, people and everything else around tasks is read in one query for all of them, so that
listing a board of thousands is fast, and all queries are sent before the rows of one are awaited.
"""

import json
from collections import defaultdict
from datetime import timedelta
from typing import Any, NamedTuple

from tui.schema.tasks import SHOWN_COLUMNS
from tui.service.call import Call, Document
from tui.service.database.base import Later, Row, first, grouped
from tui.service.documents.boards import (
    board_document,
    label_document,
    stage_document,
    value_documents,
)
from tui.service.documents.people import user_document

UPCOMING = timedelta(days=1)
Documents = dict[int, list[Document]]
_TASKS = """select task.*, subtask_group.title as group_name,
        exists (select 1 from task_watcher
            where task_id = task.id and account_id = :caller) as is_watching
    from task left join subtask_group on subtask_group.id = task.subtask_group_id
    where task.id {in_ids} order by task.position, task.id"""
_NEXT_STAGE = """select following.title from task
    join stage on stage.id = task.stage_id
    join stage as following on following.board_id = stage.board_id
        and following.archived_at is null and (following.position > stage.position
            or (following.position = stage.position and following.id > stage.id))
    where task.id = :task order by following.position, following.id limit 1"""


def task_documents(call: Call, ids: list[int]) -> Later[list[Document]]:
    """Tasks by id, in the order of (position, id), with labels, assignees and field values."""
    rows = call.db.all(_TASKS, ids=ids, caller=call.user.id)
    labels = label_documents_of(call, ids)
    assignees = people_of(call, "task_assignee", ids)
    subtasks = subtask_counts(call, ids)
    fields = value_documents(call.db, ids)

    def tasks() -> list[Document]:
        now, soon = call.wall, call.service.site.wall(call.now + UPCOMING)
        around = _Around(labels(), assignees(), subtasks(), fields())
        return [_task_document(row, now, soon, around) for row in rows]

    return tasks


def by_id(documents: list[Document], task_id: int) -> Document:
    """The document of one of the tasks."""
    return next(document for document in documents if document["id"] == task_id)


def task_document(call: Call, task_id: int) -> Later[Document]:
    """One task, as in replies to a change."""
    documents = task_documents(call, [task_id])
    return lambda: documents()[0]


def full_task_document(call: Call, task_id: int) -> Later[Document]:
    """One task with its board, stage, next stage, watchers and attachments."""
    document = task_document(call, task_id)
    stages = call.db.all(
        "select stage.* from stage join task on task.stage_id = stage.id where task.id = :task",
        task=task_id,
    )
    boards = call.db.all(
        "select board.* from board join task on task.board_id = board.id where task.id = :task",
        task=task_id,
    )
    next_stages = call.db.tuples(_NEXT_STAGE, task=task_id)
    watchers = people_of(call, "task_watcher", [task_id])

    def full_task() -> Document:
        board = board_document(call, boards[0])
        stage, following = first(stages), first(next_stages)
        return document() | {
            "board": board(),
            "stage": None if stage is None else stage_document(stage),
            "nextStage": None if following is None else following[0],
            "watchers": watchers()[task_id],
            "attachments": [],
        }

    return full_task


class _Around(NamedTuple):
    """What belongs to tasks, by their id."""

    labels: Documents
    assignees: Documents
    subtasks: dict[int, tuple[int, int]]
    fields: Documents


def _task_document(row: Row, now: str, soon: str, around: _Around) -> Document:
    task_id = row["id"]
    document = {name: row[name] for name in SHOWN_COLUMNS}
    due = row["due_at"] if row["status"] == "open" else None
    document["settings"] = settings_document(row["settings"], around.subtasks.get(task_id, (0, 0)))
    document["repeat_task_meta"] = None
    # Texts in the format of the site's clock, which compare like times.
    document["isOverdue"] = due is not None and due < now
    document["isUpcoming"] = due is not None and now <= due <= soon
    group: dict[str, Any] = {}
    if row["group_name"] is not None:
        group = {"subtask_group_id": row["subtask_group_id"], "group_name": row["group_name"]}
    return document | {
        "meta": json.loads(row["meta"]) | group,
        "task_custom_fields": around.fields[task_id],
        "is_watching": bool(row["is_watching"]),
        "labels": around.labels[task_id],
        "assignees": around.assignees[task_id],
    }


def settings_document(stored: str, subtasks: tuple[int, int]) -> dict[str, Any]:
    """The stored settings with the current counts of subtasks."""
    settings: dict[str, Any] = {"cover": {"backgroundColor": ""}} | json.loads(stored)
    total, closed = subtasks
    return settings | {
        "subtask_count": total,
        "attachment_count": 0,
        "subtask_completed_count": closed,
    }


def label_documents_of(call: Call, ids: list[int]) -> Later[Documents]:
    """The labels of tasks in their order, each with its pivot, by task id."""
    rows = call.db.all(
        """select label.*, task_label.task_id as attached_to, task_label.created_at as attached_at
        from task_label join label on label.id = task_label.label_id
        where task_label.task_id {in_ids}
        order by label.position, label.id""",
        ids=ids,
    )
    return lambda: grouped(rows, "attached_to", label_document)


def people_of(
    call: Call, table: str, ids: list[int], *, is_masked: bool = False
) -> Later[Documents]:
    """The assignees or watchers of tasks, by task id; see `user_document`."""
    rows = call.db.all(
        f"""select account.*, {table}.task_id from {table}
        join account on account.id = {table}.account_id
        where {table}.task_id {{in_ids}} order by {table}.created_at, account.id""",
        ids=ids,
    )

    def people_by_task() -> Documents:
        documents: dict[int, Document] = {}
        people: Documents = defaultdict(list)
        for row in rows:
            if row["id"] not in documents:
                documents[row["id"]] = user_document(call, row, is_masked=is_masked)
            people[row["task_id"]].append(documents[row["id"]])
        return people

    return people_by_task


def subtask_counts(call: Call, ids: list[int]) -> Later[dict[int, tuple[int, int]]]:
    """The number of subtasks of tasks, and of closed ones."""
    rows = call.db.all(
        """select parent_id, sum(case when archived_at is null then 1 else 0 end) as total,
            sum(case when archived_at is null and status = 'closed' then 1 else 0 end) as closed
        from task where parent_id {in_ids} group by parent_id""",
        ids=ids,
    )
    return lambda: {row["parent_id"]: (row["total"], row["closed"]) for row in rows}
