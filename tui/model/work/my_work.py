"""The user's open cards of all boards, in sections by urgency.

A card is in the first section that fits. One on which a comment waits for the user's answer is
there whether or not it is assigned to the user.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache

from tui.model.board import BoardView, Part, parts_of
from tui.model.people import Account
from tui.model.task import Person, Status, Task
from tui.model.urgency import is_overdue, urgency
from tui.model.work.replies import Unanswered
from tui.record import record

_NEXT_DAYS = timedelta(days=3)


class Section(StrEnum):
    """The sections, in order; the values are their headings."""

    OVERDUE = "Overdue"
    TODAY = "Today"
    NEXT_DAYS = "Next three days"
    WAITING = "Waiting for your answer"
    ACTIVE = "In active stages"
    REST = "The rest"


_DUE = (Section.OVERDUE, Section.TODAY, Section.NEXT_DAYS)
_ORDER = {section: place for place, section in enumerate(Section)}


@record
class Work:
    """A card in its section; `waiting` are the comments that wait for an answer, oldest first."""

    section: Section
    task: Task
    board: str
    stage: str
    waiting: tuple[Unanswered, ...] = ()


def my_work(
    views: Iterable[BoardView],
    me: Account,
    now: datetime,
    waiting: Mapping[int, tuple[Unanswered, ...]],
) -> list[Work]:
    """The cards of complete boards at the wall-clock time `now`; `waiting` is by task."""
    is_me = cache(me.is_of)
    found = [work for view in views for work in _on_board(view, is_me, now, waiting)]
    return sorted(found, key=lambda work: (_ORDER[work.section], urgency(work.task, now)))


def _on_board(
    view: BoardView,
    is_me: Callable[[Person], bool],
    now: datetime,
    waiting: Mapping[int, tuple[Unanswered, ...]],
) -> Iterable[Work]:
    parts = parts_of(view.stages)
    for stage in view.stages:
        for task in view.in_stage(stage.id):
            if task.status is Status.CLOSED:
                continue
            comments = waiting.get(task.id, ())
            is_mine = any(map(is_me, task.assignees))
            if is_mine or comments:
                section = _section(task, now, is_active=parts[stage.id] is Part.ACTIVE)
                if comments and not (is_mine and section in _DUE):
                    section = Section.WAITING
                yield Work(section, task, view.board.title, stage.title, comments)


def _section(task: Task, now: datetime, *, is_active: bool) -> Section:
    """The section of a card on which no comment waits."""
    if is_overdue(task, now):
        return Section.OVERDUE
    if task.due_at is not None and task.due_at.date() == now.date():
        return Section.TODAY
    if task.due_at is not None and task.due_at.date() <= now.date() + _NEXT_DAYS:
        return Section.NEXT_DAYS
    return Section.ACTIVE if is_active else Section.REST
