"""Dates parsed from what people type, and formatted for the room on a card.

Every time here is a naive wall-clock time, and “now” always comes from the
caller. What is understood, with `now` a Wednesday:

- `today`, `tomorrow` (`tom`), `yesterday`; `eod` is today, `eow` the coming Friday, today if it
  is one, `eom` the last day of the month;
- `fri`, `friday`: the coming one, never today; `next fri`: the one in the next calendar week;
  `next week`: its first day;
- `+3d`, `+2w`, `+1mo`, `in 3 days`, `in an hour`, `+4h`, `+30min`;
- `2026-12-01`, `1 dec`, `dec 1`, `1 dec 2027`: without a year the next such day, today included;
- behind any day a time: `17:00`, `5pm`, `5:30pm`, `17h`; a time alone is the next such time;
- `2026-12-01T17:00:00+01:00`, as programs write it, is the same moment on the clock here.

A day without a time means the end of the working day, 17:00; today, after 17:00, it means 23:59.
Years from 2039 on are refused, because services store them as no date at all.
"""

import re
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

from tui.errors import WrongInput
from tui.text import cells, clean
from tui.text.clean import counted

END_OF_WORK = time(17)
FIRST_YEAR, LAST_YEAR = 1970, 2038

_END_OF_DAY = time(23, 59)
_HALF_DAY = range(1, 13)
_SHORTEST_NAME = 3
_MINUTE, _HOUR = timedelta(minutes=1), timedelta(hours=1)
_DAY, _WEEK = timedelta(days=1), timedelta(weeks=1)
_DAYS_OF_A_WEEK = 7
_MANY_DAYS = 100
_NEAR_DAYS = 180
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_NAMED_DAYS: dict[str, Callable[[date], date]] = {
    "today": lambda today: today,
    "eod": lambda today: today,
    "tomorrow": lambda today: today + timedelta(days=1),
    "tom": lambda today: today + timedelta(days=1),
    "yesterday": lambda today: today - timedelta(days=1),
    "eow": lambda today: today + timedelta(days=(4 - today.weekday()) % 7),
    "eom": lambda today: today.replace(day=_days_in(today.year, today.month)),
    "next week": lambda today: week_of(today) + _WEEK,
}
UNITS = {
    **dict.fromkeys(("min", "mins", "minute", "minutes"), "minutes"),
    **dict.fromkeys(("h", "hour", "hours"), "hours"),
    **dict.fromkeys(("d", "day", "days"), "days"),
    **dict.fromkeys(("w", "week", "weeks"), "weeks"),
    **dict.fromkeys(("mo", "month", "months"), "months"),
}
"""Typed names of units of time; all but months are those of a `timedelta`."""

# Compiled by `re` when first used.
_SPAN = r"(?:\+ ?|in )(\d{1,4}|an?(?= )) ?([a-z]+)"
_CLOCK = r"(?:^|(?<=[ t]))(?:at )?(\d{1,2})(?::(\d\d)(?::\d\d)?|h(\d\d)?)? ?([ap]m)?$"
_ISO = r"(\d{4})-(\d{1,2})-(\d{1,2})"
_DAY_MONTH = r"(\d{1,2})(?:st|nd|rd|th|\.)? ([a-z]{3,9})\.?(?: (\d{4}))?"
_MONTH_DAY = r"([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th|\.)?(?: (\d{4}))?"


class Customs(NamedTuple):
    """How the user writes dates: with `is_iso` all as 2026-12-12.

    A week begins on `first_day`, from Monday as 0. `year` is the one that need not be said; with 0
    every year is.
    """

    is_iso: bool = False
    first_day: int = 0
    year: int = 0


customs: ContextVar[Customs] = ContextVar("customs", default=Customs())  # noqa: B039  frozen
"""The customs of the user, set once at the start, as a locale is."""


def week_of(day: date) -> date:
    """The first day of the week of a day."""
    return day - timedelta(days=(day.weekday() - customs.get().first_day) % _DAYS_OF_A_WEEK)


def end_of_week(day: date) -> datetime:
    """The midnight, as a wall-clock time, before which a time is in the week of a day."""
    return datetime.combine(week_of(day) + timedelta(days=_DAYS_OF_A_WEEK), time())


class NotADate(WrongInput):
    """The text is not a valid date; the hint says what is."""

    def __init__(self, words: str, hint: str = "") -> None:
        shown = cells.cut(clean.line(words).strip(), 40)
        super().__init__(
            f"“{shown}” is not a valid date." if shown else "Date is required.",
            hint=hint
            or "Type a day such as fri, tomorrow, +3d, 1 dec or 2026-12-01, and a time such as"
            f" 17:00 behind it if it matters; the year can be {LAST_YEAR} at most.",
        )


def parse_when(words: str, now: datetime) -> datetime:
    """The time meant by `words` at the wall-clock time `now`.

    Raises `NotADate`. The accepted forms are listed in this module's docstring.
    """
    text = " ".join(words.casefold().replace(",", " ").split())
    try:
        when = _stamped(words) or _moment(text, now) or _day_and_time(text, now)
    except (ValueError, OverflowError):
        when = None
    if when is None or not FIRST_YEAR <= when.year <= LAST_YEAR:
        raise NotADate(words)
    return when


def _stamped(words: str) -> datetime | None:
    # As programs write it, on the clock of this machine.
    try:
        at = datetime.fromisoformat(words.strip())
    except ValueError:
        return None
    # Without an offset it is what a person types, and a date alone means the end of work.
    return local(at).replace(second=0, microsecond=0) if at.tzinfo else None


def _moment(text: str, now: datetime) -> datetime | None:
    # A span of hours or minutes from now, which includes the time of day.
    span = _span(text)
    if span is None or span[1] not in ("hours", "minutes"):
        return None
    return now.replace(second=0, microsecond=0) + timedelta(**{span[1]: span[0]})


def _day_and_time(text: str, now: datetime) -> datetime | None:
    day = _day(text, now.date())
    if day is not None:
        late = day == now.date() and now.time() > END_OF_WORK
        return datetime.combine(day, _END_OF_DAY if late else END_OF_WORK)
    clock = re.search(_CLOCK, text)
    if clock is None:
        return None
    at = _time_of(clock)
    # The T of ISO 8601 stands between date and time.
    day_words = text[: clock.start()].rstrip(" t" if re.match(_ISO, text) else " ")
    if day_words:
        day = _day(day_words, now.date())
        return None if day is None or at is None else datetime.combine(day, at)
    if at is None:
        return None
    when = datetime.combine(now.date(), at)
    return when if when >= now else when + timedelta(days=1)


def _time_of(clock: re.Match[str]) -> time | None:
    hour, minute, short_minute, half = clock.groups()
    if not (minute or half or clock[0].rstrip("0123456789").endswith("h")):
        return None
    number = int(hour)
    if half:
        if number not in _HALF_DAY:
            return None
        number = number % len(_HALF_DAY) + (len(_HALF_DAY) if half == "pm" else 0)
    return time(number, int(minute or short_minute or 0))


def _day(text: str, today: date) -> date | None:
    if text in _NAMED_DAYS:
        return _NAMED_DAYS[text](today)
    span = _span(text)
    if span is not None:
        return _later(today, *span)
    iso = re.fullmatch(_ISO, text)
    if iso:
        return date(int(iso[1]), int(iso[2]), int(iso[3]))
    weekday = _named(text.removeprefix("next "), _WEEKDAYS)
    if weekday is None:
        return _day_of_month(text, today)
    if text.startswith("next "):
        coming = week_of(today) + _WEEK
        return coming + timedelta(days=(weekday - coming.weekday()) % _DAYS_OF_A_WEEK)
    # From 1 to 7 days ahead, so never today.
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def parse_past_day(words: str, today: date) -> date:
    """The day, today at the latest, meant by `words`: `fri` is the last one, never today.

    `3d` and `3 days ago` are understood too. Raises `NotADate`.
    """
    text = " ".join(words.casefold().split())
    try:
        day = _past_day(text, today)
    except (ValueError, OverflowError):
        day = None
    if day is None or day > today or day.year < FIRST_YEAR:
        raise NotADate(
            words, hint="Type a past day such as yesterday, fri, 3d, 1 dec or 2026-12-01."
        )
    return day


def _past_day(text: str, today: date) -> date | None:
    weekday = _named(text.removeprefix("last "), _WEEKDAYS)
    if weekday is not None:
        return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    span = _span(f"+{text.removeprefix('-').removesuffix(' ago')}")
    if span is not None:
        return _later(today, -span[0], span[1])
    if text in _NAMED_DAYS or re.fullmatch(_ISO, text):
        return _day(text, today)
    # The next such day, seen from a year ago, is the last one.
    return _day_of_month(text, months_later(today, -12) + timedelta(days=1))


def _day_of_month(text: str, today: date) -> date | None:
    if match := re.fullmatch(_DAY_MONTH, text):
        day, name, year = match.groups()
    elif match := re.fullmatch(_MONTH_DAY, text):
        name, day, year = match.groups()
    else:
        return None
    month = _named(name, _MONTHS)
    if month is None:
        return None
    if year:
        return date(int(year), month + 1, int(day))
    # 29 February may be some years ahead.
    for coming in range(today.year, LAST_YEAR + 1):
        if int(day) <= _days_in(coming, month + 1):
            when = date(coming, month + 1, int(day))
            if when >= today:
                return when
    return None


def _span(text: str) -> tuple[int, str] | None:
    match = re.fullmatch(_SPAN, text)
    if match is None or match[2] not in UNITS:
        return None
    return (int(match[1]) if match[1].isdecimal() else 1), UNITS[match[2]]


def _later(today: date, count: int, unit: str) -> date | None:
    if unit == "months":
        return months_later(today, count)
    return today + timedelta(**{unit: count}) if unit in ("days", "weeks") else None


def months_later(day: date, count: int) -> date:
    """The same day of another month, or its last one if it is shorter."""
    years, month = divmod(day.month - 1 + count, 12)
    year = day.year + years
    return date(year, month + 1, min(day.day, _days_in(year, month + 1)))


def _days_in(year: int, month: int) -> int:
    from calendar import monthrange  # with all of `locale`, for what is typed alone

    return monthrange(year, month)[1]


def _named(start: str, names: tuple[str, ...]) -> int | None:
    # At least three letters.
    if len(start) < _SHORTEST_NAME:
        return None
    return next((index for index, name in enumerate(names) if name.startswith(start)), None)


def day_in_words(day: date, year: int) -> str:
    """A day: `Fri 20 Nov`, with its year if that is not `year`."""
    words = f"{day:%a} {day.day} {day:%b}"
    return words if day.year == year else f"{words} {day.year}"


def in_words(when: datetime, *, has_clock: bool = True) -> str:
    """A time by itself, as the user writes it: `Fri 20 Nov 17:00`, or the day alone."""
    is_iso, _, year = customs.get()
    day = f"{when:%Y-%m-%d}" if is_iso else day_in_words(when, year)
    return f"{day} {when:%H:%M}" if has_clock else day


def stamp_in_words(text: str) -> str:
    """A time or a day as services write it, in words; anything else as it is."""
    text = text.strip()
    try:
        # The hyphen is required because `fromisoformat` also takes digits alone, such as 20261101.
        when = datetime.fromisoformat(text) if text[:4].isdecimal() and "-" in text else None
    except ValueError:
        return text
    if when is None:
        return text
    return in_words(local(when) if when.tzinfo else when, has_clock=":" in text)


def relative(when: datetime, now: datetime) -> str:
    """A time in the short form of cards: `2d overdue`, `today 17:00`, `fri`, `12 dec`."""
    days = (when.date() - now.date()).days
    if customs.get().is_iso:
        return f"{_iso(when, now)}{' overdue' if when < now else ''}"
    if when < now:
        return overdue(when, now)
    if days == 0:
        return f"today {when:%H:%M}"
    if days == 1:
        return "tomorrow"
    return _short_day(when, now, days)


def overdue(due: datetime, now: datetime) -> str:
    """How long a date has passed: `2d overdue`; from 100 days on in weeks or years."""
    count, unit = age(due, now)
    if unit == "day" and count >= _MANY_DAYS:  # so that a column stays narrow
        many = _DAYS_OF_A_WEEK * _MANY_DAYS
        count, unit = (count // _DAYS_OF_A_WEEK, "week") if count < many else (count // 365, "year")
    return f"{count}{unit[0]} overdue"


def _iso(when: datetime, now: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M}" if when.date() == now.date() else f"{when:%Y-%m-%d}"


def _short_day(when: datetime, now: datetime, days: int) -> str:
    if days < _DAYS_OF_A_WEEK:
        return _WEEKDAYS[when.weekday()][:3]
    month = _MONTHS[when.month - 1][:3]
    near = when.year == now.year or days < _NEAR_DAYS
    return f"{when.day} {month}" if near else f"{month} {when.year}"


def past(when: datetime, now: datetime) -> str:
    """A past day in the short form of lists: `today`, `fri`, `2 nov`, `aug 2025`."""
    days = (now.date() - when.date()).days
    if days <= 0:
        return "today"
    if customs.get().is_iso:
        return f"{when:%Y-%m-%d}"
    return _short_day(when, now, days)


def ago(when: datetime, now: datetime) -> str:
    """A past time in the short form of lists: `now`, `5m`, `2h`, and from a day on as `past`."""
    count, unit = age(when, now)
    if unit == "day":
        return past(when, now)
    return "now" if (count, unit) == (1, "minute") else f"{count}{unit[0]}"


def elapsed(when: datetime, now: datetime) -> str:
    """How long ago a time was: `just now`, `5m ago`, `3d ago`."""
    if now - when < _MINUTE:
        return "just now"
    if customs.get().is_iso:
        return _iso(when, now)
    count, unit = age(when, now)
    return f"{count}{unit[0]} ago"


def past_time(when: datetime, now: datetime) -> str:
    """A past time in the fewest cells: `2h ago`, `Fri 16:19`, `Mon 9 Nov`, `9 Nov 2025`."""
    days = (now.date() - when.date()).days
    if customs.get().is_iso:
        return _iso(when, now)
    if days < 1:
        return elapsed(when, now)
    if days < _DAYS_OF_A_WEEK:
        return f"{when:%a %H:%M}"
    day = f"{when.day} {when:%b}"
    return f"{when:%a} {day}" if when.year == now.year else f"{day} {when.year}"


def spoken(when: datetime, now: datetime, *, past: str = "overdue") -> str:
    """A time in the long form: `Friday 12 December 2026, 17:00 (in 3 days)`.

    `past` is the word for a past time: a due date is `overdue`, an event is `ago`.
    """
    weekday, month = _WEEKDAYS[when.weekday()].capitalize(), _MONTHS[when.month - 1].capitalize()
    days = (when.date() - now.date()).days
    if when < now:
        distance = f"{counted(*age(when, now))} {past}"
    elif days > 1:
        distance = f"in {counted(days, 'day')}"
    else:
        distance = "tomorrow" if days else "today"
    return f"{weekday} {when.day} {month} {when.year}, {when:%H:%M} ({distance})"


def age(early: datetime, late: datetime) -> tuple[int, str]:
    """The time between two times, as a number of minutes, hours or days.

    From a day on, midnights are counted.
    """
    between = late - early
    if between < _HOUR:
        return max(1, between // _MINUTE), "minute"
    if between < _DAY:
        return between // _HOUR, "hour"
    return (late.date() - early.date()).days, "day"


def wall_clock() -> datetime:
    """The local time without a zone, like due dates."""
    return datetime.now().astimezone().replace(tzinfo=None)


def local(instant: datetime) -> datetime:
    """An aware time as local wall-clock time."""
    return instant.astimezone().replace(tzinfo=None)


def stamp(at: datetime, zone: tzinfo | None = None) -> str:
    """A time for programs, with the offset of a zone, or of this machine.

    A naive one is a wall-clock time there. `parse_when` reads what this writes.
    """
    if at.tzinfo is None and zone is not None:
        at = at.replace(tzinfo=zone)
    try:
        return at.astimezone(zone).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):  # at the limits of the calendar
        return at.replace(tzinfo=UTC).isoformat(timespec="seconds")


class LocalZone(tzinfo):
    """The zone of this machine, with the offset that it has or had at each time."""

    def utcoffset(self, at: datetime | None) -> timedelta | None:
        return at.replace(tzinfo=None).astimezone().utcoffset() if at else None

    def dst(self, _at: datetime | None) -> timedelta | None:
        return None

    def tzname(self, at: datetime | None) -> str | None:
        return at.replace(tzinfo=None).astimezone().tzname() if at else None

    def fromutc(self, at: datetime) -> datetime:
        instant = at.replace(tzinfo=UTC).astimezone()
        is_repeated = instant.utcoffset() != self.utcoffset(instant)  # the second time of the hour
        return instant.replace(tzinfo=self, fold=is_repeated)
