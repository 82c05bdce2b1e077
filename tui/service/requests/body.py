"""The body of a request, and the declared fields that endpoints take from it."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from typing import Any, Generic, cast, overload

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

    def __init__(self, values: Mapping[str, object]) -> None:
        self.values = values

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

    def required(self, name: str, read: Read[Value]) -> Value:
        """A field that must be there, through its reader; dots lead into objects."""
        values, last = self._holding(name)
        if last not in values:
            raise invalid(name, "is required")
        return read(name, values[last])

    def optional(self, name: str, read: Read[Value], default: Value) -> Value:
        """A field that may be left out or be null."""
        values, last = self._holding(name)
        return default if values.get(last) is None else read(name, values[last])

    def _holding(self, name: str) -> tuple[Mapping[str, object], str]:
        """The object that a field is in, such as `board` or `task`, and its name there."""
        *outer, last = name.split(".")
        values = self.values
        for depth, step in enumerate(outer, start=1):
            inner = values.get(step)
            if not isinstance(inner, dict):
                raise invalid(".".join(outer[:depth]), "is required and must be an object")
            values = inner
        return values, last


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


Query = Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Field(Generic[Value]):
    """What a parameter of a handler is read from: fields of the body, or of the query.

    `schemas` says what they look like, by their names.
    """

    schemas: Mapping[str, Schema]
    read: Callable[[Body, Query], Value]
    is_required: bool = False
    is_in_query: bool = False


def required(name: str, reader: Reader[Value]) -> Value:
    """The default of a parameter: a field of the body that must be there.

    A name with a dot is that of a field of an object within the body, which must be there too.
    """
    return declared(
        Field({name: reader.schema}, lambda body, _query: body.required(name, reader.read), True)
    )


@overload
def optional(name: str, reader: Reader[Value]) -> Value | None: ...
@overload
def optional(name: str, reader: Reader[Value], default: Value) -> Value: ...
def optional(name: str, reader: Reader[Any], default: Any = None) -> Any:
    """The default of a parameter: a field of the body that may be left out or be null."""
    schema = {"anyOf": [reader.schema, {"type": "null"}]}
    return Field({name: schema}, lambda body, _query: body.optional(name, reader.read, default))


def query(name: str, reader: Reader[Value], default: Value, *, is_required: bool = False) -> Value:
    """The default of a parameter: a field of the query, which may be left out or be blank."""

    def read(_body: Body, given: Query) -> Value:
        word = given.get(name, "").strip()
        return reader.read(name, word) if word else default

    return declared(Field({name: reader.schema}, read, is_required, is_in_query=True))


def declared(field: Field[Value]) -> Value:
    """A field as the value that a handler gets in its place, to those who check types."""
    return cast("Value", field)


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
