"""Custom fields of boards, and their values on tasks (2.8, 4.7).

A value is stored as text, a checkbox's as true or false; null and empty text mean no value.
Changing a field never removes values. An option that is no longer offered stays where it was
chosen; a new type is refused while there are values that do not fit. The positions of a board's
fields are 1 to n.
"""

import json
import re
from urllib.parse import urlsplit

from tui.schema.base import DONE
from tui.schema.boards import FIELD_DONE, CustomField, FieldValue
from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row, first
from tui.service.documents.boards import field_document, field_documents, value_documents
from tui.service.errors import ServiceError, conflict, invalid
from tui.service.lookups import custom_field_of, task_of
from tui.service.requests.body import optional, required
from tui.service.tables.changes import note, record, touch_tasks
from tui.service.values import Read, slug
from tui.text import clean
from tui.text.clean import counted

StoredValue = str | bool | None

_TASKS = "select task_id from custom_field_value where custom_field_id = :field"
_MOST_OPTIONS = 200
_LINE_LIMIT = 2_000
_TEXT_LIMIT = 100_000
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_NUMBER_LIMIT = 100
_line = values.line_of(_LINE_LIMIT)


def _text(field: str, value: object) -> str:
    return clean.text(values.text(field, value, _TEXT_LIMIT)).strip()


def _number(field: str, value: object) -> str:
    # A number stays as it was written, such as 2.50.
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if isinstance(value, str) and len(value) <= _NUMBER_LIMIT and _NUMBER.fullmatch(value.strip()):
        return value.strip()
    raise invalid(field, "must be a number such as 12 or 2.50")


def _url(field: str, value: object) -> str:
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


_READERS: dict[str, Read[StoredValue]] = {
    "text": _line,
    "textarea": _text,
    "number": _number,
    "url": _url,
    "checkbox": values.flag,
}
FIELD_TYPES = ("text", "textarea", "number", "url", "select", "checkbox", "date")
"""All types of custom fields."""


def _read(call: Call, kind: str, options: list[str], value: object) -> StoredValue:
    if value is None or value == "":
        return None
    if kind == "select":
        word = values.text("value", value).strip() if isinstance(value, str) else value
        return values.one_of(*options)("value", word)
    if kind == "date":
        return values.wall_time(call.service.site)("value", value)
    stored = _READERS[kind]("value", value)
    return None if stored == "" else stored


@answers({"customFields": list[FieldValue]})
def list_values(call: Call) -> Document:
    """GET /projects/{board_id}/tasks/{task_id}/custom-fields: in the order of the fields."""
    task = task_of(call)
    return {"customFields": value_documents(call.db, [task["id"]])()[task["id"]]}


@answers(FIELD_DONE)
def set_value(
    call: Call,
    field_id: int = required("custom_field_id", values.identifier("custom field")),
    value: object = required("value", values.as_sent()),
) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/custom-fields: `value` for `custom_field_id`.

    Empty text and null take the value away. A checkbox takes true or false, a date what dates of
    tasks take, a select one of its options. Raises 404 for the task or the field, 422.
    """
    task = task_of(call)
    own = {"task_id": task["id"], "custom_field_id": field_id}
    rows = call.db.select("custom_field_value", **own)
    field = custom_field_of(call, field_id)
    new = _read(call, field["type"], json.loads(field["options"]), value)
    row = first(rows)
    old: StoredValue = None if row is None else json.loads(row["value"])
    if new != old:
        if new is None:
            call.db.delete("custom_field_value", **own)
        elif row is None:
            call.add("custom_field_value", **own, value=json.dumps(new))
        else:
            call.change("custom_field_value", row["id"], value=json.dumps(new))
        change = {"old": old, "new": new, "description": field["title"]}
        note(call, task["id"], "changed", "custom field", **change)
    return {"customField": field_document(field), "message": "Custom field has been set"}


@answers({"customFields": list[CustomField]})
def list_fields(call: Call) -> Document:
    """GET /projects/{board_id}/custom-fields: in their order."""
    return {"customFields": field_documents(call.db, call.board_id)()}


@values.takes(type="array", items=values.line.schema)
def _option_list(field: str, value: object) -> list[str]:
    if not isinstance(value, list) or not 1 <= len(value) <= _MOST_OPTIONS:
        raise invalid(field, f"must be a list of 1 to {_MOST_OPTIONS} options")
    options = [values.line(f"{field}.{number}", item) for number, item in enumerate(value)]
    if "" in options:
        raise invalid(f"{field}.{options.index('')}", "must not be empty")
    return list(dict.fromkeys(options))


@answers(FIELD_DONE)
def create_field(
    call: Call,
    title: str = required("customField.title", values.title),
    kind: str = required("customField.type", values.one_of(*FIELD_TYPES)),
    options: list[str] | None = optional("customField.options", _option_list),
) -> Document:
    """POST /projects/{board_id}/custom-field: at the end.

    `customField[title]` and `customField[type]` are required, `customField[options][]` for a
    select. The body is a form; JSON of the same shape is taken as well. Raises 422.
    """
    options = _options(kind, options, [])
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


@answers(FIELD_DONE, refuses=(409,))
def update_field(
    call: Call,
    title: str = required("customField.title", values.title),
    kind: str = required("customField.type", values.one_of(*FIELD_TYPES)),
    options: list[str] | None = optional("customField.options", _option_list),
) -> Document:
    """PUT /projects/{board_id}/custom-field/{custom_field_id}: the same form as for a new one.

    A select keeps its options if none are sent. Raises 404, 422, and 409 when tasks hold values
    that the new type does not take.
    """
    row = custom_field_of(call)
    options = _options(kind, options, json.loads(row["options"]))
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
    if title != row["title"]:
        record(call, "changed", "custom field", old=row["title"], new=title)
    for name, new in {"type": kind, "options": json.dumps(options)}.items():
        if new != row[name]:
            change = {"old": row[name], "new": new, "description": title}
            record(call, "changed", f"custom field {name}", **change)
    touch_tasks(call, _TASKS, field=row["id"])
    return {"customField": field_document(changed), "message": "Custom field has been updated"}


@answers(DONE)
def reposition_field(call: Call, index: int = required("newIndex", values.place)) -> Document:
    """PUT …/custom-field/{custom_field_id}/update-position: to `newIndex`, from 1.

    One past the end is the end. Raises 404, 422.
    """
    row = custom_field_of(call)
    rows = call.db.select("custom_field", "position, id", board_id=call.board_id)
    previous_order = [field["id"] for field in rows]
    order = [field_id for field_id in previous_order if field_id != row["id"]]
    order.insert(index - 1, row["id"])
    call.db.many(
        "update custom_field set position = :place where id = :id",
        [{"place": place, "id": field_id} for place, field_id in enumerate(order, start=1)],
    )
    if order != previous_order:
        place = f"place {order.index(row['id']) + 1}"
        record(call, "moved", "custom field", new=row["title"], description=place)
        touch_tasks(call, _TASKS, field=row["id"])
    return {"message": "Custom field has been moved"}


@answers(DONE)
def delete_field(call: Call) -> Document:
    """DELETE /projects/{board_id}/custom-field/{custom_field_id}: with its values on tasks."""
    row = custom_field_of(call)
    # Before the deletion, which cascades to the values that name these tasks.
    touch_tasks(call, _TASKS, field=row["id"])
    call.db.delete("custom_field", id=row["id"])
    record(call, "deleted", "custom field", old=row["title"])
    return {"message": "Custom field has been deleted"}


def _options(kind: str, sent: list[str] | None, present: list[str]) -> list[str]:
    options = sent or present
    if kind != "select":
        return []
    if not options:
        raise invalid("customField.options", "is required")
    return options


def _refuse_misfits(call: Call, row: Row, kind: str, options: list[str]) -> None:
    rows = call.db.select("custom_field_value", custom_field_id=row["id"])
    misfits = sum(not _fits(call, kind, options, json.loads(row["value"])) for row in rows)
    if misfits:
        raise conflict(
            "values_in_the_way",
            f"{counted(misfits, 'value')} of this field on tasks do not fit the type "
            f"{kind}; nothing was changed. Clear them first, or add another field.",
        )


def _fits(call: Call, kind: str, options: list[str], value: object) -> bool:
    # It fits if it would be stored unchanged.
    try:
        return _read(call, kind, options, value) == value
    except ServiceError:
        return False
