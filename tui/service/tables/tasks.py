"""Rows of tasks: insert, copy, assignees and watchers.

Only members of the task's board are assigned, and the list that is sent replaces the stored one
(4.3: `assignees` is an array of user ids). Those concerned are notified.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tui.schema.tasks import TASK_COLUMNS, TEMPLATE
from tui.service.call import Call
from tui.service.database.base import Later, Row, Rows, listed
from tui.service.errors import invalid
from tui.service.tables.changes import record, record_removals
from tui.service.tables.notifications import NotificationKind, notify, notify_people
from tui.service.values import slug

_NEW = {name: column.new for name, column in TASK_COLUMNS.items()}


def insert_task(call: Call, columns: Mapping[str, Any]) -> int:
    """Insert a task created by the caller, with defaults, and return its id.

    `board_id`, `title` and `position` are required.
    """
    named = {**columns, "slug": slug(columns["title"]), "created_by": call.user.id}
    task_id: int = call.add("task", **{**_NEW, **named})["id"]
    return task_id


def copied(row: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a task that a copy keeps, for `insert_task`.

    The copy is open, has no reminder, and is not a template.
    """
    meta = json.loads(row["meta"])
    meta.pop(TEMPLATE, None)
    columns = {name: row[name] for name, column in TASK_COLUMNS.items() if column.is_copied}
    return columns | {"meta": json.dumps(meta)}


def set_assignees(call: Call, task_id: int, wanted: list[int]) -> None:
    """Set the assignees of a task of the path's board.

    Raises 422 for people who are not members.
    """
    # Both queries are collected before the rows of one are read.
    members, people = member_names(call, call.board_id), assignees_of(call, task_id)
    names = members()
    strangers = set(wanted) - set(names)
    if strangers:
        raise invalid("assignees", f"contains people who are not members: {sorted(strangers)}")
    present = {row["id"] for row in people}
    _unassign(call, task_id, [row for row in people if row["id"] not in wanted])
    added = [person for person in wanted if person not in present]
    assign(call, task_id, {person: names[person] for person in added})


def assign(call: Call, task_id: int, people: Mapping[int, str]) -> None:
    """Add assignees, who are members given by id with their names."""
    call.db.insert_all(
        "task_assignee",
        [{"task_id": task_id, "account_id": id_, "created_at": call.stamp} for id_ in people],
    )
    for person in sorted(people):
        record(call, "added", "assignee", task_id=task_id, new=people[person])
    notify(call, task_id, dict.fromkeys(people, NotificationKind.ASSIGNMENT))


def _unassign(call: Call, task_id: int, people: Sequence[Row]) -> None:
    """Remove assignees, who are rows of `assignees_of`, from a task."""
    ids = [row["id"] for row in people]
    if not ids:
        return
    call.db.delete("task_assignee", task_id=task_id, account_id=ids)
    for row in people:
        record(call, "removed", "assignee", task_id=task_id, old=row["display_name"])
    notify(call, task_id, dict.fromkeys(ids, NotificationKind.REMOVAL))


def unassign_strangers(call: Call, tasks: Sequence[int], board_id: int) -> None:
    """Remove the assignees of tasks who are no members of a board."""
    assigned = call.db.tuples(
        """select task_assignee.task_id, task_assignee.account_id from {pairs} as moved
        join task_assignee on task_assignee.task_id = moved.other
        where task_assignee.account_id not in
            (select account_id from membership where board_id = :board)
        order by moved.place, task_assignee.account_id""",
        pairs=listed(enumerate(tasks)),
        board=board_id,
    )
    call.db.run(
        """delete from task_assignee where exists (select 1 from {pairs} as strange
            where strange.one = task_id and strange.other = account_id)""",
        pairs=listed(assigned),
    )
    record_removals(call, assigned)
    notify_people(call, assigned, NotificationKind.REMOVAL)


def member_names(call: Call, board_id: int) -> Later[dict[int, str]]:
    """The names of a board's members by id."""
    rows = call.db.all(
        """select account.id, account.display_name from membership
        join account on account.id = membership.account_id
        where membership.board_id = :board order by account.id""",
        board=board_id,
    )
    return lambda: {row["id"]: row["display_name"] for row in rows}


def assignees_of(call: Call, task_id: int) -> Rows:
    """The accounts of the assignees of a task."""
    return call.db.all(
        """select account.* from task_assignee
        join account on account.id = task_assignee.account_id
        where task_assignee.task_id = :task order by account.id""",
        task=task_id,
    )


def watch(call: Call, task_id: int) -> None:
    """Make the caller a watcher of a task."""
    own = {"task_id": task_id, "account_id": call.user.id}
    call.db.insert_missing("task_watcher", **own, created_at=call.stamp)
