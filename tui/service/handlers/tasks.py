"""Tasks: read, create, delete; sort or archive the tasks of a stage (4.2, 4.3).

`updatedTasks` in a reply are the tasks changed by this request.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tui.schema.tasks import TASKS_DONE, TEMPLATE, Task
from tui.service import values
from tui.service.call import Call, Document, ManyTasks, answers
from tui.service.database.base import LARGEST_STEP, Later, Row, steps_of
from tui.service.documents.boards import stage_settings
from tui.service.documents.tasks import full_task_document, task_document, task_documents
from tui.service.errors import invalid
from tui.service.lookups import refuse_archived, stage_of, task_of
from tui.service.requests.body import optional, required
from tui.service.tables.changes import end_step, record, record_tasks
from tui.service.tables.positions import FreePosition, in_stage
from tui.service.tables.tasks import assign, insert_task, member_names, watch
from tui.text.clean import counted

_ORDERS = ("priority", "due_at", "position", "created_at", "title")


@answers({"task": Task})
def get_task(call: Call) -> Document:
    """GET /projects/{board_id}/tasks/{task_id}: also when it is archived."""
    return {"task": full_task_document(call, task_of(call)["id"])()}


@answers({"task": Task} | TASKS_DONE, refuses=(409,))
def create_task(
    call: Call,
    title: str = required("task.title", values.title),
    board_id: int = required("task.board_id", values.identifier("board")),
    stage_id: int = required("task.stage_id", values.identifier("stage")),
    priority: str = optional("task.priority", values.priority, "low"),
    contact_id: int | None = optional("task.crm_contact_id", values.whole_number),
    template: bool = optional(f"task.{TEMPLATE}", values.flag, False),
) -> Document:
    """POST /projects/{board_id}/tasks: an open task at the end of a stage.

    Raises 422 when `task.title`, `task.board_id` or `task.stage_id` is missing or wrong, 404 when
    there is no such stage on the board, 409 when the stage is archived.
    """
    if board_id != call.board_id:
        raise invalid("task.board_id", "must be the board of the address")
    members = member_names(call, call.board_id)
    columns = {
        "crm_contact_id": contact_id,
        "title": title,
        "priority": priority,
        "meta": json.dumps({TEMPLATE: "yes"} if template else {}),
    }
    free = in_stage(call.db, stage_id).place(None)
    stage = stage_of(call, stage_id)
    task_id = add_task(call, stage, free, columns)
    defaults, names = stage_settings(stage)["default_task_assignees"], members()
    # Default assignees may have left the board.
    assign(call, task_id, {person: names[person] for person in defaults if person in names})
    watch(call, task_id)
    document = task_document(call, task_id)()
    return {"task": document, "message": "Task has been created", "updatedTasks": [document]}


def add_task(call: Call, stage: Row, free: Later[FreePosition], columns: Mapping[str, Any]) -> int:
    """Insert a task at a place of a stage, and record it; returns its id. Raises 409."""
    refuse_archived(stage, "stage")
    place = {"stage_id": stage["id"], "position": free().position}
    task_id = insert_task(call, {"board_id": call.board_id, **columns, **place})
    change = {"new": columns["title"], "description": stage["title"]}
    record(call, "created", "task", task_id=task_id, **change)
    return task_id


@answers(TASKS_DONE)
def delete_task(call: Call) -> Document:
    """DELETE /projects/{board_id}/tasks/{task_id}: for good; the board's record of it stays.

    Its subtasks go with it. When it is a subtask, the parent, which has one less, is answered with.
    """
    row = task_of(call)
    subtasks = call.db.value("select count(*) from task where parent_id = :task", task=row["id"])
    call.db.delete("task", id=row["id"])
    description = f"with {counted(subtasks, 'subtask')}" if subtasks else None
    record(call, "deleted", "task", task_id=row["id"], old=row["title"], description=description)
    parent = [] if row["parent_id"] is None else [row["parent_id"]]
    return {"updatedTasks": task_documents(call, parent)(), "message": "Task has been deleted"}


@answers(TASKS_DONE)
def archive_all_tasks(call: Call) -> ManyTasks:
    """PUT /projects/{board_id}/stage/{stage_id}/archive-all-task."""
    stage = stage_of(call)
    ids = in_stage(call.db, stage["id"]).ids()
    for number, part in enumerate(steps_of(ids)):
        if number:
            end_step(call)
        call.db.run(
            """update task set archived_at = :when, position = 0, updated_at = :now
            where id {in_ids}""",
            when=call.wall,
            now=call.stamp,
            ids=part,
        )
        record_tasks(call, "archived", part)
    return ManyTasks({"message": "Tasks have been archived"}, sorted(ids))


@answers(TASKS_DONE)
def sort_tasks(
    call: Call,
    field: str = required("order", values.one_of(*_ORDERS)),
    direction: str = required("orderBy", values.one_of("ASC", "DESC")),
) -> ManyTasks:
    """PUT /projects/{board_id}/stage/{stage_id}/sort-task: positions become 1 to n.

    `order` is the field and `orderBy` the direction. High priority comes first in ASC; tasks
    without a due date come last in both directions; equals keep their order. Raises 422.
    """
    stage = stage_of(call)
    descending = direction == "DESC"
    rows = in_stage(call.db, stage["id"]).values(field)
    ordered = [task_id for task_id, _ in _sorted(rows, field, descending=descending)]
    for number, part in enumerate(steps_of(ordered)):
        if number:
            end_step(call)
        call.put_in_order("task", part, 1 + number * LARGEST_STEP)
    words = f"by {field} {'descending' if descending else 'ascending'}"
    record(call, "sorted", "stage", new=stage["title"], description=words)
    return ManyTasks({"message": "Tasks have been sorted"}, ordered)


def _sorted(
    rows: Sequence[tuple[int, Any]], field: str, *, descending: bool
) -> list[tuple[int, Any]]:
    # Rows of an id and a value.
    if field == "position":
        return list(reversed(rows) if descending else rows)
    keyed = [row for row in rows if row[1] is not None]
    keyed.sort(
        key=lambda row: (
            -values.PRIORITIES.index(row[1]) if field == "priority" else str(row[1]).casefold()
        ),
        reverse=descending,
    )
    return keyed + [row for row in rows if row[1] is None]
