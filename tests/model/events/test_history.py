"""Events in a log, what only the cache saw, and since when cards are in their stages."""

from datetime import UTC, datetime, timedelta

from tests.fakes.boards import ANN, task
from tui.model.events.activity import Activity
from tui.model.events.history import (
    BEGINNING,
    Age,
    BoardHistory,
    Event,
    EventKind,
    Sighting,
    ages,
    logged_events,
    merged,
)

_NINE = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
_HOUR = timedelta(hours=1)


def did(
    number: int, action: str, column: str, old: str = "", new: str = "", *, on: int | None = 1
) -> Activity:
    """An activity of a card, an hour after the one with the number before."""
    at = _NINE + number * _HOUR
    return Activity(number, action, column, old, new, by=ANN, at=at, task_id=on)


def event(kind: EventKind, hour: float, new: str = "", *, is_observed: bool = False) -> Event:
    """An event of card 1 so many hours after nine."""
    at = _NINE + hour * _HOUR
    return Event(1, 1, kind, at, new=new, is_observed=is_observed)


def seen(kind: EventKind, hour: float, new: str = "", *, after: float) -> Sighting:
    """An event of card 1 that was seen, not yet so at the hour `after`."""
    return Sighting(event(kind, hour, new, is_observed=True), _NINE + after * _HOUR)


def test_the_words_of_several_services_are_events_with_present_titles() -> None:
    told = [
        did(9, "moved", "position"),
        did(8, "moved", "stage", "In work", "Done"),
        did(7, "changed", "stage", "Doing", "In work", on=None),
        did(6, "updated", "stage", "Doing", "Review"),
        did(5, "changed", "stage", "To do", "Doing", on=None),
        did(4, "Moved", "Stage", "Inbox", "To do"),
        did(3, "changed", "status", "open", "closed"),
        did(2, "created", "reply", "", "Blocked: yes"),
        Activity(
            1, "created", "task", new="Card", description="on stage Inbox", at=_NINE, task_id=1
        ),
        Activity(0, "moved", "stage", "A", "B", task_id=1),
    ]
    kinds = EventKind.CREATED, EventKind.COMMENTED, EventKind.CLOSED, *[EventKind.MOVED] * 3
    found = logged_events(1, told)
    assert tuple(one.kind for one in found) == kinds
    assert [(one.old, one.new) for one in found] == [
        ("", "Inbox"), ("", "Blocked: yes"), ("", ""),
        ("Inbox", "In work"), ("In work", "Review"), ("In work", "Done"),
    ]  # fmt: skip
    assert found[0].title == "Card"


def test_each_event_of_the_log_explains_one_that_was_seen() -> None:
    comment, moved = EventKind.COMMENTED, EventKind.MOVED
    logged = [event(comment, 0.5, "Yes"), event(moved, 0.6, "Doing"), event(moved, 3, "Review")]
    sightings = [
        seen(comment, 1, after=0),
        seen(comment, 1, after=0),
        seen(moved, 1, "Doing", after=0),
        seen(moved, 5, "Doing", after=4),
        seen(moved, 6, "Review", after=5),
        seen(moved, 3.02, "Review", after=3.01),  # by a clock that is late
    ]
    only_seen = [one for one in merged(logged, sightings) if one.is_observed]
    assert [(one.kind, one.new, (one.at - _NINE) / _HOUR) for one in only_seen] == [
        (comment, "", 1), (moved, "Doing", 5), (moved, "Review", 6),
    ]  # fmt: skip
    nothing_before = Sighting(event(moved, 4, "Doing", is_observed=True), None)
    assert merged(logged, [nothing_before]) == logged


def test_the_age_in_a_stage_is_exact_where_the_log_tells_and_else_a_bound() -> None:
    old = task(1, "a", created_at=_NINE - 24 * _HOUR)

    def age(
        *events: Event,
        since: datetime | None = _NINE,
        moves: bool = True,
        look: float | None = 2,
        card: object = old,
    ) -> Age | None:
        looks = {} if look is None else {1: _NINE + look * _HOUR}
        history = BoardHistory(1, events, since, _NINE, records_moves=moves, seen_since=looks)
        return ages([(card, "Doing")], history).get(1)  # type: ignore[list-item]

    moved = event(EventKind.MOVED, 1, "Doing")
    later = event(EventKind.MOVED, 3, "Doing", is_observed=True)
    assert age(moved) == Age(moved.at, is_exact=True)
    assert age(moved, later, look=3) == Age(later.at, is_exact=False)
    assert age() == Age(_NINE, is_exact=False)
    assert age(moves=False) == Age(_NINE + 2 * _HOUR, is_exact=False)
    assert age(since=BEGINNING) == Age(_NINE - 24 * _HOUR, is_exact=True)
    assert age(event(EventKind.MOVED, 1, "Review")) == Age(_NINE + 2 * _HOUR, is_exact=False)
    assert age(since=None, look=None) is None
    assert age(card=task(1, "a"), look=None) is None
