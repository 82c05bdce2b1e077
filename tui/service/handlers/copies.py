"""Copies of boards, tasks and subtasks (4.1, 4.3, 4.5).

A clone of a task is open, created by the caller, and has no reminder. It is placed below its
original in the same stage or group, and last otherwise. Related rows are copied by functions that
take the mapping of original ids to copies, with one query for all of them.

The copy of a board has the caller as its only member and only the caller's assignments. Archived
items, comments, watchers and reminders are not copied.
"""

import json
from collections.abc import Collection, Iterable
from typing import Any

from tui.schema.base import DONE
from tui.schema.boards import Board
from tui.schema.tasks import TASKS_DONE, TEMPLATE, Task
from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.documents.boards import full_board_document, stage_settings
from tui.service.documents.tasks import full_task_document, task_document, task_documents
from tui.service.errors import conflict
from tui.service.handlers.boards import add_admin
from tui.service.handlers.subtasks import position_in
from tui.service.lookups import board_of, refuse_archived, stage_of, subtask_of, task_of
from tui.service.requests.body import optional, required
from tui.service.tables.changes import note, record
from tui.service.tables.positions import in_group, in_stage
from tui.service.tables.tasks import copied, insert_task, member_names, watch
from tui.text.clean import counted

Ids = dict[int, int]
"""Ids of copies by ids of originals."""

_SUFFIX = " (cloned)"
_COPIED_TOO = ("status", "last_completed_at", "meta")
"""Columns that the copy of a board keeps and a clone of a task does not."""


def _copies(call: Call, rows: Iterable[Row], **changes: Any) -> list[Row]:
    # A mapping replaces ids.
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


def _copy_people(call: Call, table: str, tasks: Ids, members: Collection[int]) -> None:
    rows = call.db.select(table, "created_at, account_id", task_id=list(tasks))
    rows = [row for row in rows if row["account_id"] in members]
    call.db.insert_all(table, _copies(call, rows, task_id=tasks))


def _copy_labels(call: Call, tasks: Ids, labels: Ids) -> None:
    rows = call.db.select("task_label", "task_id, label_id", task_id=list(tasks))
    call.db.insert_all("task_label", _copies(call, rows, task_id=tasks, label_id=labels))


def _copy_values(call: Call, tasks: Ids, fields: Ids) -> None:
    table = "custom_field_value"
    rows = call.db.select(table, task_id=list(tasks))
    call.db.insert_all(table, _copies(call, rows, task_id=tasks, custom_field_id=fields))


def _copy_subtasks(call: Call, tasks: Ids, board_id: int, *, columns: Iterable[str] = ()) -> Ids:
    rows = call.db.select("subtask_group", task_id=list(tasks))
    groups = _copy_rows(call, "subtask_group", rows, task_id=tasks)
    rows = call.db.select("task", parent_id=list(tasks), archived_at=None)
    return {
        row["id"]: insert_task(
            call,
            copied(row)
            | {name: row[name] for name in columns}
            | {
                "board_id": board_id,
                "parent_id": tasks[row["parent_id"]],
                "subtask_group_id": groups[row["subtask_group_id"]],
            },
        )
        for row in rows
    }


def _copy_comments(call: Call, task_id: int, copy_id: int) -> None:
    # Those without text, which have pictures only, are left out with their replies.
    copies: Ids = {}
    rows = call.db.all(
        "select * from comment where task_id = :task and description <> '' order by id",
        task=task_id,
    )
    for row in rows:
        if row["parent_id"] is None or row["parent_id"] in copies:
            times = {name: row[name] for name in ("created_at", "updated_at")}
            copies |= _copy_rows(call, "comment", [row], task_id=copy_id, parent_id=copies, **times)
    call.db.update("task", copy_id, comments_count=len(copies))


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
    tasks = {source["id"]: clone_id}
    if subtask:
        tasks |= _copy_subtasks(call, tasks, call.board_id)
    if assignee:
        _copy_people(call, "task_assignee", tasks, member_names(call, call.board_id)())
    if label:
        _copy_labels(call, tasks, {})
    if comment:
        _copy_comments(call, source["id"], clone_id)
    _copy_values(call, tasks, {})
    along = f" with {counted(len(tasks) - 1, 'subtask')}" if len(tasks) > 1 else ""
    description = f"clone of “{source['title']}”{along}"
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
        _copy_people(call, table, copies, members)
    _copy_labels(call, copies, {})
    _copy_values(call, copies, {})
    description = f"clone of “{source['title']}”"
    note(call, source["parent_id"], "created", "subtask", new=title, description=description)
    return {"subtask": task_document(call, clone_id)(), "message": "Subtask has been cloned"}


def _index_below(source: Row, line: list[int]) -> int | None:
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
    tasks = _copy_tasks(call, board_id, stages, plain=with_tasks, templates=with_templates)
    tasks |= _copy_subtasks(call, tasks, board_id, columns=_COPIED_TOO)
    _copy_people(call, "task_assignee", tasks, {call.user.id})
    _copy_values(call, tasks, fields)
    if with_labels:
        _copy_labels(call, tasks, _copy_all(call, "label", board_id))
    record(call, "duplicated", "board", new=title)
    return {"board": full_board_document(call, board_of(call, board_id))()}


def _copy_board(call: Call, source: Row, title: str) -> int:
    own = {"title": title, "created_by": call.user.id, "archived_at": None}
    changes = own | {"change_count": 1, "changed_at": call.stamp}
    board_id = _copy_rows(call, "board", [source], **changes)[source["id"]]
    add_admin(call, board_id)
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


def _copy_tasks(
    call: Call, board_id: int, stages: Ids, *, plain: bool, templates: bool
) -> dict[int, int]:
    rows = call.db.select("task", stage_id=list(stages), archived_at=None, parent_id=None)
    copies: dict[int, int] = {}
    for row in rows:
        if templates if json.loads(row["meta"]).get(TEMPLATE) == "yes" else plain:
            columns = {name: row[name] for name in _COPIED_TOO}
            place = {"board_id": board_id, "stage_id": stages[row["stage_id"]]}
            copies[row["id"]] = insert_task(call, copied(row) | columns | place)
            record(
                call,
                "created",
                "task",
                board_id=board_id,
                task_id=copies[row["id"]],
                new=row["title"],
            )
    return copies
