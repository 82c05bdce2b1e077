"""The rows of a view: cards of several boards in groups, sorted within each.

Each card is in one group. Where it could be in several, as it has several people or labels, the
user's own group counts, else the first by name.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from tui.model.board import BoardView
from tui.model.people import Account
from tui.model.query.language import name_of_label
from tui.model.task import Priority, Task
from tui.model.urgency import is_overdue
from tui.model.work.ordering import in_order
from tui.model.work.saved_view import SavedView, ViewGroup, ViewSort
from tui.text.dates import end_of_week
from tui.text.fuzzy import fold

_PRIORITIES = {Priority.HIGH: 0, Priority.MEDIUM: 1, Priority.LOW: 2}
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
    place_of = _grouping(how.group, views, me, now)
    groups: dict[_Place, list[ViewRow]] = {}
    for view in views:
        board = view.board.title
        for stage in view.stages:
            title = stage.title or UNTITLED
            for chunk in view.in_stage(stage.id).chunks:  # most stages have none
                for task in chunk.tasks:
                    place = place_of(task, board, title)
                    row = ViewRow(task, board, title, place[1])
                    if place in groups:
                        groups[place].append(row)
                    else:
                        groups[place] = [row]
    ordered = sorted(groups, key=lambda place: (place[0], fold(place[1]), place[1]))
    rows: list[ViewRow] = []
    for place in ordered:
        rows += _sorted(groups[place], how.sort, now, is_reversed=how.is_reversed)
    return rows


def grouped(rows: Iterable[ViewRow]) -> list[tuple[str, list[Task]]]:
    """The cards of rows below the headings of their groups."""
    return [
        (name, [row.task for row in in_group])
        for name, in_group in groupby(rows, key=attrgetter("group"))
    ]


def due_group(task: Task, now: datetime, week: datetime) -> DueGroup:
    """The group of a card by its due date; the week that `now` is in ends at `week`."""
    due = task.due_at
    if due is None:
        return DueGroup.NONE
    if is_overdue(task, now):
        return DueGroup.OVERDUE
    if due.date() == now.date():
        return DueGroup.TODAY
    if due < now:
        return DueGroup.EARLIER
    return DueGroup.WEEK if due < week else DueGroup.LATER


def _sorted(
    rows: Iterable[ViewRow], sort: ViewSort, now: datetime, *, is_reversed: bool
) -> list[ViewRow]:
    # By number first, so that the order of cards with the same value does not depend on how they
    # were read.
    value = _VALUES[sort]
    by_number = sorted(rows, key=lambda row: row.task.id)
    return in_order(((value(row.task, now), row) for row in by_number), is_reversed=is_reversed)


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


def _grouping(
    group: ViewGroup, views: Sequence[BoardView], me: Account, now: datetime
) -> Callable[[Task, str, str], _Place]:
    # By the card, the title of its board and that of its stage.
    if group is ViewGroup.NONE:
        return lambda *_: (0, "")
    if group is ViewGroup.DUE:
        places = {due: (place, due.value) for place, due in enumerate(DueGroup)}
        week = end_of_week(now)
        return lambda task, *_: places[due_group(task, now, week)]
    if group is ViewGroup.BOARD:
        boards = {view.board.id: place for place, view in enumerate(views)}
        return lambda task, board, _: (boards[task.board_id], board or UNTITLED)
    if group is ViewGroup.STAGE:
        stages: dict[str, int] = {}
        for view in views:
            for place, stage in enumerate(view.stages):
                title = stage.title or UNTITLED
                stages[title] = max(place, stages.get(title, 0))
        return lambda _, __, stage: (stages[stage], stage)
    if group is ViewGroup.PERSON:
        return lambda task, *_: _person_place(task, me)
    return lambda task, *_: _label_place(task)


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
