"""A board with half a year of history: cards go from stage to stage, and some stay longer."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from tests.fakes.boards import ANN, NOW
from tests.fakes.store import FakeStore
from tests.pictures.boards import launch
from tui.model.events.history import BoardHistory, Event, EventKind

_STAGES = ("Backlog", "Doing", "Review", "Done")
_CARDS = 150
_STAYS = (26, 5, 31, 8, 90, 3, 60, 12, 45, 150, 7)
"""Hours that cards stay in a stage, in turns."""


def store() -> FakeStore:
    """The board and its history."""
    made = FakeStore(launch())
    made.histories[1] = history(weeks=20)
    return made


def history(weeks: int) -> BoardHistory:
    """The log known for so many weeks, and two cards that were seen to be where they are."""
    known, now = (NOW - timedelta(weeks=weeks)).astimezone(), NOW.astimezone()
    events = tuple(event for event in lives(NOW, _STAGES) if known <= event.at <= now)
    days_ago = {398: 12, 403: 2} if weeks > 1 else {}
    seen = {card: (NOW - timedelta(days=days)).astimezone() for card, days in days_ago.items()}
    return BoardHistory(1, events, known, now, records_moves=True, seen_since=seen)


def lives(now: datetime, stages: Sequence[str]) -> list[Event]:
    """What happened within half a year to cards that are not on the board any more."""
    events = [event for number in range(_CARDS) for event in _life(number, now, stages)]
    return sorted(events, key=lambda event: event.at)


def _life(number: int, now: datetime, stages: Sequence[str]) -> list[Event]:
    at = now - timedelta(weeks=25) + timedelta(hours=number * 27)
    card = 1000 + number
    events = [Event(1, card, EventKind.CREATED, at.astimezone(), ANN, new=stages[0])]
    for index, (old, new) in enumerate(pairwise(stages)):
        at += timedelta(hours=_STAYS[(number + 3 * index) % len(_STAYS)])
        events.append(Event(1, card, EventKind.MOVED, at.astimezone(), ANN, old, new))
    events.append(Event(1, card, EventKind.CLOSED, at.astimezone(), ANN))
    at += timedelta(days=4 + number % 9)
    return [*events, Event(1, card, EventKind.REMOVED, at.astimezone(), ANN)]
