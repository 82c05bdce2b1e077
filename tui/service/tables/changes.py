"""What every change leaves behind: an activity, e-mails and the board's change counter.

Every change writes one activity in its transaction (2.12, 6.2); stages, people and labels are
recorded by name, so that it stays readable after they are deleted, and a task's activities outlive
it. A board's activities include those of its tasks.

Every successful write to a board increments its `change_count` and records in `board_change` the
tasks it changed; rows are kept for the latest changes of a board.
"""

import json
from collections.abc import Sequence
from typing import Any

from tui.service.call import Call
from tui.service.database.base import Transaction, listed
from tui.service.tables.notifications import KINDS_OF_CHANGES, notify, notify_of_each
from tui.service.times import iso

_LONGEST_VALUE = 1000
_CHANGES_KEPT = 500
MOST_TOLD = 200
"""With more changed tasks than this, a reader of changes reads the whole list instead."""


def record(
    call: Call,
    action: str,
    column: str,
    *,
    board_id: int | None = None,
    task_id: int | None = None,
    old: object = None,
    new: object = None,
    description: str | None = None,
    settings: dict[str, Any] | None = None,
) -> None:
    """Record a change by the caller, on the path's board unless another is given.

    What made it in place of the caller is in its settings, as `via`.

    Assignees and watchers of the task are notified of some kinds of changes.
    """
    if call.via:
        settings = {**(settings or {}), "via": call.via}
    call.db.insert(
        "activity",
        board_id=call.board_id if board_id is None else board_id,
        task_id=task_id,
        action=action,
        column_name=column,
        old_value=_value(old),
        new_value=_value(new),
        description=description,
        settings=None if settings is None else json.dumps(settings),
        created_by=call.user.id,
        created_at=call.stamp,
    )
    if task_id is not None:
        call.touched.tasks.add(task_id)
        if kind := KINDS_OF_CHANGES.get((action, column)):
            notify(call, task_id, {}, assignees=kind, watchers=kind)


def record_tasks(call: Call, action: str, ids: Sequence[int], *, titles: bool = False) -> None:
    """Record the same change of many tasks by the caller, in this order; see `record`.

    With `titles` each is recorded with its title as the new value.
    """
    call.db.run(
        """insert into activity
            (board_id, task_id, action, column_name, new_value, settings, created_by, created_at)
        select task.board_id, task.id, :action, 'task',
            case when :titles = 0 then null when length(task.title) <= :longest then task.title
                else substr(task.title, 1, :longest - 1) || '…' end,
            :settings, cast(:caller as bigint), :now
        from {pairs} as changed join task on task.id = changed.other
        order by changed.place""",
        pairs=listed(enumerate(ids)),
        action=action,
        titles=int(titles),
        longest=_LONGEST_VALUE,
        settings=_via(call),
        caller=call.user.id,
        now=call.stamp,
    )
    call.touched.tasks.update(ids)
    if kind := KINDS_OF_CHANGES.get((action, "task")):
        notify_of_each(call, ids, kind)


def record_removals(call: Call, assigned: Sequence[tuple[int, int]]) -> None:
    """Record that people were taken off tasks: pairs of a task and an account; see `record`."""
    call.db.run(
        """insert into activity
            (board_id, task_id, action, column_name, old_value, settings, created_by, created_at)
        select cast(:board as bigint), removed.one, 'removed', 'assignee', account.display_name,
            :settings, cast(:caller as bigint), :now
        from {pairs} as removed join account on account.id = removed.other
        order by removed.place""",
        pairs=listed(assigned),
        board=call.board_id,
        settings=_via(call),
        caller=call.user.id,
        now=call.stamp,
    )
    call.touched.tasks.update(task_id for task_id, _ in assigned)


def _via(call: Call) -> str | None:
    return json.dumps({"via": call.via}) if call.via else None


def note(call: Call, task_id: int, action: str, column: str, **change: Any) -> None:
    """Record a change of what belongs to a task, which is touched; see `record`."""
    record(call, action, column, task_id=task_id, **change)
    call.change("task", task_id)


def _value(value: object) -> str | None:
    """A value as recorded, truncated for lists."""
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def touch(call: Call, board_id: int) -> None:
    """Record a change of a board, if it still exists, and tell those who wait for one."""
    call.db.changed_boards.add(board_id)
    call.db.run(
        """update board set change_count = change_count + 1, changed_at = :now
        where id = :board""",
        now=iso(call.now),
        board=board_id,
    )
    # One more than is listed, by which a reader sees that there are too many.
    tasks = sorted(call.touched.tasks)[: MOST_TOLD + 1]
    is_of_board = call.touched.board or not tasks
    touched = json.dumps({"tasks": tasks, "board": is_of_board})
    call.db.run(
        """insert into board_change (board_id, number, touched)
        select id, change_count, :touched from board where id = :board""",
        board=board_id,
        touched=touched,
    )
    call.db.run(
        """delete from board_change where board_id = :board
            and number <= (select change_count from board where id = :board) - :kept""",
        board=board_id,
        kept=_CHANGES_KEPT,
    )


def end_step(call: Call) -> None:
    """End a step of a long change of the path's board; see `Transaction.let_others_in`."""
    # A reader may come between two steps, so each counts as a change of the board.
    touch(call, call.board_id)
    call.touched.tasks.clear()
    call.db.let_others_in()


def touch_tasks(call: Call, query: str, **params: object) -> None:
    """Record a change of a board's tasks whose ids an SQL query selects."""
    call.touched.board = True
    call.touched.tasks.update(task_id for (task_id,) in call.db.tuples(query, **params))


def touch_boards_of(db: Transaction, account_id: int, now: str) -> None:
    """Record a change of a member on all their boards."""
    # No row in `board_change` tells of it, so readers of changes read everything.
    changed = db.tuples(
        """update board set change_count = change_count + 1, changed_at = :now
        where id in (select board_id from membership where account_id = :person) returning id""",
        now=now,
        person=account_id,
    )
    db.changed_boards.update(board_id for (board_id,) in changed)
