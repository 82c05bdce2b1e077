"""Operations as JSON, for the outbox and the history.

Values read back are checked against the declared types, so that a damaged row is detected.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from importlib import import_module
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from tui.errors import CallboardError
from tui.store import operations
from tui.store.operations.base import KINDS, Operation


class UnreadableOperationError(CallboardError):
    """A stored change is damaged or of a newer version."""


def encode(operation: Operation) -> str:
    """The operation as one line of JSON."""
    return json.dumps(as_data(operation), ensure_ascii=False)


def decode(text: str) -> Operation:
    """The operation encoded in `text`. Raises `UnreadableOperationError`."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise UnreadableOperationError("A stored change cannot be read: it is not JSON.") from error
    return from_data(data)


def as_data(operation: Operation) -> dict[str, Any]:
    """The operation as plain JSON data, with its kind."""
    return {"kind": operation.kept_as, **_plain_fields(operation)}


def from_data(data: object) -> Operation:
    """The operation from `as_data`. Raises `UnreadableOperationError`."""
    row = data if isinstance(data, dict) else {}
    name = row.get("kind")
    former = _FORMER_EDITS.get(name) if isinstance(name, str) else None
    kind = _kind("edit" if former else name) if isinstance(name, str) else None
    if kind is None:
        raise UnreadableOperationError(f"A stored change is of an unknown kind: {name!r}.")
    try:
        operation: Operation = _revived(kind, former(row) if former else row)
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableOperationError(f"A stored change cannot be read ({name}).") from error
    return operation


def _kind(name: str) -> type[Operation] | None:
    """The class registered under a name; modules are imported until it is found."""
    for module in operations.MODULES:
        if name in KINDS:
            break
        import_module(f"{operations.__name__}.{module}")
    return KINDS.get(name)


def _plain_fields(value: Any) -> dict[str, Any]:
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, frozenset):
        return sorted(_plain(item) for item in value)
    if is_dataclass(value):
        return _plain_fields(value)
    return value


def _revived(kind: Any, value: Any) -> Any:
    origin, inner = _generic(kind)
    if origin in (Union, UnionType):
        return _revived_choice(inner, value)
    if origin is Literal:
        if value not in inner:
            raise ValueError(value)
        return value
    if origin is tuple and Ellipsis not in inner:
        return tuple(_revived(kind, item) for kind, item in zip(inner, value, strict=True))
    if origin in (tuple, frozenset):
        return origin(_revived(inner[0], item) for item in value)
    if is_dataclass(kind):
        return _revived_fields(kind, value)
    return _revived_scalar(kind, value)


def _revived_choice(kinds: tuple[Any, ...], value: Any) -> Any:
    """The value as the first of the types that it fits."""
    if value is None and NoneType in kinds:
        return None
    for kind in kinds:
        with suppress(KeyError, TypeError, ValueError):
            return _revived(kind, value)
    raise TypeError(f"{value!r} is none of {kinds}")


def _revived_fields(kind: Any, value: dict[str, Any]) -> Any:
    hints = _hints(kind)
    return kind(**{name: _revived(hints[name], value[name]) for name in hints if name in value})


def _revived_scalar(kind: type, value: Any) -> Any:
    if issubclass(kind, Enum):
        return kind(value)
    if kind is datetime:
        return datetime.fromisoformat(value)
    if not isinstance(value, (int, float) if kind is float else kind) or (
        isinstance(value, bool) and kind is not bool
    ):
        raise TypeError(f"{value!r} is not {kind.__name__}")
    return value


@cache
def _generic(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(kind), get_args(kind)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


_Row: TypeAlias = dict[str, Any]
"""An edit stored by an earlier version, where each field had an operation of its own."""


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
    return lambda row: str.replace(row[name] or "", "T", " ")[: len("YYYY-MM-DD HH:MM:SS")]


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


def _archived_board(row: _Row) -> _Row:
    at = _date("archived_at")(row) if row["kind"] == "archive-board" else ""
    return {"target": _target(row, row["name"]), "field": "archived_at", "value": [at]}


def _label(row: _Row) -> _Row:
    old = row.get("old")
    return {
        "target": _target(row, old and old["title"], "label_id"),
        "field": "look",
        "value": [row["title"], row["color"], row["text_color"]],
        "base": old and [old["title"], old["color"]],
    }


_FORMER_EDITS: dict[str, Callable[[_Row], _Row]] = {
    "archive-board": _archived_board,
    "edit-label": _label,
    "rename-board": _board,
    "rename-group": _title("task_id", "group_id"),
    "rename-stage": _title("stage_id"),
    "restore-board": _archived_board,
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
    "set-template": _of_task(
        "template", lambda row: {True: "yes", False: "no"}[row["is_template"]]
    ),
    "set-title": _of_task("title", lambda row: row["title"]),
}
"""Converts rows of former kinds into rows of edits."""
