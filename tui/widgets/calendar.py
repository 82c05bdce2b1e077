"""Six weeks with one day chosen, by arrows or a click."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Size

from tui.text.dates import FIRST_YEAR, LAST_YEAR, months_later, week_of
from tui.widgets import glyphs
from tui.widgets.keys import quiet_keys
from tui.widgets.painted import Line, PaintedLines, Span

WEEKS = 6
_WEEK = 7
_MONTH_CELLS, _DAY_CELLS = 4, 3
CALENDAR_CELLS = _MONTH_CELLS + _WEEK * _DAY_CELLS


def first_shown(day: date | None, today: date) -> date:
    """The first of the six weeks: that of today, or that in which the month of `day` begins.

    Any month fits into six weeks, and what is near is always shown together with today.
    """
    first = week_of(today)
    if day is None or first <= day < first + timedelta(weeks=WEEKS):
        return first
    return week_of(day.replace(day=1))


class Calendar(PaintedLines, can_focus=True):
    """Days that can be chosen; `show` follows what was chosen elsewhere.

    `chosen` is called at once, not by a message: the next key may save.

    `is_working` says which days are drawn in the weight of text; those on which
    cards are due have a mark.
    """

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "calendar",
        ("previous-day", "left", "move(-1)", "Previous day"),
        ("next-day", "right", "move(1)", "Next day"),
        ("previous-week", "up", "move(-7)", "A week earlier"),
        ("next-week", "down", "move(7)", "A week later"),
    )
    ground = "raised"

    def __init__(
        self,
        today: date,
        chosen: Callable[[date], None],
        *,
        is_working: Callable[[date], bool] = lambda _: True,
        is_due: Callable[[date], bool] = lambda _: False,
    ) -> None:
        super().__init__()
        self.day: date | None = None
        self._today = today
        self._chosen = chosen
        self._is_working = is_working
        self._is_due = is_due

    def show(self, day: date | None) -> None:
        """Choose a day without saying so."""
        if day != self.day:
            self.day = day
            self.redraw()

    def on_focus(self) -> None:
        self.redraw()

    def on_blur(self) -> None:
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        day = self.day_at(event.x, event.y)
        if day is not None:
            self._choose(day)

    def action_move(self, days: int) -> None:
        self._choose(self._today if self.day is None else self.day + timedelta(days=days))

    def move_months(self, count: int) -> None:
        """Choose the same day of another month, or its last one if it is shorter."""
        self._choose(self._today if self.day is None else months_later(self.day, count))

    def _choose(self, day: date) -> None:
        if FIRST_YEAR <= day.year <= LAST_YEAR:
            self.show(day)
            self._chosen(day)

    def day_at(self, x: int, y: int) -> date | None:
        """The day that is drawn in a cell."""
        column, week = (x - _MONTH_CELLS) // _DAY_CELLS, y - 1
        if not (0 <= column < _WEEK and 0 <= week < WEEKS):
            return None
        return first_shown(self.day, self._today) + timedelta(weeks=week, days=column)

    def lines_now(self, size: Size) -> list[Line]:
        del size
        first = first_shown(self.day, self._today)
        days = [first + timedelta(days=place) for place in range(WEEKS * _WEEK)]
        weeks = [days[start : start + _WEEK] for start in range(0, len(days), _WEEK)]
        year = (self.day or self._today).year
        shown_year = "" if year == self._today.year else str(year)
        names = "".join(f" {day:%a}"[:_DAY_CELLS] for day in weeks[0])
        heading = "accent" if self.has_focus else "quiet"
        return [
            ((f"{shown_year:{_MONTH_CELLS}}", "quiet"), (names, heading)),
            *(self._week(week, is_first=week is weeks[0]) for week in weeks),
            (),
            self._legend(has_due=any(map(self._is_due, days))),
        ]

    def _week(self, days: list[date], *, is_first: bool) -> Line:
        # The month that begins in a week is named beside it; beside the first one always one is.
        named = next((day for day in days if day.day == 1), days[0] if is_first else None)
        month = f"{named:%b}" if named else ""
        cells = (span for day in days for span in self._day(day))
        return ((f"{month:{_MONTH_CELLS}}", "quiet"), *cells)

    def _day(self, day: date) -> tuple[Span, ...]:
        if day == self.day:
            return ((f"{glyphs.BAR}{day.day:2}", "cursor"),)
        sign = (glyphs.DUE if self._is_due(day) else " ", "quiet")
        if day != self._today:
            return (sign, (f"{day.day:2}", "text" if self._is_working(day) else "quiet"))
        number = str(day.day)
        return (sign, (" " * (_DAY_CELLS - 1 - len(number)), "text"), (number, "today"))

    def _legend(self, *, has_due: bool) -> Line:
        today = (f"{self._today.day} {self._today:%b}", "today")
        due = ((f"  {glyphs.DUE} cards due", "quiet"),) if has_due else ()
        return (today, (" today", "quiet"), *due)
