"""The list of a board's tasks (4.3).

The rule it keeps: what depends on the moment and on who asks is put in when it is asked for; all
the rest is written once for each state of the board.
"""

from tui.service.accounts.accounts import user_document
from tui.service.call import Call, answers
from tui.service.documents.task_list_json import json_text, written_lines
from tui.service.documents.tasks import UPCOMING, watched_ids
from tui.service.listings import Line, Listing
from tui.service.lookups import board_of
from tui.service.records.tasks import Task
from tui.service.requests.raw_json import Ready

_FLAGS = '"isOverdue":%s,"isUpcoming":%s,"is_watching":%s,'


@answers({"tasks": list[Task]})
def list_tasks(call: Call) -> Ready:
    """GET /projects/{board_id}/tasks: the active tasks of active stages, no subtasks."""
    lines = _lines(call)
    now, soon = call.wall, call.site.wall(call.now + UPCOMING)
    watched = watched_ids(call, [line.task_id for line in lines])
    parts = []
    for task_id, due_at, head, tail in lines:
        is_overdue = due_at is not None and due_at < now
        is_upcoming = due_at is not None and now <= due_at <= soon
        parts.append(f"{head}{_TEXTS[is_overdue, is_upcoming, task_id in watched]}{tail}")
    return Ready('{"tasks":[' + _with_own_email(call, ",".join(parts)) + "]}")


def _lines(call: Call) -> list[Line]:
    """The lines of the board as it is now, written if need be."""
    board = board_of(call)
    version = (board["change_count"], board["changed_at"])
    key = (call.board_id, call.user.is_administrator)
    kept = call.listings.of(key)
    if kept is not None and kept.version == version:
        return kept.lines
    lines, heads = written_lines(call, kept.heads if kept else {})
    call.listings.keep(key, Listing(version, lines, heads))
    return lines


def _with_own_email(call: Call, tasks: str) -> str:
    """The tasks as JSON with the caller's own e-mail address, which is masked in shared lines."""
    if call.user.is_administrator or not call.user.email:
        return tasks
    row = call.db.one("select * from account where id = :id", id=call.user.id)
    if row is None:
        return tasks
    masked, readable = (json_text(user_document(row, reader)) for reader in (None, call.user))
    return tasks.replace(masked, readable)


def _flags(*values: bool) -> str:
    return _FLAGS % tuple("true" if value else "false" for value in values)


_TEXTS = {
    (is_overdue, is_upcoming, is_watching): _flags(is_overdue, is_upcoming, is_watching)
    for is_overdue in (False, True)
    for is_upcoming in (False, True)
    for is_watching in (False, True)
}
