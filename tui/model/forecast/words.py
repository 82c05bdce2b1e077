"""A forecast in words, as the screen, the command line and agents say it."""

from collections.abc import Iterator
from datetime import date, timedelta

from tui.model.forecast.forecast import Forecast
from tui.model.forecast.outlook import LIKELY, is_hardly, is_nearly_all
from tui.model.forecast.simulation import TRIALS
from tui.model.forecast.throughput import FEWEST_CARDS, FEWEST_WEEKS
from tui.model.standup.window import WorkingDays
from tui.text.clean import counted, line
from tui.text.dates import customs, day_in_words

_FAR = timedelta(days=300)
"""From when on a day is said with its year."""
_DAY = timedelta(days=1)


def day_words(day: date, today: date) -> str:
    """A day, with its year only where that is not plain."""
    if customs.get().is_iso:
        return day.isoformat()
    return day_in_words(day, day.year if abs(day - today) < _FAR else 0)


def chance_words(trials: int) -> str:
    """The share of the trials; never 0% or 100%, which no forecast can promise."""
    if is_hardly(trials):
        return "<1%"
    return ">99%" if is_nearly_all(trials) else f"{trials * 100 // TRIALS}%"


def why_not(shown: Forecast) -> str:
    """Why there is no forecast, in whole sentences; empty if there is one."""
    weeks, cards = len(shown.throughput.weeks), shown.throughput.cards
    if not shown.throughput.is_enough:
        known = f"{counted(weeks, 'week')}, {counted(cards, 'card')}"
        needed = f"{FEWEST_WEEKS} weeks and {FEWEST_CARDS} cards"
        return f"Not enough history: {known}. A forecast needs {needed}."
    return "" if shown.cards else "No open cards: there is nothing to forecast."


def subject(shown: Forecast) -> str:
    """The cards that the forecast is about, such as “20 open cards”."""
    if shown.question.cards:
        return counted(shown.cards, "card")
    return counted(shown.open, "open card")


def dates_said(shown: Forecast) -> Iterator[tuple[str, str]]:
    """The percentages, each with its day in words, up to the first that is too far ahead."""
    if shown.outlook is None:
        return
    for percent in LIKELY:
        day = shown.outlook.day_for(percent)
        if day is None:
            yield f"{percent}%", "not within two years"
            return
        yield f"{percent}%", f"by {day_words(day, shown.today)}"


def headline(shown: Forecast) -> str:
    """The forecast in a sentence, or why there is none."""
    dates = ", ".join(f"{percent} {words}" for percent, words in dates_said(shown))
    return f"{subject(shown)}: {dates}" if dates else why_not(shown)


def basis(shown: Forecast, *, is_short: bool = False) -> str:
    """What the forecast stands on, and what it assumes."""
    known = shown.throughput
    from_words = f"from {counted(len(known.weeks), 'week')}, {counted(known.cards, 'card')}"
    past_filter = shown.question.past_filter
    if past_filter is not None:
        which = f" matching {line(past_filter)}" if past_filter else ""
        from_words = f"{from_words} closed{which}"
    if len(shown.boards) > 1:
        from_words = f"{from_words} on {len(shown.boards)} boards"
    no_new = "assumes the board gets no new cards"
    if is_short:
        no_new = "no new cards"
    elif shown.is_of_view:
        no_new = "assumes no new cards"
    return " · ".join((from_words, no_new, _days_said(shown)))


def by_day(shown: Forecast, day: date) -> str:
    """How many cards will be closed by a day, in a sentence; empty without enough history."""
    if not shown.throughput.is_enough:
        return ""
    closed = shown.closed_by_day if day == shown.question.day else shown.closed_on(day)
    pairs = iter(closed.items())
    percent, cards = next(pairs)
    amounts = [f"{percent}% at least {counted(cards, 'card')}"]
    amounts += (f"{percent}% {cards}" for percent, cards in pairs)
    whole = ""
    if shown.outlook is not None:
        chance = chance_words(shown.outlook.trials_by(day))
        whole = f"; all {shown.cards}: {chance}"
    return f"By {day_words(day, shown.today)}: {', '.join(amounts)}{whole}"


def _days_said(shown: Forecast) -> str:
    # The working days that the forecast counts, and the days off among them.
    calendar, days = shown.calendar, weekdays_said(shown.calendar)
    off = 0
    if shown.outlook is not None and shown.outlook.days:
        last = shown.outlook.days[-1]
        off = sum(
            shown.today < day <= last and day.weekday() in calendar.weekdays
            for day in calendar.holidays
        )
    return f"{days}, {counted(off, 'holiday')} off" if off else days


def weekdays_said(calendar: WorkingDays) -> str:
    """The working days of a week: Mon–Fri, or each of them."""
    days = sorted(calendar.weekdays)
    names = [f"{date(2024, 1, 1) + day * _DAY:%a}" for day in days]  # 1 January 2024 is a Monday
    is_run = len(days) > 2 and days[-1] - days[0] == len(days) - 1  # noqa: PLR2004
    return f"{names[0]}–{names[-1]}" if is_run else ", ".join(names)
