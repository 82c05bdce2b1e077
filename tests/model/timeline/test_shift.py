"""Moving dates by days: there and back is nothing, and clocks that change change nothing."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from tests.fakes.boards import NOW, task
from tests.harness.zones import zone_of_machine
from tests.model.timeline.cards import cards
from tui.model.task import Task
from tui.model.timeline.shift import Shift, dates_in_words

STEPS = st.lists(st.integers(-40, 40), max_size=6)


@given(st.lists(cards(), min_size=1, max_size=4), STEPS)
def test_carrying_there_and_back_changes_nothing(tasks: list[Task], steps: list[int]) -> None:
    start = Shift(frozenset(task.id for task in tasks))
    shift = start
    for step in (*steps, *(-step for step in steps)):
        shift = shift.by(step, tasks)
    assert shift == start
    assert [shift.of(task) for task in tasks] == tasks


@given(cards(), st.integers(-400, 400), st.sampled_from(["Europe/Berlin", "America/New_York"]))
def test_a_day_is_one_of_the_calendar_where_clocks_change(card: Task, days: int, zone: str) -> None:
    with zone_of_machine(zone):
        moved = Shift(frozenset({card.id})).by(days, [card]).of(card)
    for before, after in ((card.due_at, moved.due_at), (card.started_at, moved.started_at)):
        if before is None or after is None:
            assert before is after
        else:
            assert after.date() == before.date() + timedelta(days=days)
            assert after.time() == before.time()


@pytest.mark.parametrize("days", [5000, -30_000, 10**9])
def test_no_date_leaves_the_years_that_services_can_store(days: int) -> None:
    card = task(1, "a", due_at=NOW)
    shift = Shift(frozenset({1}), days=1)
    assert shift.by(days, [card]) is shift


def test_other_cards_stay_and_new_cards_keep_moving_with_their_ids() -> None:
    shift = Shift(frozenset({-1}), days=2).renamed({-1: 7})
    card = task(7, "a", due_at=NOW)
    assert shift.of(card).due_at == NOW + timedelta(days=2)
    other = task(8, "b", due_at=NOW)
    assert shift.of(other) is other


def test_dates_in_words_name_each_day_once() -> None:
    start = datetime(2026, 11, 24, 8)  # noqa: DTZ001
    card = task(1, "a", started_at=start, due_at=start + timedelta(days=1))
    assert dates_in_words([card]) == "Tue 24 Nov 2026 – Wed 25 Nov 2026"
    assert dates_in_words([task(1, "a", due_at=start)]) == "Tue 24 Nov 2026"
    assert dates_in_words([task(1, "a")]) == "no dates"
    assert start.date() == date(2026, 11, 24)
