"""The Monte Carlo simulation of a forecast: past weeks, drawn at random for the weeks to come.

Each trial draws a past week for each week to come and works at its pace: the cards closed in it,
spread over its working days. A whole week is drawn, not single days, so that good and bad weeks
stay what they were: drawn days would average them away, and promise too much.

The draws depend on nothing but the number of past weeks. So two people see the same forecast, and
in each trial more cards are never closed sooner: “by when” and “how many” are read from the same
trials and cannot contradict each other.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from math import lcm
from operator import add
from random import Random

from tui.record import record

TRIALS = 10_000
_SEED = 46
_BYTES = 256
_ENDED = -(2**60)
"""The total of a trial that is over."""


@record
class Pace:
    """How many cards were closed within so many working days of a week, one or more."""

    closed: int
    days: int


def closing_trials(cards: int, paces: Sequence[Pace], coming: Iterable[int]) -> list[int]:
    """In how many trials so many cards are closed by the end of each working day to come.

    `coming` are the numbers of working days of the weeks to come. The list ends with the week in
    which the cards are closed in all trials.
    """
    unit, rates = _rates(paces)
    needed, totals, closed = cards * unit, [0] * TRIALS, list[int]()
    remaining = TRIALS
    for weeks in _together(rates, coming):
        after = list(map(add, totals, weeks.gains()))
        ended = [trial for trial, total in enumerate(after) if total >= needed]
        closed_on = Counter(weeks.day_of(trial, needed - totals[trial]) for trial in ended)
        remaining -= len(ended)
        days = weeks.days if remaining else weeks.end_of_week(max(closed_on))
        closed += (closed_on[day] for day in range(1, days + 1))
        if not remaining:
            break
        for trial in ended:
            after[trial] = _ENDED
        totals = after
    return list(accumulate(closed))


def closed_cards(paces: Sequence[Pace], coming: Iterable[int]) -> list[int]:
    """How many cards each trial has closed by the end of the weeks to come, the fewest first."""
    unit, rates = _rates(paces)
    totals = [0] * TRIALS
    for weeks in _together(rates, coming):
        totals = list(map(add, totals, weeks.gains()))
    return sorted(total // unit for total in totals)


def trials_for(percent: int) -> int:
    """How many trials make so many percent, rounded up."""
    return -(-percent * TRIALS // 100)


def at_least(closed: Sequence[int], percent: int) -> int:
    """The number of cards that so many percent of the trials, sorted, have closed at least."""
    return closed[TRIALS - trials_for(percent)]


def _rates(paces: Sequence[Pace]) -> tuple[int, list[int]]:
    # Cards a day as whole numbers of a unit: sums of floats could miss a card at the end of a week.
    unit = lcm(*(pace.days for pace in paces))
    return unit, [pace.closed * (unit // pace.days) for pace in paces]


@record
class _Weeks:
    """Some of the weeks to come, each with its working days and the past weeks that are drawn."""

    rates: Sequence[int]
    weeks: Sequence[tuple[int, bytes]]

    @property
    def days(self) -> int:
        """How many working days they have."""
        return sum(days for days, _ in self.weeks)

    def gains(self) -> Iterable[int]:
        """What each trial closes in them."""
        if len(self.weeks) == 1:
            ((days, drawn),) = self.weeks
            return map([rate * days for rate in self.rates].__getitem__, drawn)
        # The bytes of all trials are added as one number, a thousand times as fast as one by one.
        total = 0
        for days, drawn in self.weeks:
            table = bytes(rate * days for rate in self.rates).ljust(_BYTES)
            total += int.from_bytes(drawn.translate(table), "little")
        return total.to_bytes(TRIALS, "little")

    def day_of(self, trial: int, missing: int) -> int:
        """The day on which a trial closes what is missing; it does so within these weeks."""
        passed = 0
        for days, drawn in self.weeks:
            rate = self.rates[drawn[trial]]
            if rate * days >= missing:
                # Rounded up: the first day at whose end the cards are closed.
                return passed - (-missing // rate)
            missing -= rate * days
            passed += days
        raise AssertionError(missing)

    def end_of_week(self, day: int) -> int:
        """The last day of the week with this day."""
        ends = accumulate(days for days, _ in self.weeks)
        return next(end for end in ends if end >= day)


def _together(rates: Sequence[int], coming: Iterable[int]) -> Iterator[_Weeks]:
    # As many weeks at a time as no trial can close more in than fits into a byte, one at least.
    weeks, most = list[tuple[int, bytes]](), 0
    for days, drawn in zip(coming, _draws(len(rates)), strict=False):
        gain = max(rates) * days
        if weeks and most + gain >= _BYTES:
            yield _Weeks(rates, weeks)
            weeks, most = [], 0
        weeks.append((days, drawn))
        most += gain
    if weeks:
        yield _Weeks(rates, weeks)


def _draws(weeks: int) -> Iterator[bytes]:
    # For each week to come, the index of a past week for each trial. Bytes are drawn and mapped at
    # once, which takes a hundredth of the time of drawing numbers; those from the last multiple of
    # `weeks` on are drawn again, because they would favour the first weeks.
    random = Random(_SEED)  # noqa: S311  nothing secret
    table = bytes(value % weeks for value in range(_BYTES))
    too_large = bytes(range(_BYTES - _BYTES % weeks, _BYTES))
    while True:
        drawn = b""
        while len(drawn) < TRIALS:
            drawn += random.randbytes(TRIALS).translate(table, too_large)
        yield drawn[:TRIALS]
