"""Dates of fields, read from what a person types and from what a service keeps.

The rule it keeps: what is typed means the same as in a due date; a day without a time means what
the field makes of it, the beginning of a working day or the day as such.
"""

import re
from datetime import datetime, time, timedelta

from tui.errors import CallboardError
from tui.text.dates import NotADate, parse_when

START_OF_WORK = time(9)
STAMP = "%Y-%m-%d %H:%M:%S"
"""How services spell a wall-clock time."""

_ANY_TIME = " 09:13"
_AT_DUE = ("due", "at due", "when due", "at the due time")
_BEFORE = re.compile(r"(\d{1,4}|an?) ?([a-z]+) before(?: (?:it is )?due)?")
_UNITS = {
    **dict.fromkeys(("min", "mins", "minute", "minutes"), timedelta(minutes=1)),
    **dict.fromkeys(("h", "hour", "hours"), timedelta(hours=1)),
    **dict.fromkeys(("d", "day", "days"), timedelta(days=1)),
    **dict.fromkeys(("w", "week", "weeks"), timedelta(weeks=1)),
}


def typed_date(words: str, now: datetime, at: time) -> datetime:
    """The time that `words` mean, at `at` for a day without a time. Raises `NotADate`."""
    when = parse_when(words, now)
    try:
        # Only behind a day that has no time yet a time can be.
        parse_when(words.strip() + _ANY_TIME, now)
    except NotADate:
        return when
    return datetime.combine(when.date(), at)


def kept_date(value: str | bool | None) -> datetime | None:
    """The wall-clock time that a service spells; None if it is none."""
    try:
        return datetime.fromisoformat(str(value)).replace(tzinfo=None)
    except ValueError:
        return None


def typed_reminder(words: str, now: datetime, due: datetime | None) -> datetime | None:
    """When to remind: a time, or one counted from when the task is due; None for never.

    Raises `CallboardError` for what is not understood, and for what is over already.
    """
    said = " ".join(words.casefold().split())
    if not said:
        return None
    when = _before_due(said, due) or typed_date(said, now, START_OF_WORK)
    if when <= now:
        raise CallboardError(
            f"{when:%Y-%m-%d %H:%M} is over: nobody would be reminded.",
            hint="Type a time to come, or nothing for no reminder.",
        )
    return when


def _before_due(said: str, due: datetime | None) -> datetime | None:
    """A time counted from when the task is due; None for other words."""
    found = _BEFORE.fullmatch(said)
    unit = _UNITS.get(found[2]) if found else None
    if said not in _AT_DUE and unit is None:
        return None
    if due is None:
        raise CallboardError(
            "The task is not due at any time to count from.",
            hint="Type a time such as fri 9:00, or give it a due date first.",
        )
    if found is None or unit is None:
        return due
    return due - unit * (int(found[1]) if found[1].isdecimal() else 1)
