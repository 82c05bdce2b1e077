"""Copies of boards, tasks and subtasks (4.1, 4.3, 4.5).

A clone of a task is open, created by the caller, and has no reminder. It is placed below its
original in the same stage or group, and last otherwise.

The copy of a board has the caller as its only member and only the caller's assignments. Archived
items, comments, watchers and reminders are not copied.
"""

import json
from collections.abc import Iterable
from typing import Any

from tui.schema.base import DONE
from tui.schema.boards import Board
from tui.schema.tasks import TASKS_DONE, TEMPLATE, Task
from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row, steps_of
from tui.service.documents.boards import full_board_document, stage_settings
from tui.service.documents.tasks import full_task_document, task_document, task_documents
from tui.service.errors import conflict
from tui.service.handlers.boards import add_admin
from tui.service.handlers.subtasks import position_in
from tui.service.lookups import board_of, refuse_archived, stage_of, subtask_of, task_of
from tui.service.requests.body import optional, required
from tui.service.tables.changes import note, record, record_tasks
from tui.service.tables.copies import (
    Ids,
    copy_comments,
    copy_labels,
    copy_people,
    copy_subtasks,
    copy_tasks,
    copy_values,
    remove_task,
)
from tui.service.tables.loose_boards import forget_loose, mark_loose, remove_loose
from tui.service.tables.positions import in_group, in_stage
from tui.service.tables.tasks import copied, insert_task, member_names, watch
from tui.text.clean import counted

_SUFFIX = " (cloned)"


def _copies(call: Call, rows: Iterable[Row], **changes: Any) -> list[Row]:
    # A mapping in `changes` translates ids of originals into those of their copies.
    copies = []
    for row in rows:
        copy = {name: value for name, value in row.items() if name != "id"}
        copy |= {name: call.stamp for name in ("created_at", "updated_at") if name in row}
        for name, change in changes.items():
            copy[name] = change.get(row[name], row[name]) if isinstance(change, dict) else change
        copies.append(copy)
    return copies


def _copy_rows(call: Call, table: str, rows: Iterable[Row], **changes: Any) -> Ids:
    copies = [
        (row["id"], call.db.insert(table, **copy))
        for row, copy in zip(rows, _copies(call, rows, **changes), strict=True)
    ]
    return {row_id: copy["id"] for row_id, copy in copies}


@answers({"task": Task} | TASKS_DONE, refuses=(409,))
def clone_task(
    call: Call,
    title: str = required("title", values.title),
    stage_id: int = required("stage_id", values.identifier("stage")),
    assignee: bool = required("assignee", values.flag),
    subtask: bool = required("subtask", values.flag),
    label: bool = required("label", values.flag),
    attachment: bool = required("attachment", values.flag),  # noqa: ARG001 - tasks have none
    comment: bool = required("comment", values.flag),
) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/clone-task: as `title` in `stage_id`.

    `assignee`, `subtask`, `label`, `attachment` and `comment` say what is copied beside the
    description, the priority, the dates and the custom fields; all are required. People and labels
    of subtasks follow the same flags. Tasks have no attachments of their own here, so that flag
    changes nothing; pictures in comments are not copied. An archived task can be cloned; the clone
    is active. Raises 404 for the task or the stage, 409 for a subtask or an archived stage, 422.
    """
    source = task_of(call)
    if source["parent_id"] is not None:
        raise conflict("task_is_subtask", "A subtask is cloned with clone-subtask.")
    stage = stage_of(call, stage_id)
    refuse_archived(stage, "stage")
    line = in_stage(call.db, stage["id"])
    place = line.place(_index_below(source, line.ids()))()
    clone_id = insert_task(
        call,
        copied(source)
        | {
            "board_id": call.board_id,
            "stage_id": stage["id"],
            "title": title,
            "position": place.position,
        },
    )
    database = call.service.database
    # A large clone is committed in steps, so a failure in a later one has to remove the earlier.
    call.db.undo.append(lambda: remove_task(database, clone_id))
    tasks = {source["id"]: clone_id}
    if subtask:
        tasks |= copy_subtasks(call, tasks, call.board_id)
    if assignee:
        copy_people(call, "task_assignee", tasks, member_names(call, call.board_id)())
    if label:
        copy_labels(call, tasks, {})
    if comment:
        copy_comments(call, source["id"], clone_id)
    copy_values(call, tasks, {})
    suffix = f" with {counted(len(tasks) - 1, 'subtask')}" if len(tasks) > 1 else ""
    description = f"clone of “{source['title']}”{suffix}"
    record(call, "created", "task", task_id=clone_id, new=title, description=description)
    watch(call, clone_id)
    touched = line.ids() if place.renumbered else [clone_id]
    document, documents = full_task_document(call, clone_id), task_documents(call, touched)
    return {
        "message": "Task has been cloned",
        "task": document(),
        "updatedTasks": documents(),
    }


@answers({"subtask": Task} | DONE, refuses=(409,))
def clone_subtask(call: Call) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/clone-subtask: between itself and the next.

    {task_id} is the subtask; a body is not read. The clone's title ends in ` (cloned)`. Beside
    dates, group, assignees and watchers it keeps the description, the priority, the labels and the
    custom fields. Raises 404, 409 for an archived one.
    """
    source = subtask_of(call, call.ids["task_id"])
    refuse_archived(source, "task", called="subtask")
    group_id = source["subtask_group_id"]
    title = source["title"][: values.TITLE_LIMIT - len(_SUFFIX)] + _SUFFIX
    index = _index_below(source, in_group(call.db, group_id).ids())
    clone_id = insert_task(
        call,
        copied(source)
        | {
            "board_id": call.board_id,
            "parent_id": source["parent_id"],
            "subtask_group_id": group_id,
            "title": title,
            "position": position_in(call, group_id, index)(),
        },
    )
    members = member_names(call, call.board_id)()
    copies = {source["id"]: clone_id}
    for table in ("task_assignee", "task_watcher"):
        copy_people(call, table, copies, members)
    copy_labels(call, copies, {})
    copy_values(call, copies, {})
    description = f"clone of “{source['title']}”"
    note(call, source["parent_id"], "created", "subtask", new=title, description=description)
    return {"subtask": task_document(call, clone_id)(), "message": "Subtask has been cloned"}


def _index_below(source: Row, line: list[int]) -> int | None:
    # Places count from 1, and the clone comes one below.
    return line.index(source["id"]) + 2 if source["id"] in line else None


@answers({"board": Board})
def duplicate_board(
    call: Call,
    title: str = required("board.title", values.title),
    with_tasks: bool = optional("isWithTasks", values.flag, False),
    with_labels: bool = optional("isWithLabels", values.flag, False),
    with_templates: bool = optional("isWithTemplates", values.flag, False),
) -> Document:
    """POST /projects/{board_id}/duplicate-board: a new board with the same stages and fields.

    `board.title` names it. `isWithTasks` copies tasks with their subtasks, `isWithTemplates` those
    that are templates, `isWithLabels` labels, also on tasks; each is `yes` or `no` (default).
    Answers with the board as a read of it
    would. Raises 422.
    """
    source = board_of(call)
    board_id = _copy_board(call, source, title)
    stages = _copy_stages(call, board_id)
    fields = _copy_all(call, "custom_field", board_id)
    chosen = _chosen_tasks(call, stages, plain=with_tasks, templates=with_templates)
    tasks = copy_tasks(call, stages, board_id, chosen)
    for number, part in enumerate(steps_of(list(tasks.values()))):
        if number:
            call.db.let_others_in()
        record_tasks(call, "created", part, titles=True)
    tasks |= copy_subtasks(call, tasks, board_id, with_history=True)
    copy_people(call, "task_assignee", tasks, {call.user.id})
    copy_values(call, tasks, fields)
    if with_labels:
        copy_labels(call, tasks, _copy_all(call, "label", board_id))
    # Last: without members only administrators see the board while it is incomplete.
    add_admin(call, board_id)
    forget_loose(call.db, board_id)
    record(call, "duplicated", "board", new=title)
    return {"board": full_board_document(call, board_of(call, board_id))()}


def _copy_board(call: Call, source: Row, title: str) -> int:
    own = {"title": title, "created_by": call.user.id, "archived_at": None}
    changes = own | {"change_count": 1, "changed_at": call.stamp}
    board_id = _copy_rows(call, "board", [source], **changes)[source["id"]]
    database = call.service.database
    mark_loose(call.db, board_id, call.now)
    # Its steps are committed one by one; a failure has to remove what is there by then.
    call.db.undo.append(lambda: remove_loose(database, board_id))
    description = f"copy of “{source['title']}”"
    record(call, "created", "board", board_id=board_id, new=title, description=description)
    return board_id


def _copy_stages(call: Call, board_id: int) -> Ids:
    # Of default assignees only the caller stays.
    rows = call.db.select("stage", board_id=call.board_id, archived_at=None)
    for row in rows:
        settings = stage_settings(row)
        assigned = settings["default_task_assignees"]
        settings["default_task_assignees"] = [id_ for id_ in assigned if id_ == call.user.id]
        row["settings"] = json.dumps(settings)
    return _copy_rows(call, "stage", rows, board_id=board_id, created_by=call.user.id)


def _copy_all(call: Call, table: str, board_id: int) -> Ids:
    rows = call.db.select(table, board_id=call.board_id)
    return _copy_rows(call, table, rows, board_id=board_id)


def _chosen_tasks(
    call: Call, stages: Ids, *, plain: bool, templates: bool
) -> list[tuple[int, int]]:
    rows = call.db.tuples(
        """select id, stage_id, meta from task where stage_id {in_ids} and archived_at is null
            and parent_id is null order by id""",
        ids=list(stages),
    )
    return [
        (task_id, stage_id)
        for task_id, stage_id, meta in rows
        if (templates if json.loads(meta).get(TEMPLATE) == "yes" else plain)
    ]
