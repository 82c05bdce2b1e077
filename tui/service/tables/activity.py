"""The log of changes (sections 2.12 and 6.2).

Every change writes one activity in its transaction; stages, people and labels are recorded by name,
so that it stays readable after they are deleted, and a task's activities outlive it. A board's
activities include those of its tasks. Times are in seconds: order by id.
"""

import json
from typing import Any

from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.documents.pages import Window, page_of, pages
from tui.service.documents.people import user_documents
from tui.service.lookups import task_of
from tui.service.records.base import Page, filled
from tui.service.records.tasks import Activity
from tui.service.requests.body import query
from tui.service.tables.notifications import notify_of_change

_LONGEST_VALUE = 1000


def record(
    call: Call,
    action: str,
    column: str,
    *,
    board_id: int | None = None,
    task_id: int | None = None,
    old: object = None,
    new: object = None,
    description: str | None = None,
    settings: dict[str, Any] | None = None,
) -> None:
    """Record a change by the caller, on the path's board unless another is given.

    Assignees and watchers of the task are notified of some kinds of changes.
    """
    call.db.insert(
        "activity",
        board_id=call.board_id if board_id is None else board_id,
        task_id=task_id,
        action=action,
        column_name=column,
        old_value=_value(old),
        new_value=_value(new),
        description=description,
        settings=None if settings is None else json.dumps(settings),
        created_by=call.user.id,
        created_at=call.stamp,
    )
    if task_id is not None:
        call.touched.tasks.add(task_id)
        notify_of_change(call, action, column, task_id)


def note(call: Call, task_id: int, action: str, column: str, **told: Any) -> None:
    """Record a change of what belongs to a task, which is touched; see `record`."""
    record(call, action, column, task_id=task_id, **told)
    call.change("task", task_id)


def _value(value: object) -> str | None:
    """A value as recorded, truncated for lists."""
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


@answers({"activities": Page[Activity]})
def list_board_activities(call: Call, part: Window = pages(20)) -> Document:
    """GET /projects/{board_id}/activities (4.1): newest first."""
    source = "from activity where board_id = :board"
    page = page_of(call, part, source, "id desc", _documents, board=call.board_id)
    return {"activities": page}


@answers({"activities": Page[Activity]})
def list_task_activities(
    call: Call,
    part: Window = pages(15),
    order: str = query("filter", values.one_of("newest", "oldest"), "oldest"),
) -> Document:
    """GET /projects/{board_id}/tasks/{task_id}/activities (4.3): oldest first unless asked."""
    source = "from activity where task_id = :task"
    direction = "id" if order == "oldest" else "id desc"
    page = page_of(call, part, source, direction, _documents, task=task_of(call)["id"])
    return {"activities": page}


def _documents(call: Call, rows: list[Row]) -> list[Document]:
    people = user_documents(call, (row["created_by"] for row in rows))
    documents = []
    for row in rows:
        task_id = row["task_id"]
        settings = json.loads(row["settings"]) if row["settings"] else None
        if task_id is not None:
            settings = {**(settings or {}), "task_id": task_id}
        document = filled(
            Activity,
            row,
            object_id=str(row["board_id"] if task_id is None else task_id),
            object_type="board_activity" if task_id is None else "task_activity",
            column=row["column_name"],
            created_by=str(row["created_by"]),
            settings=settings,
            updated_at=row["created_at"],
            user=people.get(row["created_by"]),
        )
        documents.append(document)
    return documents
