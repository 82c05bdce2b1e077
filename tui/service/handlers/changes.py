"""What has changed: activities of boards and tasks (4.1, 4.3), and changes since a time stamp.

`synced_at` (deployed-behaviour: has-data-changed) is the site's time with the board's change
counter as its fraction: it looks like a time and distinguishes two changes within a second. Times
of activities are in seconds: order by id.
"""

import json
from collections.abc import Mapping

from tui.schema.base import Object, Page, filled
from tui.schema.tasks import Activity, Task
from tui.service import values
from tui.service.call import Call, Document, Touched, answers
from tui.service.database.base import Later, Row, Rows
from tui.service.database.change_counts import count_of, synced_at
from tui.service.documents.boards import full_board_document
from tui.service.documents.pages import Window, page_of, pages
from tui.service.documents.people import user_documents
from tui.service.documents.tasks import task_documents
from tui.service.errors import invalid
from tui.service.lookups import board_of, task_of
from tui.service.requests.body import query
from tui.service.tables.changes import MOST_TOLD
from tui.service.waiting import WAIT, Unchanged


@answers({"activities": Page[Activity]})
def list_board_activities(call: Call, part: Window = pages(20)) -> Document:
    """GET /projects/{board_id}/activities (4.1): newest first."""
    source = "from activity where board_id = :board"
    page = page_of(call, part, source, "id desc", _documents, board=call.board_id)
    return {"activities": page}


@answers({"activities": Page[Activity]})
def list_task_activities(
    call: Call,
    part: Window = pages(15),
    order: str = query("filter", values.one_of("newest", "oldest"), "oldest"),
) -> Document:
    """GET /projects/{board_id}/tasks/{task_id}/activities (4.3): oldest first unless asked."""
    source = "from activity where task_id = :task"
    direction = "id" if order == "oldest" else "id desc"
    page = page_of(call, part, source, direction, _documents, task=task_of(call)["id"])
    return {"activities": page}


def _documents(call: Call, rows: Rows) -> Later[list[Document]]:
    people = user_documents(call, (row["created_by"] for row in rows))

    def activities() -> list[Document]:
        users = people()
        return [_document(row, users) for row in rows]

    return activities


def _document(row: Row, people: Mapping[int, Document]) -> Document:
    task_id = row["task_id"]
    settings = json.loads(row["settings"]) if row["settings"] else None
    if task_id is not None:
        settings = {**(settings or {}), "task_id": task_id}
    return filled(
        Activity,
        row,
        object_id=str(row["board_id"] if task_id is None else task_id),
        object_type="board_activity" if task_id is None else "task_activity",
        column=row["column_name"],
        created_by=str(row["created_by"]),
        settings=settings,
        updated_at=row["created_at"],
        user=people.get(row["created_by"]),
    )


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
    number = count_of(since)
    if number is None:
        changed = _changed_since(call, since, row["changed_at"])
    else:
        changed = number != row["change_count"]
    touched = _touched_since(call, row, number) if changed else Touched()
    answer = {
        **_current(call, row, touched or Touched()),
        "has_changes": changed,
        "synced_at": synced_at(call.wall, row["change_count"]),
        "sync_reset": touched is None,
        "is_complete": True,
        "waits": True,
    }
    # Raised, so that the transaction ends and nothing is held while the request waits.
    if wait and not changed:
        raise Unchanged(answer, wait)
    return answer


def _changed_since(call: Call, since: str, changed_at: str) -> bool:
    # A time in the future counts as a change.
    try:
        moment = call.service.site.parse_wall(since)
    except (ValueError, OverflowError) as error:
        raise invalid("since", "must be a time such as 2026-11-21 11:48:07") from error
    return call.service.site.parse_wall(changed_at) >= moment or moment > call.wall


def _touched_since(call: Call, board: Row, number: int | None) -> Touched | None:
    # None if that is not known, or too much to list.
    if number is None:
        return None
    rows = call.db.all(
        "select touched from board_change where board_id = :board and number > :number",
        board=board["id"],
        number=number,
    )
    # Rows are missing for changes that are too old, and for those of members' accounts.
    if len(rows) != board["change_count"] - number:
        return None
    changes = [json.loads(row["touched"]) for row in rows]
    tasks = {task_id for change in changes for task_id in change["tasks"]}
    if len(tasks) > MOST_TOLD:
        return None
    return Touched(tasks, any(change["board"] for change in changes))


def _current(call: Call, board: Row, touched: Touched) -> Document:
    # By their ids alone: with the board's id, SQLite looks through all its tasks.
    rows = call.db.select("task", id=sorted(touched.tasks))
    present = [row["id"] for row in rows if row["board_id"] == board["id"]]
    return {
        "board": full_board_document(call, board)() if touched.board else {},
        "tasks": task_documents(call, present)(),
        "taskDeleted": sorted(touched.tasks.difference(present)),
    }
