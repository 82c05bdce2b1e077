"""The ids in an operation, derived from the annotations of its class.

Local ids, below zero, are unique over all kinds, so that one mapping from local to assigned ids
serves every operation. Assigned ids are unique within one kind only, and are replaced there only.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass, replace
from enum import Enum
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    NamedTuple,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from tui.model.board import Place
from tui.model.ids import IdOf, Kind
from tui.record import record

_T = TypeVar("_T")
_Get: TypeAlias = Callable[[Any], Any]
_Visit: TypeAlias = Callable[[Kind, int], int]
"""Called with a kind and an id; returns the id to put in its place."""


class _Role(Enum):
    ABOUT = "about"
    FORMER = "former"


About: TypeAlias = Annotated[_T, _Role.ABOUT]
"""What it changes or creates, if that is neither the task of its `task_id` nor its board."""
Former: TypeAlias = Annotated[_T, _Role.FORMER]
"""A former state: its ids are replaced, but not needed for sending."""


class Revived(dict[int, int]):
    """New local ids for things of one kind that were deleted and are recreated."""

    def __init__(self, kind: Kind, ids: Mapping[int, int]) -> None:
        super().__init__(ids)
        self.kind = kind


def new_local_id() -> int:
    """An id for a thing not created yet: negative, random and unique."""
    return -1 - (int.from_bytes(os.urandom(7)) >> 4)


def renamed(value: _T, ids: Mapping[int, int]) -> _T:
    """An operation, or a model value, with ids replaced."""

    def new_id(kind: Kind, some_id: int) -> int:
        # Ids from the service repeat between kinds; local ones are unique over all of them.
        is_other = some_id >= 0 and isinstance(ids, Revived) and ids.kind != kind
        return some_id if is_other else ids.get(some_id, some_id)

    result: _T = _visited(value, new_id)
    return result


def local_ids(value: object) -> frozenset[int]:
    """Every local id in an operation."""
    ids = set()

    def note(_: Kind, some_id: int) -> int:
        ids.add(some_id)
        return some_id

    _visited(value, note)
    return frozenset(some_id for some_id in ids if some_id < 0)


def _none(_: object) -> None:
    return None


@record
class Links:
    """The fields of a class of operations that hold the ids of its subject and of what it needs.

    `board_id` and `task_id` are for classes without fields of these names. `things` are the fields
    with ids of what they need, `places` those with places among neighbours.
    """

    kind: Kind | None = None
    subject_id: _Get = _none
    board_id: _Get = _none
    task_id: _Get = _none
    things: tuple[str, ...] = ()
    places: tuple[str, ...] = ()


@cache
def links_of(kind: type) -> Links:
    """The links of a class of operations."""
    hints = get_type_hints(kind, include_extras=True)
    links = Links()
    things: list[str] = []
    places: list[str] = []
    for name, holder in _holders(kind).items():
        roles = [mark for mark in get_args(hints[name])[1:] if isinstance(mark, _Role)]
        # A former state is renamed by `_visited`, but nothing has to be sent before it.
        if _Role.FORMER in roles:
            continue
        (places if holder.is_place else things).append(name)
        if roles:
            links = _subject_links(name, holder, get_args(hints[name])[0])
    return replace(links, things=tuple(things), places=tuple(places))


def _subject_links(name: str, holder: "_Holder", kind: type) -> Links:
    if holder.kind is not None:
        return Links(holder.kind, attrgetter(name))
    holders = _holders(kind)
    boards = [at for at, inner in holders.items() if inner.kind == "board"]
    tasks = [at for at, inner in holders.items() if inner.kind == "task"]
    return Links(
        holders["id"].kind,
        attrgetter(f"{name}.id"),
        board_id=attrgetter(f"{name}.{boards[0]}") if boards else _none,
        task_id=attrgetter(f"{name}.{tasks[0]}") if tasks else _none,
    )


def own_ids(held: Any) -> Iterator[int]:
    """The ids of the things in a field of an operation, without those of their parts."""
    if isinstance(held, int):
        yield held
    elif isinstance(held, Place):
        yield from (id_ for id_ in (held.above, held.below) if id_ is not None)
    elif isinstance(held, tuple | frozenset):
        for part in held:
            yield from own_ids(part)
    elif "id" in _holders(held.__class__):
        yield held.id


class _Holder(NamedTuple):
    """How values of one annotation hold ids, and of which kind, if they are ids themselves."""

    visited: Callable[[Any, _Visit], Any]
    kind: Kind | None = None
    is_place: bool = False


def _visited(value: Any, visit: _Visit) -> Any:
    changed = {}
    for name, holder in _holders(value.__class__).items():
        old = getattr(value, name)
        if old is not None and (new := holder.visited(old, visit)) != old:
            changed[name] = new
    return replace(value, **changed) if changed else value


@cache
def _holders(kind: type) -> dict[str, _Holder]:
    if not is_dataclass(kind):
        return {}
    hints = get_type_hints(kind, include_extras=True)
    holders = {name: _holder(hints[name]) for name in kind.__dataclass_fields__}
    return {name: holder for name, holder in holders.items() if holder is not None}


def _holder(hint: Any, kind: Kind | None = None) -> _Holder | None:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        kinds = (mark.kind for mark in inner[1:] if isinstance(mark, IdOf))
        return _holder(inner[0], next(kinds, kind))
    if origin in (Union, UnionType):
        holders = (_holder(option, kind) for option in inner if option is not NoneType)
        return next((holder for holder in holders if holder is not None), None)
    if origin in (tuple, frozenset):
        item_holder = _holder(inner[0], kind)
        return item_holder and _Holder(
            lambda values, visit: origin(item_holder.visited(value, visit) for value in values)
        )
    if hint is Place and kind is not None:
        return _Holder(
            lambda place, visit: Place(
                *(id_ if id_ is None else visit(kind, id_) for id_ in (place.above, place.below))
            ),
            is_place=True,
        )
    if hint is int and kind is not None:
        return _Holder(lambda value, visit: visit(kind, value), kind)
    return _Holder(_visited) if is_dataclass(hint) else None
