"""Calling things by the ids the service gave them.

The rule it keeps: local ids, below zero, are unique over all kinds of things, so that one mapping
from old to new serves boards, stages, tasks and whatever else an operation names. Ids of the
service's own are unique among things of one kind only, and are replaced there alone.
"""

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from tui.model.board import Place
from tui.model.task import Task
from tui.store.operations.base import Kind, Operation

_T = TypeVar("_T", bound=Operation)
_FIELDS: dict[type, tuple[str, ...]] = {}


class Revived(Mapping[int, int]):
    """New local ids for things of one kind that were deleted and are made again."""

    def __init__(self, kind: Kind, ids: Mapping[int, int]) -> None:
        self.kind = kind
        self._ids = dict(ids)

    def __getitem__(self, old: int) -> int:
        return self._ids[old]

    def __iter__(self) -> Iterator[int]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def new_local_id() -> int:
    """An id for what the service does not know yet: negative, random, unlike any other."""
    return -1 - secrets.randbits(52)


def with_new_ids(operation: _T, ids: Mapping[int, int], *names: str) -> _T:
    """The operation with the ids in these fields replaced.

    A field may hold an id, None, a place, a task, or a tuple of any of these.
    """
    changed = {
        name: renamed(getattr(operation, name), ids, _kind_of(name, operation)) for name in names
    }
    made: _T = replace(cast("Any", operation), **changed)
    return made


def renamed(value: Any, ids: Mapping[int, int], kind: Kind) -> Any:
    """An id of this kind, a place, a task, or a tuple of them, by the new ids; others as is."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return _renamed_id(value, ids, kind)
    if isinstance(value, Place):
        return Place(renamed(value.above, ids, kind), renamed(value.below, ids, kind))
    if isinstance(value, Task):
        return _renamed_task(value, ids)
    if isinstance(value, tuple):
        return tuple(renamed(one, ids, kind) for one in value)
    return value


def local_ids(operation: Operation) -> frozenset[int]:
    """Every local id an operation holds, for whatever reason; other numbers below zero too."""
    found: set[int] = set()
    _collect(operation, found)
    return frozenset(found)


def _collect(value: Any, found: set[int]) -> None:
    if isinstance(value, int):
        if value < 0:
            found.add(value)
    elif isinstance(value, Place):
        found.update(one for one in (value.above, value.below) if one is not None and one < 0)
    elif isinstance(value, Task):
        named = (value.id, value.board_id, value.stage_id, value.parent_id)
        found.update(one for one in named if one is not None and one < 0)
    elif isinstance(value, tuple | frozenset):
        for one in value:
            _collect(one, found)
    elif is_dataclass(value):
        for name in _FIELDS.get(type(value)) or _fields_of(value):
            _collect(getattr(value, name), found)


def _fields_of(value: Any) -> tuple[str, ...]:
    names = _FIELDS[type(value)] = tuple(field.name for field in fields(value))
    return names


def neighbours(place: Place) -> frozenset[int]:
    """The ids a place is told by."""
    return frozenset(one for one in (place.above, place.below) if one is not None)


def _renamed_id(value: int, ids: Mapping[int, int], kind: Kind) -> int:
    if value >= 0 and isinstance(ids, Revived) and ids.kind != kind:
        return value
    return ids.get(value, value)


def _renamed_task(task: Task, ids: Mapping[int, int]) -> Task:
    return replace(
        task,
        id=_renamed_id(task.id, ids, "task"),
        board_id=_renamed_id(task.board_id, ids, "board"),
        stage_id=renamed(task.stage_id, ids, "stage"),
        parent_id=renamed(task.parent_id, ids, "task"),
    )


def _kind_of(name: str, operation: Operation) -> Kind:
    """What kind of thing a field names, by the field's name.

    A place is told by things of the subject's kind, and so is a parent.
    """
    words: tuple[tuple[str, Kind], ...] = (
        ("board", "board"),
        ("stage", "stage"),
        ("group", "subtask_group"),
        ("comment", "comment"),
        ("label", "label"),
        ("image", "image"),
        ("field", "field_value"),
        ("task", "task"),
    )
    return next((kind for word, kind in words if word in name), operation.subject.kind)
