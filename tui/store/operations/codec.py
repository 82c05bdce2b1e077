"""Operations as JSON, for the outbox and the history.

The rule it keeps: what is read back is checked against the declared types, so that a damaged row
is told apart from a change, and no row is guessed at.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from tui.errors import CallboardError
from tui.store import operations as change
from tui.store.operations.base import Operation


class UnreadableOperationError(CallboardError):
    """A kept change cannot be read, being damaged or of a newer version."""


_KINDS = {
    "add-label": "AddLabel",
    "archive-board": "ArchiveBoard",
    "archive-stage": "ArchiveStage",
    "archive-task": "ArchiveTask",
    "clone-subtask": "CloneSubtask",
    "clone-task": "CloneTask",
    "convert-to-subtask": "ConvertToSubtask",
    "convert-to-task": "ConvertToTask",
    "create-board": "CreateBoard",
    "create-comment": "CreateComment",
    "create-group": "CreateGroup",
    "create-label": "CreateLabel",
    "create-stage": "CreateStage",
    "create-subtask": "CreateSubtask",
    "create-task": "CreateTask",
    "delete-board": "DeleteBoard",
    "delete-comment": "DeleteComment",
    "delete-group": "DeleteGroup",
    "delete-label": "DeleteLabel",
    "delete-subtask": "DeleteSubtask",
    "delete-task": "DeleteTask",
    "edit": "Edit",
    "edit-comment": "EditComment",
    "move-stage": "MoveStage",
    "move-subtask": "MoveSubtask",
    "move-task": "MoveTask",
    "move-task-to-board": "MoveTaskToBoard",
    "remove-label": "RemoveLabel",
    "restore-board": "RestoreBoard",
    "restore-stage": "RestoreStage",
    "restore-task": "RestoreTask",
    "set-assignees": "SetAssignees",
    "set-reminder": "SetReminder",
    "upload-image": "UploadImage",
    "watch": "Watch",
}
"""The operations, by the names they are kept under."""

_NAMES = {kind: name for name, kind in _KINDS.items()}


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
    return {"kind": _NAMES[type(operation).__name__], **_plain_fields(operation)}


def from_data(data: object) -> Operation:
    """The operation that `as_data` gave. Raises `UnreadableOperationError`."""
    name = data.get("kind") if isinstance(data, dict) else None
    try:
        if isinstance(name, str) and name in _KINDS:
            return _revived_operation(_KINDS[name], data)
        former = _former_edits().get(name)
        if former is not None:
            return _revived_operation("Edit", former(data))
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableOperationError(f"A kept change cannot be read ({name}).") from error
    raise UnreadableOperationError(f"A kept change is of a kind that is not known here: {name!r}.")


def _former_edits() -> Mapping[Any, Callable[[Any], Any]]:
    """Loaded when a row asks for it, as the operations are."""
    from tui.store.operations.former_kinds import FORMER_EDITS

    return FORMER_EDITS


def _revived_operation(name: str, data: Any) -> Operation:
    operation: Operation = _revived(getattr(change, name), data)
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
    if isinstance(value, frozenset):
        return sorted(_plain(item) for item in value)
    if is_dataclass(value):
        return _plain_fields(value)
    return value


def _revived(kind: Any, value: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _revived_choice(inner, value)
    if origin is tuple and Ellipsis not in inner:
        return tuple(_revived(kind, item) for kind, item in zip(inner, value, strict=True))
    if origin in (tuple, frozenset):
        return origin(_revived(inner[0], item) for item in value)
    if is_dataclass(kind):
        return _revived_fields(kind, value)
    return _revived_scalar(kind, value)


def _revived_choice(kinds: tuple[Any, ...], value: Any) -> Any:
    """The value as the first of the kinds that it fits."""
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
def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}
