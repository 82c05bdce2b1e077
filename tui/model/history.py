"""What happened on a board: events of its activity log, and changes that the cache saw itself.

A service may not record every kind of event in its log. The cache sees a change when it is fetched,
which may be long after it happened, and does not know who made it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from tui.model.task import Person, Task


class EventKind(StrEnum):
    """The kinds of events; `REMOVED` is archived, deleted, or moved to another board."""

    CREATED = "created"
    MOVED = "moved"
    CLOSED = "closed"
    REOPENED = "reopened"
    COMMENTED = "commented"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a task of a board.

    `at` is aware and in UTC. `old` and `new` are titles of stages if it moved, and `new` the text
    of a comment. `title` is that of the task, if the event tells it. One that `is_observed` was
    seen by the cache, at `at` or earlier, instead of being recorded by the service.
    """

    board_id: int
    task_id: int
    kind: EventKind
    at: datetime
    by: Person | None = None
    old: str = ""
    new: str = ""
    title: str = ""
    is_observed: bool = False


class Age(NamedTuple):
    """Since when a task is in its stage (aware, UTC); if not `is_exact`, then or earlier."""

    since: datetime
    is_exact: bool


@dataclass(frozen=True, slots=True)
class BoardHistory:
    """The events of a board, oldest first.

    The log was read back to `complete_since`, last at `read_at`; both are None if it never was, and
    all times are aware and in UTC. `records_moves` says whether the log tells of changes of stages.
    `seen_since` is, by task, since when the cache has seen it in its present stage.
    """

    board_id: int
    events: tuple[Event, ...] = ()
    complete_since: datetime | None = None
    read_at: datetime | None = None
    records_moves: bool = False
    seen_since: Mapping[int, datetime] = field(default_factory=lambda: MappingProxyType({}))

    def since(self, moment: datetime) -> tuple[Event, ...]:
        """The events at `moment` (aware) or later."""
        return tuple(event for event in self.events if event.at >= moment)


def ages(stages: Mapping[Task, str], history: BoardHistory) -> dict[int, Age]:
    """Since when tasks, given with the titles of their stages, are there; by id."""
    last_moves = _last_moves(history.events)
    found = {}
    for task, title in stages.items():
        age = _age(task, last_moves.get(task.id), title, history)
        if age is not None:
            found[task.id] = age
    return found


def _last_moves(events: Iterable[Event]) -> dict[int, Event]:
    """The last recorded change of stage of each task."""
    moves = (one for one in events if one.kind is EventKind.MOVED and not one.is_observed)
    return {event.task_id: event for event in moves}


def _age(task: Task, moved: Event | None, title: str, history: BoardHistory) -> Age | None:
    if moved is not None and moved.new == title:
        return Age(moved.at, is_exact=True)
    bounds = [history.seen_since[task.id]] if task.id in history.seen_since else []
    back_to, created = history.complete_since, task.created_at
    if history.records_moves and moved is None and back_to is not None:
        if created is not None and created >= back_to:
            return Age(created, is_exact=True)
        bounds.append(back_to)
    return Age(min(bounds), is_exact=False) if bounds else None
