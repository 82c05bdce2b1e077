"""The custom fields of a board, and the values that tasks have in them (2.8, 4.7).

A value is kept as text, a checkbox's as true or false; null and empty text are no value, whatever
the type. Changing a field never takes a value away from a task. An option that is no longer offered
stays where it was chosen; a new type is refused while there are values that it would not take. The
positions of a board's fields are 1 to n.
"""

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.documents.boards import field_document, field_documents, value_documents
from tui.service.errors import ServiceError, conflict, invalid
from tui.service.lookups import custom_field_of, task_of
from tui.service.records.base import DONE
from tui.service.records.boards import FIELD_DONE, CustomField, FieldValue
from tui.service.requests.body import Fields, optional, part, required
from tui.service.tables.activity import counted, record
from tui.service.tables.changes import touch_tasks
from tui.service.times import Site
from tui.service.values import Read, slug
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
    read = value_reader(call.service.site, field["type"], json.loads(field["options"]))
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


_MOST_OPTIONS = 200


@answers({"customFields": list[CustomField]})
def list_fields(call: Call) -> Document:
    """GET /projects/{board_id}/custom-fields: in their order."""
    return {"customFields": field_documents(call.db, call.board_id)}


@values.takes(type="array", items=values.line.schema)
def _option_list(field: str, value: object) -> list[str]:
    """Lines of text with something in them, each once."""
    if not isinstance(value, list) or not 1 <= len(value) <= _MOST_OPTIONS:
        raise invalid(field, f"must be a list of 1 to {_MOST_OPTIONS} options")
    options = [values.line(f"{field}.{number}", item) for number, item in enumerate(value)]
    if "" in options:
        raise invalid(f"{field}.{options.index('')}", "must not be empty")
    return list(dict.fromkeys(options))


class _Definition(Fields):
    title = required("title", values.title)
    kind = required("type", values.one_of(*FIELD_TYPES))
    options = optional("options", _option_list)


class _DefineField(Fields):
    definition = part("customField", _Definition)


@answers(FIELD_DONE, _DefineField)
def create_field(call: Call, asked: _DefineField) -> Document:
    """POST /projects/{board_id}/custom-field: at the end.

    `customField[title]` and `customField[type]` are required, `customField[options][]` for a
    select. The body is a form; JSON of the same shape is taken as well. Raises 422.
    """
    wanted = asked.definition
    title, kind, options = wanted.title, wanted.kind, _options(wanted, [])
    last = call.db.value(
        "select max(position) from custom_field where board_id = :board", board=call.board_id
    )
    row = call.add(
        "custom_field",
        board_id=call.board_id,
        title=title,
        slug=slug(title),
        type=kind,
        options=json.dumps(options),
        position=(last or 0) + 1,
    )
    record(call, "created", "custom field", new=title, description=kind)
    return {"customField": field_document(row), "message": "Custom field has been created"}


@answers(FIELD_DONE, _DefineField, refuses=(409,))
def update_field(call: Call, asked: _DefineField) -> Document:
    """PUT /projects/{board_id}/custom-field/{custom_field_id}: the same form as for a new one.

    A select keeps its options if none are sent. Raises 404, 422, and 409 when tasks hold values
    that the new type does not take.
    """
    row = custom_field_of(call)
    wanted = asked.definition
    title, kind = wanted.title, wanted.kind
    options = _options(wanted, json.loads(row["options"]))
    if kind != row["type"]:
        _refuse_misfits(call, row, kind, options)
    changed = call.change(
        "custom_field",
        row["id"],
        title=title,
        slug=slug(title),
        type=kind,
        options=json.dumps(options),
    )
    _record_changes(call, row, changed)
    _touch_tasks_with(call, row["id"])
    return {"customField": field_document(changed), "message": "Custom field has been updated"}


class _RepositionField(Fields):
    index = required("newIndex", values.place)


@answers(DONE, _RepositionField)
def reposition_field(call: Call, asked: _RepositionField) -> Document:
    """PUT …/custom-field/{custom_field_id}/update-position: to `newIndex`, from 1.

    One past the end is the end. Raises 404, 422.
    """
    row = custom_field_of(call)
    index = asked.index
    rows = call.db.all(
        "select id from custom_field where board_id = :board order by position, id",
        board=call.board_id,
    )
    old = [other["id"] for other in rows]
    order = [other for other in old if other != row["id"]]
    order.insert(index - 1, row["id"])
    call.db.many(
        "update custom_field set position = :place where id = :id",
        [{"place": place, "id": field_id} for place, field_id in enumerate(order, start=1)],
    )
    if order != old:
        place = f"place {order.index(row['id']) + 1}"
        record(call, "moved", "custom field", new=row["title"], description=place)
        _touch_tasks_with(call, row["id"])
    return {"message": "Custom field has been moved"}


@answers(DONE)
def delete_field(call: Call) -> Document:
    """DELETE /projects/{board_id}/custom-field/{custom_field_id}: with its values on tasks."""
    row = custom_field_of(call)
    _touch_tasks_with(call, row["id"])
    call.db.run("delete from custom_field where id = :field", field=row["id"])
    record(call, "deleted", "custom field", old=row["title"])
    return {"message": "Custom field has been deleted"}


def _options(wanted: _Definition, present: list[str]) -> list[str]:
    """What a select offers, as sent or as before; fields of other types offer nothing."""
    if wanted.kind != "select":
        return []
    return wanted.options or present or wanted.body.required("options", _option_list)


def _refuse_misfits(call: Call, row: Row, kind: str, options: list[str]) -> None:
    """Raises 409 while tasks hold values of a field that another type would not take."""
    read = value_reader(call.service.site, kind, options)
    rows = call.db.all(
        "select value from custom_field_value where custom_field_id = :f", f=row["id"]
    )
    misfits = sum(not _fits(read, json.loads(value["value"])) for value in rows)
    if misfits:
        raise conflict(
            "values_in_the_way",
            f"{counted(misfits, 'value')} of this field on tasks would not be kept by the type "
            f"{kind}; nothing was changed. Clear them first, or add another field.",
        )


def _fits(read: Any, value: object) -> bool:
    """Whether a value would be kept just as it is."""
    try:
        return bool(read("value", value) == value)
    except ServiceError:
        return False


def _touch_tasks_with(call: Call, field_id: int) -> None:
    query = "select task_id from custom_field_value where custom_field_id = :field"
    touch_tasks(call, query, field=field_id)


def _record_changes(call: Call, old: Row, new: Row) -> None:
    if new["title"] != old["title"]:
        record(call, "changed", "custom field", old=old["title"], new=new["title"])
    for name in ("type", "options"):
        if new[name] != old[name]:
            record(
                call,
                "changed",
                f"custom field {name}",
                old=old[name],
                new=new[name],
                description=new["title"],
            )
