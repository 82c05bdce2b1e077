"""Which tasks are late or due soon, and the order by urgency.

Only an open task can be late or due soon. Times are compared as naive wall-clock times.
"""

from bisect import bisect_left
from datetime import datetime, timedelta

from tui.model.board import BoardView
from tui.model.task import Priority, Status, Task

SOON = timedelta(days=3)
"""How far ahead a due date counts as upcoming."""

_LATE, _SOON, _REST = range(3)
_RANKS = {Priority.HIGH: 0, Priority.MEDIUM: 1, Priority.LOW: 2}

Urgency = tuple[bool, int, datetime, int, bool, datetime, int]


def is_overdue(task: Task, now: datetime) -> bool:
    """Whether the task is open and past its due date."""
    return task.due_at is not None and task.due_at < now and task.status is Status.OPEN


def is_upcoming(task: Task, now: datetime) -> bool:
    """Whether the task is due within the next days and not late."""
    return (
        task.due_at is not None and task.status is Status.OPEN and now <= task.due_at < now + SOON
    )


def urgency(task: Task, now: datetime) -> Urgency:
    """A sort key, most urgent first.

    Open before closed; late ones, longest first; then those due soon, soonest first; then by
    priority and by due date, those without one last. The id keeps the order stable.
    """
    due = task.due_at or now
    bucket = _LATE if is_overdue(task, now) else _SOON if is_upcoming(task, now) else _REST
    pressing = now if bucket == _REST else due
    rank = _RANKS[task.priority]
    return task.is_closed, bucket, pressing, rank, task.due_at is None, due, task.id


_Tally = tuple[int, list[datetime]]
"""The number of open tasks in a stage, and their due dates in order."""
_MOST_TALLIES = 64
_tallies: dict[int, tuple[tuple[Task, ...], _Tally]] = {}
"""By the id() of a stage's tasks, which are kept too, so that it is not reused.

An unchanged stage is the same tuple in the next view, so it is counted once, although the line
above a board is drawn after every change.
"""


def open_and_overdue(view: BoardView, now: datetime) -> tuple[int, int]:
    """The numbers of open and of overdue tasks in a view."""
    found = [_tally(view.in_stage(stage.id)) for stage in view.stages]
    return sum(count for count, _ in found), sum(bisect_left(due, now) for _, due in found)


def _tally(tasks: tuple[Task, ...]) -> _Tally:
    if id(tasks) in _tallies:
        return _tallies[id(tasks)][1]
    still_open = [task for task in tasks if task.status is Status.OPEN]
    tally = len(still_open), sorted(task.due_at for task in still_open if task.due_at is not None)
    if len(_tallies) >= _MOST_TALLIES:
        del _tallies[next(iter(_tallies))]
    _tallies[id(tasks)] = (tasks, tally)
    return tally
