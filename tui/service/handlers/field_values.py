"""The values that a task has in the custom fields of its board (4.7).

The rule it keeps: a task has at most one value in a field, of the field's type; none is no row.
"""

import json

from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.documents.fields import field_document, value_documents
from tui.service.lookups import custom_field_of, task_of
from tui.service.records.boards import FIELD_DONE, FieldValue
from tui.service.requests.body import Fields, required
from tui.service.tables.activity import record
from tui.service.tables.field_types import Kept, value_reader


@answers({"customFields": list[FieldValue]})
def list_values(call: Call) -> Document:
    """GET /projects/{board_id}/tasks/{task_id}/custom-fields: in the order of the fields."""
    task = task_of(call)
    return {"customFields": value_documents(call.db, [task["id"]])[task["id"]]}


class _SetValue(Fields):
    field_id = required("custom_field_id", values.identifier("custom field"))
    value = required("value", values.as_sent())


@answers(FIELD_DONE, _SetValue)
def set_value(call: Call) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/custom-fields: `value` for `custom_field_id`.

    Empty text and null take the value away. A checkbox takes true or false, a date what dates of
    tasks take, a select one of its options. Raises 404 for the task or the field, 422.
    """
    task, asked = task_of(call), _SetValue(call.body)
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
    call.db.run("update task set updated_at = :now where id = :task", now=call.stamp, task=task_id)
