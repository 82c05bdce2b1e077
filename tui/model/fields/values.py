"""Values of fields: parsing of user input, the service's formats, and times in words.

Errors explain what can be typed. A day without a time means, depending on the field, the start of a
working day or the day itself.
"""

import re
from collections.abc import Callable
from datetime import datetime, time, timedelta
from enum import StrEnum
from urllib.parse import urlsplit

from tui.errors import CallboardError, WrongInput
from tui.model.custom_field import CustomField, FieldType
from tui.model.urgency import SOON
from tui.text.clean import counted
from tui.text.dates import UNITS, NotADate, age, day_in_words, parse_when

_MINUTE = timedelta(minutes=1)
_DAYS_TOLD, _MONTHS_TOLD = 60, 24
_DAYS_OF_A_MONTH = 30.44
LINE_LIMIT = 2_000
"""The maximum length of a one-line value."""

_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
_TRUE = ("true", "1", "yes")
START_OF_WORK = time(9)
STAMP = "%Y-%m-%d %H:%M:%S"
"""The services' format of a wall-clock time."""

_ANY_TIME = " 09:13"
_AT_DUE = ("due", "at due", "when due", "at the due time")
_BEFORE = r"(\d{1,4}|an?) ?([a-z]+) before(?: (?:it is )?due)?"
LARGEST_CONTACT = 2**53 - 1
"""Larger ids are not exact in services that use floating point."""


def typed_contact(words: str) -> int | None:
    """The typed id, with or without a `#`; None for nothing.

    Raises `WrongInput` for anything else.
    """
    digits = words.strip().removeprefix("#").strip()
    if not digits:
        return None
    # Only 20 digits are converted: Python refuses texts of more than 4,300.
    if not (digits.isascii() and digits.isdecimal()) or not 0 < int(digits[:20]) <= LARGEST_CONTACT:
        raise WrongInput(
            f"A contact is a number from 1 to {LARGEST_CONTACT}.", hint="Look it up in the CRM."
        )
    return int(digits)


def contact_words(contact_id: int | None) -> str:
    """A contact for the user."""
    return "no contact" if contact_id is None else f"contact #{contact_id}"


def typed_date(words: str, now: datetime, at: time) -> datetime:
    """The typed time, with `at` for a day without a time. Raises `NotADate`."""
    when = parse_when(words, now)
    return when if says_time(words, now) else datetime.combine(when.date(), at)


def says_time(words: str, now: datetime) -> bool:
    """Whether a typed time is more than a day."""
    try:
        # A second time of day is refused: if this can be read, none was typed.
        parse_when(words.strip() + _ANY_TIME, now)
    except NotADate:
        return True
    return False


def kept_date(value: str | bool | None) -> datetime | None:
    """The wall-clock time in the service's format; None if invalid."""
    try:
        return datetime.fromisoformat(str(value)).replace(tzinfo=None)
    except ValueError:
        return None


def typed_reminder(words: str, now: datetime, due: datetime | None) -> datetime | None:
    """The typed time of a reminder, which may be relative to the due date; None for never.

    Raises `CallboardError` if it is invalid or in the past.
    """
    typed = " ".join(words.casefold().split())
    if not typed:
        return None
    when = _before_due(typed, due) or typed_date(typed, now, START_OF_WORK)
    if when <= now:
        raise CallboardError(
            f"{moment(when, now)} is in the past.",
            hint="Type a future time, or leave empty for no reminder.",
        )
    return when


def _before_due(words: str, due: datetime | None) -> datetime | None:
    """A time relative to the due date; None for other text."""
    match = re.fullmatch(_BEFORE, words)
    unit = UNITS.get(match[2]) if match else None
    if words not in _AT_DUE and unit in (None, "months"):
        return None
    if due is None:
        raise CallboardError(
            "No due date to count back from.",
            hint="Type a time such as fri 9:00, or set a due date first.",
        )
    if match is None or unit is None:
        return due
    return due - timedelta(**{unit: int(match[1]) if match[1].isdecimal() else 1})


def is_checked(value: str | bool | None) -> bool:
    """Whether a checkbox is checked."""
    return value is True or str(value).casefold() in _TRUE


def read_value(field: CustomField, words: str, now: datetime) -> str:
    """Typed text as a value of a field; empty for none. Raises `CallboardError`."""
    typed = words.strip()
    if not typed:
        return ""
    reader = _READERS.get(field.type)
    return reader(typed, now) if reader else _line(typed, now)


def typed_again(field: CustomField, value: str) -> str:
    """A value as text to start an edit with."""
    when = kept_date(value) if field.type is FieldType.DATE else None
    if when is None:
        return value
    return f"{when:%Y-%m-%d}" if when.time() == time() else f"{when:%Y-%m-%d %H:%M}"


def value_in_words(field: CustomField, words: str, now: datetime) -> str:
    """The meaning of typed text, for the user. Raises `CallboardError`."""
    value = read_value(field, words, now)
    if not value:
        return "leave empty to clear"
    when = kept_date(value) if field.type is FieldType.DATE else None
    if when is None:
        return value
    tense = Tense.DAY if when.time() == time() else Tense.EVENT
    return f"{moment(when, now, tense)} · {distance(when, now, tense)[0]}"


def _line(words: str, now: datetime) -> str:
    del now
    line = " ".join(words.split())
    if len(line) > LINE_LIMIT:
        raise CallboardError(
            f"Too long: {len(line):,} of {LINE_LIMIT:,} characters.",
            hint="Shorten it and put the details in the description.",
        )
    return line


def _number(words: str, now: datetime) -> str:
    del now
    # Pasted numbers may have the typographic minus sign.
    number = words.replace(" ", "").replace("\u2212", "-")
    if re.fullmatch(_NUMBER, number) is None:
        point = number.replace(",", ".", 1)
        is_comma = number.count(",") == 1 and re.fullmatch(_NUMBER, point) is not None
        raise CallboardError(
            "Not a number.",
            hint=f"Type {point}, with a point."
            if is_comma
            else "Type a number such as 12 or 2.50.",
        )
    return number


def _url(words: str, now: datetime) -> str:
    try:
        # It raises for an incomplete IPv6 address, for example.
        parts = urlsplit(words)
        is_web = parts.scheme in ("http", "https") and bool(parts.netloc)
    except ValueError:
        parts, is_web = urlsplit(""), False
    is_mail = parts.scheme == "mailto" and "@" in parts.path
    if not (is_web or is_mail) or any(sign.isspace() for sign in words):
        raise CallboardError(
            "Not an address that can be opened.",
            hint="Type one that starts with https://, http:// or mailto:.",
        )
    return _line(words, now)


def _date(words: str, now: datetime) -> str:
    """A date in the services' format; a day without a time is its midnight."""
    return typed_date(words, now, time()).strftime(STAMP)


_READERS: dict[FieldType, Callable[[str, datetime], str]] = {
    FieldType.NUMBER: _number,
    FieldType.URL: _url,
    FieldType.DATE: _date,
}


class Tense(StrEnum):
    """The meaning of a time: a deadline, an event, a day without a time, or a record of the past.

    A record is what a service wrote down by itself.
    """

    DEADLINE = "deadline"
    EVENT = "event"
    DAY = "day"
    RECORD = "record"


def moment(when: datetime, now: datetime, tense: Tense = Tense.EVENT) -> str:
    """A time: `Fri 20 Nov 17:00`, with the year if it is another one."""
    day = day_in_words(when, now.year)
    return day if tense is Tense.DAY else f"{day} {when:%H:%M}"


def distance(when: datetime, now: datetime, tense: Tense = Tense.EVENT) -> tuple[str, str]:
    """The relative time in words, and their role.

    A past deadline is `overdue by 2 days`, one that is near `upcoming, in 2 days`.
    """
    days = (when.date() - now.date()).days
    if tense is Tense.DAY:
        near = {-1: "yesterday", 0: "today", 1: "tomorrow"}
        return near.get(days) or (
            f"in {_days(days)}" if days > 0 else f"{_days(-days)} ago"
        ), "text"
    if when < now:
        if tense is Tense.DEADLINE:
            return f"overdue by {_span(when, now)}", "bad"
        return f"{_span(when, now)} ago", "text"
    if when - now < _MINUTE:
        how_far = "now"
    elif days == 1:
        how_far = "tomorrow"
    else:
        how_far = f"{'' if days else 'today, '}in {_span(now, when)}"
    if tense is Tense.DEADLINE and when - now < SOON:
        return (f"upcoming, {how_far}" if days else how_far), "warn"
    return how_far, "text"


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
