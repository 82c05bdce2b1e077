"""The open cards with dates as rows: of a timeline in groups, and of an agenda by day."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, time
from enum import Enum, auto
from typing import NamedTuple

from tui.model.task import Task
from tui.model.timeline.shift import dates_of
from tui.model.urgency import is_overdue

Groups = Sequence[tuple[str, Iterable[Task]]]
"""Tasks in groups with names, such as those of the stages of a board."""
Places = Callable[[Task], str]
"""Says where a card is, such as its stage; without it, that is the name of its group."""


class DateKind(Enum):
    """What a row shows of a card: its bar, its due date or its start, or that it has no dates."""

    BAR = auto()
    DUE = auto()
    START = auto()
    UNDATED = auto()


class AgendaDay(Enum):
    """The groups of an agenda that are no day."""

    OVERDUE = "Overdue"
    STARTED = "Started, no due date"
    UNDATED = "No dates"


class DatedRow(NamedTuple):
    """A card in a group of a timeline, or on a day of an agenda."""

    task: Task
    group: str | date | AgendaDay
    place: str
    """Where the card is, such as its stage."""
    kind: DateKind

    @property
    def key(self) -> object:
        """What identifies it: the id of the card, as a card has one row; but two in an agenda."""
        return ("start", self.task.id) if self.kind is DateKind.START else self.task.id


def timeline_rows(groups: Groups, place_of: Places | None = None) -> list[DatedRow]:
    """The open cards with dates, in each group by their first date."""
    return [
        DatedRow(task, name, place_of(task) if place_of else name, DateKind.BAR)
        for name, tasks in groups
        for task in sorted(filter(_is_dated, tasks), key=_order)
    ]


def agenda_rows(groups: Groups, now: datetime, place_of: Places | None = None) -> list[DatedRow]:
    """The open cards on the days on which they start and are due, from today on.

    Overdue ones come first, then those that have begun and have no due date.
    """
    overdue, started, coming = list[DatedRow](), list[DatedRow](), list[DatedRow]()
    today = now.date()
    for name, tasks in groups:
        for task in filter(_is_dated, tasks):
            start, due = task.started_at, task.due_at
            place = place_of(task) if place_of else name
            if is_overdue(task, now):
                overdue.append(DatedRow(task, AgendaDay.OVERDUE, place, DateKind.DUE))
            elif due is not None:
                coming.append(DatedRow(task, due.date(), place, DateKind.DUE))
            elif start is not None and start.date() < today:
                started.append(DatedRow(task, AgendaDay.STARTED, place, DateKind.START))
            if start is not None and start.date() >= today:
                coming.append(DatedRow(task, start.date(), place, DateKind.START))
    overdue.sort(key=_time)
    started.sort(key=_time)
    coming.sort(key=_time)
    return [*overdue, *started, *coming]


def undated_rows(groups: Groups, place_of: Places | None = None) -> list[DatedRow]:
    """The open cards that have neither a start nor a due date, in their order."""
    return [
        DatedRow(task, AgendaDay.UNDATED, place_of(task) if place_of else name, DateKind.UNDATED)
        for name, tasks in groups
        for task in tasks
        if task.is_open and not dates_of(task)
    ]


def _is_dated(task: Task) -> bool:
    return task.is_open and bool(dates_of(task))


def _order(task: Task) -> tuple[datetime, datetime, int]:
    dates = dates_of(task)
    return min(dates), max(dates), task.id


def _time(row: DatedRow) -> tuple[datetime, int, int]:
    at = row.task.started_at if row.kind is DateKind.START else row.task.due_at
    return at or datetime.combine(date.min, time()), row.kind.value, row.task.id
