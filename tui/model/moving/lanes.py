"""Swimlanes: the cards of a board grouped by person, priority, label or due date.

A task is in the lane of each of its people or labels. Moving it from one lane to another puts that
lane's person or label in place of the one it comes from, so that it is where it was dropped, and
its other lanes stay. If it is in that lane already, it only leaves the one it comes from. Without
people or labels it is in a lane of its own; moving it there takes off all of them.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import NamedTuple, TypeVar

from tui.model.board import BoardView
from tui.model.colors import color_name
from tui.model.task import Label, Person, Priority, Task
from tui.model.urgency import is_overdue
from tui.record import record
from tui.text.dates import END_OF_WORK, relative
from tui.text.keyed import keyed

NONE = 0
"""The id of the lane of tasks without a person, label or due date."""
_OVERDUE, _TODAY, _WEEK, _LATER, _CLOSED = 1, 2, 3, 4, 5
_PRIORITIES = {1: Priority.HIGH, 2: Priority.MEDIUM, 3: Priority.LOW}
_A_WEEK = 7
_DAYS = {_TODAY: (0, 0), _WEEK: (1, _A_WEEK), _LATER: (_A_WEEK + 1, 100_000)}
"""The first and the last day of the lanes of due dates, counted from today."""
_END_OF_DAY = time(23, 59)

Named = TypeVar("Named", bound=Person | Label)


class Grouping(StrEnum):
    """By what the cards of a board are grouped."""

    PERSON = "person"
    PRIORITY = "priority"
    LABEL = "label"
    DUE = "due"


class Swimlane(NamedTuple):
    """A lane of a board: of a person, a priority, a label, or due dates."""

    id: int
    title: str
    color: str = ""


@record
class Lanes:
    """All lanes of a grouping in order, also the empty ones.

    `lanes_of` gives the ids of a task's lanes in order, at least one. `moved` gives the task as it
    has to become to get from a lane into another, or None if that cannot be. If it is not in the
    lane from which it is moved, it leaves that of its first person or label, unless it is in the
    other one already.
    """

    grouping: Grouping
    all: tuple[Swimlane, ...]
    lanes_of: Callable[[Task], tuple[int, ...]]
    moved: Callable[[Task, int | None, int], Task | None]
    now: datetime

    def words(self, task: Task, source: int | None, lane_id: int) -> str:
        """What a task from the lane `source` becomes in another, or that it cannot get there."""
        after = self.moved(task, source, lane_id)
        if after is None:
            return self.why_not(task, lane_id)
        match self.grouping:
            case Grouping.PERSON:
                names = ", ".join(person.name for person in after.assignees)
                return f"assigned to {names}" if names else "unassigned"
            case Grouping.PRIORITY:
                return f"priority {after.priority}"
            case Grouping.LABEL:
                titles = ", ".join(map(_label_title, after.labels))
                return f"label {titles}" if titles else "no label"
            case Grouping.DUE:
                return f"due {relative(after.due_at, self.now)}" if after.due_at else "no due date"

    def why_not(self, task: Task, lane_id: int) -> str:
        """Why a task cannot be moved to another lane; empty if it can."""
        if self.moved(task, None, lane_id) is not None:
            return ""
        if task.is_closed:
            return "closed cards have no due date: reopen it first"
        if lane_id == _CLOSED:
            return keyed("{task.close:x} to close a card")
        return "a card cannot be made overdue"


def lanes(view: BoardView, grouping: Grouping, now: datetime) -> Lanes:
    """The lanes of a whole board at the wall-clock time `now`."""
    tasks = list(view.all_tasks())
    match grouping:
        case Grouping.PERSON:
            people = _by_id(view.people, (task.assignees for task in tasks))
            of_people = (Swimlane(person.id, person.name) for person in people.values())
            return Lanes(
                grouping,
                (*of_people, Swimlane(NONE, "Unassigned")),
                lambda task: _ids_in_order(people, task.assignees),
                lambda task, source, to: replace(
                    task, assignees=_moved(people, task.assignees, source, to)
                ),
                now,
            )
        case Grouping.LABEL:
            labels = _by_id(view.labels, (task.labels for task in tasks))
            of_labels = (
                Swimlane(label.id, _label_title(label), label.color) for label in labels.values()
            )
            return Lanes(
                grouping,
                (*of_labels, Swimlane(NONE, "No label")),
                lambda task: _ids_in_order(labels, task.labels),
                lambda task, source, to: replace(
                    task, labels=_moved(labels, task.labels, source, to)
                ),
                now,
            )
        case Grouping.PRIORITY:
            ids = {priority: lane_id for lane_id, priority in _PRIORITIES.items()}
            return Lanes(
                grouping,
                tuple(
                    Swimlane(ids[priority], f"{priority.capitalize()} priority") for priority in ids
                ),
                lambda task: (ids[task.priority],),
                lambda task, _, to: replace(task, priority=_PRIORITIES[to]),
                now,
            )
        case Grouping.DUE:
            titles = ("Overdue", "Today", "Next 7 days", "Later", "No due date", "Closed")
            order = (_OVERDUE, _TODAY, _WEEK, _LATER, NONE, _CLOSED)
            return Lanes(
                grouping,
                tuple(map(Swimlane, order, titles)),
                lambda task: (_due_lane(task, now),),
                lambda task, _, to: _due_in(task, to, now),
                now,
            )


def _by_id(named: Iterable[Named], of_tasks: Iterable[Iterable[Named]]) -> dict[int, Named]:
    """The people or labels of a board by id, then those of its tasks that it does not list."""
    listed = {thing.id: thing for thing in named}
    unlisted = {
        thing.id: thing for of_task in of_tasks for thing in of_task if thing.id not in listed
    }
    # By id: the cards, whose order changes, must not rearrange the lanes.
    return listed | {own_id: unlisted[own_id] for own_id in sorted(unlisted)}


def _label_title(label: Label) -> str:
    return label.title or color_name(label.color) or label.color


def _ids_in_order(by_id: dict[int, Named], own: tuple[Named, ...]) -> tuple[int, ...]:
    """The ids of a task's people or labels, in the order of the lanes; that of `NONE` if none."""
    if len(own) < 2:  # noqa: PLR2004 (most tasks)
        return (own[0].id,) if own else (NONE,)
    ids = {thing.id for thing in own}
    return tuple(lane_id for lane_id in by_id if lane_id in ids)


def _moved(
    by_id: dict[int, Named], own: tuple[Named, ...], source: int | None, to: int
) -> tuple[Named, ...]:
    """The people or labels of a task that is moved from the lane `source` to the lane `to`."""
    ids = [thing.id for thing in own]
    if source not in ids:
        source = to if to in ids else next(iter(ids), NONE)
    if source == to:
        return own
    if to == NONE:
        return ()
    if to in ids:
        return tuple(thing for thing in own if thing.id != source)
    return tuple(by_id[to] if thing.id == source else thing for thing in own) or (by_id[to],)


def _due_lane(task: Task, now: datetime) -> int:
    """The lane of a task by its due date; a closed one is never due."""
    if task.is_closed:
        return _CLOSED
    if task.due_at is None:
        return NONE
    if is_overdue(task, now):
        return _OVERDUE
    days = (task.due_at.date() - now.date()).days
    return next((lane for lane, (_, last) in _DAYS.items() if days <= last), _LATER)


def _due_in(task: Task, to: int, now: datetime) -> Task | None:
    """The task with the due date of a lane that is nearest to its own."""
    if _due_lane(task, now) == to:
        return task
    if task.is_closed or to in (_OVERDUE, _CLOSED):
        return None
    if to == NONE:
        return replace(task, due_at=None)
    first, last = _DAYS[to]
    days = (task.due_at.date() - now.date()).days if task.due_at is not None else _A_WEEK
    day = now.date() + timedelta(max(first, min(days, last)))
    clock = task.due_at.time() if task.due_at is not None else END_OF_WORK
    # A time of today that has passed would put the card into the lane of overdue ones.
    if day == now.date() and clock <= now.time():
        clock = END_OF_WORK if now.time() < END_OF_WORK else _END_OF_DAY
    return replace(task, due_at=datetime.combine(day, clock))
