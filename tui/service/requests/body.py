"""The body of a request, and the declaration of fields that endpoints read from it."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from typing import Any, Generic, cast, overload

from tui.service.errors import invalid, unreadable
from tui.service.requests.forms import FORM_TYPE, JSON_TYPE, parse_form
from tui.service.values import DESCRIPTION_LIMIT, Read, Reader, SafeHtml, Schema, Value, html

# A million lists take a second. A description may consist of brackets.
_MOST_BRACKETS = DESCRIPTION_LIMIT + 10_000
_LONG = 64 * 1024


@dataclass(frozen=True, slots=True)
class Body:
    """The JSON object or form of a request; empty without a body.

    Fields of a form are text; every reader accepts text.
    """

    values: Mapping[str, object]

    @classmethod
    def parse(cls, raw: bytes, kind: str = JSON_TYPE) -> "Body":
        """Parse a body: a form if its media type says so, else JSON.

        Descriptions are sanitised here, since that may take long, and a body is read before the
        transaction begins, which blocks others; one that is too long is refused later. Raises
        `ServiceError` 400 if the body is neither a
        form nor a JSON object.
        """
        if not raw.strip():
            return cls({})
        values = parse_form(raw) if kind == FORM_TYPE else read_object(raw)
        for part in (values, values.get("board")):
            if not isinstance(part, dict):
                continue
            name = "value" if part.get("property") == "description" else "description"
            source = part.get(name)
            if isinstance(source, str) and len(source) <= DESCRIPTION_LIMIT:
                part[name] = SafeHtml(html(name, source))
        return cls(values)

    def required(self, name: str, read: Read[Value]) -> Value:
        """A required field; dots lead into objects."""
        values, last = self._holding(name)
        if last not in values:
            raise invalid(name, "is required")
        return read(name, values[last])

    def optional(self, name: str, read: Read[Value], default: Value) -> Value:
        """A field that may be missing or null."""
        values, last = self._holding(name)
        return default if values.get(last) is None else read(name, values[last])

    def _holding(self, name: str) -> tuple[Mapping[str, object], str]:
        """The object that holds a field, such as `board` or `task`, and the field's name in it."""
        *outer, last = name.split(".")
        values = self.values
        for depth, step in enumerate(outer, start=1):
            inner = values.get(step)
            if not isinstance(inner, dict):
                raise invalid(".".join(outer[:depth]), "is required and must be an object")
            values = inner
        return values, last


Query = Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class BodyField(Generic[Value]):
    """The source of a handler's parameter: fields of the body, or of the query.

    `schemas` are their JSON Schemas by name.
    """

    schemas: Mapping[str, Schema]
    read: Callable[[Body, Query], Value]
    is_required: bool = False
    is_in_query: bool = False


def required(name: str, reader: Reader[Value]) -> Value:
    """Default of a parameter: a required field of the body.

    Dots lead into objects, which are required too.
    """
    field = BodyField(
        {name: reader.schema}, lambda body, _query: body.required(name, reader.read), True
    )
    return declared(field)


@overload
def optional(name: str, reader: Reader[Value]) -> Value | None: ...
@overload
def optional(name: str, reader: Reader[Value], default: Value) -> Value: ...
def optional(name: str, reader: Reader[Any], default: Any = None) -> Any:
    """Default of a parameter: a field of the body that may be missing or null."""
    schema = {"anyOf": [reader.schema, {"type": "null"}]}
    return BodyField({name: schema}, lambda body, _query: body.optional(name, reader.read, default))


def query(name: str, reader: Reader[Value], default: Value, *, is_required: bool = False) -> Value:
    """Default of a parameter: a field of the query, which may be missing or blank."""

    def read(_body: Body, given: Query) -> Value:
        word = given.get(name, "").strip()
        return reader.read(name, word) if word else default

    return declared(BodyField({name: reader.schema}, read, is_required, is_in_query=True))


def declared(field: BodyField[Value]) -> Value:
    """A field, typed as the value that the handler receives."""
    return cast("Value", field)


def read_object(raw: bytes) -> dict[str, Any]:
    """The object in a body. Raises `ServiceError` 400 for anything else."""
    # Counted before parsing, which would be the expensive part.
    if raw.count(b"[") + raw.count(b"{") > _MOST_BRACKETS:
        raise unreadable("The body has too many lists and objects.")
    decoder = _PatientDecoder if len(raw) > _LONG else json.JSONDecoder
    try:
        value = json.loads(raw, cls=decoder, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise unreadable("The body is not valid JSON.") from error
    if not isinstance(value, dict):
        raise unreadable("The body must be a JSON object.")
    return value


class _PatientDecoder(json.JSONDecoder):
    """Decodes objects in Python, so that other threads can run; texts are as fast as before.

    The C decoder blocks every thread for 0.15 s on 2 MB with 200,000 names.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.scan_once = py_make_scanner(self)


def _refuse(name: str) -> object:
    raise ValueError(name)


def _finite(digits: str) -> float:
    """A finite number; larger ones are refused."""
    number = float(digits)
    if math.isinf(number):
        raise ValueError(digits)
    return number
