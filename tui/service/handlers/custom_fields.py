"""The custom fields of a board: list, create, change, order, delete (4.7).

Changing a field never takes a value away from a task. An option that is no longer offered stays
where it was chosen; a new type is refused while there are values that it would not take. The
positions of a board's fields are 1 to n.
"""

import json
from typing import Any

from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.documents.boards import field_document, field_documents
from tui.service.errors import ServiceError, conflict, invalid
from tui.service.handlers.field_values import FIELD_TYPES, value_reader
from tui.service.lookups import custom_field_of
from tui.service.records.base import DONE
from tui.service.records.boards import FIELD_DONE, CustomField
from tui.service.requests.body import Fields, optional, part, required
from tui.service.tables.activity import counted, record
from tui.service.tables.changes import touch_tasks
from tui.service.values import slug

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
    read = value_reader(call.site, kind, options)
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
