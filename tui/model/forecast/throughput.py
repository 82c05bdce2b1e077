"""What a forecast stands on: how many cards were closed in each of the last whole weeks."""

from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from itertools import count

from tui.model.events.history import BEGINNING, BoardHistory
from tui.model.standup.insight import begun_at, closings_known_since
from tui.model.standup.window import WorkingDays, midnight
from tui.record import record
from tui.text.dates import week_of

FEWEST_WEEKS, FEWEST_CARDS = 5, 10
"""With less history there is no forecast."""
_DAY, _WEEK = timedelta(days=1), timedelta(days=7)


@record
class ClosedWeek:
    """How many cards were closed in the week from `begins` on, which has so many working days."""

    begins: date
    closed: int
    working_days: int


@record
class Throughput:
    """The weeks that count, the oldest first."""

    weeks: tuple[ClosedWeek, ...]

    @property
    def cards(self) -> int:
        """How many cards were closed in them."""
        return sum(week.closed for week in self.weeks)

    @property
    def is_enough(self) -> bool:
        """Whether a forecast can stand on it."""
        return len(self.weeks) >= FEWEST_WEEKS and self.cards >= FEWEST_CARDS


def throughput(
    closed_on: Iterable[date], since: date | None, today: date, calendar: WorkingDays, most: int
) -> Throughput:
    """The last weeks, `most` at most, that are over, known whole, and have a working day.

    All that was closed from `since` on is known, nothing if that is None. A week is over once its
    last working day is: a half one would count as a slow one. What was closed on a day off counts.
    """
    closed = Counter(map(week_of, closed_on))
    weeks: list[ClosedWeek] = []
    for begins in (week_of(today) - back * _WEEK for back in count()):
        days = working_days_of(begins, calendar)
        if since is None or len(weeks) == most or begins + _WEEK <= since:
            break
        if days and since <= days[0] and days[-1] < today:
            weeks.append(ClosedWeek(begins, closed[begins], len(days)))
    return Throughput(tuple(reversed(weeks)))


def working_days_of(begins: date, calendar: WorkingDays) -> list[date]:
    """The working days of the week that begins on a day."""
    days = (begins + _DAY * index for index in range(7))
    return [day for day in days if calendar.include(day)]


def closings_known_from(histories: Iterable[BoardHistory], now: datetime) -> date | None:
    """The first day from which on all closed cards of boards are known; None if there is none.

    Weeks before there was the first of the boards do not count.
    """
    begun: list[date] = []
    known: list[date] = []
    for history in histories:
        since = closings_known_since(history)
        if since is None:
            return None
        if since != BEGINNING:
            since = since.astimezone(now.tzinfo)
            is_whole_day = since == midnight(since.date(), since)
            known.append(since.date() if is_whole_day else since.date() + _DAY)
        elif (at := begun_at(history)) is not None:
            begun.append(at.astimezone(now.tzinfo).date())
    return max(known) if known else min(begun, default=None)
