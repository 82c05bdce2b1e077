"""Dates and times as programs write them, as wall-clock times of this machine.

A day without a time means the end of work, as everywhere in the program. Only words that mean the
same day in every country are read: those with a month as a name, or with the year first, or with
dots, but no 12/01/2026.
"""

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import NamedTuple

from tui.text.dates import END_OF_WORK, FIRST_YEAR, LAST_YEAR, local

_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?"
_MONTH = r"(?P<name>[a-z]{3,9})\.?,?"
_TIME = (
    r"(?:(?:,? (?:at )?|t)(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::\d\d(?:[.,]\d{1,9})?)?"
    r"(?: ?(?P<half>[ap])\.?m\.?)?"
    r"(?: ?\(?(?P<zone>z|utc|gmt)?(?P<offset>[+-]\d{1,2}(?::?\d\d)?)?\)?(?: \([a-z ]{1,60}\))?)?)?"
)
_FORMS = tuple(
    re.compile(form + _TIME, re.ASCII | re.IGNORECASE)
    for form in (
        r"(?P<year>\d{4})([-/])(?P<month>\d{1,2})\2(?P<day>\d{1,2})",
        r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})",
        rf"{_WEEKDAY}(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?[ /-]{_MONTH}[ /-](?P<year>\d{{4}}|\d\d)",
        rf"{_WEEKDAY}{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}})",
    )
)
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MILLISECONDS = re.compile(r"\d{13}", re.ASCII)
"""A time as ClickUp and scripts write it: since 1970, in UTC."""
_SHORTEST_ISO, _LONGEST = len("20261201"), 120
_CENTURY = 100
_NOON, _MIDNIGHT = 12, time(0)


class _Written(NamedTuple):
    day: date
    at: time | None = None
    zone: tzinfo | None = None


def moment(words: str) -> datetime | None:
    """A day, or a time with or without an offset; None for anything else."""
    reading = _read(words)
    return reading and _on_this_clock(reading)


def moment_or_day(words: str) -> datetime | None:
    """As `moment`, where a day may be written as its midnight, in UTC or without an offset."""
    reading = _read(words)
    if reading is None:
        return None
    is_day = reading.at == _MIDNIGHT and (reading.zone is None or not reading.zone.utcoffset(None))
    return _on_this_clock(_Written(reading.day) if is_day else reading)


def day(words: str) -> datetime | None:
    """The day of a date that never has a time, whatever midnight is written behind it."""
    reading = _read(words)
    return reading and _on_this_clock(_Written(reading.day))


def clock(words: str) -> time | None:
    """A time of day as 17:00; None for anything else."""
    try:
        return time.fromisoformat(words.strip()).replace(second=0, microsecond=0, tzinfo=None)
    except ValueError:
        return None


def written(at: datetime | None) -> str:
    """A time as `moment` reads it; without the time of day if a date alone means it."""
    if at is None:
        return ""
    return f"{at:%Y-%m-%d}" if at.time() == END_OF_WORK else f"{at:%Y-%m-%d %H:%M}"


def month_called(name: str) -> int:
    """The number of the month with this name in English, or its first letters; 0 for none."""
    name = name.casefold()
    numbers = (number for number, month in enumerate(_MONTHS, 1) if month.startswith(name))
    return next(numbers, 0) if len(name) >= len("jan") else 0


def _read(words: str) -> _Written | None:
    words = " ".join(words[: _LONGEST + 1].split())
    if len(words) > _LONGEST:
        return None
    try:
        for form in _FORMS:
            if match := form.fullmatch(words):
                return _of_match(match)
        if _MILLISECONDS.fullmatch(words):
            at = datetime.fromtimestamp(int(words) // 1000, UTC)
            return _Written(at.date(), at.time().replace(second=0), UTC)
        return _of_iso(words) if len(words) >= _SHORTEST_ISO else None
    except (ValueError, OverflowError):
        return None


def _of_match(match: re.Match[str]) -> _Written:
    parts = match.groupdict()
    year = int(parts["year"])
    if len(parts["year"]) < len("2026"):
        year += 2000 if year <= LAST_YEAR % _CENTURY else 1900
    month = month_called(parts["name"]) if parts.get("name") else int(parts["month"])
    calendar_day = date(year, month, int(parts["day"]))
    if parts["hour"] is None:
        return _Written(calendar_day)
    hour = int(parts["hour"])
    if half := parts["half"]:
        if not 1 <= hour <= _NOON:
            raise ValueError(hour)
        hour = hour % _NOON + (_NOON if half in "pP" else 0)
    return _Written(calendar_day, time(hour, int(parts["minute"])), _zone(parts))


def _zone(parts: dict[str, str | None]) -> tzinfo | None:
    offset = parts["offset"]
    if offset is None:
        return UTC if parts["zone"] else None
    digits = offset[1:].replace(":", "")
    hours, minutes = (digits, "0") if len(digits) <= len("hh") else (digits[:-2], digits[-2:])
    distance = timedelta(hours=int(hours), minutes=int(minutes))
    return timezone(-distance if offset[0] == "-" else distance)


def _of_iso(words: str) -> _Written:
    # The forms without separators, or with weeks.
    if len(words) <= len("2026-12-01"):
        return _Written(date.fromisoformat(words))
    at = datetime.fromisoformat(words)
    return _Written(at.date(), at.time().replace(second=0, microsecond=0), at.tzinfo)


def _on_this_clock(found: _Written) -> datetime | None:
    at = datetime.combine(found.day, END_OF_WORK if found.at is None else found.at, found.zone)
    try:
        at = local(at) if at.tzinfo else at
    except (OverflowError, ValueError, OSError):  # at the limits of the calendar
        return None
    return at if FIRST_YEAR <= at.year <= LAST_YEAR else None
