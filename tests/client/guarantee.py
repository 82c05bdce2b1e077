"""Whether documents are what `tui.client.decoding` says that they are."""

import re
from typing import Any, Literal, get_args, get_origin, get_type_hints, is_typeddict

from tui.client.decoding import has_own_id, own_id, parts
from tui.schema.base import ValueReading
from tui.schema.tasks import Task

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00")
_WALL_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
_TYPES: dict[ValueReading | None, type] = {
    ValueReading.COUNT: int,
    ValueReading.ID: int,
    ValueReading.NUMBER: float,
    ValueReading.PARENT: int,
}
_DATES: dict[ValueReading | None, re.Pattern[str]] = {
    ValueReading.MOMENT: _INSTANT,
    ValueReading.WALL: _WALL_TIME,
}
_REQUIRED = {
    *(
        (ValueReading.COUNT, int),
        (ValueReading.COUNT, str),
        (None, float),
        (None, str),
        (None, dict),
    ),
    *((None, list[int]), (None, list[str])),
}
"""What is never None, by how it is read and its type, unless it is optional."""


def broken(document: object, kind: Any) -> list[str]:
    """The members of a document of a kind that are not as they are guaranteed to be."""
    name = kind.__name__
    if not isinstance(document, dict):
        return [f"{name} is {document!r:.60}"]
    found = []
    for member, type_ in get_type_hints(kind, include_extras=True).items():
        if kind is Task and member in ("board", "stage"):
            continue
        if member in document:
            found += [
                f"{name}.{member}: {problem}" for problem in _problems(document[member], type_)
            ]
        elif member in ("id", "ID") and own_id(type_):
            found.append(f"{name} without {member}")
    return found


def _problems(value: object, type_: Any) -> list[str]:
    reading, bare, is_optional = parts(type_)
    is_record = is_typeddict(bare) and (reading is ValueReading.PART or has_own_id(bare))
    if get_origin(bare) is list and isinstance(value, list):
        (inner,) = get_args(bare)
        return [problem for element in value for problem in _problems(element, inner)]
    if is_record and value is not None:
        return broken(value, bare)
    if reading is ValueReading.RAW or bare is Any:
        return []
    if value is None and (is_optional or is_record or (reading, bare) not in _REQUIRED):
        return []
    if reading in _DATES:
        is_right = isinstance(value, str) and bool(_DATES[reading].fullmatch(value))
    elif is_typeddict(bare):
        is_right = type(value) is dict
    else:
        plain = get_origin(bare) or bare
        is_right = type(value) is _TYPES.get(reading, str if plain is Literal else plain)
    return [] if is_right else [f"{value!r:.60} is no {type_}"]
