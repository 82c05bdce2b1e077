"""The simulation against exact chances, a naive simulation, and examples that were published."""

from collections import defaultdict
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, strategies as st

from tui.model.forecast.simulation import (
    TRIALS,
    Pace,
    at_least,
    closed_cards,
    closing_trials,
    trials_for,
)

_PACES = st.lists(
    st.builds(Pace, st.integers(0, 9), st.integers(1, 5)), min_size=5, max_size=15
).filter(lambda paces: sum(pace.closed for pace in paces) >= 10)
_WHOLE = st.lists(st.integers(0, 9), min_size=5, max_size=15).filter(
    lambda closed: sum(closed) >= 10
)
_COMING = st.lists(st.integers(0, 5), min_size=1, max_size=8)
_NOISE = 0.025
"""Five standard deviations of a chance that is found by 10,000 trials."""


def weeks_of_five(closed: list[int]) -> list[Pace]:
    """Paces of whole weeks."""
    return [Pace(cards, 5) for cards in closed]


def trials_by(trials: list[int], day: int) -> int:
    """In how many trials the cards are closed by a working day; the list may end before it."""
    return trials[min(day, len(trials)) - 1] if day and trials else 0


def exact_chances(cards: int, closed: list[int], weeks: int) -> list[float]:
    """The chance that so many cards are closed by the end of each week, by adding up chances."""
    totals, chances = {0: 1.0}, []
    for _ in range(weeks):
        after = defaultdict[int, float](float)
        for total, chance in totals.items():
            for week in closed:
                after[total + week] += chance / len(closed)
        totals = dict(after)
        chances.append(sum(chance for total, chance in totals.items() if total >= cards))
    return chances


def naive_days(cards: int, paces: list[Pace], trials: int) -> list[int]:
    """The working day on which each trial has closed the cards, day by day."""
    random, days = Random(7), list[int]()  # noqa: S311  nothing secret
    for _ in range(trials):
        total, day = 0.0, 0
        while total < cards - 1e-9:
            if day % 5 == 0:
                pace = random.choice(paces)
            total += pace.closed / pace.days
            day += 1
        days.append(day)
    return sorted(days)


@given(closed=_WHOLE, cards=st.integers(1, 40), weeks=st.integers(1, 8))
def test_chances_are_the_exact_ones_within_the_noise_of_the_trials(
    closed: list[int], cards: int, weeks: int
) -> None:
    trials = closing_trials(cards, weeks_of_five(closed), [5] * weeks)
    for week, exact in enumerate(exact_chances(cards, closed, weeks), 1):
        assert trials_by(trials, 5 * week) / TRIALS == pytest.approx(exact, abs=_NOISE)


def test_days_are_those_of_a_naive_simulation() -> None:
    paces = weeks_of_five([2, 3, 5, 3, 2, 4, 3, 6, 3])
    trials, naive = closing_trials(20, paces, [5] * 52), naive_days(20, paces, 2_000)
    for day in range(15, 50):
        share = sum(closed <= day for closed in naive) / len(naive)
        assert trials_by(trials, day) / TRIALS == pytest.approx(share, abs=0.05)
    for percent in (50, 85, 95):
        day = next(day for day, count in enumerate(trials, 1) if count >= trials_for(percent))
        assert abs(day - naive[len(naive) * percent // 100 - 1]) <= 1


@pytest.mark.parametrize(
    ("closed", "published"),
    [(range(2, 11), 0.6087), ((2, 3, 4, 6, 6, 6, 8, 8, 9, 10), 0.3669)],
    ids=["evenly", "weighted"],
)
def test_published_chances_of_sixty_draws_within_365_are_found(
    closed: range | tuple[int, ...], published: float
) -> None:
    # Lucas F. da Costa, “How to replace estimations and guesses with a Monte Carlo simulation”
    # (2021): the chance, of a million runs, that sixty posts take 365 days at most.
    trials = closing_trials(366, [Pace(each, 1) for each in closed], [1] * 60)
    assert 1 - trials[-1] / TRIALS == pytest.approx(published, abs=_NOISE)


def test_published_chances_of_a_backlog_by_past_sprints_are_found() -> None:
    # The README of github.com/agiledigital-labs/probabilistic-forecast (after Skelton and
    # Thatcher's spreadsheet): five sprints, a backlog of 28 cards, a thousand runs. A run of it
    # ends once more than 28 are done.
    published = {3: 0.091, 4: 0.405, 5: 0.747, 6: 0.956, 7: 1}
    trials = closing_trials(28 + 1, [Pace(each, 1) for each in (5, 5, 4, 7, 13)], [1] * 7)
    for sprint, share in published.items():
        # Three standard deviations of a thousand runs.
        assert trials_by(trials, sprint) / TRIALS == pytest.approx(share, abs=0.048)
    # “We are 95% confident all tickets will take no more than 6 sprints.”
    days = {
        percent: next(day for day, count in enumerate(trials, 1) if count >= trials_for(percent))
        for percent in (50, 85, 95)
    }
    assert days == {50: 5, 85: 6, 95: 6}


def test_the_rolls_of_a_die_that_reach_twelve_are_those_of_the_textbook() -> None:
    # By counting: two rolls in 1 of 36 cases, three in 81 more of 216, and so on.
    trials = closing_trials(12, [Pace(face, 1) for face in range(1, 7)], [1] * 12)
    exact = exact_chances(12, [*range(1, 7)], 12)
    assert [round(chance, 4) for chance in exact[:3]] == [0, round(1 / 36, 4), round(81 / 216, 4)]
    for day, chance in enumerate(exact, 1):
        assert trials_by(trials, day) / TRIALS == pytest.approx(chance, abs=_NOISE)
    assert trials[-1] == TRIALS


@given(paces=_PACES, coming=_COMING, cards=st.integers(1, 30), more=st.integers(1, 5))
def test_more_cards_are_never_closed_sooner(
    paces: list[Pace], coming: list[int], cards: int, more: int
) -> None:
    few, many = (closing_trials(count, paces, coming) for count in (cards, cards + more))
    assert all(trials_by(few, day) >= count for day, count in enumerate(many, 1))
    assert all(first <= second for first, second in pairwise(few))


@given(paces=_PACES, coming=_COMING, cards=st.integers(1, 30), week=st.integers(0, 4))
def test_a_better_week_never_makes_it_later(
    paces: list[Pace], coming: list[int], cards: int, week: int
) -> None:
    pace = paces[week]
    better = [*paces[:week], Pace(pace.closed + 1, pace.days), *paces[week + 1 :]]
    slow, fast = (closing_trials(cards, each, coming) for each in (paces, better))
    assert all(trials_by(fast, day) >= count for day, count in enumerate(slow, 1))


@given(paces=_PACES, coming=_COMING, off=st.integers(0, 7), cards=st.integers(1, 30))
def test_a_day_off_never_closes_more(
    paces: list[Pace], coming: list[int], off: int, cards: int
) -> None:
    fewer = [max(0, days - (week == off)) for week, days in enumerate(coming)]
    assert all(
        some <= every
        for some, every in zip(closed_cards(paces, fewer), closed_cards(paces, coming), strict=True)
    )
    last = trials_by(closing_trials(cards, paces, fewer), sum(fewer))
    assert last <= trials_by(closing_trials(cards, paces, coming), sum(coming))


@given(paces=_PACES, coming=_COMING, percent=st.sampled_from((50, 85, 95)))
def test_how_many_and_by_when_agree(paces: list[Pace], coming: list[int], percent: int) -> None:
    cards = at_least(closed_cards(paces, coming), percent)
    for count, is_sure in ((cards, True), (cards + 1, False)):
        trials = closing_trials(count, paces, coming) if count else [TRIALS]
        assert (trials_by(trials, sum(coming) or 1) >= trials_for(percent)) is is_sure


@given(closed=st.integers(1, 9), length=st.integers(5, 15), cards=st.integers(1, 30))
def test_weeks_that_are_alike_leave_no_doubt(closed: int, length: int, cards: int) -> None:
    trials = closing_trials(cards, [Pace(closed, 5)] * length, [5] * 60)
    first = -(-cards * 5 // closed)
    assert [trials_by(trials, day) for day in (first - 1, first)] == [0, TRIALS]


@given(paces=_PACES, coming=_COMING)
def test_it_lies_between_the_worst_and_the_best_week(paces: list[Pace], coming: list[int]) -> None:
    closed, days = closed_cards(paces, coming), sum(coming)
    assert closed[0] >= min(pace.closed * days // pace.days for pace in paces)
    assert closed[-1] <= max(pace.closed * days // pace.days for pace in paces)


@given(swings=st.lists(st.integers(-3, 3), min_size=5, max_size=15), weeks=st.integers(1, 8))
def test_a_wider_history_is_wider_by_as_much(swings: list[int], weeks: int) -> None:
    # The same mean, and each week twice as far from it.
    narrow, wide = (
        closed_cards([Pace(6 + factor * swing, 5) for swing in swings], [5] * weeks)
        for factor in (1, 2)
    )
    middle = 6 * weeks
    assert [total - middle for total in wide] == [2 * (total - middle) for total in narrow]


@given(paces=_PACES, coming=_COMING, cards=st.integers(1, 30))
def test_two_people_see_the_same(paces: list[Pace], coming: list[int], cards: int) -> None:
    first, second = (closing_trials(cards, paces, coming) for _ in range(2))
    assert first == second


def test_the_same_is_seen_on_every_python() -> None:
    trials = closing_trials(20, weeks_of_five([2, 3, 5, 3, 2, 4, 3, 6, 3]), [5] * 52)
    assert [trials[day - 1] for day in (20, 25, 30, 35, 40)] == [
        183,
        2035,
        6277,
        9236,
        9952,
    ]
