"""Records: classes of values that do not change, made with less work than frozen dataclasses.

Python compiles six methods for each of those, which takes almost a millisecond before anything is
drawn; here it compiles `__init__` alone, when the first one is made. Only the type checker forbids
to change one.
"""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

Kind = TypeVar("Kind")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(kind: type[Kind]) -> type[Kind]:
    """Make a class one of records, which are compared by their values."""
    slotted = dataclass(init=False, slots=True, repr=False, eq=False)(kind)
    names = [attribute.name for attribute in fields(slotted)]  # type: ignore[arg-type]  # it is a dataclass
    if not names:  # a base of other records
        return slotted
    first, values = attrgetter(names[0]), attrgetter(*names)

    def first_call(self: object, *given: object, **named: object) -> None:
        initialize = _initializer(slotted)
        setattr(slotted, "__init__", initialize)  # noqa: B010  in place of this function
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
        setattr(slotted, name, method)
    return slotted


def _initializer(kind: type[Any]) -> Callable[..., None]:
    # As the one of dataclasses, which take twice as long to make it.
    given: dict[str, object] = {}
    places, keywords, lines = ["self"], ["*"], list[str]()
    for attribute in fields(kind):
        name, default, value = attribute.name, f"default_{attribute.name}", attribute.name
        if attribute.default_factory is not MISSING:
            given[default] = attribute.default_factory
            value = f"{default}() if {name} is {default} else {name}"
        elif attribute.default is not MISSING:
            given[default] = attribute.default
        parameters = keywords if attribute.kw_only else places
        parameters.append(f"{name}={default}" if default in given else name)
        lines.append(f" self.{name} = {value}")
    if hasattr(kind, "__post_init__"):
        lines.append(" self.__post_init__()")
    parameters = places + keywords if keywords[1:] else places
    lines.insert(0, f"def __init__({', '.join(parameters)}):")
    exec("\n".join(lines), given)  # noqa: S102  of names of our own
    initialize: Callable[..., None] = given["__init__"]  # type: ignore[assignment]
    return initialize
