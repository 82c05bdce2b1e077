"""What a task says in the custom fields of its board: told in words, and read from words.

The rule it keeps: what is typed becomes a value the service takes, or it is said in words what
would; a value that a service made otherwise is told as it is.
"""

import re
from collections.abc import Callable
from datetime import datetime, time
from urllib.parse import urlsplit

from tui.errors import CallboardError
from tui.model.custom_field import CustomField, FieldType
from tui.model.fields.dates import STAMP, kept_date, typed_date
from tui.model.fields.row import FieldRow, Piece, TaskField
from tui.model.fields.words import Tense, distance, moment

LINE_LIMIT = 2_000
"""So many characters a value of one line may have."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_TRUE = ("true", "1", "yes")


def value_row(field: CustomField, value: str | bool | None) -> FieldRow:
    """What a task says in a field, as a row."""
    said, at = _told(field, value)
    label = field.title or f"field {field.id}"
    tense = Tense.DAY if at and at.time() == time() else Tense.EVENT
    return FieldRow(TaskField.CUSTOM, label, said, at, tense, field)


def _told(
    field: CustomField, value: str | bool | None
) -> tuple[tuple[Piece, ...], datetime | None]:
    """A value in words, or as a time."""
    if value is None or value == "":
        return (Piece("—", "meta"),), None
    if isinstance(value, bool) or field.is_checkbox:
        return (Piece("yes ✓" if is_checked(value) else "no"),), None
    when = kept_date(value) if field.type is FieldType.DATE else None
    if when is not None:
        return (), when
    role = "people" if field.type is FieldType.URL else "title"
    return (Piece(value, role),), None


def is_checked(value: str | bool | None) -> bool:
    """Whether a checkbox is checked."""
    return value is True or str(value).casefold() in _TRUE


def read_value(field: CustomField, words: str, now: datetime) -> str:
    """What typed words are as a value of a field; empty for none. Raises `CallboardError`."""
    said = words.strip()
    if not said:
        return ""
    reader = _READERS.get(field.type)
    return reader(said, now) if reader else _line(said, now)


def typed_again(field: CustomField, value: str) -> str:
    """A value as a person would type it, to begin an edit with."""
    when = kept_date(value) if field.type is FieldType.DATE else None
    if when is None:
        return value
    return f"{when:%Y-%m-%d}" if when.time() == time() else f"{when:%Y-%m-%d %H:%M}"


def value_in_words(field: CustomField, words: str, now: datetime) -> str:
    """What typed words are understood as. Raises `CallboardError`."""
    value = read_value(field, words, now)
    if not value:
        return "nothing: the field is cleared"
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
            f"That is {len(line):,} characters; {LINE_LIMIT:,} are the most.",
            hint="Leave the short of it here, and put the long of it into the description.",
        )
    return line


def _number(words: str, now: datetime) -> str:
    del now
    number = words.replace(" ", "").replace("\u2212", "-")
    if _NUMBER.fullmatch(number) is None:
        point = number.replace(",", ".", 1)
        is_comma = number.count(",") == 1 and _NUMBER.fullmatch(point) is not None
        raise CallboardError(
            "That is not a number.",
            hint=f"Type {point}, with a point."
            if is_comma
            else "Type a number such as 12 or 2.50.",
        )
    return number


def _url(words: str, now: datetime) -> str:
    try:
        parts = urlsplit(words)
        is_web = parts.scheme in ("http", "https") and bool(parts.netloc)
    except ValueError:
        parts, is_web = urlsplit(""), False
    is_mail = parts.scheme == "mailto" and "@" in parts.path
    if not (is_web or is_mail) or any(sign.isspace() for sign in words):
        raise CallboardError(
            "That is not an address that can be opened.",
            hint="Type one that begins with https://, http:// or mailto:.",
        )
    return _line(words, now)


def _date(words: str, now: datetime) -> str:
    """A date as services take it; a day without a time is its midnight."""
    return typed_date(words, now, time()).strftime(STAMP)


_READERS: dict[FieldType, Callable[[str, datetime], str]] = {
    FieldType.NUMBER: _number,
    FieldType.URL: _url,
    FieldType.DATE: _date,
}
