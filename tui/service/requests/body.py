"""The body of a request, and the declared fields that endpoints take from it."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from typing import Any, Generic, TypeVar, overload

from tui.service.errors import invalid, unreadable
from tui.service.requests.forms import is_form, parse_form
from tui.service.values import DESCRIPTION_LIMIT, Read, Reader, SafeHtml, Schema, Value, html

JSON_TYPE = "application/json"

# A million lists take a second. A description may consist of brackets.
_MOST_BRACKETS = DESCRIPTION_LIMIT + 10_000
_LONG = 64 * 1024


class Body:
    """The JSON object or the form that came with a request; no body is an empty one.

    The fields of a form are text; every reader takes text for what it reads.
    """

    def __init__(self, values: Mapping[str, object], within: str = "") -> None:
        self._values = values
        self._within = within

    @classmethod
    def parse(cls, raw: bytes, content_type: str = "") -> "Body":
        """Read a request's body: a form if its type says so, else JSON.

        Descriptions are made safe here already: that may take long, and a body is read before the
        transaction begins, for which others wait. Raises `ServiceError` 400 if the body is neither
        a form nor a JSON object.
        """
        if not raw.strip():
            return cls({})
        if is_form(content_type):
            return cls(_with_safe_html(parse_form(raw)))
        return cls(_with_safe_html(read_object(raw)))

    def over(self, defaults: Mapping[str, object]) -> "Body":
        """The same body, with values for what it leaves out."""
        return Body({**defaults, **self._values}, self._within)

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def required(self, name: str, read: Read[Value]) -> Value:
        """A field that must be there, through its reader."""
        if name not in self._values:
            raise invalid(self._within + name, "is required")
        return read(self._within + name, self._values[name])

    def optional(self, name: str, read: Read[Value], default: Value) -> Value:
        """A field that may be left out or be null."""
        if self._values.get(name) is None:
            return default
        return read(self._within + name, self._values[name])

    def part(self, name: str) -> "Body":
        """An object within the body, such as `board` or `task`; its fields are named within it."""
        value = self._values.get(name)
        if not isinstance(value, dict):
            raise invalid(self._within + name, "is required and must be an object")
        return Body(value, f"{self._within}{name}.")


def _with_safe_html(values: dict[str, object]) -> dict[str, object]:
    """The body with its descriptions, and that of the board in it, made safe."""
    board = values.get("board")
    safe = _with_safe_description(values)
    return safe | {"board": _with_safe_description(board)} if isinstance(board, dict) else safe


def _with_safe_description(values: dict[str, object]) -> dict[str, object]:
    """The fields with a description made safe; one that is too long is left to be refused."""
    name = "value" if values.get("property") == "description" else "description"
    source = values.get(name)
    if not isinstance(source, str) or len(source) > DESCRIPTION_LIMIT:
        return values
    return values | {name: SafeHtml(html(name, source))}


@dataclass(frozen=True, slots=True, eq=False)
class Field(Generic[Value]):
    """A declared field of a body; it is read, and refused if need be, when it is asked for."""

    name: str
    schema: Schema
    is_required: bool
    read: Callable[[Body], Value]

    def __get__(self, fields: "Fields", _owner: type) -> Value:
        return self.read(fields.body)


class Fields:
    """The fields that an endpoint takes, which subclasses declare, over the body of a request."""

    def __init__(self, body: Body) -> None:
        self.body = body

    @classmethod
    def schema(cls) -> Schema:
        """The fields as JSON Schema."""
        declared = [
            field
            for kind in reversed(cls.__mro__)
            for field in vars(kind).values()
            if isinstance(field, Field)
        ]
        schema: Schema = {
            "type": "object",
            "properties": {field.name: field.schema for field in declared},
        }
        required = [field.name for field in declared if field.is_required]
        return schema | ({"required": required} if required else {})


Part = TypeVar("Part", bound=Fields)


def required(name: str, reader: Reader[Value]) -> Field[Value]:
    """A field that must be there."""
    return Field(name, reader.schema, True, lambda body: body.required(name, reader))


@overload
def optional(name: str, reader: Reader[Value]) -> Field[Value | None]: ...
@overload
def optional(name: str, reader: Reader[Value], default: Value) -> Field[Value]: ...
def optional(name: str, reader: Reader[Any], default: Any = None) -> Field[Any]:
    """A field that may be left out or be null."""
    schema = {"anyOf": [reader.schema, {"type": "null"}]}
    return Field(name, schema, False, lambda body: body.optional(name, reader, default))


def part(name: str, fields: type[Part]) -> Field[Part]:
    """An object within the body that must be there; errors name its fields within it."""
    return Field(name, fields.schema(), True, lambda body: fields(body.part(name)))


def read_object(raw: bytes) -> dict[str, Any]:
    """The object in a body. Raises `ServiceError` 400 if it holds anything else."""
    if raw.count(b"[") + raw.count(b"{") > _MOST_BRACKETS:
        raise unreadable("The body holds too many lists and objects.")
    decoder = _PatientDecoder if len(raw) > _LONG else json.JSONDecoder
    try:
        value = json.loads(raw, cls=decoder, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise unreadable("The body is not valid JSON.") from error
    if not isinstance(value, dict):
        raise unreadable("The body must be a JSON object.")
    return value


class _PatientDecoder(json.JSONDecoder):
    """Reads values in Python, where other threads get their turn; texts are as fast as before.

    The decoder in C stops every thread for 0.15 s when 2 MB hold 200,000 names.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.scan_once = py_make_scanner(self)


def _refuse(name: str) -> object:
    raise ValueError(name)


def _finite(digits: str) -> float:
    """A number that JSON can say again; one beyond all floats is none."""
    number = float(digits)
    if math.isinf(number):
        raise ValueError(digits)
    return number
