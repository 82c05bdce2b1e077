"""Claims: one of several callers gets a task, the others are told who has it.

An addition to the specification, announced as `claims`. A claim names the state in which the caller
saw the task. The requests of a board that write run one after the other, so of several that saw the
same only the first finds it unchanged.
"""

from collections.abc import Collection

from tui.schema.tasks import TASKS_DONE, Task
from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.documents.tasks import by_id, label_documents_of, task_documents
from tui.service.errors import ServiceError, conflict
from tui.service.handlers.comments import add_comment, comment_text
from tui.service.handlers.move import relocate
from tui.service.lookups import label_of, refuse_archived, task_of
from tui.service.requests.body import optional, required
from tui.service.tables.changes import note
from tui.service.tables.tasks import assignees_of, set_assignees


@answers({"task": Task} | TASKS_DONE, refuses=(409,))
def claim_task(
    call: Call,
    stage_id: int = required("stageId", values.identifier("stage")),
    assignees: list[int] = required("assignees", values.ids),
    labels: list[int] = required("labels", values.ids),
    new_stage_id: int = required("newStageId", values.identifier("stage")),
    label_id: int | None = optional("labelId", values.identifier("label")),
    comment: str | None = optional("comment", comment_text),
) -> Document:
    """PUT /projects/{board_id}/tasks/{task_id}/claim: assign the caller, and move the task.

    `stageId`, `assignees` and `labels` are those that the caller saw. The task goes to the end of
    `newStageId`, unless it is in it, and gets the label and the comment, if they are given. Raises
    422, 404, and 409 if the task is archived, closed, a subtask, or not as it was seen.
    """
    task = task_of(call)
    people = assignees_of(call, task["id"])
    held = label_documents_of(call, [task["id"]])
    refuse_archived(task, "task")
    if task["status"] == "closed":
        raise conflict("task_closed", "The task is closed.")
    present = {row["id"] for row in people}
    is_unchanged = present == set(assignees) and task["stage_id"] == stage_id
    if not is_unchanged or {label["id"] for label in held()[task["id"]]} != set(labels):
        raise _taken(call, people, assignees)
    changed = [task["id"]]
    if new_stage_id != stage_id:
        changed = relocate(call, task, new_stage_id, None, None)
    set_assignees(call, task["id"], [*assignees, call.user.id])
    if label_id is not None:
        label = label_of(call, label_id)
        pair = {"task_id": task["id"], "label_id": label["id"]}
        if call.db.insert_missing("task_label", **pair, created_at=call.stamp):
            note(call, task["id"], "added", "label", new=label["title"])
    if comment:
        add_comment(call, task, comment)
    call.change("task", task["id"])
    call.touched.tasks.update(changed)
    documents = task_documents(call, changed)()
    return {
        "message": "Task has been claimed",
        "task": by_id(documents, task["id"]),
        "updatedTasks": documents,
    }


def _taken(call: Call, people: Collection[Row], seen: Collection[int]) -> ServiceError:
    names = [row["display_name"] for row in people if row["id"] not in seen]
    if call.user.id in {row["id"] for row in people} - set(seen):
        return conflict("task_claimed", "It was claimed in your name meanwhile.")
    if names:
        return conflict("task_claimed", f"{', '.join(names)} has claimed it.")
    return conflict("task_claimed", "Someone else changed it meanwhile.")
