"""Rows of tasks, made and changed."""

import json
from collections.abc import Mapping
from typing import Any

from tui.service.call import Call
from tui.service.records.tasks import TASK_COLUMNS

_INSERT = """insert into task ({columns}, created_by, created_at, updated_at)
    values ({values}, :by, :now, :now) returning id"""
_SQL = _INSERT.format(
    columns=", ".join(TASK_COLUMNS), values=", ".join(f":{name}" for name in TASK_COLUMNS)
)
_UPDATE = "update task set {columns}updated_at = :now where id = :task"
_NEW = {name: column.new for name, column in TASK_COLUMNS.items()}


def insert_task(call: Call, columns: Mapping[str, Any]) -> int:
    """Add a task of the caller and return its id; what is not said of it is as in a new one.

    `board_id`, `title`, `slug` and `position` must be given.
    """
    made: int = call.db.value(_SQL, **{**_NEW, **columns, "by": call.user.id, "now": call.stamp})
    return made


def update_task(call: Call, task_id: int, columns: Mapping[str, Any]) -> None:
    """Change columns of a task."""
    names = "".join(f"{name} = :{name}, " for name in columns)
    call.db.run(_UPDATE.format(columns=names), **columns, now=call.stamp, task=task_id)


def copied(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a copy of a task has in common with it, for `insert_task`.

    The copy is open, has no reminder, and is no template: it is what a template is there for.
    """
    meta = json.loads(row["meta"])
    meta.pop("is_template", None)
    same = {name: row[name] for name, column in TASK_COLUMNS.items() if column.is_copied}
    return same | {"meta": json.dumps(meta)}
