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
    for days, drawn in zip(coming, _draws(len(rates)), strict=False):
        after = list(map(add, totals, _gains(rates, days, drawn)))
        closed_on: Counter[int] = Counter()
        if max(after) >= needed:
            closed_on.update(
                # Rounded up: the first day at whose end the cards are closed.
                -((total - needed) // rates[week])
                for total, week, new in zip(totals, drawn, after, strict=True)
                if total < needed <= new
            )
        closed += (closed_on[day] for day in range(1, days + 1))
        remaining -= closed_on.total()
        if not remaining:
            break
        totals = after
    return list(accumulate(closed))


def closed_cards(paces: Sequence[Pace], coming: Iterable[int]) -> list[int]:
    """How many cards each trial has closed by the end of the weeks to come, the fewest first."""
    unit, rates = _rates(paces)
    totals = [0] * TRIALS
    for days, drawn in zip(coming, _draws(len(rates)), strict=False):
        totals = list(map(add, totals, _gains(rates, days, drawn)))
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


def _gains(rates: Sequence[int], days: int, drawn: bytes) -> Iterable[int]:
    # What each trial closes in so many days. Where it fits into bytes, looking it up is one call.
    gains = [rate * days for rate in rates]
    if max(gains) < _BYTES:
        return drawn.translate(bytes(gains).ljust(_BYTES))
    return map(gains.__getitem__, drawn)


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
