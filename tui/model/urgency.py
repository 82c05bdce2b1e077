"""Which tasks are late or due soon, and the order by urgency.

Only an open task can be late or due soon. Times are compared as naive wall-clock times.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from tui.model.board import BoardView
from tui.model.task import Priority, Task
from tui.text.dates import end_of_week

SOON = timedelta(days=3)
"""How far ahead a due date counts as upcoming."""

_LATE, _SOON, _REST = range(3)
_RANKS = {Priority.HIGH: 0, Priority.MEDIUM: 1, Priority.LOW: 2}

Urgency = tuple[bool, int, datetime, int, bool, datetime, int]


def is_overdue(task: Task, now: datetime) -> bool:
    """Whether the task is open and past its due date."""
    return task.due_at is not None and task.due_at < now and task.is_open


def is_upcoming(task: Task, now: datetime) -> bool:
    """Whether the task is due within the next days and not late."""
    return task.due_at is not None and task.is_open and now <= task.due_at < now + SOON


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


def summary(view: BoardView, now: datetime) -> Summary:
    """How the cards of a view stand in a minute; what is late is not due this week."""
    lanes = [view.in_stage(stage.id) for stage in view.stages]
    # By the minute, because lanes cache their counts by this time.
    now = now.replace(second=0, microsecond=0)
    late = sum(lane.late[now] for lane in lanes)
    this_week = sum(lane.late[end_of_week(now)] for lane in lanes) - late
    over = sum(
        stage.limit is not None and view.count(stage.id) > stage.limit for stage in view.stages
    )
    still_open = sum(lane.tally.open for lane in lanes)
    blocked = sum(lane.tally.blocked for lane in lanes)
    return Summary(still_open, blocked, late, this_week, over)
