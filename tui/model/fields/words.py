"""Times and colours of fields in words.

A time is told absolutely and by its distance. Whether it is late or soon is said in words, never by
a colour alone; a colour is told by its name and its number.
"""

from datetime import datetime, timedelta
from enum import StrEnum

from tui.model.label_colors import is_color
from tui.model.urgency import SOON

NO_COLOR = "#8590a2"
"""Stands in where a colour is told that is none."""

COLORS = {
    "#4bce97": "green",
    "#f5cd47": "yellow",
    "#fea362": "orange",
    "#f87168": "red",
    "#9f8fef": "purple",
    "#579dff": "blue",
    "#6cc3e0": "sky",
    "#94c748": "lime",
    "#e774bb": "pink",
    "#8590a2": "grey",
    "#1f845a": "dark green",
    "#946f00": "dark yellow",
    "#c25100": "dark orange",
    "#ae2e24": "dark red",
    "#5e4db2": "dark purple",
    "#0c66e4": "dark blue",
    "#206a83": "dark sky",
    "#5b7f24": "dark lime",
    "#943d73": "dark pink",
    "#44546f": "dark grey",
}
"""The colours that services know by name."""

_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
_DAYS_TOLD, _MONTHS_TOLD = 60, 24
_DAYS_OF_A_MONTH = 30.44


class Tense(StrEnum):
    """What a time is of: something still to be done by then, an event, or a day without a time."""

    DEADLINE = "deadline"
    EVENT = "event"
    DAY = "day"


def local(instant: datetime) -> datetime:
    """An aware time as the clock on the wall tells it."""
    return instant.astimezone().replace(tzinfo=None)


def moment(when: datetime, now: datetime, tense: Tense = Tense.EVENT) -> str:
    """A time by itself: `Fri 20 Nov 17:00`, with the year where it is another one."""
    year = "" if when.year == now.year else f" {when.year}"
    day = f"{_WEEKDAYS[when.weekday()]} {when.day} {_MONTHS[when.month - 1]}{year}"
    return day if tense is Tense.DAY else f"{day} {when:%H:%M}"


def distance(when: datetime, now: datetime, tense: Tense = Tense.EVENT) -> tuple[str, str]:
    """How far off a time is, in words, and the role these play.

    A deadline that is over is `overdue by 2 days`, one that is near `upcoming, in 2 days`.
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
    """How far off a time to come is, in words."""
    if when - now < _MINUTE:
        return "now"
    days = (when.date() - now.date()).days
    if days == 1:
        return "tomorrow"
    return f"in {_span(now, when)}" if days else f"today, in {_span(now, when)}"


def drawable(color: str) -> str:
    """A colour as it can be drawn, whatever it is."""
    return color if is_color(color) else NO_COLOR


def color_words(color: str) -> str:
    """A colour in words: its name, if it has one, and its number."""
    name = COLORS.get(color.casefold())
    return f"{name} ({color})" if name else color


def _days_off(days: int) -> str:
    """How far off a day is, in words."""
    near = {-1: "yesterday", 0: "today", 1: "tomorrow"}
    if days in near:
        return near[days]
    return f"in {_days(days)}" if days > 0 else f"{_days(-days)} ago"


def _span(early: datetime, late: datetime) -> str:
    """How long it is between two times, in one unit; from a day on, midnights are counted."""
    if late - early < _HOUR:
        return _counted(max(1, (late - early) // _MINUTE), "minute")
    if late - early < _DAY:
        return _counted((late - early) // _HOUR, "hour")
    return _days((late.date() - early.date()).days)


def _days(days: int) -> str:
    """So many days, in one unit."""
    if days < _DAYS_TOLD:
        return _counted(days, "day")
    months = round(days / _DAYS_OF_A_MONTH)
    if months < _MONTHS_TOLD:
        return _counted(months, "month")
    return _counted(months // 12, "year")


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
