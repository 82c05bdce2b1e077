"""Dates are understood as people mean them, and told back in a form that fits."""

from contextvars import copy_context
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from tests.harness.zones import zone_of_machine
from tui.text.dates import (
    FIRST_YEAR,
    LAST_YEAR,
    Customs,
    LocalZone,
    NotADate,
    ago,
    customs,
    in_words,
    parse_past_day,
    parse_when,
    past,
    relative,
    spoken,
    stamp,
    stamp_in_words,
)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


WEDNESDAY = at("2026-11-25 10:30:15")
TIMES = st.datetimes(at("2000-01-01 00:00"), at("2037-06-01 00:00"))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("today", "2026-11-25 17:00"),
        ("eod", "2026-11-25 17:00"),
        ("Tomorrow", "2026-11-26 17:00"),
        ("tom 9:15", "2026-11-26 09:15"),
        ("yesterday", "2026-11-24 17:00"),
        ("fri", "2026-11-27 17:00"),
        ("friday, 17:30", "2026-11-27 17:30"),
        ("fri at 5pm", "2026-11-27 17:00"),
        ("wed", "2026-12-02 17:00"),
        ("tues", "2026-12-01 17:00"),
        ("next fri", "2026-12-04 17:00"),
        ("next mon 8h", "2026-11-30 08:00"),
        ("next week", "2026-11-30 17:00"),
        ("eow", "2026-11-27 17:00"),
        ("eom", "2026-11-30 17:00"),
        ("+3d", "2026-11-28 17:00"),
        ("+2w 9am", "2026-12-09 09:00"),
        ("+1mo", "2026-12-25 17:00"),
        ("in 3 days", "2026-11-28 17:00"),
        ("in a week", "2026-12-02 17:00"),
        ("+4h", "2026-11-25 14:30"),
        ("in an hour", "2026-11-25 11:30"),
        ("+45min", "2026-11-25 11:15"),
        ("17:00", "2026-11-25 17:00"),
        ("9:00", "2026-11-26 09:00"),
        ("12am", "2026-11-26 00:00"),
        ("12pm", "2026-11-25 12:00"),
        ("17h45", "2026-11-25 17:45"),
        ("2026-12-01", "2026-12-01 17:00"),
        ("2026-12-01 08:15", "2026-12-01 08:15"),
        ("2026-12-01T08:15:59", "2026-12-01 08:15"),
        ("1 dec", "2026-12-01 17:00"),
        ("dec 1 9am", "2026-12-01 09:00"),
        ("1st December 2027", "2027-12-01 17:00"),
        ("Dec 1, 2027", "2027-12-01 17:00"),
        ("25 nov", "2026-11-25 17:00"),
        ("24 nov", "2027-11-24 17:00"),
        ("29 feb", "2028-02-29 17:00"),
    ],
)
def test_words_mean_a_time(words: str, expected: str) -> None:
    assert parse_when(words, WEDNESDAY) == at(expected)


@pytest.mark.parametrize("words", ["today", "eod", "25 nov", "2026-11-25"])
def test_today_after_work_means_midnight(words: str) -> None:
    assert parse_when(words, at("2026-11-25 18:00")) == at("2026-11-25 23:59")


def test_the_end_of_the_week_is_today_on_a_friday() -> None:
    assert parse_when("eow", at("2026-11-27 09:00")) == at("2026-11-27 17:00")
    assert parse_when("eow", at("2026-11-28 09:00")) == at("2026-12-04 17:00")


def test_a_month_on_stays_within_a_shorter_month() -> None:
    assert parse_when("+1mo", at("2027-01-31 09:00")) == at("2027-02-28 17:00")


@pytest.mark.parametrize(
    "words",
    [
        *("", "   ", "soon", "fr", "next", "next today", "12", "9", "may", "mon 5", "5 mon"),
        *("31 feb", "2026-02-30", "2026-13-01", "fri 25:00", "13pm", "0am", "17:60"),
        *("+9999w", "+99999d", "+d", "+3y", "3d ago", "+4h 9:00", "1 dec 20", "fri fri"),
        *("2039-01-01", "1969-12-31", "0000-00-00", "dec 1 9999", "٣ dec ²"),
    ],
)
def test_other_words_are_refused_with_what_would_do(words: str) -> None:
    with pytest.raises(NotADate) as refused:
        parse_when(words, WEDNESDAY)
    assert "tomorrow" in refused.value.hint


def test_a_refusal_is_safe_and_short_whatever_was_typed() -> None:
    with pytest.raises(NotADate) as refused:
        parse_when("\x1b]0;title\x07" + "x" * 10_000, WEDNESDAY)
    assert "\x1b" not in refused.value.message
    assert len(refused.value.message) < 100


@given(st.text(alphabet="+0123456789:-. thdwmoayexinfrpsc²٣") | st.text(), TIMES)
def test_anything_typed_is_a_time_in_range_or_refused(words: str, now: datetime) -> None:
    try:
        when = parse_when(words, now)
    except NotADate:
        return
    assert FIRST_YEAR <= when.year <= LAST_YEAR
    assert (when.second, when.microsecond, when.tzinfo) == (0, 0, None)


@given(TIMES, st.sampled_from(["mon", "tue", "wed", "thu", "fri", "sat", "sun"]))
def test_a_weekday_is_the_coming_one_and_never_today(now: datetime, day: str) -> None:
    when = parse_when(day, now)
    assert f"{when:%a}".casefold() == day
    assert 1 <= (when.date() - now.date()).days <= 7


@given(TIMES, TIMES)
def test_a_date_written_out_is_understood_as_itself(when: datetime, now: datetime) -> None:
    assert parse_when(f"{when:%Y-%m-%d %H:%M}", now) == when.replace(second=0, microsecond=0)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Dhaka", "America/New_York"])
@given(when=TIMES, now=TIMES)
def test_a_time_for_programs_has_an_offset_and_can_be_typed(
    zone: str, when: datetime, now: datetime
) -> None:
    with zone_of_machine(zone):
        said = stamp(when)
        assert at(said).utcoffset() is not None
        again = parse_when(said, now)
        is_skipped = again != when.replace(second=0, microsecond=0)
        assert not is_skipped or again.hour != when.hour  # by the start of summer time
        assert stamp(at(said), UTC).endswith("+00:00")


@pytest.mark.parametrize("zone", ["Asia/Dhaka", "America/New_York"])
@pytest.mark.parametrize("limit", [at("0001-01-01"), at("9999-12-31 23:59")])
def test_the_limits_of_the_calendar_can_be_told_to_programs(zone: str, limit: datetime) -> None:
    with zone_of_machine(zone):
        for own in (limit, limit.replace(tzinfo=UTC)):
            assert at(stamp(own)).tzinfo is not None
            assert at(stamp(own, LocalZone())).tzinfo is not None


@pytest.mark.parametrize(
    ("when", "short", "long"),
    [
        ("2026-11-25 10:30:00", "1m overdue", "1 minute overdue"),
        ("2026-11-25 09:00", "1h overdue", "1 hour overdue"),
        ("2026-11-24 17:00", "17h overdue", "17 hours overdue"),
        ("2026-11-23 17:00", "2d overdue", "2 days overdue"),
        ("2026-08-18 10:30", "99d overdue", "99 days overdue"),
        ("2026-08-17 10:30", "14w overdue", "100 days overdue"),
        ("2024-11-25 10:30", "2y overdue", "730 days overdue"),
        ("2026-11-25 17:00", "today 17:00", "today"),
        ("2026-11-26 09:00", "tomorrow", "tomorrow"),
        ("2026-11-27 17:00", "fri", "in 2 days"),
        ("2026-12-01 17:00", "tue", "in 6 days"),
        ("2026-12-12 17:00", "12 dec", "in 17 days"),
        ("2027-01-05 17:00", "5 jan", "in 41 days"),
        ("2027-12-12 17:00", "dec 2027", "in 382 days"),
    ],
)
def test_a_time_is_told_from_now(when: str, short: str, long: str) -> None:
    assert relative(at(when), WEDNESDAY) == short
    assert spoken(at(when), WEDNESDAY).endswith(f"({long})")


def test_a_time_is_told_in_full() -> None:
    told = spoken(at("2026-12-12 09:05"), WEDNESDAY)
    assert told == "Saturday 12 December 2026, 09:05 (in 17 days)"


def test_an_event_is_told_as_long_ago() -> None:
    told = spoken(at("2026-11-24 09:00"), WEDNESDAY, past="ago")
    assert told == "Tuesday 24 November 2026, 09:00 (1 day ago)"


@pytest.mark.parametrize(
    ("when", "day", "time"),
    [
        ("2026-11-25 10:30", "today", "now"),
        ("2026-11-25 10:20", "today", "10m"),
        ("2026-11-24 17:00", "tue", "17h"),
        ("2026-11-23 09:00", "mon", "mon"),
        ("2026-11-19 09:00", "thu", "thu"),
        ("2026-11-18 09:00", "18 nov", "18 nov"),
        ("2025-12-31 09:00", "dec 2025", "dec 2025"),
        ("2026-11-26 09:00", "today", "now"),
    ],
)
def test_a_past_time_is_told_short(when: str, day: str, time: str) -> None:
    assert past(at(when), WEDNESDAY) == day
    assert ago(at(when), WEDNESDAY) == time


@given(TIMES, st.timedeltas(timedelta(days=-3000), timedelta(days=3000)))
def test_a_card_always_has_room_for_a_time(now: datetime, ahead: timedelta) -> None:
    assert 1 <= len(relative(now + ahead, now)) <= 11


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("today", "2026-11-25"),
        ("Yesterday", "2026-11-24"),
        ("fri", "2026-11-20"),
        ("last friday", "2026-11-20"),
        ("wed", "2026-11-18"),
        ("3d", "2026-11-22"),
        ("-3d", "2026-11-22"),
        ("2 weeks ago", "2026-11-11"),
        ("1mo", "2026-10-25"),
        ("25 nov", "2026-11-25"),
        ("26 nov", "2025-11-26"),
        ("dec 1", "2025-12-01"),
        ("2026-11-02", "2026-11-02"),
    ],
)
def test_a_past_day_is_understood(words: str, expected: str) -> None:
    assert str(parse_past_day(words, WEDNESDAY.date())) == expected


@pytest.mark.parametrize(
    "words", ["tomorrow", "2026-11-26", "1 dec 2026", "+9999mo", "3h", "x", ""]
)
def test_a_day_to_come_is_no_past_day(words: str) -> None:
    with pytest.raises(NotADate) as error:
        parse_past_day(words, WEDNESDAY.date())
    assert "yesterday" in error.value.hint


def test_the_zone_of_the_machine_knows_both_times_of_the_hour_that_comes_twice() -> None:
    with zone_of_machine("Europe/Berlin"):
        zone, midnight = LocalZone(), datetime(2026, 10, 25, tzinfo=UTC)
        hours = [midnight + timedelta(hours=hour) for hour in range(4)]
        said = [hour.astimezone(zone).isoformat()[11:] for hour in hours]
        assert said == ["02:00:00+02:00", "02:00:00+01:00", "03:00:00+01:00", "04:00:00+01:00"]
        assert [hour.astimezone(zone).astimezone(UTC) for hour in hours] == hours
        assert midnight.astimezone(zone).tzname() == "CEST"


def test_a_time_by_itself_is_said_without_the_year_of_now() -> None:
    def told() -> list[str]:
        return [
            in_words(at("2026-11-27 17:00")),
            in_words(at("2027-01-04 09:05"), has_clock=False),
            stamp_in_words(" 2026-11-27 17:00:00 "),
            stamp_in_words("2026-11-27"),
            stamp_in_words("20261127"),
            stamp_in_words("2026-99-99"),
        ]

    kept = ["20261127", "2026-99-99"]
    context = copy_context()
    context.run(customs.set, Customs(year=2026))
    assert context.run(told) == [
        *("Fri 27 Nov 17:00", "Mon 4 Jan 2027", "Fri 27 Nov 17:00", "Fri 27 Nov", *kept),
    ]
    context.run(customs.set, Customs(is_iso=True, year=2026))
    assert context.run(told) == [
        *("2026-11-27 17:00", "2027-01-04", "2026-11-27 17:00", "2026-11-27", *kept),
    ]
