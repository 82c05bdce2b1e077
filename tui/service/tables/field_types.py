"""The types of custom fields, and what each takes for a value (2.8 and 4.7).

The rule it keeps: a value is kept as text, a checkbox's as true or false; null and empty text are
no value, whatever the type.
"""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from tui.service import values
from tui.service.errors import invalid
from tui.service.times import Site
from tui.service.values import Read
from tui.text import clean

Kept = str | bool | None

_LINE_LIMIT = 2_000
_TEXT_LIMIT = 100_000
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_NUMBER_LIMIT = 100


def value_reader(site: Site, kind: str, options: list[str]) -> Read[Kept]:
    """A reader of values for a field of a type; `options` are those of a select.

    Raises 422 that names the field of the body for a value that the type does not take.
    """
    read = _READERS[kind](site, options)

    def read_value(field: str, value: object) -> Kept:
        if value is None or value == "":
            return None
        kept = read(field, value)
        return None if kept == "" else kept

    return read_value


_line = values.line_of(_LINE_LIMIT)


def _text(field: str, value: object) -> str:
    return clean.text(values.text(field, value, _TEXT_LIMIT)).strip()


def _number(field: str, value: object) -> str:
    """A number as it was written, so that 2.50 stays 2.50."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if isinstance(value, str) and len(value) <= _NUMBER_LIMIT and _NUMBER.fullmatch(value.strip()):
        return value.strip()
    raise invalid(field, "must be a number such as 12 or 2.50")


def _url(field: str, value: object) -> str:
    """An address that may be opened: http, https or mailto."""
    address = _line(field, value)
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    is_web = parts.scheme in ("http", "https") and bool(parts.netloc)
    is_mail = parts.scheme == "mailto" and "@" in parts.path
    if " " in address or not (is_web or is_mail):
        raise invalid(field, "must be an address such as https://example.org/")
    return address


def _option_of(options: list[str]) -> Read[str]:
    """A reader of one of the options of a select."""

    def read(field: str, value: object) -> str:
        if isinstance(value, str) and (word := values.text(field, value).strip()) in options:
            return word
        raise invalid(field, f"must be one of: {', '.join(options)}")

    return read


_READERS: dict[str, Callable[[Site, list[str]], Read[Kept]]] = {
    "text": lambda _site, _options: _line,
    "textarea": lambda _site, _options: _text,
    "number": lambda _site, _options: _number,
    "url": lambda _site, _options: _url,
    "select": lambda _site, options: _option_of(options),
    "checkbox": lambda _site, _options: values.flag,
    "date": lambda site, _options: values.wall_time(site),
}

FIELD_TYPES = tuple(_READERS)
"""Every type a custom field can have."""
