"""Bodies of forms (`application/x-www-form-urlencoded`), as the objects that JSON would have said.

The rule it keeps: names with brackets are nested objects and lists, so that a handler finds the
same body whether it came as a form or as JSON: `customField[options][]=a` is
`{"customField": {"options": ["a"]}}`. Every value is text; what it means is for the reader of the
field. Names that contradict each other are refused.
"""

import re
from collections.abc import Iterator
from typing import Any

from tui.service.errors import ServiceError

FORM_TYPE = "application/x-www-form-urlencoded"

_MOST_FIELDS = 1000
_NAME = re.compile(r"([^\[\]]+)((?:\[[^\[\]]*\]){0,4})")
_PART = re.compile(r"\[([^\[\]]*)\]")
# Read in runs of this length, so that other requests get their turn beside a form of megabytes.
_ESCAPES = re.compile(rb"%[0-9A-Fa-f]{2}(?:%[0-9A-Fa-f]{2}){0,9999}")


def is_form(content_type: str) -> bool:
    """Whether a body of this type is a form."""
    return content_type.partition(";")[0].strip().lower() == FORM_TYPE


def parse_form(raw: bytes) -> dict[str, Any]:
    """The fields of a form or of a query string.

    `a[b]=1` is a field of an object, `a[]=1` and `a[0]=1` are entries of a list. Raises
    `ServiceError` 400 when they cannot be read or are more than a thousand.
    """
    if raw.count(b"&") >= _MOST_FIELDS:
        raise _unreadable()
    form: dict[str, Any] = {}
    for name, value in _pairs(raw):
        match = _NAME.fullmatch(name)
        if match is None:
            raise _unreadable()
        _put(form, [match[1], *_PART.findall(match[2])], value)
    return {name: _with_lists(value) for name, value in form.items()}


def _pairs(raw: bytes) -> Iterator[tuple[str, str]]:
    """The names and values of a form, decoded; a name alone has an empty value."""
    for field in filter(None, raw.split(b"&")):
        name, _, value = field.partition(b"=")
        yield _decoded(name), _decoded(value)


def _decoded(raw: bytes) -> str:
    """A name or value as text; a percent sign that begins no escape stands for itself."""
    try:
        return _ESCAPES.sub(_unescaped, raw.replace(b"+", b" ")).decode()
    except UnicodeDecodeError as error:
        raise _unreadable() from error


def _unescaped(found: re.Match[bytes]) -> bytes:
    return bytes.fromhex(found[0].replace(b"%", b"").decode())


def _put(form: dict[str, Any], path: list[str], value: str) -> None:
    """Put a value at the end of a path; an entry without a name gets the next number."""
    *steps, last = path
    for step in steps:
        form = form.setdefault(step or str(len(form)), {})
        if not isinstance(form, dict):
            raise _unreadable()
    name = last or str(len(form))
    if isinstance(form.get(name), dict):
        raise _unreadable()
    form[name] = value


def _with_lists(value: object) -> object:
    """A value of a form; what is named 0, 1, 2 and so on is a list."""
    if not isinstance(value, dict):
        return value
    parts = {name: _with_lists(part) for name, part in value.items()}
    is_list = list(parts) == [str(number) for number in range(len(parts))]
    return list(parts.values()) if is_list else parts


def _unreadable() -> ServiceError:
    return ServiceError(400, "invalid_form", "The fields of the form cannot be read.")
