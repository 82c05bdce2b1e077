"""Changes of a board since a time stamp (deployed-behaviour: has-data-changed).

Every successful write to a board increments its `change_count` and records in `board_change` the
tasks it changed; rows are kept for the latest changes of a board. `synced_at` is the site's time
with the counter as its fraction: it looks like a time and distinguishes two changes within a
second.
"""

import json

from tui.service import values
from tui.service.call import Call, Document, Touched, answers
from tui.service.database import change_counts
from tui.service.database.base import Row, Transaction
from tui.service.documents.boards import full_board_document
from tui.service.documents.tasks import task_documents
from tui.service.errors import invalid
from tui.service.lookups import board_of
from tui.service.records.base import Object
from tui.service.records.tasks import Task
from tui.service.requests.body import query
from tui.service.times import iso
from tui.service.waiting import WAIT, Unchanged

_CHANGES_KEPT = 500
_MOST_TASKS = 200
"""With more changed tasks than this, the caller reads the whole list instead."""


def touch(call: Call, board_id: int) -> None:
    """Record a change of a board, if it still exists, and tell those who wait for one."""
    call.db.changed_boards.add(board_id)
    number = call.db.value(
        """update board set change_count = change_count + 1, changed_at = :now
        where id = :board returning change_count""",
        now=iso(call.now),
        board=board_id,
    )
    if number is None:
        return
    tasks = sorted(call.touched.tasks)
    is_of_board = call.touched.board or not tasks
    touched = json.dumps({"tasks": tasks, "board": is_of_board})
    call.db.insert("board_change", board_id=board_id, number=number, touched=touched)
    call.db.run(
        "delete from board_change where board_id = :board and number <= :oldest",
        board=board_id,
        oldest=number - _CHANGES_KEPT,
    )


def touch_tasks(call: Call, query: str, **params: object) -> None:
    """Record a change of a board's tasks whose ids an SQL query selects."""
    call.touched.board = True
    call.touched.tasks.update(task_id for (task_id,) in call.db.tuples(query, **params))


def touch_boards_of(db: Transaction, account_id: int, now: str) -> None:
    """Record a change of a member on all their boards."""
    changed = db.tuples(
        """update board set change_count = change_count + 1, changed_at = :now
        where id in (select board_id from membership where account_id = :person) returning id""",
        now=now,
        person=account_id,
    )
    db.changed_boards.update(board_id for (board_id,) in changed)


@answers(
    {
        "has_changes": bool,
        "synced_at": str,
        "sync_reset": bool,
        "is_complete": bool,
        "board": Object,
        "tasks": list[Task],
        "taskDeleted": list[int],
        "waits": bool,
    }
)
def has_data_changed(
    call: Call,
    since: str = query("since", values.line, "", is_required=True),
    wait: int = query(WAIT, values.waiting_time, 0),
) -> Document:
    """GET /projects/{board_id}/has-data-changed?since=&wait=.

    `since` is a `synced_at` of this service, or a plain `YYYY-MM-DD HH:MM:SS` on the site's clock,
    which answers yes also for a change within that very second. Raises 422 for anything else. With
    `wait` the answer comes as soon as there is a change, at the latest after so many seconds.

    The answer lists the tasks that have changed, archived ones and subtasks too, the ids of those
    that are no longer on the board (`taskDeleted`), and the whole `board` if something besides its
    tasks has changed. Where that cannot be told any more, `sync_reset` says to read everything.
    `is_complete` says that no kind of change is left out, `waits` that this service knows `wait`.
    """
    row = board_of(call)
    number = change_counts.count_of(since)
    if number is None:
        changed = _changed_since(call, since, row["changed_at"])
    else:
        changed = number != row["change_count"]
    touched = _touched_since(call, row, number) if changed else Touched()
    answer = {
        **_listed(call, row, touched or Touched()),
        "has_changes": changed,
        "synced_at": change_counts.synced_at(call.wall, row["change_count"]),
        "sync_reset": touched is None,
        "is_complete": True,
        "waits": True,
    }
    if wait and not changed:
        raise Unchanged(answer, wait)
    return answer


def _changed_since(call: Call, since: str, changed_at: str) -> bool:
    """Whether there was a change at or after a plain time; a time in the future counts as yes."""
    try:
        moment = call.service.site.parse_wall(since)
    except (ValueError, OverflowError) as error:
        raise invalid("since", "must be a time such as 2026-11-21 11:48:07") from error
    return call.service.site.parse_wall(changed_at) >= moment or moment > call.wall


def _touched_since(call: Call, board: Row, number: int | None) -> Touched | None:
    """What changed after that counter; None if that is not known, or too much to list."""
    if number is None:
        return None
    rows = call.db.all(
        "select touched from board_change where board_id = :board and number > :number",
        board=board["id"],
        number=number,
    )
    if len(rows) != board["change_count"] - number:
        return None
    changes = [json.loads(row["touched"]) for row in rows]
    tasks = {task_id for change in changes for task_id in change["tasks"]}
    if len(tasks) > _MOST_TASKS:
        return None
    return Touched(tasks, any(change["board"] for change in changes))


def _listed(call: Call, board: Row, touched: Touched) -> Document:
    """The changed things as they are now."""
    found = call.db.select("task", board_id=board["id"], id=sorted(touched.tasks))
    present = [row["id"] for row in found]
    return {
        "board": full_board_document(call, board) if touched.board else {},
        "tasks": task_documents(call, present),
        "taskDeleted": sorted(touched.tasks.difference(present)),
    }
