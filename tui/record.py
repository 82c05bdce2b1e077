"""Records: classes of values that do not change, made with less work than frozen dataclasses.

Python compiles six methods for each of those, which takes almost a millisecond before anything is
drawn; here it compiles `__init__` alone, when the first one is made. Only the type checker forbids
to change one.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

Kind = TypeVar("Kind")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(kind: type[Kind]) -> type[Kind]:
    """Make a class one of records, which are compared by their values."""
    made = dataclass(init=False, slots=True, repr=False, eq=False)(kind)
    names = [each.name for each in fields(made)]  # type: ignore[arg-type]  # it is a dataclass
    if not names:  # a base of other records
        return made
    first, values = attrgetter(names[0]), attrgetter(*names)

    def first_call(self: object, *given: object, **named: object) -> None:
        initialize = _initializer(made)
        setattr(made, "__init__", initialize)  # noqa: B010  in place of this function
        initialize(self, *given, **named)

    def equals(self: object, other: object) -> object:
        if self.__class__ is not other.__class__:
            return NotImplemented
        return first(self) == first(other) and values(self) == values(other)

    def hash_value(self: object) -> int:
        return hash(values(self))

    def text(self: object) -> str:
        pairs = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({pairs})"

    methods = {"__init__": first_call, "__eq__": equals, "__hash__": hash_value, "__repr__": text}
    for name, method in methods.items():
        setattr(made, name, method)
    return made


def _initializer(kind: type[Any]) -> Callable[..., None]:
    # Python compiles it for a class with the same fields.
    names = {each.name: each for each in fields(kind)}
    annotations = {name: each.type for name, each in names.items()}
    body = {"__annotations__": annotations, "__doc__": kind.__name__, **names}  # else it makes one
    if hasattr(kind, "__post_init__"):
        body["__post_init__"] = None
    initialize: Callable[..., None] = vars(
        dataclass(repr=False, eq=False)(type(kind.__name__, (), body))
    )["__init__"]
    return initialize
