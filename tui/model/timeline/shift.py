"""Cards whose dates are moved by days on the screen, and not changed yet."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from tui.model.task import Task
from tui.record import record
from tui.text.dates import FIRST_YEAR, LAST_YEAR, in_words


@record
class Shift:
    """Tasks whose start and due date move by so many days; times of day stay.

    A day is one of the calendar, also where clocks are changed in between: dates of tasks have no
    zone.
    """

    task_ids: frozenset[int]
    days: int = 0

    def of(self, task: Task) -> Task:
        """A task with its dates moved, if it is one of them."""
        return moved(task, self.days) if task.id in self.task_ids else task

    def by(self, days: int, tasks: Sequence[Task]) -> "Shift":
        """Move on by days, as far as all dates stay in years that services can store."""
        if any(not _is_possible(task, self.days + days) for task in tasks):
            return self
        return replace(self, days=self.days + days)

    def renamed(self, ids: Mapping[int, int]) -> "Shift":
        """The same with the ids that the service has given to new tasks."""
        return replace(
            self, task_ids=frozenset(ids.get(number, number) for number in self.task_ids)
        )


def dates_of(task: Task) -> list[datetime]:
    """The dates that a task has: its start, its due date, or both."""
    return [at for at in (task.started_at, task.due_at) if at is not None]


def moved(task: Task, days: int) -> Task:
    """The task with the dates that it has moved by days."""
    by = timedelta(days=days)
    return replace(
        task,
        started_at=None if task.started_at is None else task.started_at + by,
        due_at=None if task.due_at is None else task.due_at + by,
    )


def _is_possible(task: Task, days: int) -> bool:
    try:
        dates = dates_of(moved(task, days))
    except OverflowError:
        return False
    return all(FIRST_YEAR <= at.year <= LAST_YEAR for at in dates)


def dates_in_words(tasks: Iterable[Task]) -> str:
    """The days from the first to the last date of tasks: `Tue 24 Nov – Sat 5 Dec`."""
    dates = sorted(at for task in tasks for at in dates_of(task))
    days = [in_words(at, has_clock=False) for at in dates]
    return " – ".join(dict.fromkeys((days[0], days[-1]))) if days else "no dates"
