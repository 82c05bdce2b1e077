"""Rows of tasks: insert, copy, assignees and watchers.

Only members of the task's board are assigned, and the list that is sent replaces the stored one
(4.3: `assignees` is an array of user ids). Those concerned are notified.
"""

import json
from collections.abc import Mapping
from typing import Any

from tui.service.call import Call
from tui.service.documents.people import user_documents
from tui.service.errors import invalid
from tui.service.records.tasks import TASK_COLUMNS
from tui.service.tables.changes import record
from tui.service.tables.notifications import Kind, notify
from tui.service.values import slug

_NEW = {name: column.new for name, column in TASK_COLUMNS.items()}


def insert_task(call: Call, columns: Mapping[str, Any]) -> int:
    """Insert a task created by the caller, with defaults, and return its id.

    `board_id`, `title` and `position` are required.
    """
    named = {**columns, "slug": slug(columns["title"]), "created_by": call.user.id}
    made: int = call.add("task", **{**_NEW, **named})["id"]
    return made


def copied(row: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a task that a copy keeps, for `insert_task`.

    The copy is open, has no reminder, and is not a template.
    """
    meta = json.loads(row["meta"])
    meta.pop("is_template", None)
    same = {name: row[name] for name, column in TASK_COLUMNS.items() if column.is_copied}
    return same | {"meta": json.dumps(meta)}


def set_assignees(call: Call, task_id: int, wanted: list[int]) -> None:
    """Set the assignees of a task of the path's board.

    Raises 422 for people who are not members.
    """
    strangers = set(wanted) - member_ids(call, call.board_id)
    if strangers:
        raise invalid("assignees", f"contains people who are not members: {sorted(strangers)}")
    present = set(assigned(call, task_id))
    unassign(call, task_id, sorted(present - set(wanted)))
    added = [person for person in wanted if person not in present]
    call.db.insert_all(
        "task_assignee",
        [{"task_id": task_id, "account_id": one, "created_at": call.stamp} for one in added],
    )
    for person in user_documents(call, added).values():
        record(call, "added", "assignee", task_id=task_id, new=person["display_name"])
    notify(call, task_id, dict.fromkeys(added, Kind.ASSIGNMENT))


def unassign(call: Call, task_id: int, people: list[int]) -> None:
    """Remove assignees from a task."""
    call.db.delete("task_assignee", task_id=task_id, account_id=people)
    for person in user_documents(call, people).values():
        record(call, "removed", "assignee", task_id=task_id, old=person["display_name"])
    notify(call, task_id, dict.fromkeys(people, Kind.REMOVAL))


def member_ids(call: Call, board_id: int) -> set[int]:
    """The members of a board."""
    rows = call.db.select("membership", "account_id", board_id=board_id)
    return {row["account_id"] for row in rows}


def assigned(call: Call, task_id: int) -> list[int]:
    """The assignees of a task."""
    rows = call.db.select("task_assignee", "account_id", task_id=task_id)
    return [row["account_id"] for row in rows]


def watch(call: Call, task_id: int) -> None:
    """Make the caller a watcher of a task."""
    own = {"task_id": task_id, "account_id": call.user.id}
    call.db.insert_missing("task_watcher", **own, created_at=call.stamp)
