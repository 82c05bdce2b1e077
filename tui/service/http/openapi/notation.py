"""A short way of writing down what an object holds, and the JSON Schema that it means.

The rule it keeps: `title title; parent_id integer?; tasks [Task]` is an object with those fields
and types. A `?` after a type allows null, after a name it lets the field be left out. `[…]` is a
list, `{…}` an object within, `=a|b` one of these words, `page(Task)` a page of records (2.1), and a
name in capitals a record of its own.
"""

import re
from typing import Any

from tui.service.values import DESCRIPTION_LIMIT, TITLE_LIMIT

Schema = dict[str, Any]

ERROR = "Error"

_TYPES: dict[str, Schema] = {
    "any": {},
    "object": {"type": "object"},
    "string": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "decimal": {"type": "string", "pattern": "^-?[0-9]+\\.[0-9]{2}$"},
    "boolean": {"type": "boolean"},
    "title": {"type": "string", "minLength": 1, "maxLength": TITLE_LIMIT},
    "line": {"type": "string", "maxLength": 200},
    "html": {
        "type": "string",
        "maxLength": DESCRIPTION_LIMIT,
        "description": "HTML; what acts is removed",
    },
    "id": {"type": "integer", "minimum": 1},
    "ids": {"type": "array", "items": {"type": "integer"}},
    "place": {"type": "integer", "minimum": 1, "description": "counted from 1"},
    "flag": {"type": ["boolean", "string"], "description": "true or false, or yes or no"},
    "color": {"type": "string", "pattern": "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$"},
    "wall": {
        "type": "string",
        "description": "YYYY-MM-DD hh:mm:ss on the site's clock",
    },
    "moment": {"type": "string", "format": "date-time"},
    "file": {"type": "string", "format": "binary"},
}
_FIELD = re.compile(r"(?P<name>\w+)(?P<may_miss>\??) (?P<type>.+)", re.DOTALL)
_PAGE = (
    "current_page integer; first_page_url string; from integer?; last_page integer; "
    "last_page_url string; links [{url string?; label string; active boolean}]; "
    "next_page_url string?; path string; per_page integer; prev_page_url string?; to integer?; "
    "total integer"
)


def object_schema(fields: str) -> Schema:
    """The schema of an object with these fields. Raises `ValueError` for what is no notation."""
    properties: dict[str, Schema] = {}
    required: list[str] = []
    for part in _parts(fields):
        match = _FIELD.fullmatch(part)
        if match is None:
            raise ValueError(part)
        properties[match["name"]] = type_schema(match["type"].strip())
        if not match["may_miss"]:
            required.append(match["name"])
    schema: Schema = {"type": "object", "properties": properties}
    return schema | ({"required": required} if required else {})


def type_schema(notation: str) -> Schema:
    """The schema of one type."""
    if notation.endswith("?"):
        return _or_null(type_schema(notation[:-1]))
    if notation.startswith("["):
        return {"type": "array", "items": type_schema(notation[1:-1])}
    if notation.startswith("{"):
        return object_schema(notation[1:-1])
    if notation.startswith("page("):
        return object_schema(f"{_PAGE}; data [{notation[5:-1]}]")
    return _simple(notation)


def _simple(notation: str) -> Schema:
    """The schema of a type that has no other one within."""
    if notation.startswith("="):
        return {"type": "string", "enum": notation[1:].split("|")}
    if notation[0].isupper():
        return {"$ref": f"#/components/schemas/{notation}"}
    return dict(_TYPES[notation])


def _or_null(schema: Schema) -> Schema:
    """The same, or null."""
    return {"anyOf": [schema, {"type": "null"}]} if schema else schema


def _parts(fields: str) -> list[str]:
    """The fields, parted at the semicolons that are not within another object."""
    parts, depth, part = [], 0, ""
    for sign in fields:
        depth += (sign in "{[") - (sign in "}]")
        if sign == ";" and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += sign
    return [" ".join(part.split()) for part in [*parts, part] if part.strip()]
