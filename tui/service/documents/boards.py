"""Documents of boards (2.3) and of their stages, labels and custom fields.

What several boards or tasks need is read in one query for all of them.
"""

import json
from collections.abc import Sequence
from typing import Any

from tui.schema.base import filled
from tui.schema.boards import STAGE_DEFAULTS, Board, CustomField, FieldValue, Label, Stage
from tui.schema.tasks import TEMPLATE
from tui.service.call import Call, Document
from tui.service.database.base import Later, Row, Rows, Transaction, Written, grouped
from tui.service.documents.people import member_documents, user_documents

LABEL_COLORS = {
    "green": "#4bce97",
    "yellow": "#f5cd47",
    "orange": "#fea362",
    "red": "#f87168",
    "purple": "#9f8fef",
    "blue": "#579dff",
    "sky": "#6cc3e0",
    "lime": "#94c748",
    "pink": "#e774bb",
    "black": "#8590a2",
    "green_dark": "#1f845a",
    "yellow_dark": "#946f00",
    "orange_dark": "#c25100",
    "red_dark": "#ae2e24",
    "purple_dark": "#5e4db2",
    "blue_dark": "#0c66e4",
    "sky_dark": "#206a83",
    "lime_dark": "#5b7f24",
    "pink_dark": "#943d73",
    "black_dark": "#44546f",
    "green_light": "#baf3db",
    "yellow_light": "#f8e6a0",
    "orange_light": "#fedec8",
    "red_light": "#ffd5d2",
    "purple_light": "#dfd8fd",
    "blue_light": "#cce0ff",
    "sky_light": "#c6edfb",
    "lime_light": "#d3f1a7",
    "pink_light": "#fdd0ec",
    "black_light": "#dcdfe4",
}

DARK_TEXT, LIGHT_TEXT = "#1B2533", "#fff"

LABEL_TEXT_COLORS = {
    name: LIGHT_TEXT if name.endswith("_dark") else DARK_TEXT for name in LABEL_COLORS
}

BACKGROUNDS = {
    "solid_1": "#d1d8e0",
    "solid_2": "#20bf6b",
    "solid_3": "#a55eea",
    "solid_4": "#2d98da",
    "solid_5": "#eb3b5a",
    "solid_6": "#4b7bec",
}


def field_documents(db: Transaction, board_id: int) -> Later[list[Document]]:
    """The custom fields of a board, in order."""
    rows = db.select("custom_field", "position, id", board_id=board_id)
    return lambda: [field_document(row) for row in rows]


def field_document(row: Written) -> Document:
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


def value_documents(db: Transaction, task_ids: list[int]) -> Later[dict[int, list[Document]]]:
    """The custom field values of tasks, in the order of the fields, by task id."""
    rows = db.all(
        """select custom_field_value.* from custom_field_value
        join custom_field on custom_field.id = custom_field_value.custom_field_id
        where custom_field_value.task_id {in_ids}
        order by custom_field.position, custom_field.id""",
        ids=task_ids,
    )
    return lambda: grouped(rows, "task_id", _value_document)


def _value_document(row: Row) -> Document:
    return filled(
        FieldValue,
        row,
        object_id=row["task_id"],
        object_type="task_custom_field",
        foreign_id=row["custom_field_id"],
        settings={"value": json.loads(row["value"])},
        preferences=None,
    )


def board_document(call: Call, row: Written) -> Later[Document]:
    """A board without its contents."""
    documents = board_documents(call, [row])
    return lambda: documents()[0]


def board_documents(call: Call, rows: Sequence[Written]) -> Later[list[Document]]:
    """Boards with the number of their tasks."""
    ids = [row["id"] for row in rows]
    counts = _counts(call.db, ids)
    own = call.db.select(
        "membership", "board_id", account_id=call.user.id, role="viewer", board_id=ids
    )

    def boards() -> list[Document]:
        viewed = set() if call.user.is_administrator else {row["board_id"] for row in own}
        tasks = counts()
        documents = []
        for row in rows:
            total, completed = tasks.get(row["id"], (0, 0))
            document = filled(
                Board,
                row,
                parent_id=None,
                background=json.loads(row["background"]),
                settings={"tasks_count": total},
                completed_tasks_count=str(completed),
                meta={},
                isUserOnlyViewer=row["id"] in viewed,
            )
            documents.append(document)
        return documents

    return boards


def full_board_document(call: Call, row: Row) -> Later[Document]:
    """A board with its people, stages, labels and fields, for reading one board."""
    owner = user_documents(call, [row["created_by"]])
    labels = label_documents(call.db, row["id"])
    fields = field_documents(call.db, row["id"])
    boards = listed_board_documents(call, [row])
    return lambda: (
        boards()[0]
        | {
            "owner": owner().get(row["created_by"]),
            "labels": labels(),
            "labelColor": LABEL_COLORS,
            "labelColorText": LABEL_TEXT_COLORS,
            "custom_fields": fields(),
        }
    )


def listed_board_documents(call: Call, rows: Rows) -> Later[list[Document]]:
    """Boards with their people and stages, for the list of boards."""
    ids = [row["id"] for row in rows]
    members = member_documents(call, ids)
    stages = stage_documents(call.db, ids)
    boards = board_documents(call, rows)

    def documents() -> list[Document]:
        users, stages_of = members(), stages()
        return [
            board | {"users": users[board["id"]], "stages": stages_of[board["id"]]}
            for board in boards()
        ]

    return documents


def _counts(db: Transaction, board_ids: list[int]) -> Later[dict[int, tuple[int, int]]]:
    """The number of active tasks that are no templates, and of closed ones, by board id."""
    rows = db.all(
        """select board_id, count(*) as tasks,
            sum(case when status = 'closed' then 1 else 0 end) as closed
        from task where board_id {in_ids} and archived_at is null and parent_id is null
            and meta not like :template
        group by board_id""",
        template=f'%"{TEMPLATE}": "yes"%',
        ids=board_ids,
    )
    return lambda: {row["board_id"]: (row["tasks"], row["closed"]) for row in rows}


def stage_documents(db: Transaction, board_ids: list[int]) -> Later[dict[int, list[Document]]]:
    """The active stages of boards in order, by board id."""
    rows = db.select("stage", "position, id", board_id=board_ids, archived_at=None)
    return lambda: grouped(rows, "board_id", stage_document)


def stage_document(row: Written) -> Document:
    """A row of `stage` as a Stage record."""
    return filled(Stage, row, type="stage", settings=stage_settings(row))


def stage_settings(row: Written) -> dict[str, Any]:
    """The settings of a stage, with defaults for those of section 2.4."""
    return {**STAGE_DEFAULTS, **json.loads(row["settings"])}


def label_documents(db: Transaction, board_id: int) -> Later[list[Document]]:
    """The labels of a board, in order."""
    rows = db.select("label", "position, id", board_id=board_id)
    return lambda: [label_document(row) for row in rows]


def label_document(row: Written) -> Document:
    """A row of `label` as a Label record; with `attached_to` and `attached_at` it has a pivot."""
    document = filled(Label, row, type="label", position=f"{row['position']:.2f}", settings=None)
    if "attached_to" in row:
        document["pivot"] = {
            "object_id": row["attached_to"],
            "foreign_id": row["id"],
            "settings": None,
            "created_at": row["attached_at"],
            "updated_at": row["attached_at"],
        }
    return document
