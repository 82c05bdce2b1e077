"""Stages: create, change, order, archive, restore (4.2).

An archived stage keeps its tasks unchanged, so that restoring it brings back all of them in their
order. Active stages are ordered by (position, id).
"""

import json
from collections.abc import Mapping
from typing import Any

from tui.schema.base import DONE, Page, Status
from tui.schema.boards import STAGES_DONE, Stage, StageSettings
from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Written
from tui.service.documents.boards import (
    stage_document,
    stage_documents,
    stage_settings,
)
from tui.service.documents.pages import Window, envelope, pages
from tui.service.errors import invalid
from tui.service.lookups import stage_of
from tui.service.requests.body import optional, query, required
from tui.service.tables.changes import record
from tui.service.tables.positions import in_stage
from tui.service.values import Read, slug

_OF_TYPE: Mapping[object, Read[Any]] = {
    Status: values.status,
    list[int]: values.or_else(values.ids, []),
    bool: values.or_else(values.flag, False),
}


@answers(STAGES_DONE)
def create_stage(
    call: Call,
    title: str = required("title", values.title),
    position: float | None = optional("position", values.number),
    status: str = optional("status", values.status, "open"),
) -> Document:
    """POST /projects/{board_id}/stage-create: at the end unless a position is given.

    `status` is what tasks become that are moved here. Raises 422.
    """
    if position is None:
        position = _last_position(call) + 1
    row = add_stage(call, call.board_id, title, position=position, status=status)
    record(call, "created", "stage", new=title)
    return {"updatedStages": [stage_document(row)], "message": "Stage has been created"}


def add_stage(call: Call, board_id: int, title: str, *, position: float, status: str) -> Written:
    """Insert a stage into any board; `status` is what tasks become that are moved to it."""
    settings = {"default_task_status": status, "default_task_assignees": []}
    return call.add(
        "stage",
        board_id=board_id,
        title=title,
        slug=slug(title),
        position=position,
        settings=json.dumps(settings),
        created_by=call.user.id,
    )


def _last_position(call: Call) -> float:
    last = call.db.value(
        "select max(position) from stage where board_id = :board and archived_at is null",
        board=call.board_id,
    )
    return float(last or 0)


@values.takes(type="object")
def _settings(field: str, value: object) -> dict[str, Any]:
    settings = values.settings(field, value)
    for name, type_ in StageSettings.__annotations__.items():
        if name in settings:
            settings[name] = _OF_TYPE[type_](f"{field}.{name}", settings[name])
    return settings


@values.takes(type="string", description="a colour, or empty for none")
def _color(field: str, value: object) -> str:
    return "" if value == "" else values.color(field, value)


@answers({"data": Stage} | DONE)
def update_stage(
    call: Call,
    title: str | None = optional("title", values.title),
    settings: dict[str, Any] | None = optional("settings", _settings),
    color: str | None = optional("bg_color", _color),
) -> Document:
    """PUT /projects/{board_id}/update-stage/{stage_id}: any of `title`, `settings`, `bg_color`.

    Settings that are not sent stay; an empty colour removes it. Raises 422.
    """
    row = stage_of(call)
    title, sent = title or row["title"], settings or {}
    settings = stage_settings(row) | sent
    color = row["bg_color"] if color is None else color or None
    changed = call.change(
        "stage",
        row["id"],
        title=title,
        slug=slug(title),
        settings=json.dumps(settings),
        bg_color=color,
    )
    if title != row["title"]:
        record(call, "changed", "stage", old=row["title"], new=title)
    if settings != stage_settings(row):
        record(call, "changed", "stage settings", new=title, settings=sent)
    if color != row["bg_color"]:
        record(call, "changed", "stage colour", old=row["bg_color"], new=color, description=title)
    return {"data": stage_document(changed), "message": "Stage has been updated"}


@answers({"updatedStage": Stage} | DONE)
def archive_stage(call: Call) -> Document:
    """PUT /projects/{board_id}/archive-stage/{stage_id}: its position becomes 0."""
    row: Written = stage_of(call)
    if row["archived_at"] is None:
        record(call, "archived", "stage", old=row["title"])
        row = call.change("stage", row["id"], archived_at=call.wall, position=0)
    return {"updatedStage": stage_document(row), "message": "Stage has been archived"}


@answers({"success": bool, "updatedStage": Stage} | DONE)
def restore_stage(call: Call) -> Document:
    """PUT /projects/{board_id}/restore-stage/{stage_id}: at the end of the board."""
    row: Written = stage_of(call)
    if row["archived_at"] is not None:
        tasks = in_stage(call.db, row["id"]).rows()
        position = _last_position(call) + 1
        record(call, "restored", "stage", new=row["title"])
        row = call.change("stage", row["id"], archived_at=None, position=position)
        # With tasks alone it would not count as a change of the board, whose stages change too.
        call.touched.board = True
        call.touched.tasks.update(task_id for task_id, _ in tasks)
    return {
        "success": True,
        "updatedStage": stage_document(row),
        "message": "Stage has been restored",
    }


@answers(STAGES_DONE)
def reposition_stages(call: Call, wanted: list[int] = required("list", values.ids)) -> Document:
    """PUT /projects/{board_id}/re-position-stages: `list` holds the ids in the wanted order.

    Active stages that it leaves out follow in their old order; archived ones in it are passed
    over. Raises 422 for stages of other boards.
    """
    if not wanted:
        raise invalid("list", "must not be empty")
    rows = call.db.select("stage", "position, id", board_id=call.board_id)
    active = [row["id"] for row in rows if row["archived_at"] is None]
    strangers = set(wanted) - {row["id"] for row in rows}
    if strangers:
        raise invalid("list", f"contains stages that are not on this board: {sorted(strangers)}")
    order = [stage for stage in wanted if stage in active]
    # Others may have created stages that the caller does not know yet.
    order += [stage for stage in active if stage not in wanted]
    call.put_in_order("stage", order)
    stages = stage_documents(call.db, [call.board_id])()[call.board_id]
    if order != active:
        record(call, "moved", "stages", new=", ".join(stage["title"] for stage in stages))
    return {"message": "Stages have been reordered", "updatedStages": stages}


@answers({"stages": Page[Stage]})
def list_archived_stages(
    call: Call,
    part: Window = pages(30),
    everything: bool = query("noPagination", values.flag, False),
) -> Document:
    """GET /projects/{board_id}/archived-stages: last archived first; `noPagination` gives all."""
    rows = call.db.all(
        """select * from stage where board_id = :board and archived_at is not null
        order by archived_at desc, id desc""",
        board=call.board_id,
    )
    if everything:
        part = Window(1, max(1, len(rows)))
    shown = rows[part.offset : part.offset + part.size]
    records = [stage_document(row) for row in shown]
    return {"stages": envelope(call, part, records, len(rows))}


@answers({"data": {"stage_id": int, "available_positions": list[int], "current_task_count": int}})
def list_available_positions(call: Call) -> Document:
    """GET /projects/{board_id}/stage-task-available-positions/{stage_id}."""
    stage = stage_of(call)
    count = len(in_stage(call.db, stage["id"]).ids())
    return {
        "data": {
            "stage_id": stage["id"],
            "available_positions": list(range(1, count + 2)),
            "current_task_count": count,
        }
    }
