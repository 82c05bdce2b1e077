"""The window of a standup begins on the last working day."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from tui.model.standup.window import WorkingDays

BERLIN = ZoneInfo("Europe/Berlin")
DAYS = st.builds(
    WorkingDays,
    st.frozensets(st.integers(0, 6), min_size=1),
    st.frozensets(st.dates(date(2026, 10, 1), date(2026, 11, 30)), max_size=12),
)
TIMES = st.datetimes(
    datetime(2026, 10, 1),  # noqa: DTZ001 (the zone is added)
    datetime(2026, 12, 5),  # noqa: DTZ001
    timezones=st.sampled_from([BERLIN, ZoneInfo("America/New_York")]),
)


@pytest.mark.parametrize(
    ("today", "since"),
    [
        ("2026-11-03", "2026-11-02"),
        ("2026-11-09", "2026-11-06"),
        ("2026-11-08", "2026-11-06"),
        ("2026-11-27", "2026-11-25"),
        ("2026-11-26", "2026-11-25"),
        ("2026-10-26", "2026-10-23"),
    ],
    ids=["tuesday", "monday", "sunday", "after a holiday", "on a holiday", "after summer time"],
)
def test_it_begins_at_midnight_of_the_last_working_day(today: str, since: str) -> None:
    days = WorkingDays(holidays=frozenset({date(2026, 11, 26)}))
    now = datetime.combine(date.fromisoformat(today), time(8, 45), BERLIN)
    begins = days.since(now)
    assert begins == datetime.combine(date.fromisoformat(since), time(), BERLIN)
    assert begins.utcoffset() == timedelta(hours=2 if since == "2026-10-23" else 1)


@given(DAYS, TIMES)
def test_it_never_begins_on_a_free_day_and_skips_no_working_day(
    days: WorkingDays, now: datetime
) -> None:
    begins = days.since(now)
    assert begins.time() == time()
    assert begins.date() < now.date()
    assert begins.weekday() in days.weekdays
    assert begins.date() not in days.holidays
    between = [begins.date() + timedelta(days=ahead + 1) for ahead in range(400)]
    skipped = [day for day in between if day < now.date()]
    assert all(day.weekday() not in days.weekdays or day in days.holidays for day in skipped)


@given(DAYS, TIMES, st.integers(0, 20))
def test_a_step_back_and_one_forward_lead_to_the_same_day(
    days: WorkingDays, now: datetime, steps: int
) -> None:
    since = days.since(now)
    for _ in range(steps):
        since = days.earlier(since)
    assert days.earlier(since) < since
    assert days.later(days.earlier(since), now) == since


def test_the_latest_window_is_today_and_free_days_without_end_are_survived() -> None:
    now = datetime(2026, 11, 8, 12, tzinfo=BERLIN)
    days = WorkingDays()
    today = days.later(days.since(now), now)
    assert today == datetime(2026, 11, 8, tzinfo=BERLIN) == days.later(today, now)
    never = WorkingDays(holidays=frozenset(date(2024, 1, 1) + timedelta(d) for d in range(1200)))
    assert never.since(now).date() == date(2026, 11, 7)
