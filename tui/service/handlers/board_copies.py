"""A board is duplicated (4.1, duplicate-board).

The copy belongs to who made it, alone: nobody is put on a board without being asked, so only the
caller stays assigned to anything. What is archived stays behind, as do comments, watchers and
reminders.
"""

import json
from typing import Any

from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.documents.boards import full_board_document, stage_settings
from tui.service.handlers.boards import add_admin, add_default_labels
from tui.service.handlers.task_copies import (
    Ids,
    copy_labels,
    copy_people,
    copy_subtasks,
    copy_values,
)
from tui.service.lookups import board_of
from tui.service.records.boards import Board
from tui.service.requests.body import Fields, optional, part, required
from tui.service.tables.activity import record
from tui.service.tables.tasks import copied, insert_task

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
