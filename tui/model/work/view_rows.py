"""The rows of a view: cards of several boards in groups, sorted within each.

Each card is in one group. Where it could be in several, as it has several people or labels, the
user's own group counts, else the first by name.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from tui.model.board import BoardView
from tui.model.people import Account
from tui.model.query.language import name_of_label
from tui.model.task import Priority, Task
from tui.model.urgency import is_overdue
from tui.model.work.saved_view import SavedView, ViewGroup, ViewSort
from tui.text.dates import end_of_week
from tui.text.fuzzy import fold

_PRIORITIES = {Priority.HIGH: 0, Priority.MEDIUM: 1, Priority.LOW: 2}
_FIRST = itemgetter(0)
UNTITLED = "(no title)"
UNASSIGNED = "Unassigned"
UNLABELLED = "No label"


class DueGroup(StrEnum):
    """The groups by due date, in order; `EARLIER` are closed cards whose date has passed."""

    OVERDUE = "Overdue"
    TODAY = "Today"
    WEEK = "This week"
    LATER = "Later"
    NONE = "No date"
    EARLIER = "Earlier"


class ViewRow(NamedTuple):
    """A card with the names of its board and stage, and the heading of its group, if any."""

    task: Task
    board: str
    stage: str
    group: str = ""


def view_rows(
    views: Iterable[BoardView], how: SavedView, me: Account, now: datetime
) -> list[ViewRow]:
    """The rows of boards that have only the cards of the view, at the wall-clock time `now`."""
    views = tuple(views)
    rows = [
        ViewRow(task, view.board.title, stage.title or UNTITLED)
        for view in views
        for stage in view.stages
        for chunk in view.in_stage(stage.id).chunks  # most stages have none
        for task in chunk.tasks
    ]
    in_order = _sorted(rows, how.sort, now, is_reversed=how.is_reversed)
    if how.group is ViewGroup.NONE:
        return in_order
    return _grouped(in_order, _grouping(how.group, views, me, now))


def due_group(task: Task, now: datetime) -> DueGroup:
    """The group of a card by its due date."""
    due = task.due_at
    if due is None:
        return DueGroup.NONE
    if is_overdue(task, now):
        return DueGroup.OVERDUE
    if due.date() == now.date():
        return DueGroup.TODAY
    if due < now:
        return DueGroup.EARLIER
    return DueGroup.WEEK if due < end_of_week(now) else DueGroup.LATER


def _sorted(
    rows: Iterable[ViewRow], sort: ViewSort, now: datetime, *, is_reversed: bool
) -> list[ViewRow]:
    # By number first, so that the order of cards with the same value does not depend on how they
    # were read. Cards without a value are last, whichever way the others are sorted.
    value = _VALUES[sort]
    by_number = sorted(rows, key=lambda row: row.task.id)
    valued = [(value(row.task, now), row) for row in by_number]
    having = [pair for pair in valued if pair[0] is not None]
    having.sort(key=_FIRST, reverse=is_reversed)
    return [row for _, row in having] + [row for found, row in valued if found is None]


_VALUES: Mapping[ViewSort, Callable[[Task, datetime], Any]] = {
    ViewSort.DUE: lambda task, _: task.due_at,
    ViewSort.PRIORITY: lambda task, _: _PRIORITIES[task.priority],
    ViewSort.AGE: lambda task, _: None if task.created_at is None else -task.created_at.timestamp(),
    ViewSort.UPDATED: lambda task, _: (
        None if task.updated_at is None else -task.updated_at.timestamp()
    ),
    ViewSort.TITLE: lambda task, _: fold(task.title),
}
"""The value by which cards are sorted; None for a card that has none."""

_Place = tuple[int, str]
"""The place of a group among the others, and its heading."""


def _grouped(rows: Iterable[ViewRow], place_of: Callable[[ViewRow], _Place]) -> list[ViewRow]:
    groups: dict[_Place, list[ViewRow]] = {}
    for row in rows:
        groups.setdefault(place_of(row), []).append(row)
    ordered = sorted(groups, key=lambda place: (place[0], fold(place[1]), place[1]))
    return [
        ViewRow(task, board, stage, place[1])
        for place in ordered
        for task, board, stage, _ in groups[place]
    ]


def _grouping(
    group: ViewGroup, views: Sequence[BoardView], me: Account, now: datetime
) -> Callable[[ViewRow], _Place]:
    if group is ViewGroup.DUE:
        places = {due: (place, due.value) for place, due in enumerate(DueGroup)}
        return lambda row: places[due_group(row.task, now)]
    if group is ViewGroup.BOARD:
        boards = {view.board.id: place for place, view in enumerate(views)}
        return lambda row: (boards[row.task.board_id], row.board or UNTITLED)
    if group is ViewGroup.STAGE:
        stages: dict[str, int] = {}
        for view in views:
            for place, stage in enumerate(view.stages):
                title = stage.title or UNTITLED
                stages[title] = max(place, stages.get(title, 0))
        return lambda row: (stages[row.stage], row.stage)
    if group is ViewGroup.PERSON:
        return lambda row: _person_place(row.task, me)
    return lambda row: _label_place(row.task)


def _person_place(task: Task, me: Account) -> _Place:
    if not task.assignees:
        return 2, UNASSIGNED
    own = me.among(task.assignees)
    if own is not None:
        return 0, own.in_words
    names = map(attrgetter("in_words"), task.assignees)
    return 1, min(names, key=lambda name: (fold(name), name))


def _label_place(task: Task) -> _Place:
    if not task.labels:
        return 1, UNLABELLED
    return 0, min(map(name_of_label, task.labels), key=lambda name: (fold(name), name))
