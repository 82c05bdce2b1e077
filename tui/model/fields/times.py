"""Times of fields in words: absolute and relative.

Late and soon are shown in words, never by a colour alone.
"""

from datetime import datetime, timedelta
from enum import StrEnum

from tui.model.urgency import SOON
from tui.text.clean import counted
from tui.text.dates import age

_MINUTE = timedelta(minutes=1)
_DAYS_TOLD, _MONTHS_TOLD = 60, 24
_DAYS_OF_A_MONTH = 30.44


class Tense(StrEnum):
    """The meaning of a time: a deadline, an event, or a day without a time."""

    DEADLINE = "deadline"
    EVENT = "event"
    DAY = "day"


def moment(when: datetime, now: datetime, tense: Tense = Tense.EVENT) -> str:
    """A time: `Fri 20 Nov 17:00`, with the year if it is another one."""
    year = "" if when.year == now.year else f" {when.year}"
    day = f"{when:%a} {when.day} {when:%b}{year}"
    return day if tense is Tense.DAY else f"{day} {when:%H:%M}"


def distance(when: datetime, now: datetime, tense: Tense = Tense.EVENT) -> tuple[str, str]:
    """The relative time in words, and their role.

    A past deadline is `overdue by 2 days`, one that is near `upcoming, in 2 days`.
    """
    if tense is Tense.DAY:
        return _days_off((when.date() - now.date()).days), "title"
    if when < now:
        if tense is Tense.DEADLINE:
            return f"overdue by {_span(when, now)}", "late"
        return f"{_span(when, now)} ago", "title"
    how_far = _to_come(when, now)
    if tense is Tense.DEADLINE and when - now < SOON:
        is_today = when.date() == now.date()
        return (how_far if is_today else f"upcoming, {how_far}"), "soon"
    return how_far, "title"


def _to_come(when: datetime, now: datetime) -> str:
    if when - now < _MINUTE:
        return "now"
    days = (when.date() - now.date()).days
    if days == 1:
        return "tomorrow"
    return f"in {_span(now, when)}" if days else f"today, in {_span(now, when)}"


def _days_off(days: int) -> str:
    near = {-1: "yesterday", 0: "today", 1: "tomorrow"}
    if days in near:
        return near[days]
    return f"in {_days(days)}" if days > 0 else f"{_days(-days)} ago"


def _span(early: datetime, late: datetime) -> str:
    count, unit = age(early, late)
    return _days(count) if unit == "day" else counted(count, unit)


def _days(days: int) -> str:
    if days < _DAYS_TOLD:
        return counted(days, "day")
    months = round(days / _DAYS_OF_A_MONTH)
    if months < _MONTHS_TOLD:
        return counted(months, "month")
    return counted(months // 12, "year")
