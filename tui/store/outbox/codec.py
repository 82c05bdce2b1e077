"""Operations as JSON, for the outbox and the history.

Values read back are checked against the declared types, so that a damaged row is detected.
"""

import json
from contextlib import suppress
from dataclasses import fields
from datetime import datetime
from enum import Enum
from functools import cache
from importlib import import_module
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from tui.errors import CallboardError
from tui.store import operations
from tui.store.operations.base import KINDS, Operation


class UnreadableOperationError(CallboardError):
    """A stored change is damaged or of a newer version."""


def encode(value: object) -> str:
    """An operation, or a list or dictionary that holds some, as one line of JSON."""
    return json.dumps(value, ensure_ascii=False, default=_plain)


def decode(text: str) -> Operation:
    """The operation encoded in `text`. Raises `UnreadableOperationError`."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise UnreadableOperationError("A stored change cannot be read: it is not JSON.") from error
    return from_data(data)


def from_data(data: object) -> Operation:
    """The operation from parsed JSON. Raises `UnreadableOperationError`."""
    row = data if isinstance(data, dict) else {}
    name = row.get("kind")
    kind = _kind(name) if isinstance(name, str) else None
    if kind is None:
        raise UnreadableOperationError(f"A stored change is of an unknown kind: {name!r}.")
    try:
        operation: Operation = _revived(kind, row)
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableOperationError(f"A stored change cannot be read ({name}).") from error
    return operation


def _kind(name: str) -> type[Operation] | None:
    # Importing all operations would delay the first paint, so modules are imported until one
    # registers the kind.
    for module in operations.MODULES:
        if name in KINDS:
            break
        import_module(f"{operations.__name__}.{module}")
    return KINDS.get(name)


def _plain(value: Any) -> Any:
    # Enumerations derive from str or int, so they are written without coming here.
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, frozenset):
        return sorted(value)
    plain = {field.name: getattr(value, field.name) for field in fields(value)}
    return {"kind": value.kept_as, **plain} if isinstance(value, Operation) else plain


def _revived(kind: Any, value: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
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
    if hasattr(kind, "__dataclass_fields__"):
        # A field that a later version adds has a default, which the rows stored by then get.
        hints = _hints(kind)
        return kind(**{name: _revived(hints[name], value[name]) for name in hints if name in value})
    return _revived_scalar(kind, value)


def _revived_choice(kinds: tuple[Any, ...], value: Any) -> Any:
    if value is None and NoneType in kinds:
        return None
    for kind in kinds:
        with suppress(KeyError, TypeError, ValueError):
            return _revived(kind, value)
    raise TypeError(f"{value!r} is none of {kinds}")


def _revived_scalar(kind: type, value: Any) -> Any:
    if issubclass(kind, Enum):
        return kind(value)
    if kind is datetime:
        return datetime.fromisoformat(value)
    # JSON writes 1.0 possibly as 1; and True is an int, but no number here.
    if not isinstance(value, (int, float) if kind is float else kind) or (
        isinstance(value, bool) and kind is not bool
    ):
        raise TypeError(f"{value!r} is not {kind.__name__}")
    return value


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}
