"""Custom fields and their values as replies show them (2.8).

The rule it keeps: the values of many tasks are read in one statement.
"""

import json
from collections import defaultdict

from tui.service.call import Document
from tui.service.database.base import Row, Transaction
from tui.service.records.base import filled
from tui.service.records.boards import CustomField, FieldValue


def field_documents(db: Transaction, board_id: int) -> list[Document]:
    """The custom fields of a board, in order."""
    rows = db.all(
        "select * from custom_field where board_id = :board order by position, id", board=board_id
    )
    return [field_document(row) for row in rows]


def field_document(row: Row) -> Document:
    """A row of `custom_field` as a Custom field record; only a select has `select_options`."""
    settings: Document = {"custom_field_type": row["type"]}
    if row["type"] == "select":
        settings["select_options"] = json.loads(row["options"])
    return filled(
        CustomField,
        row,
        type="custom-field",
        color=None,
        bg_color=None,
        settings=settings,
        archived_at=None,
    )


def value_documents(db: Transaction, task_ids: list[int]) -> dict[int, list[Document]]:
    """The values that tasks have in custom fields, in the order of the fields, by task id."""
    rows = db.all(
        """select custom_field_value.* from custom_field_value
        join custom_field on custom_field.id = custom_field_value.custom_field_id
        where custom_field_value.task_id {in_ids}
        order by custom_field.position, custom_field.id""",
        ids=task_ids,
    )
    documents: dict[int, list[Document]] = defaultdict(list)
    for row in rows:
        documents[row["task_id"]].append(_value_document(row))
    return documents


def _value_document(row: Row) -> Document:
    """A row of `custom_field_value` as a Custom field value record."""
    return filled(
        FieldValue,
        row,
        object_id=row["task_id"],
        object_type="task_custom_field",
        foreign_id=row["custom_field_id"],
        settings={"value": json.loads(row["value"])},
        preferences=None,
    )
