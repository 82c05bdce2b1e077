"""Whether documents are what `tui.client.records.base` says that they are."""

import re
from types import NoneType
from typing import Any, get_args, get_origin

from tui.client.records.base import Part
from tui.client.records.values import WALL_TIME

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00")
_WALL_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")


def broken(document: object, kind: type[Part]) -> list[str]:
    """The members of a document of a kind that are not as they are guaranteed to be."""
    if not isinstance(document, dict):
        return [f"{kind.__name__} is {document!r:.60}"]
    found = []
    for name, field in kind.model_fields.items():
        alias = field.serialization_alias or name
        if alias not in document:
            if field.is_required():
                found.append(f"{kind.__name__} without {alias}")
            continue
        is_wall_time = WALL_TIME in field.metadata
        found += [
            f"{kind.__name__}.{alias}: {problem}"
            for problem in _problems(document[alias], field.annotation, is_wall_time=is_wall_time)
        ]
    return found


def _problems(value: object, annotation: Any, *, is_wall_time: bool) -> list[str]:
    choices = get_args(annotation) if get_origin(annotation) not in {list, dict} else (annotation,)
    choices = choices or (annotation,)
    if Any in choices or (value is None and NoneType in choices):
        return []
    (choice,) = (one for one in choices if one is not NoneType)
    if get_origin(choice) is list:
        if not isinstance(value, list):
            return [f"{value!r:.60} is no array"]
        (inner,) = get_args(choice)
        return [
            problem
            for element in value
            for problem in _problems(element, inner, is_wall_time=is_wall_time)
        ]
    if isinstance(choice, type) and issubclass(choice, Part):
        return broken(value, choice)
    if choice.__name__ == "datetime":
        pattern = _WALL_TIME if is_wall_time else _INSTANT
        is_right = isinstance(value, str) and pattern.fullmatch(value) is not None
    else:
        is_right = type(value) is (get_origin(choice) or choice)
    return [] if is_right else [f"{value!r:.60} is no {choice}"]
