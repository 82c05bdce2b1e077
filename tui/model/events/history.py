"""What happened on a board: events of its activity log, and changes that the cache saw itself.

A service may not record every kind of event in its log. The cache sees a change when it is fetched,
which may be long after it happened, and does not know who made it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from tui.model.events.activity import Activity, action_of
from tui.model.task import Person, Task
from tui.record import record
from tui.text import dates

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
"""Back to when a log was read of which there is nothing older."""

LONG = timedelta(days=5)
"""The threshold of a stage with little history, from when on a card is in it for too long."""
PERCENTILE = 85
"""How many of a hundred cards stay in a stage for less than its threshold."""
_FEWEST_STAYS = 10


class EventKind(StrEnum):
    """The kinds of events.

    `REMOVED` is archived, deleted, moved to another board, or converted to a subtask; `RESTORED`
    the contrary.
    """

    CREATED = "created"
    MOVED = "moved"
    CLOSED = "closed"
    REOPENED = "reopened"
    COMMENTED = "commented"
    REMOVED = "removed"
    RESTORED = "restored"


_KINDS = {
    ("created", "task"): EventKind.CREATED,
    ("moved", "stage"): EventKind.MOVED,
    ("changed", "stage"): EventKind.MOVED,
    ("added", "comment"): EventKind.COMMENTED,
    ("created", "comment"): EventKind.COMMENTED,
    ("added", "reply"): EventKind.COMMENTED,
    ("created", "reply"): EventKind.COMMENTED,
    ("archived", "task"): EventKind.REMOVED,
    ("deleted", "task"): EventKind.REMOVED,
    ("moved", "task"): EventKind.REMOVED,
    ("converted", "task"): EventKind.REMOVED,
    ("restored", "task"): EventKind.RESTORED,
    ("converted", "subtask"): EventKind.RESTORED,
}
_WITH_VALUES = (EventKind.MOVED, EventKind.COMMENTED)
CLOCKS_DIFFER_BY = timedelta(minutes=2)
"""By how much the clocks of the service and of this machine may differ."""


@record
class Event:
    """Something that happened to a task of a board.

    `at` is aware and in UTC. `old` and `new` are the titles of the stages that it left and entered,
    if the event tells them, and `new` the text of a comment. `title` is that of the task, if the
    event tells it. One that `is_observed` was seen by the cache, at `at` or earlier, instead of
    being recorded by the service.
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


class Sighting(NamedTuple):
    """An event that the cache saw; the card was as before at `after`, if that is known."""

    event: Event
    after: datetime | None


class Age(NamedTuple):
    """Since when a task is in its stage (aware, UTC); if not `is_exact`, then or earlier."""

    since: datetime
    is_exact: bool


def age_in_words(age: Age, now: datetime) -> str:
    """The time until `now`, an aware one: `3d`, or `≥3d` if it is a lower bound."""
    count, unit = dates.age(age.since.astimezone(now.tzinfo), now)
    return f"{'' if age.is_exact else '≥'}{count}{unit[0]}"


@record
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


def ages(tasks: Iterable[tuple[Task, str]], history: BoardHistory) -> dict[int, Age]:
    """Since when tasks, given with the titles of their stages, are there; by id."""
    # Events are oldest first, so the last move of each card remains.
    last_moves = {event.task_id: event for event in history.events if event.kind is EventKind.MOVED}
    by_id = {}
    for task, title in tasks:
        age = _age(task, last_moves.get(task.id), title, history)
        if age is not None:
            by_id[task.id] = age
    return by_id


def _age(task: Task, moved: Event | None, title: str, history: BoardHistory) -> Age | None:
    if moved is not None and moved.new == title and not moved.is_observed:
        return Age(moved.at, is_exact=True)
    bounds = [history.seen_since[task.id]] if task.id in history.seen_since else []
    if moved is not None and moved.new == title:
        bounds.append(moved.at)
    back_to, created = history.complete_since, task.created_at
    if history.records_moves and moved is None and back_to is not None and created is not None:
        if created >= back_to:
            return Age(created, is_exact=True)
        bounds.append(back_to)
    # The card was there at each of these times, so at least since the earliest.
    return Age(min(bounds), is_exact=False) if bounds else None


def logged_events(board_id: int, activities: Iterable[Activity]) -> list[Event]:
    """The events in a log, oldest first.

    Stages have their present titles, as far as the log tells that they were renamed.
    """
    renamed: dict[str, str] = {}
    events = []
    # Newest first: a title in an older entry is replaced by what its stage was renamed to later.
    for activity in sorted(activities, key=lambda activity: activity.id, reverse=True):
        if activity.task_id is None:
            if action_of(activity) == ("changed", "stage") and activity.old and activity.new:
                renamed[activity.old] = renamed.get(activity.new, activity.new)
        elif event := _event_of(board_id, activity.task_id, activity):
            if renamed and event.kind is not EventKind.COMMENTED:
                old, new = (renamed.get(title, title) for title in (event.old, event.new))
                event = replace(event, old=old, new=new)
            events.append(event)
    return events[::-1]


def _event_of(board_id: int, task_id: int, activity: Activity) -> Event | None:
    verb, name = action_of(activity)
    kind = _KINDS.get((verb, name))
    if (verb, name) == ("changed", "status") and activity.new in ("open", "closed"):
        kind = EventKind.CLOSED if activity.new == "closed" else EventKind.REOPENED
    if kind is None or activity.at is None:
        return None
    old, new = (activity.old, activity.new) if kind in _WITH_VALUES else ("", "")
    if kind is EventKind.CREATED:
        new = activity.description.removeprefix("on stage ")
    titles = {"created": activity.new, "deleted": activity.old}
    title = titles.get(verb, "") if name == "task" else ""
    return Event(board_id, task_id, kind, activity.at, activity.by, old, new, title)


def merged(logged: Iterable[Event], sightings: Iterable[Sighting]) -> list[Event]:
    """The events of the log and those that only the cache saw, oldest first.

    What the cache saw is left out if the log has it, between the two looks at the card.
    """
    events = list(logged)
    logged_at: defaultdict[tuple[object, ...], list[datetime]] = defaultdict(list)
    for event in events:
        logged_at[essence(event)].append(event.at)
    for event, after in sightings:
        same = logged_at[essence(event)]
        first = BEGINNING if after is None else after - CLOCKS_DIFFER_BY
        last = event.at + CLOCKS_DIFFER_BY
        same_at = next((at for at in same if first <= at <= last), None)
        if same_at is None:
            events.append(event)
        else:
            # One entry of the log accounts for one sighting: a card may move to and fro.
            same.remove(same_at)
    return sorted(events, key=lambda event: event.at)


def essence(event: Event) -> tuple[object, ...]:
    """What two events about the same thing have in common."""
    stage = event.new if event.kind is EventKind.MOVED else ""
    return event.task_id, event.kind, stage


def with_titles(events: Iterable[Event], titles: Mapping[int, str]) -> Iterator[Event]:
    """The events with the titles of their tasks, from `titles` or else from other events."""
    events = tuple(events)
    own_titles = {event.task_id: event.title for event in events if event.title}
    all_titles = {**own_titles, **titles}
    for event in events:
        title = all_titles.get(event.task_id, "")
        yield event if event.title == title else replace(event, title=title)


class Stay(NamedTuple):
    """A stay in the stage with this title, from its exact beginning to its end."""

    stage: str
    length: timedelta


def thresholds(history: BoardHistory) -> Mapping[str, timedelta]:
    """By title of stage, how long most cards stayed in it: the 85th percentile (nearest rank).

    Stages with too few whole stays are not in it.
    """
    lengths: dict[str, list[timedelta]] = defaultdict(list)
    for stay in stays(history):
        lengths[stay.stage].append(stay.length)
    return {
        # The nearest rank is rounded up: `-(-a // b)`.
        stage: sorted(durations)[-(-PERCENTILE * len(durations) // 100) - 1]
        for stage, durations in lengths.items()
        if len(durations) >= _FEWEST_STAYS
    }


def stays(history: BoardHistory) -> Iterator[Stay]:
    """The stays that have ended and whose beginning was recorded, in order of their ends.

    A card is created in the stage that it is moved out of first.
    """
    starts: dict[int, Event] = {}
    for event in history.events:
        if event.is_observed:
            continue
        if event.kind is EventKind.MOVED:
            start = starts.get(event.task_id)
            # After a gap in the log it is not known when this stay began.
            if start and (start.kind is EventKind.CREATED or start.new == event.old):
                yield Stay(event.old, event.at - start.at)
            starts[event.task_id] = event
        elif event.kind is EventKind.CREATED:
            starts[event.task_id] = event
        elif event.kind is EventKind.REMOVED:
            starts.pop(event.task_id, None)
