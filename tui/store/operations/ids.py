"""Which ids an operation holds, derived once from the annotations of its class.

Local ids, below zero, are unique over all kinds of things, so that one mapping from old to new
serves every operation. Ids of the service's own are unique among things of one kind only, and are
replaced there alone.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass, replace
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

_T = TypeVar("_T")
_Get: TypeAlias = Callable[[Any], Any]


class _Role(Enum):
    ABOUT = "about"
    CREATES = "creates"
    FORMER = "former"


About: TypeAlias = Annotated[_T, _Role.ABOUT]
"""What the operation changes, where that is neither the task of its `task_id` nor its board."""
Creates: TypeAlias = Annotated[_T, _Role.CREATES]
"""The local id of what the operation makes."""
Former: TypeAlias = Annotated[_T, _Role.FORMER]
"""How things were: given new ids, but not needed for the operation to be sent."""


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


def renamed(value: _T, ids: Mapping[int, int]) -> _T:
    """An operation, or a value of the model, by the new ids."""
    changed = {}
    for name, shape in _shapes_of(value).items():
        old = getattr(value, name)
        if old is not None and (new := shape.renamed(old, ids)) != old:
            changed[name] = new
    again: _T = replace(value, **changed) if changed else value  # type: ignore[type-var]
    return again


def local_ids(value: object) -> frozenset[int]:
    """Every local id an operation holds, for whatever reason."""
    return frozenset(one for one in _ids(value) if one < 0)


@dataclass(frozen=True, slots=True)
class Links:
    """Where the operations of one class hold what they are about, and what they need.

    `board_id` and `task_id` are for classes that have no fields of these names.
    """

    kind: Kind | None = None
    subject_id: _Get | None = None
    is_created: bool = False
    board_id: _Get | None = None
    task_id: _Get | None = None
    _ids: tuple[str, ...] = ()
    _things: tuple[tuple[str, "_Shape"], ...] = ()
    _places: tuple[tuple[str, "_Shape"], ...] = ()

    def needed(self, operation: object) -> set[int | None]:
        """The ids of the things that an operation names, but its neighbours."""
        found: set[int | None] = {getattr(operation, name) for name in self._ids}
        return found.union(_each_id(operation, self._things))

    def neighbours(self, operation: object) -> frozenset[int]:
        """The ids that an operation's places are told by."""
        return frozenset(_each_id(operation, self._places))


@cache
def links_of(kind: type) -> Links:
    """The links of a class of operations."""
    hints = get_type_hints(kind, include_extras=True)
    links = Links()
    ids: list[str] = []
    things: list[tuple[str, _Shape]] = []
    places: list[tuple[str, _Shape]] = []
    for name, shape in _shapes(kind).items():
        roles = [mark for mark in _marks(hints[name]) if isinstance(mark, _Role)]
        if _Role.FORMER in roles:
            continue
        if shape.kind is not None:
            ids.append(name)
        else:
            (places if shape.is_place else things).append((name, shape))
        if roles:
            links = _about(name, shape, get_args(hints[name])[0])
            links = replace(links, is_created=_Role.CREATES in roles)
    return replace(links, _ids=tuple(ids), _things=tuple(things), _places=tuple(places))


def _about(name: str, shape: "_Shape", kind: type) -> Links:
    """The links of operations that are about what this field names or holds."""
    if shape.kind is not None:
        return Links(shape.kind, attrgetter(name))
    held = _shapes(kind)
    boards = [at for at, one in held.items() if one.kind == "board"]
    tasks = [at for at, one in held.items() if one.kind == "task"]
    return Links(
        held["id"].kind,
        attrgetter(f"{name}.id"),
        board_id=attrgetter(f"{name}.{boards[0]}") if boards else None,
        task_id=attrgetter(f"{name}.{tasks[0]}") if tasks else None,
    )


class _Shape(NamedTuple):
    """How values of one annotation hold ids, and of which kind, if they are ids themselves.

    `own` are those of the things that are named, without the ids that hang on these.
    """

    ids: Callable[[Any], Iterable[int]]
    own: Callable[[Any], Iterable[int]]
    renamed: Callable[[Any, Mapping[int, int]], Any]
    kind: Kind | None = None
    is_place: bool = False


def _shapes_of(value: Any) -> dict[str, _Shape]:
    return _shapes(value.__class__)


@cache
def _shapes(kind: type) -> dict[str, _Shape]:
    """The fields of a dataclass that hold ids; none of anything else."""
    if not is_dataclass(kind):
        return {}
    hints = get_type_hints(kind, include_extras=True)
    shapes = {name: _shape(hints[name]) for name in kind.__dataclass_fields__}
    return {name: shape for name, shape in shapes.items() if shape is not None}


def _marks(hint: Any) -> tuple[Any, ...]:
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def _shape(hint: Any, kind: Kind | None = None) -> _Shape | None:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        kinds = (mark.kind for mark in inner[1:] if isinstance(mark, IdOf))
        return _shape(inner[0], next(kinds, kind))
    if origin in (Union, UnionType):
        shapes = (_shape(one, kind) for one in inner if one is not NoneType)
        return next((shape for shape in shapes if shape is not None), None)
    if origin in (tuple, frozenset):
        each = _shape(inner[0], kind)
        return None if each is None else _shape_of_many(each, origin)
    if hint is Place and kind is not None:
        return _shape_of_place(kind)
    if hint is int and kind is not None:
        return _shape_of_id(kind)
    return _Shape(_ids, _own_id, renamed) if is_dataclass(hint) else None


def _shape_of_id(kind: Kind) -> _Shape:
    def new_id(value: int, ids: Mapping[int, int]) -> int:
        if value >= 0 and isinstance(ids, Revived) and ids.kind != kind:
            return value
        return ids.get(value, value)

    return _Shape(_alone, _alone, new_id, kind)


def _shape_of_place(kind: Kind) -> _Shape:
    new_id = _shape_of_id(kind).renamed

    def neighbours(place: Place) -> Iterable[int]:
        return (one for one in (place.above, place.below) if one is not None)

    def new_place(place: Place, ids: Mapping[int, int]) -> Place:
        above, below = (
            None if one is None else new_id(one, ids) for one in (place.above, place.below)
        )
        return Place(above, below)

    return _Shape(neighbours, neighbours, new_place, is_place=True)


def _shape_of_many(each: _Shape, many: type) -> _Shape:
    return _Shape(
        lambda values: (one for value in values for one in each.ids(value)),
        lambda values: (one for value in values for one in each.own(value)),
        lambda values, ids: many(each.renamed(value, ids) for value in values),
    )


def _alone(value: int) -> tuple[int]:
    return (value,)


def _own_id(value: Any) -> tuple[int, ...]:
    return (value.id,) if "id" in _shapes_of(value) else ()


def _ids(value: object) -> Iterator[int]:
    for name, shape in _shapes_of(value).items():
        held = getattr(value, name)
        if held is not None:
            yield from shape.ids(held)


def _each_id(value: object, places: Iterable[tuple[str, _Shape]]) -> Iterator[int]:
    for name, shape in places:
        held = getattr(value, name)
        if held is not None:
            yield from shape.own(held)
