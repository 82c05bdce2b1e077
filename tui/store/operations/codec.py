"""Operations as JSON, for the outbox and the history.

The rule it keeps: what is read back is checked against the declared types, so that a damaged row
is told apart from a change, and no row is guessed at.
"""

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from tui.errors import CallboardError
from tui.store import operations as change
from tui.store.operations.base import Operation


class UnreadableOperationError(CallboardError):
    """A kept change cannot be read, being damaged or of a newer version."""


@cache
def _kinds() -> dict[str, Callable[..., Operation]]:
    """The operations by the names they are kept under."""
    return {
        "archive-task": change.ArchiveTask,
        "create-task": change.CreateTask,
        "delete-task": change.DeleteTask,
        "move-task": change.MoveTask,
        "restore-task": change.RestoreTask,
        "set-description": change.SetDescription,
        "set-due": change.SetDue,
        "set-priority": change.SetPriority,
        "set-status": change.SetStatus,
        "set-title": change.SetTitle,
    }


@cache
def _names() -> dict[Callable[..., Operation], str]:
    """The names of the operations."""
    return {kind: name for name, kind in _kinds().items()}


def encode(operation: Operation) -> str:
    """The operation as one line of JSON."""
    return json.dumps(as_data(operation), ensure_ascii=False)


def decode(text: str) -> Operation:
    """The operation that `encode` wrote. Raises `UnreadableOperationError`."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise UnreadableOperationError("A kept change cannot be read: it is not JSON.") from error
    return from_data(data)


def as_data(operation: Operation) -> dict[str, Any]:
    """The operation as plain JSON data, with the name of its kind."""
    return {"kind": _names()[type(operation)], **_plain_fields(operation)}


def from_data(data: object) -> Operation:
    """The operation that `as_data` gave. Raises `UnreadableOperationError`."""
    name = data.get("kind") if isinstance(data, dict) else None
    kind = _kinds().get(name) if isinstance(name, str) else None
    if kind is None:
        raise UnreadableOperationError(
            f"A kept change is of a kind that is not known here: {name!r}."
        )
    try:
        operation: Operation = _revived(kind, data)
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableOperationError(f"A kept change cannot be read ({name}).") from error
    return operation


def _plain_fields(value: Any) -> dict[str, Any]:
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if is_dataclass(value):
        return _plain_fields(value)
    return value


def _revived(kind: Any, value: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return None if value is None else _revived(inner[0], value)
    if origin is tuple:
        return tuple(_revived(inner[0], item) for item in value)
    if is_dataclass(kind):
        return _revived_fields(kind, value)
    return _revived_scalar(kind, value)


def _revived_fields(kind: Any, value: dict[str, Any]) -> Any:
    hints = _hints(kind)
    return kind(**{name: _revived(hints[name], value[name]) for name in hints if name in value})


def _revived_scalar(kind: type, value: Any) -> Any:
    if issubclass(kind, Enum):
        return kind(value)
    if kind is datetime:
        return datetime.fromisoformat(value)
    if not isinstance(value, (int, float) if kind is float else kind):
        raise TypeError(f"{value!r} is not {kind.__name__}")
    return value


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}
