"""What a forecast stands on, its days, and how it is said."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from tests.fakes.boards import small
from tui.model.board import Board
from tui.model.events.history import BEGINNING, BoardHistory, Event, EventKind
from tui.model.forecast.forecast import ForecastQuestion, document, forecast
from tui.model.forecast.outlook import LIKELY, WEEKS_AHEAD, outlook
from tui.model.forecast.question import about_cards
from tui.model.forecast.simulation import TRIALS
from tui.model.forecast.throughput import (
    ClosedWeek,
    Throughput,
    closings_known_from,
    throughput,
)
from tui.model.forecast.words import (
    basis,
    by_day,
    chance_words,
    day_words,
    headline,
    weekdays_said,
    why_not,
)
from tui.model.people import Account
from tui.model.query.language import QueryContext, parse
from tui.model.standup.report import BoardSource
from tui.model.standup.window import WorkingDays
from tui.model.task import Task

_ALL_YEAR = date(2026, 1, 1)
_FRIDAY = date(2026, 11, 27)
_CALENDAR = WorkingDays()
_CLOSED = (2, 3, 5, 3, 2, 4, 3, 6, 3)
_DAYS = st.dates(date(2026, 9, 1), date(2026, 11, 27))


def closed_weeks(closed: Iterable[int] = _CLOSED) -> tuple[ClosedWeek, ...]:
    """Whole weeks up to 23 November."""
    begins = date(2026, 9, 28)
    return tuple(
        ClosedWeek(begins + timedelta(weeks=index), cards, 5) for index, cards in enumerate(closed)
    )


def history(closed: Iterable[int] = _CLOSED) -> BoardHistory:
    """A board on which so many cards were closed on the Wednesdays from 30 September on."""
    first, events = datetime(2026, 9, 28, 8, tzinfo=UTC), list[Event]()
    for week, cards in enumerate(closed):
        for index in range(cards):
            card, at = 1000 + 100 * week + index, first + timedelta(weeks=week, days=2)
            started = at - timedelta(days=1 + index % 3)
            events += (
                Event(1, card, EventKind.CREATED, first, new="To do"),
                Event(1, card, EventKind.MOVED, started, old="To do", new="Doing"),
                Event(1, card, EventKind.CLOSED, at),
            )
    events.sort(key=lambda event: event.at)
    return BoardHistory(1, tuple(events), BEGINNING, records_moves=True)


def days_of(known: Throughput) -> list[int]:
    """The days of the month on which its weeks begin."""
    return [week.begins.day for week in known.weeks]


def test_weeks_count_that_are_over_and_known_whole() -> None:
    closed = [date(2026, 11, day) for day in (2, 7, 13, 16, 25, 27)]
    on_friday = throughput(closed, date(2026, 11, 3), _FRIDAY, _CALENDAR, 12)
    assert [(week.begins.day, week.closed) for week in on_friday.weeks] == [(9, 1), (16, 1)]
    on_saturday = throughput(closed, date(2026, 11, 2), date(2026, 11, 28), _CALENDAR, 12)
    assert [week.closed for week in on_saturday.weeks] == [2, 1, 1, 2], "a day off counts, too"
    assert on_saturday.cards == 6
    assert days_of(throughput(closed, _ALL_YEAR, _FRIDAY, _CALENDAR, 2)) == [9, 16]
    assert throughput(closed, None, _FRIDAY, _CALENDAR, 12).weeks == ()


def test_holidays_shorten_weeks_and_a_week_without_working_days_counts_for_nothing() -> None:
    off = frozenset(date(2026, 11, day) for day in (5, 9, 10, 11, 12, 13))
    known = throughput([], date(2026, 11, 2), _FRIDAY, WorkingDays(holidays=off), 12)
    assert [(week.begins.day, week.working_days) for week in known.weeks] == [(2, 4), (16, 5)]
    never = WorkingDays(frozenset())
    assert throughput([], _ALL_YEAR, _FRIDAY, never, 12).weeks == ()


@given(closed=st.lists(_DAYS, max_size=40), today=_DAYS, since=_DAYS, most=st.integers(1, 9))
def test_every_card_is_in_the_week_in_which_it_was_closed(
    closed: list[date], today: date, since: date, most: int
) -> None:
    weeks = throughput(closed, since, today, _CALENDAR, most).weeks
    assert len(weeks) <= most
    for week in weeks:
        days = {week.begins + timedelta(days=index) for index in range(7)}
        assert week.closed == sum(day in days for day in closed)
        assert since <= week.begins
        assert week.begins + timedelta(days=4) < today


def test_what_is_known_begins_with_the_board_or_with_the_first_whole_day() -> None:
    now = datetime(2026, 11, 20, 9, tzinfo=ZoneInfo("America/New_York"))
    whole = history()
    assert closings_known_from([whole], now) == date(2026, 9, 28)
    known = datetime(2026, 11, 16, 12, tzinfo=UTC)
    assert closings_known_from([replace(whole, complete_since=known)], now) == date(2026, 11, 17)
    midnight = datetime(2026, 11, 16, 5, tzinfo=UTC)
    assert closings_known_from([replace(whole, complete_since=midnight)], now) == date(2026, 11, 16)
    assert closings_known_from([BoardHistory(1)], now) is None
    assert closings_known_from([BoardHistory(1, (), BEGINNING)], now) is None


def test_days_are_working_days_from_tomorrow_on() -> None:
    holidays = frozenset({date(2026, 12, 1)})
    ahead = outlook(3, closed_weeks([5] * 6), _FRIDAY, WorkingDays(holidays=holidays))
    assert [day.day for day in ahead.days] == [30, 2, 3, 4]
    assert {ahead.day_for(percent) for percent in LIKELY} == {date(2026, 12, 3)}
    assert [ahead.trials_by(date(2026, 12, day)) for day in (1, 2, 3, 9)] == [0, 0, TRIALS, TRIALS]
    assert ahead.week_ends() == [(date(2026, 12, 4), TRIALS)]


def test_week_ends_are_those_that_are_neither_sure_nor_impossible() -> None:
    ends = outlook(20, closed_weeks(), date(2026, 11, 28), _CALENDAR).week_ends()
    assert [(day.day, chance_words(trials)) for day, trials in ends] == [
        (18, "<1%"), (25, "1%"), (1, "21%"), (8, "62%"), (15, "92%"), (22, ">99%"),
    ]  # fmt: skip
    assert (chance_words(0), chance_words(TRIALS)) == ("<1%", ">99%")


def test_what_is_too_far_ahead_has_no_day() -> None:
    ahead = outlook(5_000, closed_weeks(), _FRIDAY, _CALENDAR)
    assert ahead.day_for(50) is None
    assert len(ahead.week_ends()) == 1
    assert len(ahead.days) == 5 * (WEEKS_AHEAD - 1)
    never = outlook(5, closed_weeks(), _FRIDAY, WorkingDays(frozenset()))
    assert (never.days, never.day_for(50), never.week_ends()) == ((), None, [])


@given(holidays=st.frozensets(st.dates(date(2026, 11, 28), date(2027, 1, 31)), max_size=12))
def test_holidays_never_make_it_sooner(holidays: frozenset[date]) -> None:
    without = outlook(20, closed_weeks(), _FRIDAY, _CALENDAR)
    with_them = outlook(20, closed_weeks(), _FRIDAY, WorkingDays(holidays=holidays))
    for percent in LIKELY:
        sooner, later = without.day_for(percent), with_them.day_for(percent)
        assert sooner is not None
        assert later is not None
        assert sooner <= later
        assert later not in holidays


@pytest.fixture
def source() -> BoardSource:
    """A small board with three open cards, and nine weeks of history."""
    return BoardSource(small(), history())


_NOW = datetime(2026, 11, 28, 9, tzinfo=UTC)


def test_a_forecast_is_said_with_what_it_stands_on(source: BoardSource) -> None:
    holidays = frozenset({date(2026, 12, 25), date(2027, 1, 1), date(2026, 11, 14)})
    asked = ForecastQuestion(cards=20, day=date(2026, 12, 18))
    shown = forecast([source], _NOW, WorkingDays(holidays=holidays), asked)
    assert headline(shown) == "20 cards: 50% by Tue 12 Jan, 85% by Mon 18 Jan, 95% by Thu 21 Jan"
    known = "from 9 weeks, 31 cards"
    assert (
        basis(shown) == f"{known} · assumes the board gets no new cards · Mon–Fri, 2 holidays off"
    )
    assert basis(shown, is_short=True) == f"{known} · no new cards · Mon–Fri, 2 holidays off"
    day = date(2026, 12, 18)
    words = "By Fri 18 Dec: 50% at least 10 cards, 85% 8, 95% 7; all 20: <1%"
    assert by_day(shown, day) == words
    assert by_day(replace(shown, question=asked._replace(day=None)), day) == words
    assert shown.cycle_within(50) == timedelta(days=2)
    written: dict[str, Any] = document(shown, why_not(shown))
    assert written["from"]["cards"] == 31
    assert written["closed_by"] == {"50": "2027-01-12", "85": "2027-01-18", "95": "2027-01-21"}
    assert written["by_day"]["at_least"] == {"50": 10, "85": 8, "95": 7}
    assert len(written["cycles"]) == 31


def test_open_cards_and_those_that_match_are_forecast_from_their_own_history(
    source: BoardSource,
) -> None:
    shown = forecast([source], _NOW, _CALENDAR, ForecastQuestion())
    assert headline(shown).startswith("5 open cards: 50% by ")
    closed = frozenset(event.task_id for event in source.history.events if event.task_id % 2)

    def is_odd(task: Task) -> bool:
        return bool(task.id % 2)

    odd = ForecastQuestion(filter="odd", matches=is_odd, closed_filter="odd", matches_closed=is_odd)
    told = forecast([source], _NOW, _CALENDAR, odd)
    assert told.throughput.cards == 0, "nothing is known of cards that are gone"
    card = next(small().all_tasks())
    archived = tuple(replace(card, id=task_id) for task_id in closed)
    told = forecast([replace(source, archived=archived)], _NOW, _CALENDAR, odd)
    assert (told.throughput.cards, len(told.cycles)) == (len(closed), len(closed))


def test_the_boards_of_a_view_are_one_stream_of_cards(source: BoardSource) -> None:
    view = replace(source.view, board=Board(2, "Support"))
    # The younger board closed nothing before it was there.
    younger = BoardSource(view, history((0, 0, 0, 1, 1, 1, 1, 1, 1)))
    about = QueryContext.of([source.view, view], Account("ann"), _NOW.replace(tzinfo=None), ())
    asked = about_cards(
        ForecastQuestion(filter="is:open due:none"), parse("is:open due:none"), about
    )
    shown = forecast([source, younger], _NOW, _CALENDAR, asked, "My work")
    assert [week.closed for week in shown.throughput.weeks] == [2, 3, 5, 4, 3, 5, 4, 7, 4]
    assert headline(shown).startswith(f"{shown.open} open cards: 50% by ")
    assert (
        basis(shown) == "from 9 weeks, 37 cards closed on 2 boards · assumes no new cards · Mon–Fri"
    )
    written: dict[str, Any] = document(shown, "")
    assert (written["view"], len(written["boards"])) == ("My work", 2)
    assert "board" not in written
    # Of a board that is known in part, only that counts; with one that is not known, nothing does.
    part = replace(younger.history, complete_since=datetime(2026, 11, 16, tzinfo=UTC))
    shown = forecast([source, replace(younger, history=part)], _NOW, _CALENDAR, asked, "My work")
    assert days_of(shown.throughput) == [16, 23]
    unknown = replace(younger, history=BoardHistory(2))
    assert forecast([source, unknown], _NOW, _CALENDAR, asked).throughput.weeks == ()


def test_closed_cards_count_by_what_lasts(source: BoardSource) -> None:
    about = QueryContext.of([source.view], Account("ann"), _NOW.replace(tzinfo=None), ())
    asked = about_cards(ForecastQuestion(filter="p:high is:open"), parse("p:high is:open"), about)
    assert asked.closed_filter == "priority:high"
    assert "cards closed matching priority:high ·" in basis(
        forecast([source], _NOW, _CALENDAR, asked)
    )
    assert about_cards(asked, parse(""), about).matches is None


def test_too_little_history_is_no_forecast(source: BoardSource) -> None:
    few = BoardSource(source.view, history([2, 2, 2]))
    shown = forecast([few], datetime(2026, 10, 19, 9, tzinfo=UTC), _CALENDAR, ForecastQuestion())
    reason = "Not enough history: 3 weeks, 6 cards. A forecast needs 5 weeks and 10 cards."
    assert (headline(shown), why_not(shown), by_day(shown, _FRIDAY)) == (reason, reason, "")
    assert document(shown, reason)["closed_by"] == {}
    empty = replace(source.view, tasks={})
    nothing = forecast([BoardSource(empty, history())], _NOW, _CALENDAR, ForecastQuestion())
    assert headline(nothing) == "No open cards: there is nothing to forecast."
    far = forecast([source], _NOW, _CALENDAR, ForecastQuestion(cards=5_000))
    assert headline(far) == "5000 cards: 50% not within two years"


def test_days_have_their_year_where_it_is_not_plain() -> None:
    assert day_words(date(2027, 1, 8), _FRIDAY) == "Fri 8 Jan"
    assert day_words(date(2027, 11, 5), _FRIDAY) == "Fri 5 Nov 2027"
    assert weekdays_said(WorkingDays(frozenset({0, 2}))) == "Mon, Wed"
    assert weekdays_said(WorkingDays(frozenset(range(1, 7)))) == "Tue–Sun"
    assert weekdays_said(WorkingDays(frozenset())) == ""
