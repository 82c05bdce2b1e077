"""Which days a timeline shows, and in which cells each of them is drawn."""

from datetime import date, timedelta
from enum import StrEnum

from tui.record import record
from tui.text.dates import FIRST_YEAR, LAST_YEAR, week_of

_DAYS_OF_A_WEEK = 7
_DAYS_OF_A_CELL = 2
"""How many days share a cell where months are shown."""


class Zoom(StrEnum):
    """How much room a day has; the first member has the most."""

    DAYS = "days"
    WEEKS = "weeks"
    MONTHS = "months"

    def step(self, by: int) -> "Zoom":
        """The next zoom with more room for a day, or with -1 with less; at an end the same one."""
        every = list(Zoom)
        return every[max(0, min(every.index(self) - by, len(every) - 1))]


@record
class Scale:
    """The days from `first` on, in `width` cells; in a narrow terminal a week has half as many.

    Cells are counted from the first one in sight, so those of earlier days are negative.
    """

    first: date
    zoom: Zoom
    width: int
    is_narrow: bool = False

    @property
    def cells_a_day(self) -> int:
        """The cells of a day; 0 where several days share one."""
        return {Zoom.DAYS: 6, Zoom.WEEKS: 1 if self.is_narrow else 2, Zoom.MONTHS: 0}[self.zoom]

    def cell_of(self, day: date) -> int:
        """The first cell of a day."""
        days = (day - self.first).days
        return days * self.cells_a_day if self.cells_a_day else days // _DAYS_OF_A_CELL

    def end_of(self, day: date) -> int:
        """The cell in which a bar ends that lasts until a day; the next day begins after a gap."""
        return self.cell_of(day) + max(0, self.cells_a_day - 2)

    def day_at(self, cell: int) -> date:
        """The day, or the first of the days, that is drawn in a cell."""
        days = cell // self.cells_a_day if self.cells_a_day else cell * _DAYS_OF_A_CELL
        return self.first + timedelta(days=days)

    def is_in_sight(self, day: date) -> bool:
        """Whether the first cell of a day is in sight."""
        return 0 <= self.cell_of(day) < self.width

    @property
    def day_count(self) -> int:
        """How many days have their first cell in sight."""
        if not self.cells_a_day:
            return max(0, self.width) * _DAYS_OF_A_CELL
        return -(-max(0, self.width) // self.cells_a_day)

    def days(self) -> list[date]:
        """The days whose first cell is in sight."""
        return [self.first + timedelta(days=number) for number in range(self.day_count)]


def first_day(today: date, scale: Scale) -> date:
    """The first day of a week from which on today is in sight, before the middle."""
    return within_years(
        week_of(today) - timedelta(weeks=scale.day_count * 2 // 5 // _DAYS_OF_A_WEEK)
    )


def scrolled(first: date, weeks: int) -> date:
    """The first day after scrolling by weeks."""
    return within_years(first + timedelta(days=weeks * _DAYS_OF_A_WEEK))


def within_years(day: date) -> date:
    """The day, or the nearest one with a year that services can store."""
    return max(date(FIRST_YEAR, 1, 1), min(day, date(LAST_YEAR, 12, 31)))
