"""A forecast in days: by when so many cards are closed, and how many are closed by a day.

Work goes on from tomorrow on, on working days: what is closed today counts already.
"""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from tui.model.forecast.simulation import (
    TRIALS,
    Pace,
    at_least,
    closed_cards,
    closing_trials,
    trials_for,
)
from tui.model.forecast.throughput import ClosedWeek, working_days_of
from tui.model.standup.window import WorkingDays
from tui.record import record
from tui.text.dates import week_of

LIKELY = (50, 85, 95)
"""The percentages of which a forecast names the days."""
WEEKS_AHEAD = 104
_WEEK = timedelta(days=7)


class WeekEnd(NamedTuple):
    """The last working day of a week, and in how many trials the cards are closed by its end."""

    day: date
    trials: int


@record
class Outlook:
    """In how many of the trials so many cards are closed by the end of each working day to come.

    `days` end with the week in which they are closed in all trials, or after `WEEKS_AHEAD` weeks.
    """

    cards: int
    days: tuple[date, ...]
    trials: tuple[int, ...]

    def day_for(self, percent: int) -> date | None:
        """The first day by which they are closed with this chance; None if it is too far ahead."""
        index = bisect_left(self.trials, trials_for(percent))
        return self.days[index] if index < len(self.days) else None

    def trials_by(self, day: date) -> int:
        """In how many trials they are closed by the end of a day."""
        past = sum(working_day <= day for working_day in self.days)
        return self.trials[past - 1] if past else 0

    def week_ends(self) -> list[WeekEnd]:
        """The last working day of each week, with the trials by then.

        Weeks in which the cards are closed in hardly any or in nearly all trials are left out, but
        for the nearest of each.
        """
        by_day = zip(self.days, self.trials, strict=True)
        ends = list({week_of(day): WeekEnd(day, trials) for day, trials in by_day}.values())
        least = max((at for at, end in enumerate(ends) if is_hardly(end.trials)), default=0)
        most = (at for at, end in enumerate(ends) if is_nearly_all(end.trials))
        return ends[least : next(most, len(ends)) + 1]


def is_hardly(trials: int) -> bool:
    """Whether so many trials are less than 1%."""
    return trials * 100 < TRIALS


def is_nearly_all(trials: int) -> bool:
    """Whether so many trials are more than 99%."""
    return trials * 100 > 99 * TRIALS


def outlook(cards: int, weeks: Sequence[ClosedWeek], today: date, calendar: WorkingDays) -> Outlook:
    """By when so many cards, one or more, will be closed at the paces of past weeks."""
    coming = _weeks_ahead(today, calendar, WEEKS_AHEAD)
    trials = closing_trials(cards, paces(weeks), map(len, coming))
    days = [day for week in coming for day in week]
    return Outlook(cards, tuple(days[: len(trials)]), tuple(trials))


def closed_by(
    day: date, weeks: Sequence[ClosedWeek], today: date, calendar: WorkingDays
) -> dict[int, int]:
    """How many cards will at least be closed by the end of a day, for each of `LIKELY`."""
    weeks_ahead = (week_of(day) - week_of(today)).days // 7 + 1
    coming = [
        sum(working_day <= day for working_day in days)
        for days in _weeks_ahead(today, calendar, min(weeks_ahead, WEEKS_AHEAD))
    ]
    closed = closed_cards(paces(weeks), coming)
    return {percent: at_least(closed, percent) for percent in LIKELY}


def paces(weeks: Sequence[ClosedWeek]) -> list[Pace]:
    """The paces of past weeks."""
    return [Pace(week.closed, week.working_days) for week in weeks]


def _weeks_ahead(today: date, calendar: WorkingDays, count: int) -> list[list[date]]:
    # The working days from tomorrow on, week by week, also of weeks that have none left.
    first = week_of(today)
    weeks = (working_days_of(first + index * _WEEK, calendar) for index in range(count))
    return [[day for day in days if day > today] for days in weeks]
