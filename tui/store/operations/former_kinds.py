"""Rows of edits as earlier versions kept them, when each field had a kind of its own.

Such rows may lie in somebody's outbox or history, and are read as if an `Edit` had been kept.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeAlias

from tui.store.operations.edit_fields import stamp, yes_or_no

_Row: TypeAlias = dict[str, Any]


def _of_task(field: str, value: Callable[[_Row], str | None]) -> Callable[[_Row], _Row]:
    def edit(row: _Row) -> _Row:
        base = row.get("base")
        return {
            "target": _target(row, row["name"], "task_id"),
            "field": field,
            "value": [value(row)],
            "base": None if base is None else [base],
        }

    return edit


def _target(row: _Row, name: str | None, *ids: str) -> _Row:
    return {"board_id": row["board_id"], "name": name or "", **{one: row[one] for one in ids}}


def _date(name: str) -> Callable[[_Row], str]:
    return lambda row: stamp(datetime.fromisoformat(row[name]) if row[name] else None)


def _custom_field(row: _Row) -> _Row:
    return _of_task("", lambda one: one["value"])(row) | {"field": row["field"]}


def _title(*ids: str) -> Callable[[_Row], _Row]:
    def edit(row: _Row) -> _Row:
        old = row.get("old_title")
        return {
            "target": _target(row, old, *ids),
            "field": "title",
            "value": [row["title"]],
            "base": None if old is None else [old],
        }

    return edit


def _board(row: _Row) -> _Row:
    old, edit = row.get("old_title"), _title()(row)
    base = None if old is None else [old, row.get("old_description")]
    return edit | {"value": [row["title"], row.get("description")], "base": base}


def _stage_status(row: _Row) -> _Row:
    target = _target(row, row["name"], "stage_id")
    return {"target": target, "field": "status", "value": [row["status"]]}


def _label(row: _Row) -> _Row:
    old = row.get("old")
    return {
        "target": _target(row, old and old["title"], "label_id"),
        "field": "look",
        "value": [row["title"], row["color"], row["text_color"]],
        "base": old and [old["title"], old["color"]],
    }


FORMER_EDITS: dict[str, Callable[[_Row], _Row]] = {
    "edit-label": _label,
    "rename-board": _board,
    "rename-group": _title("task_id", "group_id"),
    "rename-stage": _title("stage_id"),
    "set-contact": _of_task(
        "contact", lambda row: "" if row["contact_id"] is None else str(row["contact_id"])
    ),
    "set-cover": _of_task("cover", lambda row: row["color"]),
    "set-description": _of_task("description", lambda row: row["description"]),
    "set-due": _of_task("due_at", _date("due_at")),
    "set-field-value": _custom_field,
    "set-priority": _of_task("priority", lambda row: row["priority"]),
    "set-stage-status": _stage_status,
    "set-start": _of_task("started_at", _date("started_at")),
    "set-status": _of_task("status", lambda row: row["status"]),
    "set-template": _of_task("template", lambda row: yes_or_no(row["is_template"])),
    "set-title": _of_task("title", lambda row: row["title"]),
}
"""What makes the row of an edit of one that was kept under this kind."""
