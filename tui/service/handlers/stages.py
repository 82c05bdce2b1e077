"""Stages: create, change, order, archive, restore (4.2).

An archived stage keeps its tasks as they were, so that a restored one comes back with all of them
in their order. Active stages are in the order of (position, id).
"""

import json
from typing import Any

from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.documents.boards import stage_document, stage_documents, stage_settings
from tui.service.documents.pages import Window, envelope, window
from tui.service.errors import invalid
from tui.service.lookups import stage_of
from tui.service.records.base import DONE, Page, Paged
from tui.service.records.boards import STAGES_DONE, Stage
from tui.service.requests.body import Body, Fields, optional, required
from tui.service.tables.activity import record
from tui.service.tables.positions import active_ids
from tui.service.values import slug

_PAGE = 30
_STATUS = values.one_of("open", "closed")


class _CreateStage(Fields):
    title = required("title", values.title)
    position = optional("position", values.number)
    status = optional("status", _STATUS, "open")


@answers(STAGES_DONE, _CreateStage)
def create_stage(call: Call, asked: _CreateStage) -> Document:
    """POST /projects/{board_id}/stage-create: at the end unless a position is given.

    `status` is what tasks become that are moved here. Raises 422.
    """
    title, position, status = asked.title, asked.position, asked.status
    if position is None:
        position = _last_position(call) + 1
    row = call.add(
        "stage",
        board_id=call.board_id,
        title=title,
        slug=slug(title),
        position=position,
        settings=json.dumps({"default_task_status": status, "default_task_assignees": []}),
        created_by=call.user.id,
    )
    record(call, "created", "stage", new=title)
    return {"updatedStages": [stage_document(row)], "message": "Stage has been created"}


def _last_position(call: Call) -> float:
    """Where the last active stage stands; 0 if there is none."""
    last = call.db.value(
        "select max(position) from stage where board_id = :board and archived_at is null",
        board=call.board_id,
    )
    return float(last or 0)


@values.takes(type="object")
def _settings(field: str, value: object) -> dict[str, Any]:
    """Settings of a stage; those the service acts upon are checked."""
    settings = values.settings(field, value)
    body = Body(settings, f"{field}.")
    if "default_task_status" in body:
        body.required("default_task_status", _STATUS)
    if "default_task_assignees" in body:
        settings["default_task_assignees"] = body.optional(
            "default_task_assignees", values.ids, list[int]()
        )
    if "is_template" in body:
        settings["is_template"] = body.optional("is_template", values.flag, default=False)
    return settings


class _UpdateStage(Fields):
    title = optional("title", values.title)
    settings = optional("settings", _settings)


@answers({"data": Stage} | DONE, _UpdateStage)
def update_stage(call: Call, asked: _UpdateStage) -> Document:
    """PUT /projects/{board_id}/update-stage/{stage_id}: `title`, `settings` or both.

    Settings that are not sent stay. Raises 422.
    """
    row = stage_of(call)
    title, sent = asked.title or row["title"], asked.settings or {}
    settings = stage_settings(row) | sent
    changed = call.change(
        "stage", row["id"], title=title, slug=slug(title), settings=json.dumps(settings)
    )
    if title != row["title"]:
        record(call, "changed", "stage", old=row["title"], new=title)
    if settings != stage_settings(row):
        record(call, "changed", "stage settings", new=title, settings=sent)
    return {"data": stage_document(changed), "message": "Stage has been updated"}


@answers({"updatedStage": Stage} | DONE)
def archive_stage(call: Call) -> Document:
    """PUT /projects/{board_id}/archive-stage/{stage_id}: its position becomes 0."""
    row = stage_of(call)
    if row["archived_at"] is None:
        row = call.change("stage", row["id"], archived_at=call.wall, position=0)
        record(call, "archived", "stage", old=row["title"])
    return {"updatedStage": stage_document(row), "message": "Stage has been archived"}


@answers({"success": bool, "updatedStage": Stage} | DONE)
def restore_stage(call: Call) -> Document:
    """PUT /projects/{board_id}/restore-stage/{stage_id}: at the end of the board."""
    row = stage_of(call)
    if row["archived_at"] is not None:
        position = _last_position(call) + 1
        row = call.change("stage", row["id"], archived_at=None, position=position)
        record(call, "restored", "stage", new=row["title"])
        call.touched.board = True
        call.touched.tasks.update(active_ids(call.db, row["id"]))
    return {
        "success": True,
        "updatedStage": stage_document(row),
        "message": "Stage has been restored",
    }


class _RepositionStages(Fields):
    stages = required("list", values.ids)


@answers(STAGES_DONE, _RepositionStages)
def reposition_stages(call: Call, asked: _RepositionStages) -> Document:
    """PUT /projects/{board_id}/re-position-stages: `list` holds the ids in the wanted order.

    Active stages that it leaves out follow in their old order; archived ones in it are passed
    over. Raises 422 for stages of other boards.
    """
    wanted = asked.stages
    if not wanted:
        raise invalid("list", "must not be empty")
    rows = call.db.all(
        "select id, archived_at from stage where board_id = :b order by position, id",
        b=call.board_id,
    )
    active = [row["id"] for row in rows if row["archived_at"] is None]
    strangers = set(wanted) - {row["id"] for row in rows}
    if strangers:
        raise invalid("list", f"holds stages that are not on this board: {sorted(strangers)}")
    order = [stage for stage in wanted if stage in active]
    order += [stage for stage in active if stage not in wanted]
    call.db.many(
        "update stage set position = :place, updated_at = :now where id = :id",
        [
            {"place": place, "now": call.stamp, "id": stage}
            for place, stage in enumerate(order, start=1)
        ],
    )
    stages = stage_documents(call.db, [call.board_id])[call.board_id]
    if order != active:
        record(call, "moved", "stages", new=", ".join(stage["title"] for stage in stages))
    return {"message": "Stages have been reordered", "updatedStages": stages}


class _ArchivedStageQuery(Paged, total=False):
    noPagination: bool  # noqa: N815 - the interface's name


@answers({"stages": Page[Stage]}, query=_ArchivedStageQuery)
def list_archived_stages(call: Call) -> Document:
    """GET /projects/{board_id}/archived-stages: last archived first; `noPagination` gives all."""
    everything = values.flag("noPagination", call.query.get("noPagination", ""))
    rows = call.db.all(
        """select * from stage where board_id = :board and archived_at is not null
        order by archived_at desc, id desc""",
        board=call.board_id,
    )
    part = Window(1, max(1, len(rows))) if everything else window(call, _PAGE)
    shown = rows[part.offset : part.offset + part.size]
    records = [stage_document(row) for row in shown]
    return {"stages": envelope(call, part, records, len(rows))}


@answers({"data": {"stage_id": int, "available_positions": list[int], "current_task_count": int}})
def list_available_positions(call: Call) -> Document:
    """GET /projects/{board_id}/stage-task-available-positions/{stage_id}."""
    stage = stage_of(call)
    count = len(active_ids(call.db, stage["id"]))
    return {
        "data": {
            "stage_id": stage["id"],
            "available_positions": list(range(1, count + 2)),
            "current_task_count": count,
        }
    }
