"""Working days, and the time that a standup covers: from midnight in the user's zone until now."""

from datetime import date, datetime, time, timedelta

from tui.record import record

READ_BACK = timedelta(days=30)
"""How much further back than the window logs are read, for ages and usual times in stages."""
_DAY = timedelta(days=1)
_LONGEST_BREAK = 366
"""How many days are looked through for a working day."""


def midnight(day: date, now: datetime) -> datetime:
    """The beginning of a day in the zone of `now`."""
    return datetime.combine(day, time(), now.tzinfo)


@record
class WorkingDays:
    """The weekdays on which a team works, from Monday as 0, and the days on which it does not."""

    weekdays: frozenset[int] = frozenset(range(5))
    holidays: frozenset[date] = frozenset()

    def include(self, day: date) -> bool:
        """Whether it is a working day."""
        return day.weekday() in self.weekdays and day not in self.holidays

    def since(self, now: datetime) -> datetime:
        """The beginning of the last working day before today."""
        return self.earlier(midnight(now.date(), now))

    def earlier(self, since: datetime) -> datetime:
        """The beginning of the last working day before the one of `since`."""
        day = since.date() - _DAY
        for back in range(_LONGEST_BREAK):
            if self.include(day - back * _DAY):
                return midnight(day - back * _DAY, since)
        return midnight(day, since)

    def later(self, since: datetime, now: datetime) -> datetime:
        """The beginning of the first working day after the one of `since`, today at the latest."""
        day, today = since.date() + _DAY, now.date()
        while day < today and not self.include(day):
            day += _DAY
        return midnight(min(day, today), now)
