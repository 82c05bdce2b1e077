"""Days in cells: every day has its own, at every zoom, and scrolling keeps them apart."""

from datetime import date, timedelta

import pytest
from hypothesis import given, strategies as st

from tests.model.timeline.cards import DAYS, SCALES
from tui.model.timeline.scale import Scale, Zoom, first_day, scrolled
from tui.text.dates import week_of


@given(SCALES, DAYS)
def test_a_day_is_in_the_cell_of_which_it_is_the_day(scale: Scale, day: date) -> None:
    shared = 2 if scale.zoom is Zoom.MONTHS else 1
    assert 0 <= (day - scale.day_at(scale.cell_of(day))).days < shared
    assert scale.cell_of(day) <= scale.end_of(day) < scale.cell_of(day + timedelta(days=shared))


@given(SCALES)
def test_the_days_in_sight_are_those_whose_cells_are(scale: Scale) -> None:
    days = scale.days()
    assert all(map(scale.is_in_sight, days))
    around = (scale.first - timedelta(days=1), scale.first + timedelta(days=len(days)))
    assert not any(map(scale.is_in_sight, around if days else ()))


@given(SCALES, DAYS)
def test_today_is_in_sight_from_the_first_day_on(scale: Scale, today: date) -> None:
    first = first_day(today, scale)
    assert first == week_of(first) <= today
    shown = Scale(first, scale.zoom, scale.width, scale.is_narrow)
    a_week = max(7 * scale.cells_a_day, 5)
    assert scale.width < a_week or shown.is_in_sight(today)


@given(DAYS, st.integers(-30, 30))
def test_scrolling_back_leads_where_it_began(first: date, weeks: int) -> None:
    assert scrolled(scrolled(first, weeks), -weeks) == first


@pytest.mark.parametrize("weeks", [-100_000, 100_000])
def test_scrolling_ends_at_the_years_that_services_can_store(weeks: int) -> None:
    assert scrolled(date(2026, 11, 20), weeks) in (date(1970, 1, 1), date(2038, 12, 31))


def test_zooming_ends_at_the_ends() -> None:
    assert [zoom.step(1) for zoom in Zoom] == [Zoom.DAYS, Zoom.DAYS, Zoom.WEEKS]
    assert [zoom.step(-1) for zoom in Zoom] == [Zoom.WEEKS, Zoom.MONTHS, Zoom.MONTHS]
