"""What the history of a board shows, against replaying it from the beginning."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given, strategies as st

from tests.fakes.boards import small
from tui.model.events.history import BEGINNING, BoardHistory, Event, EventKind
from tui.model.standup.insight import closings, counts_before, document, insight

_START = datetime(2026, 10, 1, tzinfo=UTC)
_STAGES = ("Backlog", "Doing", "Done")
_STEPS = st.lists(
    st.tuples(
        st.integers(0, 5), st.sampled_from(list(EventKind)), st.sampled_from(_STAGES),
        st.integers(0, 30), st.booleans(),
    ),
    max_size=60,
)  # fmt: skip


def replayed(steps: list[tuple[int, EventKind, str, int, bool]]) -> list[Event]:
    """A history that could have happened, by events that may happen to cards at hours."""
    at, events = _START, list[Event]()
    where: dict[int, str] = {}
    removed: dict[int, str] = {}
    for task_id, kind, stage, hours, is_told in steps:
        at += timedelta(hours=hours)
        here, there = where.get(task_id), removed.get(task_id)
        old = new = ""
        if kind is EventKind.CREATED and here is None and there is None:
            where[task_id] = new = stage
        elif kind is EventKind.MOVED and here not in (None, stage):
            old, new = here or "", stage
            where[task_id] = stage
        elif kind is EventKind.REMOVED and here is not None:
            removed[task_id] = where.pop(task_id)
            old = here if is_told else ""
        elif kind is EventKind.RESTORED and there is not None:
            where[task_id] = removed.pop(task_id)
        elif kind in (EventKind.CLOSED, EventKind.REOPENED, EventKind.COMMENTED):
            new = "So it is." if kind is EventKind.COMMENTED else ""
        else:
            continue
        events.append(Event(1, task_id, kind, at, old=old, new=new))
    return events


def places_after(events: list[Event]) -> dict[int, str]:
    """In which stages the cards are after all events."""
    where: dict[int, str] = {}
    removed: dict[int, str] = {}
    for event in events:
        if event.kind in (EventKind.CREATED, EventKind.MOVED):
            where[event.task_id] = event.new
        elif event.kind is EventKind.REMOVED:
            removed[event.task_id] = where.pop(event.task_id)
        elif event.kind is EventKind.RESTORED:
            where[event.task_id] = removed.pop(event.task_id)
    return where


@given(steps=_STEPS, hours=st.lists(st.integers(-5, 900), max_size=8).map(sorted))
def test_taking_events_back_is_replaying_fewer(
    steps: list[tuple[int, EventKind, str, int, bool]], hours: list[int]
) -> None:
    events = replayed(steps)
    moments = [_START + timedelta(hours=one) for one in hours]
    found = counts_before(places_after(events), events, moments)
    assert found == [
        Counter(places_after([event for event in events if event.at < moment]).values())
        for moment in moments
    ]


@given(steps=_STEPS)
def test_a_card_is_counted_once_and_only_while_it_is_closed(
    steps: list[tuple[int, EventKind, str, int, bool]],
) -> None:
    events = replayed(steps)
    on_board = {EventKind.CREATED, EventKind.MOVED, EventKind.REMOVED, EventKind.RESTORED}
    cards = {event.task_id for event in events if event.kind in on_board}
    expected = []
    for task_id in cards:
        own = [event for event in events if event.task_id == task_id]
        turns = [one for one in own if one.kind in (EventKind.CLOSED, EventKind.REOPENED)]
        expected += [one.at for one in turns[-1:] if one.kind is EventKind.CLOSED]
    assert sorted(closings(events, ()).values()) == sorted(expected)


def test_a_card_of_which_nobody_knows_how_it_went_away_is_nowhere() -> None:
    moved = Event(1, 5, EventKind.MOVED, _START, old="Doing", new="Done")
    assert counts_before({}, [moved], [_START]) == [Counter()]


def test_what_is_shown_of_a_board_is_in_the_zone_of_the_user() -> None:
    zone = ZoneInfo("America/New_York")
    now = datetime(2026, 11, 20, 9, 0, tzinfo=zone)  # a Friday

    def event(task_id: int, kind: EventKind, day: int, hour: int, old: str = "") -> Event:
        at = datetime(2026, 11, day, hour, tzinfo=UTC)
        return Event(1, task_id, kind, at, old=old, new="Doing" if old else "")

    history = BoardHistory(
        1,
        (
            event(99, EventKind.CLOSED, 10, 12),
            event(99, EventKind.REMOVED, 10, 13),
            event(21, EventKind.MOVED, 17, 4, "To do"),  # on Monday evening in New York
            event(22, EventKind.CREATED, 18, 12),
            event(77, EventKind.CLOSED, 19, 12),  # a subtask
        ),
        complete_since=datetime(2026, 11, 16, 12, tzinfo=UTC),
        read_at=datetime(2026, 11, 20, 13, tzinfo=UTC),
        records_moves=True,
        seen_since={22: datetime(2026, 11, 18, 13, tzinfo=UTC)},
    )
    shown = insight(small(), history, now, 2)
    assert (shown.days[0].isoformat(), len(shown.days)) == ("2026-11-09", 12)
    unknown = (None,) * 7
    assert {one.title: one.counts for one in shown.flow} == {
        "To do": (*unknown, 3, 3, 3, 3, 3),
        "Doing": (*unknown, 1, 1, 2, 2, 2),
        "Done": (*unknown, 0, 0, 0, 0, 0),
    }
    assert [(one.begins.day, one.closed, one.is_known) for one in shown.weeks] == [
        (9, 1, False), (16, 0, False),
    ]  # fmt: skip
    to_do, doing = shown.ages
    assert (to_do.cards, to_do.groups, doing.groups) == (3, (0,) * 6, (0, 1, 1, 0, 0, 0))
    assert [is_exact for _, is_exact in doing.ages] == [True, False]
    told = document(shown)
    assert told["known_since"] == "2026-11-16T07:00:00-05:00"
    assert told["stages"][1] == {"title": "Doing", "cards": [*unknown, 1, 1, 2, 2, 2]}  # type: ignore[index]
    everything = insight(small(), BoardHistory(1, (), BEGINNING, records_moves=True), now, 2)
    assert [one.is_known for one in everything.weeks] == [True, True]
    assert None not in everything.flow[0].counts
    nothing = insight(small(), BoardHistory(1), now, 2)
    assert nothing.known_since is None
    assert [one.counts for one in nothing.flow if one.title == "Doing"] == [(None,) * 11 + (2,)]


def test_the_time_in_work_is_from_the_first_active_stage_until_closed() -> None:
    now = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)

    def event(task_id: int, kind: EventKind, day: int, new: str = "") -> Event:
        return Event(1, task_id, kind, datetime(2026, 11, day, 9, tzinfo=UTC), old="x", new=new)

    history = BoardHistory(
        1,
        (
            event(51, EventKind.CREATED, 2, "To do"),
            event(52, EventKind.CREATED, 3, "Doing"),
            event(51, EventKind.MOVED, 4, "Doing"),
            event(53, EventKind.MOVED, 5, "Done"),
            event(53, EventKind.CLOSED, 5),  # it was never in work
            event(51, EventKind.MOVED, 6, "To do"),
            event(52, EventKind.CLOSED, 6),  # before the weeks that are shown
            event(51, EventKind.MOVED, 8, "Doing"),
            event(51, EventKind.CLOSED, 12),
        ),
        BEGINNING,
        records_moves=True,
    )
    shown = insight(small(), history, now, 2)
    assert shown.work == (timedelta(days=8),)
    assert [(week.begins.day, week.closed) for week in shown.earlier] == [(26, 0), (2, 2)]
    assert [week.closed for week in shown.weeks] == [1, 0]


@given(
    closed=st.lists(st.integers(0, 27 * 24), max_size=20).map(sorted),
    created=st.integers(0, 27 * 24),
)
def test_cards_closed_per_week_agree_with_the_weeks_beside_them(
    closed: list[int], created: int
) -> None:
    begin, now = datetime(2026, 10, 26, tzinfo=UTC), datetime(2026, 11, 22, 1, tzinfo=UTC)
    created = min([created, *closed])
    first = Event(1, 50, EventKind.CREATED, begin + timedelta(hours=created), new="To do")
    events = [
        event
        for card, hours in enumerate(closed, 60)
        for at in [begin + timedelta(hours=hours)]
        for event in (
            Event(1, card, EventKind.CREATED, at, new="Done"),
            Event(1, card, EventKind.CLOSED, at),
        )
    ]
    history = BoardHistory(1, (first, *events), BEGINNING, records_moves=True)
    shown = insight(small(), history, now, 4)
    per_week, age = shown.closed_per_week, (now - first.at) / timedelta(weeks=1)
    assert per_week is not None
    assert round(per_week * max(1, age)) == len(closed) == sum(week.closed for week in shown.weeks)
    assert shown.closed_per_week_earlier is None
