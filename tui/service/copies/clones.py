"""A task or a subtask is cloned (4.3 clone-task, 4.5 clone-subtask).

The rule it keeps: a clone is new work: it is open, belongs to who cloned it, and has no reminder.
It stands right below its original where they share a line, and last otherwise.
"""

from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.copies.tasks import (
    copy_comments,
    copy_labels,
    copy_people,
    copy_subtasks,
    copy_values,
)
from tui.service.database.base import Row
from tui.service.documents.slugs import slug
from tui.service.documents.tasks import full_task_document, task_document, task_documents
from tui.service.errors import conflict
from tui.service.handlers.subtask_groups import note
from tui.service.handlers.subtasks import position_in, refuse_archived
from tui.service.handlers.tasks import refuse_archived_stage, watch
from tui.service.lookups import stage_of, subtask_of, task_of
from tui.service.records.base import DONE
from tui.service.records.tasks import TASKS_DONE, Task
from tui.service.requests.body import Fields, required
from tui.service.tables.activity import record
from tui.service.tables.assignees import member_ids
from tui.service.tables.positions import active_ids, active_subtask_ids, place_at
from tui.service.tables.task_rows import copied, insert_task
from tui.service.wording import counted

_SUFFIX = " (cloned)"
_ASPECTS = ("assignee", "subtask", "label", "attachment", "comment")


class _CloneTask(Fields):
    title = required("title", values.title)
    stage_id = required("stage_id", values.identifier("stage"))
    assignee = required("assignee", values.flag)
    subtask = required("subtask", values.flag)
    label = required("label", values.flag)
    attachment = required("attachment", values.flag)
    comment = required("comment", values.flag)


@answers({"task": Task} | TASKS_DONE, _CloneTask, refuses=(409,))
def clone_task(call: Call) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/clone-task: as `title` in `stage_id`.

    `assignee`, `subtask`, `label`, `attachment` and `comment` say what is copied beside the
    description, the priority, the dates and the custom fields; all are required. People and labels
    of subtasks follow the same flags. Tasks have no attachments of their own here, so that flag
    changes nothing; pictures in comments are not copied. An archived task can be cloned; the clone
    is active. Raises 404 for the task or the stage, 409 for a subtask or an archived stage, 422.
    """
    source = task_of(call)
    if source["parent_id"] is not None:
        raise conflict("task_is_subtask", "A subtask is cloned among subtasks: clone-subtask.")
    asked = _CloneTask(call.body)
    title = asked.title
    stage = stage_of(call, asked.stage_id)
    wanted = {name for name in _ASPECTS if getattr(asked, name)}
    refuse_archived_stage(stage)
    place = place_at(call.db, stage["id"], _index_below(source, active_ids(call.db, stage["id"])))
    clone_id = insert_task(
        call,
        copied(source)
        | {
            "board_id": call.board_id,
            "stage_id": stage["id"],
            "title": title,
            "slug": slug(title),
            "position": place.position,
        },
    )
    subtasks = _copy_aspects(call, source["id"], clone_id, wanted)
    record(
        call, "created", "task", task_id=clone_id, new=title, description=_told(source, subtasks)
    )
    watch(call, clone_id)
    touched = active_ids(call.db, stage["id"]) if place.renumbered else [clone_id]
    return {
        "message": "Task has been cloned",
        "task": full_task_document(call, clone_id),
        "updatedTasks": task_documents(call, touched),
    }


@answers({"subtask": Task} | DONE, refuses=(409,))
def clone_subtask(call: Call) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/clone-subtask: between itself and the next.

    {task_id} is the subtask; a body is not read. The clone's title ends in ` (cloned)`. Beside
    dates, group, assignees and watchers it keeps the description, the priority, the labels and the
    custom fields. Raises 404, 409 for an archived one.
    """
    source = subtask_of(call, call.ids["task_id"])
    refuse_archived(source)
    group_id = source["subtask_group_id"]
    title = source["title"][: values.TITLE_LIMIT - len(_SUFFIX)] + _SUFFIX
    index = _index_below(source, active_subtask_ids(call.db, group_id))
    clone_id = insert_task(
        call,
        copied(source)
        | {
            "board_id": call.board_id,
            "parent_id": source["parent_id"],
            "subtask_group_id": group_id,
            "title": title,
            "slug": slug(title),
            "position": position_in(call, group_id, index),
        },
    )
    members = member_ids(call, call.board_id)
    for relation in ("assignees", "watchers"):
        copy_people(call, relation, {source["id"]: clone_id}, members)
    copy_labels(call, {source["id"]: clone_id})
    copy_values(call, {source["id"]: clone_id})
    told = _told(source, 0)
    note(call, source["parent_id"], "created", "subtask", new=title, description=told)
    return {"subtask": task_document(call, clone_id), "message": "Subtask has been cloned"}


def _index_below(source: Row, line: list[int]) -> int | None:
    """The place right below a task in a line; None if it does not stand in it."""
    return line.index(source["id"]) + 2 if source["id"] in line else None


def _copy_aspects(call: Call, source_id: int, clone_id: int, wanted: set[str]) -> int:
    """Copy what was asked for; returns how many subtasks that were."""
    tasks = {source_id: clone_id}
    if "subtask" in wanted:
        tasks |= copy_subtasks(call, tasks, call.board_id)
    if "assignee" in wanted:
        copy_people(call, "assignees", tasks, member_ids(call, call.board_id))
    if "label" in wanted:
        copy_labels(call, tasks)
    if "comment" in wanted:
        copy_comments(call, source_id, clone_id)
    copy_values(call, tasks)
    return len(tasks) - 1


def _told(source: Row, subtasks: int) -> str:
    """The words with which a clone is recorded."""
    along = f" with {counted(subtasks, 'subtask')}" if subtasks else ""
    return f"clone of “{source['title']}”{along}"
