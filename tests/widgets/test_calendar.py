"""Six weeks with a day chosen: which days are shown, where, and how they are drawn."""

from datetime import date, timedelta

import pytest
from hypothesis import given, strategies as st
from textual.geometry import Size

from tui.text.dates import Customs, customs, months_later
from tui.widgets import glyphs
from tui.widgets.calendar import CALENDAR_CELLS, WEEKS, Calendar, first_shown
from tui.widgets.painted import Line

TODAY = date(2026, 11, 20)
DAYS = st.dates(date(1970, 1, 1), date(2038, 12, 31))
SIZE = Size(CALENDAR_CELLS, WEEKS + 3)


def calendar_of(today: date = TODAY, day: date | None = None) -> tuple[Calendar, list[date]]:
    """A calendar without a screen, and the days that are chosen in it."""
    days: list[date] = []
    calendar = Calendar(
        today,
        days.append,
        is_working=lambda day: day.weekday() < 5,
        is_due=lambda day: day == TODAY + timedelta(days=4),
    )
    calendar.day = day
    return calendar, days


def drawn(calendar: Calendar) -> list[str]:
    """The lines as text."""
    return ["".join(text for text, _ in line).rstrip() for line in calendar.lines_now(SIZE)]


def roles(line: Line) -> dict[str, str]:
    """The role of each word in a line."""
    return {word: role for text, role in line for word in text.split()}


def test_six_weeks_from_this_one_name_each_month_where_it_begins() -> None:
    assert drawn(calendar_of(day=date(2026, 11, 26))[0]) == [
        "     Mo Tu We Th Fr Sa Su",
        "Nov  16 17 18 19 20 21 22",
        f"     23{glyphs.DUE}24 25{glyphs.BAR}26 27 28 29",
        "Dec  30  1  2  3  4  5  6",
        "      7  8  9 10 11 12 13",
        "     14 15 16 17 18 19 20",
        "     21 22 23 24 25 26 27",
        "",
        f"20 Nov today  {glyphs.DUE} cards due",
    ]


def test_a_day_further_away_is_shown_in_its_month_with_the_year_if_it_is_another() -> None:
    lines = drawn(calendar_of(day=date(2027, 3, 9))[0])
    assert lines[:3] == [
        "2027 Mo Tu We Th Fr Sa Su",
        "Mar   1  2  3  4  5  6  7",
        f"      8{glyphs.BAR} 9 10 11 12 13 14",
    ]
    assert lines[-1] == "20 Nov today"


def test_today_and_days_off_are_drawn_apart() -> None:
    first = roles(calendar_of()[0].lines_now(SIZE)[1])
    assert {day: first[day] for day in ("19", "20", "21")} == {
        "19": "text",
        "20": "today",
        "21": "quiet",
    }


@pytest.mark.parametrize(
    ("move", "days"),
    [((1, 7), [date(2026, 11, 27), date(2026, 12, 4)]), ((-1,), [date(2026, 11, 25)])],
)
def test_arrows_go_on_from_the_chosen_day(move: tuple[int, ...], days: list[date]) -> None:
    calendar, chosen = calendar_of(day=date(2026, 11, 26))
    for by in move:
        calendar.action_move(by)
    assert chosen == days


def test_the_first_arrow_chooses_today_if_no_day_is_chosen() -> None:
    calendar, chosen = calendar_of()
    calendar.action_move(7)
    assert chosen == [TODAY]


def test_a_month_further_is_the_same_day_or_the_last_one() -> None:
    calendar, chosen = calendar_of(day=date(2026, 12, 31))
    calendar.move_months(2)
    calendar.move_months(-1)
    assert chosen == [date(2027, 2, 28), date(2027, 1, 28)]


def test_no_day_is_chosen_that_services_do_not_store() -> None:
    calendar, chosen = calendar_of(day=date(2038, 12, 31))
    calendar.action_move(1)
    calendar.move_months(1)
    assert (chosen, calendar.day) == ([], date(2038, 12, 31))


@given(today=DAYS, day=DAYS, first_day=st.integers(0, 6))
def test_each_day_is_drawn_where_a_click_finds_it(today: date, day: date, first_day: int) -> None:
    token = customs.set(Customs(first_day=first_day))
    try:
        calendar, _ = calendar_of(today, day)
        first = first_shown(day, today)
        assert first.weekday() == first_day
        lines = drawn(calendar)
        assert lines[0].split()[-7] == f"{first:%a}"[:2]
        at = [
            (x, y)
            for y in range(SIZE.height)
            for x in range(SIZE.width)
            if calendar.day_at(x, y) == day
        ]
        # The cells of the chosen day are three, side by side, with its sign and its number.
        (left, y), (right, _) = at[0], at[-1]
        assert lines[y][left : right + 1] == f"{glyphs.BAR}{day.day:2}"
        shown = {calendar.day_at(x, y) for x in range(SIZE.width) for y in range(SIZE.height)}
        assert shown - {None} == {first + timedelta(days=place) for place in range(42)}
        assert today in shown or abs((day - today).days) > 7
    finally:
        customs.reset(token)


@given(day=DAYS, count=st.integers(-600, 600))
def test_months_are_as_many_as_asked_for(day: date, count: int) -> None:
    later = months_later(day, count)
    assert (later.year * 12 + later.month) - (day.year * 12 + day.month) == count
    assert later.day == day.day or (later + timedelta(days=1)).day == 1
