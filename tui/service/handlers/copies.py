"""Boards, tasks and subtasks are copied, with what belongs to them (4.1, 4.3, 4.5).

A clone of a task is new work: it is open, belongs to who cloned it, and has no reminder. It stands
right below its original where they share a line, and last otherwise. What belongs to tasks is
copied by functions that take the copies as a map from the id of an original to that of its copy,
and ask the database once for all of them.

The copy of a board belongs to who made it, alone: nobody is put on a board without being asked, so
only the caller stays assigned to anything. What is archived stays behind, as do comments, watchers
and reminders.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.documents.boards import full_board_document, stage_settings
from tui.service.documents.tasks import full_task_document, task_document, task_documents
from tui.service.errors import conflict
from tui.service.handlers.boards import add_admin, add_default_labels
from tui.service.handlers.subtasks import insert_group, note, position_in, refuse_archived
from tui.service.handlers.tasks import refuse_archived_stage
from tui.service.lookups import board_of, stage_of, subtask_of, task_of
from tui.service.records.base import DONE
from tui.service.records.boards import Board
from tui.service.records.tasks import TASKS_DONE, Task
from tui.service.requests.body import Fields, optional, part, required
from tui.service.tables.activity import counted, record
from tui.service.tables.positions import active_ids, active_subtask_ids, place_at
from tui.service.tables.tasks import copied, insert_task, member_ids, watch
from tui.service.values import slug

Ids = Mapping[int, int]
"""From originals to copies."""

_PEOPLE = {"assignees": "task_assignee", "watchers": "task_watcher"}
_READ_PEOPLE = """select task_id, account_id from {table} where task_id {{in_ids}}
    order by created_at, account_id"""
_ADD_PEOPLE = """insert into {table} (task_id, account_id, created_at)
    values (:task, :person, :now) on conflict do nothing"""
_SUFFIX = " (cloned)"
_ASPECTS = ("assignee", "subtask", "label", "attachment", "comment")


def copy_people(call: Call, relation: str, tasks: Ids, members: Collection[int]) -> None:
    """Copy the `assignees` or the `watchers`, those who are members where the copies are."""
    table = _PEOPLE[relation]
    rows = call.db.all(_READ_PEOPLE.format(table=table), ids=list(tasks))
    call.db.many(
        _ADD_PEOPLE.format(table=table),
        [
            {"task": tasks[row["task_id"]], "person": row["account_id"], "now": call.stamp}
            for row in rows
            if row["account_id"] in members
        ],
    )


def copy_labels(call: Call, tasks: Ids, labels: Ids | None = None) -> None:
    """Copy the labels that tasks have, as their own copies where `labels` names them."""
    rows = call.db.all(
        "select task_id, label_id from task_label where task_id {in_ids}", ids=list(tasks)
    )
    call.db.many(
        "insert into task_label (task_id, label_id, created_at) values (:task, :label, :now)",
        [
            {
                "task": tasks[row["task_id"]],
                "label": row["label_id"] if labels is None else labels[row["label_id"]],
                "now": call.stamp,
            }
            for row in rows
        ],
    )


def copy_values(call: Call, tasks: Ids, fields: Ids | None = None) -> None:
    """Copy the values of custom fields, as values of the copied `fields` where they are given."""
    rows = call.db.all(
        "select * from custom_field_value where task_id {in_ids} order by id", ids=list(tasks)
    )
    call.db.many(
        """insert into custom_field_value (task_id, custom_field_id, value, created_at, updated_at)
        values (:task, :field, :value, :now, :now)""",
        [
            {
                "task": tasks[row["task_id"]],
                "field": _in_place_of(row["custom_field_id"], fields),
                "value": row["value"],
                "now": call.stamp,
            }
            for row in rows
        ],
    )


def _in_place_of(original: int, copies: Ids | None) -> int:
    return original if copies is None else copies[original]


def copy_subtasks(
    call: Call, tasks: Ids, board_id: int, *, kept: Iterable[str] = ()
) -> dict[int, int]:
    """Copy the groups of tasks and the active subtasks in them; returns the subtasks' copies.

    The copies are on `board_id`; `kept` names columns in which they are like the originals beyond
    what `copied` says.
    """
    groups = _copy_groups(call, tasks)
    rows = call.db.all(
        "select * from task where parent_id {in_ids} and archived_at is null order by id",
        ids=list(tasks),
    )
    return {
        row["id"]: insert_task(
            call,
            copied(row)
            | {name: row[name] for name in kept}
            | {
                "board_id": board_id,
                "parent_id": tasks[row["parent_id"]],
                "subtask_group_id": groups[row["subtask_group_id"]],
            },
        )
        for row in rows
    }


def _copy_groups(call: Call, tasks: Ids) -> dict[int, int]:
    rows = call.db.all(
        "select * from subtask_group where task_id {in_ids} order by id", ids=list(tasks)
    )
    return {row["id"]: insert_group(call, tasks[row["task_id"]], row["title"]) for row in rows}


def copy_comments(call: Call, task_id: int, copy_id: int) -> None:
    """Copy a task's comments and replies with their authors and their times.

    Those without text, which hold pictures only, stay behind with the replies to them.
    """
    copies: dict[int | None, int | None] = {None: None}
    rows = call.db.all(
        "select * from comment where task_id = :task and description <> '' order by id",
        task=task_id,
    )
    for row in rows:
        if row["parent_id"] in copies:
            copies[row["id"]] = _insert_comment(call, row, copy_id, copies[row["parent_id"]])
    call.db.run(
        """update task set comments_count =
            (select count(*) from comment where task_id = :copy) where id = :copy""",
        copy=copy_id,
    )


def _insert_comment(call: Call, row: Row, task_id: int, parent_id: int | None) -> int:
    made: int = call.db.value(
        """insert into comment (board_id, task_id, parent_id, type, privacy, status, author_name,
            author_email, description, settings, created_by, created_at, updated_at)
        values (:board_id, :task_id, :parent_id, :type, :privacy, :status, :author_name,
            :author_email, :description, :settings, :created_by, :created_at, :updated_at)
        returning id""",
        **(row | {"task_id": task_id, "parent_id": parent_id}),
    )
    return made


class _CloneTask(Fields):
    title = required("title", values.title)
    stage_id = required("stage_id", values.identifier("stage"))
    assignee = required("assignee", values.flag)
    subtask = required("subtask", values.flag)
    label = required("label", values.flag)
    attachment = required("attachment", values.flag)
    comment = required("comment", values.flag)


@answers({"task": Task} | TASKS_DONE, _CloneTask, refuses=(409,))
def clone_task(call: Call, asked: _CloneTask) -> Document:
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


_KEPT = ("status", "last_completed_at", "meta")
"""What a task keeps beside its contents: a copied board shows work as it stands."""


class _Copy(Fields):
    title = required("title", values.title)


class _DuplicateBoard(Fields):
    board = part("board", _Copy)
    with_tasks = optional("isWithTasks", values.flag, default=False)
    with_labels = optional("isWithLabels", values.flag, default=False)
    with_templates = optional("isWithTemplates", values.flag, default=False)


@answers({"board": Board}, _DuplicateBoard)
def duplicate_board(call: Call, asked: _DuplicateBoard) -> Document:
    """POST /projects/{board_id}/duplicate-board: a new board with the same stages and fields.

    `board.title` names it. `isWithTasks` copies tasks with their subtasks, `isWithTemplates` those
    that are templates, `isWithLabels` labels, also on tasks; each is `yes` or `no` (default), and
    without labels the copy gets those of any new board. Answers with the board as a read of it
    would. Raises 422.
    """
    source = board_of(call)
    title, with_labels = asked.board.title, asked.with_labels
    with_tasks, with_templates = asked.with_tasks, asked.with_templates
    board_id = _copy_board(call, source, title)
    stages = _copy_stages(call, board_id)
    fields = _copy_fields(call, board_id)
    labels = _copy_labels(call, board_id) if with_labels else None
    if labels is None:
        add_default_labels(call, board_id)
    tasks = _copy_tasks(call, board_id, stages, plain=with_tasks, templates=with_templates)
    tasks |= copy_subtasks(call, tasks, board_id, kept=_KEPT)
    copy_people(call, "assignees", tasks, {call.user.id})
    copy_values(call, tasks, fields)
    if labels is not None:
        copy_labels(call, tasks, labels)
    record(call, "duplicated", "board", new=title)
    return {"board": full_board_document(call, board_of(call, board_id))}


def _copy_board(call: Call, source: Row, title: str) -> int:
    """A board like another one, with nothing on it, and the caller as its admin."""
    columns = ("title", "description", "type", "currency", "background")
    made = {"created_by": call.user.id, "changed_at": call.stamp}
    copy = source | {"title": title}
    board_id = _copy_rows(call, [copy], "board", *columns, **made)[source["id"]]
    add_admin(call, board_id)
    told = f"copy of “{source['title']}”"
    record(call, "created", "board", board_id=board_id, new=title, description=told)
    return board_id


def _copy_rows(call: Call, rows: list[Row], table: str, *columns: str, **other: Any) -> Ids:
    """Copy rows of a table in these columns; returns the ids of the copies."""
    return {
        row["id"]: call.add(table, **{name: row[name] for name in columns}, **other)["id"]
        for row in rows
    }


def _copy_stages(call: Call, board_id: int) -> Ids:
    """Copy the active stages; of those who are assigned by default only the caller stays."""
    rows = call.db.all(
        "select * from stage where board_id = :board and archived_at is null order by id",
        board=call.board_id,
    )
    for row in rows:
        settings = stage_settings(row)
        assigned = settings["default_task_assignees"]
        settings["default_task_assignees"] = [one for one in assigned if one == call.user.id]
        row["settings"] = json.dumps(settings)
    columns = ("title", "slug", "position", "color", "bg_color", "settings")
    return _copy_rows(call, rows, "stage", *columns, board_id=board_id, created_by=call.user.id)


def _copy_labels(call: Call, board_id: int) -> Ids:
    rows = call.db.all(
        "select * from label where board_id = :board order by id", board=call.board_id
    )
    columns = ("title", "slug", "position", "color", "bg_color", "archived_at")
    return _copy_rows(call, rows, "label", *columns, board_id=board_id)


def _copy_fields(call: Call, board_id: int) -> Ids:
    rows = call.db.all(
        "select * from custom_field where board_id = :board order by id", board=call.board_id
    )
    columns = ("title", "slug", "type", "options", "position")
    return _copy_rows(call, rows, "custom_field", *columns, board_id=board_id)


def _copy_tasks(
    call: Call, board_id: int, stages: Ids, *, plain: bool, templates: bool
) -> dict[int, int]:
    """_Copy the active tasks of copied stages: plain ones, templates, both or none."""
    rows = call.db.all(
        """select * from task where stage_id {in_ids} and archived_at is null
            and parent_id is null order by id""",
        ids=list(stages),
    )
    copies: dict[int, int] = {}
    for row in rows:
        is_template = json.loads(row["meta"]).get("is_template") == "yes"
        if templates if is_template else plain:
            kept = {name: row[name] for name in _KEPT}
            place = {"board_id": board_id, "stage_id": stages[row["stage_id"]]}
            copies[row["id"]] = insert_task(call, copied(row) | kept | place)
            record(
                call,
                "created",
                "task",
                board_id=board_id,
                task_id=copies[row["id"]],
                new=row["title"],
            )
    return copies
