"""Measures how long a forecast of 10,000 trials takes, and shows its days beside other ones.

Run `python -m tests.benchmarks.forecast`. Processor time is printed, the best of five. A naive
simulation, with numbers of its own, goes day by day; the published chances are of a million runs.
"""

import os
import sys
from collections.abc import Sequence
from random import Random
from time import process_time

from tui.model.forecast.simulation import TRIALS, Pace, closing_trials, trials_for

_CLOSED = (2, 3, 5, 3, 2, 4, 3, 6, 3)
_CARDS = (1, 20, 60, 300)
_PERCENTS = (50, 85, 95)
_TIMES = 5
_WEEKS, _DAYS = 104, 5
_PUBLISHED = (
    ("2 to 10 evenly", (*range(2, 11),), 0.6087),
    ("ten posts", (2, 3, 4, 6, 6, 6, 8, 8, 9, 10), 0.3669),
)
"""Lucas F. da Costa (2021): the chance that sixty posts take 365 days at most."""


def main() -> int:
    """Measure, and print what was found."""
    _say(f"{TRIALS:,} trials, load {os.getloadavg()[0]:.1f}")
    paces = [Pace(closed, _DAYS) for closed in _CLOSED]
    for cards in _CARDS:
        seconds, trials = _timed(cards, paces)
        days = [_day(trials, percent) for percent in _PERCENTS]
        naive = _naive_days(cards, paces)
        naive_days = [naive[-(-percent * TRIALS // 100) - 1] for percent in _PERCENTS]
        _say(
            f"{cards:4} cards: {1000 * seconds:6.1f} ms; working days for 50, 85, 95%: {days},"
            f" day by day {naive_days}"
        )
    for name, draws, published in _PUBLISHED:
        trials = closing_trials(366, [Pace(days, 1) for days in draws], [1] * 60)
        chance = 1 - trials[-1] / TRIALS
        _say(f"{name}: {chance:.2%}, published {published:.2%}")
    return 0


def _timed(cards: int, paces: Sequence[Pace]) -> tuple[float, list[int]]:
    best, trials = float("inf"), list[int]()
    for _ in range(_TIMES):
        begun = process_time()
        trials = closing_trials(cards, paces, [_DAYS] * _WEEKS)
        best = min(best, process_time() - begun)
    return best, trials


def _day(trials: Sequence[int], percent: int) -> int:
    return next(day for day, count in enumerate(trials, 1) if count >= trials_for(percent))


def _naive_days(cards: int, paces: Sequence[Pace]) -> list[int]:
    random, days = Random(1), list[int]()  # noqa: S311  nothing secret
    for _ in range(TRIALS):
        closed, day = 0, 0
        while closed < _DAYS * cards:
            if day % _DAYS == 0:
                pace = random.choice(paces)
            closed += pace.closed
            day += 1
        days.append(day)
    return sorted(days)


def _say(text: str) -> None:
    print(text)  # noqa: T201  what it is for


if __name__ == "__main__":
    sys.exit(main())
