"""Labels of boards and tasks (4.6).

A label can be put on tasks of its board only. Attaching one twice, or detaching one that is not
there, changes nothing and is no error.
"""

from tui.schema.base import DONE
from tui.schema.boards import Label, TaskLabel
from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.documents.boards import label_document, label_documents
from tui.service.documents.tasks import label_documents_of
from tui.service.lookups import ask_for, label_of, task_of
from tui.service.requests.body import optional, required
from tui.service.tables.changes import note, record, touch_tasks
from tui.service.values import slug

_TASKS = "select task_id from task_label where label_id = :label"


@answers({"labels": list[Label]})
def list_labels(call: Call) -> Document:
    """GET /projects/{board_id}/labels."""
    return {"labels": label_documents(call.db, call.board_id)()}


@answers({"labels": list[Label]})
def list_used_labels(call: Call) -> Document:
    """GET /projects/{board_id}/labels/used-in-tasks."""
    rows = call.db.all(
        """select * from label where board_id = :board
            and id in (select label_id from task_label)
        order by position, id""",
        board=call.board_id,
    )
    return {"labels": [label_document(row) for row in rows]}


@answers({"label": Label} | DONE)
def create_label(
    call: Call,
    title: str = optional("label", values.line, ""),
    color: str = required("color", values.color),
    bg_color: str = required("bg_color", values.color),
) -> Document:
    """POST /projects/{board_id}/labels: `color` and `bg_color` are required. Raises 422."""
    last = call.db.value("select max(position) from label where board_id = :b", b=call.board_id)
    label = call.add(
        "label",
        board_id=call.board_id,
        title=title,
        slug=slug(title),
        position=(last or 0) + 1,
        color=color,
        bg_color=bg_color,
    )
    record(call, "created", "label", new=title or bg_color)
    return {"message": "Label has been created", "label": label_document(label)}


@answers({"label": Label} | DONE)
def update_label(
    call: Call,
    title: str | None = optional("label", values.line),
    color: str | None = optional("color", values.color),
    bg_color: str = required("bg_color", values.color),
) -> Document:
    """PUT /projects/{board_id}/labels/{label_id}: `bg_color` is required. Raises 422."""
    row = label_of(call)
    if title is None:
        title = row["title"]
    changed = call.change(
        "label",
        row["id"],
        title=title,
        slug=slug(title) if title else row["slug"],
        color=color or row["color"],
        bg_color=bg_color,
    )
    record(call, "changed", "label", old=_name(row), new=title or bg_color)
    touch_tasks(call, _TASKS, label=row["id"])
    return {"message": "Label has been updated", "label": label_document(changed)}


@answers({"type": str} | DONE)
def delete_label(call: Call) -> Document:
    """DELETE /projects/{board_id}/labels/{label_id}: tasks lose it too."""
    row = label_of(call)
    # Before the deletion, which cascades to the rows that name these tasks.
    touch_tasks(call, _TASKS, label=row["id"])
    call.db.delete("label", id=row["id"])
    record(call, "deleted", "label", old=_name(row))
    return {"message": "Label has been deleted", "type": "success"}


@answers({"labels": list[TaskLabel]})
def list_task_labels(call: Call) -> Document:
    """GET /projects/{board_id}/tasks/{task_id}/labels."""
    task = task_of(call)
    return {"labels": label_documents_of(call, [task["id"]])()[task["id"]]}


@answers({"label": TaskLabel} | DONE)
def attach_label(
    call: Call,
    task_id: int = required("taskId", values.identifier("task")),
    label_id: int = required("labelId", values.identifier("label")),
) -> Document:
    """POST /projects/{board_id}/labels/task: put `labelId` on `taskId`. Raises 422, 404."""
    ask_for(call, "label", label_id)
    task, label = task_of(call, task_id), label_of(call, label_id)
    pair = {"task_id": task["id"], "label_id": label["id"]}
    added = call.db.insert_missing("task_label", **pair, created_at=call.stamp)
    attached = label_documents_of(call, [task["id"]])
    if added:
        note(call, task["id"], "added", "label", new=_name(label))
    document = next(item for item in attached()[task["id"]] if item["id"] == label["id"])
    return {"message": "Label has been added", "label": document}


@answers(DONE)
def detach_label(call: Call) -> Document:
    """DELETE /projects/{board_id}/tasks/{task_id}/labels/{label_id}."""
    task, label = task_of(call), label_of(call)
    if call.db.delete("task_label", task_id=task["id"], label_id=label["id"]):
        note(call, task["id"], "removed", "label", old=_name(label))
    return {"message": "Label has been removed"}


def _name(row: Row) -> str:
    return str(row["title"] or row["slug"] or row["bg_color"])
