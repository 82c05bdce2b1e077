"""Which tasks are late or due soon, and the order by urgency.

Only an open task can be late or due soon. Times are compared as naive wall-clock times.
"""

from bisect import bisect_left
from datetime import datetime, time, timedelta
from typing import NamedTuple

from tui.model.blocking import blocked_labels
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


class Summary(NamedTuple):
    """How the cards of a board stand: numbers of open cards, and of stages over their limit."""

    open: int
    blocked: int
    late: int
    due_this_week: int
    over_limit: int


_Tally = tuple[int, int, list[datetime]]
"""The numbers of open and of blocked tasks in a stage, and their due dates in order."""
_MOST_TALLIES = 64
_tallies: dict[int, tuple[tuple[Task, ...], _Tally]] = {}
"""By the id() of a stage's tasks, which are kept too, so that it is not reused.

An unchanged stage is the same tuple in the next view, so it is counted once, although the line
above a board is drawn after every change.
"""


def summary(view: BoardView, now: datetime) -> Summary:
    """How the cards of a view stand; a week ends with its Sunday."""
    tallies = [_tally(view.in_stage(stage.id)) for stage in view.stages]
    monday = datetime.combine(now.date() + timedelta(days=7 - now.weekday()), time())
    late = sum(bisect_left(due, now) for _, _, due in tallies)
    soon = sum(bisect_left(due, monday) for _, _, due in tallies) - late
    over = sum(
        stage.limit is not None and view.count(stage.id) > stage.limit for stage in view.stages
    )
    open_cards = sum(count for count, _, _ in tallies)
    blocked = sum(count for _, count, _ in tallies)
    return Summary(open_cards, blocked, late, soon, over)


def _tally(tasks: tuple[Task, ...]) -> _Tally:
    if id(tasks) in _tallies:
        return _tallies[id(tasks)][1]
    still_open = [task for task in tasks if task.status is Status.OPEN]
    blocked = sum(bool(task.labels) and bool(blocked_labels(task.labels)) for task in still_open)
    due = sorted(task.due_at for task in still_open if task.due_at is not None)
    tally = len(still_open), blocked, due
    if len(_tallies) >= _MOST_TALLIES:
        del _tallies[next(iter(_tallies))]
    _tallies[id(tasks)] = (tasks, tally)
    return tally
