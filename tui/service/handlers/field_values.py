"""The values that tasks have in custom fields: what each type takes, list, set (2.8, 4.7).

A value is kept as text, a checkbox's as true or false; null and empty text are no value, whatever
the type.
"""

import json
import re
from collections.abc import Callable
from urllib.parse import urlsplit

from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.documents.boards import field_document, value_documents
from tui.service.errors import invalid
from tui.service.lookups import custom_field_of, task_of
from tui.service.records.boards import FIELD_DONE, FieldValue
from tui.service.requests.body import Fields, required
from tui.service.tables.activity import record
from tui.service.times import Site
from tui.service.values import Read
from tui.text import clean

Kept = str | bool | None

_LINE_LIMIT = 2_000
_TEXT_LIMIT = 100_000
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_NUMBER_LIMIT = 100
_line = values.line_of(_LINE_LIMIT)


def value_reader(site: Site, kind: str, options: list[str]) -> Read[Kept]:
    """A reader of values for a field of a type; `options` are those of a select.

    Raises 422 that names the field of the body for a value that the type does not take.
    """
    read = _READERS[kind](site, options)

    def read_value(field: str, value: object) -> Kept:
        if value is None or value == "":
            return None
        kept = read(field, value)
        return None if kept == "" else kept

    return read_value


def _text(field: str, value: object) -> str:
    return clean.text(values.text(field, value, _TEXT_LIMIT)).strip()


def _number(field: str, value: object) -> str:
    """A number as it was written, so that 2.50 stays 2.50."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if isinstance(value, str) and len(value) <= _NUMBER_LIMIT and _NUMBER.fullmatch(value.strip()):
        return value.strip()
    raise invalid(field, "must be a number such as 12 or 2.50")


def _url(field: str, value: object) -> str:
    """An address that may be opened: http, https or mailto."""
    address = _line(field, value)
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    is_web = parts.scheme in ("http", "https") and bool(parts.netloc)
    is_mail = parts.scheme == "mailto" and "@" in parts.path
    if " " in address or not (is_web or is_mail):
        raise invalid(field, "must be an address such as https://example.org/")
    return address


def _option_of(options: list[str]) -> Read[str]:
    """A reader of one of the options of a select."""

    def read(field: str, value: object) -> str:
        if isinstance(value, str) and (word := values.text(field, value).strip()) in options:
            return word
        raise invalid(field, f"must be one of: {', '.join(options)}")

    return read


_READERS: dict[str, Callable[[Site, list[str]], Read[Kept]]] = {
    "text": lambda _site, _options: _line,
    "textarea": lambda _site, _options: _text,
    "number": lambda _site, _options: _number,
    "url": lambda _site, _options: _url,
    "select": lambda _site, options: _option_of(options),
    "checkbox": lambda _site, _options: values.flag,
    "date": lambda site, _options: values.wall_time(site),
}

FIELD_TYPES = tuple(_READERS)
"""Every type a custom field can have."""


@answers({"customFields": list[FieldValue]})
def list_values(call: Call) -> Document:
    """GET /projects/{board_id}/tasks/{task_id}/custom-fields: in the order of the fields."""
    task = task_of(call)
    return {"customFields": value_documents(call.db, [task["id"]])[task["id"]]}


class _SetValue(Fields):
    field_id = required("custom_field_id", values.identifier("custom field"))
    value = required("value", values.as_sent())


@answers(FIELD_DONE, _SetValue)
def set_value(call: Call, asked: _SetValue) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/custom-fields: `value` for `custom_field_id`.

    Empty text and null take the value away. A checkbox takes true or false, a date what dates of
    tasks take, a select one of its options. Raises 404 for the task or the field, 422.
    """
    task = task_of(call)
    field = custom_field_of(call, asked.field_id)
    read = value_reader(call.site, field["type"], json.loads(field["options"]))
    value = read("value", asked.value)
    old = _value(call, task["id"], field["id"])
    if value != old:
        _write(call, task["id"], field["id"], value)
        record(
            call,
            "changed",
            "custom field",
            task_id=task["id"],
            old=old,
            new=value,
            description=field["title"],
        )
    return {"customField": field_document(field), "message": "Custom field has been set"}


def _value(call: Call, task_id: int, field_id: int) -> Kept:
    """What a task has in a field at present."""
    text = call.db.value(
        "select value from custom_field_value where task_id = :task and custom_field_id = :field",
        task=task_id,
        field=field_id,
    )
    found: Kept = None if text is None else json.loads(text)
    return found


def _write(call: Call, task_id: int, field_id: int, value: Kept) -> None:
    """Set a value, or take it away."""
    if value is None:
        call.db.run(
            "delete from custom_field_value where task_id = :task and custom_field_id = :field",
            task=task_id,
            field=field_id,
        )
    else:
        call.db.run(
            """insert into custom_field_value (task_id, custom_field_id, value, created_at,
                updated_at)
            values (:task, :field, :value, :now, :now)
            on conflict (task_id, custom_field_id)
                do update set value = excluded.value, updated_at = excluded.updated_at""",
            task=task_id,
            field=field_id,
            value=json.dumps(value),
            now=call.stamp,
        )
    call.change("task", task_id)
