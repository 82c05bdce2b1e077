"""Which tasks are late or due soon, and the order by urgency.

Only an open task can be late or due soon. Times are compared as naive wall-clock times.
"""

from bisect import bisect_left
from datetime import datetime, timedelta
from typing import NamedTuple

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


class _Tally(NamedTuple):
    """The number of open tasks in a stage, and their due dates in order."""

    open: int
    due: tuple[datetime, ...]


class _Tallies:
    """A cache of the tallies of stages.

    An unchanged stage is the same tuple in the next view, so it is counted once, although the line
    above a board is drawn after every change.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[int, tuple[tuple[Task, ...], _Tally]] = {}

    def of(self, tasks: tuple[Task, ...]) -> _Tally:
        """The tally of a stage's tasks."""
        found = self._kept.get(id(tasks))
        if found is not None:
            return found[1]
        still_open = [task for task in tasks if task.status is Status.OPEN]
        due = sorted(task.due_at for task in still_open if task.due_at is not None)
        tally = _Tally(len(still_open), tuple(due))
        if len(self._kept) >= self._most:
            del self._kept[next(iter(self._kept))]
        # The tuple is kept with its tally, so that its id() is not reused.
        self._kept[id(tasks)] = (tasks, tally)
        return tally


_TALLIES = _Tallies(most=64)


def open_count(view: BoardView) -> int:
    """The number of open tasks in a view."""
    return sum(_TALLIES.of(view.in_stage(stage.id)).open for stage in view.stages)


def overdue_count(view: BoardView, now: datetime) -> int:
    """The number of overdue tasks in a view."""
    tallies = (_TALLIES.of(view.in_stage(stage.id)) for stage in view.stages)
    return sum(bisect_left(tally.due, now) for tally in tallies)
