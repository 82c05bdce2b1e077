"""Readers of values in request bodies.

A reader takes the name of a field and its raw value, and returns the value to store or raises
`ServiceError` 422 naming the field; its `schema` is used in `/openapi.json`. Readers of text check
the length first, so that no work is done on text that is too long. Text is returned without control
characters; integers fit into the database.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tui.schema.base import COLOR, Shape
from tui.service.errors import invalid, missing
from tui.service.times import SiteClock
from tui.text import clean
from tui.text.html import tree as html_tree, writing as html_writing

Schema = dict[str, Any]
Value = TypeVar("Value")
Read = Callable[[str, object], Value]

TITLE_LIMIT = 1_000
DESCRIPTION_LIMIT = 200_000
LARGEST_ID = 2**63 - 1
LONGEST_WAIT = 25
"""Proxies cut connections on which nothing is sent for 30 seconds or more."""
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,19}")
_WORD_LIMIT = 200
_MOST_IDS = 10_000
_SETTINGS_LIMIT = 100_000
_DEEPEST = 10
_GAP = re.compile(r"[\W_]+")
_LONGEST_SLUG = 100


@dataclass(frozen=True, slots=True, eq=False)
class Reader(Shape, Generic[Value]):
    """A function that reads values, with their schema."""

    read: Read[Value]

    def __call__(self, field: str, value: object) -> Value:
        """The value to store. Raises 422."""
        return self.read(field, value)


def takes(**schema: Any) -> Callable[[Read[Value]], Reader[Value]]:
    """Make a reader of a function, with the schema of its values."""
    return lambda read: Reader(schema, read)


def as_sent(**schema: Any) -> Reader[object]:
    """A reader that returns the raw value."""
    return Reader(schema, lambda _field, value: value)


def text(field: str, value: object, limit: int = _WORD_LIMIT) -> str:
    """Raw text of at most `limit` characters."""
    if not isinstance(value, str):
        raise invalid(field, "must be text")
    if len(value) > limit:
        raise invalid(field, f"must have at most {limit:,} characters")
    return value


def line_of(limit: int) -> Reader[str]:
    """A reader of one line of at most `limit` characters, which may be empty."""

    @takes(type="string", maxLength=limit)
    def read(field: str, value: object) -> str:
        return clean.line(text(field, value, limit)).strip()

    return read


def title_of(limit: int) -> Reader[str]:
    """A reader of a non-empty line of at most `limit` characters."""
    read_line = line_of(limit)

    @takes(type="string", minLength=1, maxLength=limit)
    def read(field: str, value: object) -> str:
        line = read_line(field, value)
        if not line:
            raise invalid(field, "must not be empty")
        return line

    return read


@takes(type="string", maxLength=_WORD_LIMIT)
def words(field: str, value: object) -> str:
    """Raw text without NUL, which not every database can compare or store."""
    if isinstance(value, str) and "\0" in value:
        raise invalid(field, "must not contain the character NUL")
    return text(field, value)


line = line_of(_WORD_LIMIT)
title = title_of(TITLE_LIMIT)


class SafeHtml(str):
    """HTML sanitised by `html`."""

    __slots__ = ()


@takes(type="string", maxLength=DESCRIPTION_LIMIT, description="HTML; what acts is removed")
def html(field: str, value: object) -> str:
    """HTML of at most 200,000 characters, sanitised; null is no text."""
    if value is None:
        return ""
    # `Body.parse` has sanitised it, outside of the transaction.
    if isinstance(value, SafeHtml):
        return str(value)
    source = text(field, value, DESCRIPTION_LIMIT)
    return html_writing.written(html_tree.parse(source, len(source)))


@takes(type="integer")
def whole_number(field: str, value: object) -> int:
    """An integer, also one written as text."""
    if isinstance(value, str) and _WHOLE_NUMBER.fullmatch(text(field, value).strip()):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > LARGEST_ID:
        raise invalid(field, "must be a whole number")
    return value


@takes(type="integer", minimum=1, description="counted from 1")
def place(field: str, value: object) -> int:
    """An index in a list, counted from 1."""
    index = whole_number(field, value)
    if index < 1:
        raise invalid(field, "counts from 1")
    return index


@takes(type="integer", minimum=0, maximum=LONGEST_WAIT, description="seconds")
def waiting_time(field: str, value: object) -> int:
    """A number of seconds that a request may wait for something to tell."""
    seconds = whole_number(field, value)
    if not 0 <= seconds <= LONGEST_WAIT:
        raise invalid(field, f"must be from 0 to {LONGEST_WAIT} seconds")
    return seconds


@takes(type="number")
def number(field: str, value: object) -> float:
    """A number, also one written as text."""
    if isinstance(value, str):
        text(field, value)
    try:
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            result = float(value)
            # False for NaN as well.
            if abs(result) <= LARGEST_ID:
                return result
    except (ValueError, OverflowError):
        pass
    raise invalid(field, "must be a number")


def identifier(thing: str) -> Reader[int]:
    """A reader of ids of `thing`; impossible ids raise 404, like missing ones."""

    @takes(type="integer", minimum=1)
    def read(field: str, value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) > LARGEST_ID:
            raise missing(thing)
        return whole_number(field, value)

    return read


@takes(type="array", items={"type": "integer"})
def ids(field: str, value: object) -> list[int]:
    """A list of at most 10,000 ids, without duplicates, in the given order."""
    if not isinstance(value, list):
        raise invalid(field, "must be a list of ids")
    if len(value) > _MOST_IDS:
        raise invalid(field, f"must have at most {_MOST_IDS:,} entries")
    return list(dict.fromkeys(whole_number(field, item) for item in value))


@takes(type=["boolean", "string"], description="true or false, or yes or no")
def flag(field: str, value: object) -> bool:
    """A boolean, in any of the interface's spellings."""
    if isinstance(value, bool):
        return value
    words = {"yes": True, "true": True, "start": True, "1": True, 1: True}
    words |= {"no": False, "false": False, "stop": False, "0": False, "": False, 0: False}
    key = text(field, value).lower() if isinstance(value, str) else value
    if isinstance(key, str | int) and key in words:
        return words[key]
    raise invalid(field, "must be true or false")


@takes(type="string", pattern=COLOR)
def color(field: str, value: object) -> str:
    """A colour as #rgb, #rrggbb or #rrggbbaa."""
    if not isinstance(value, str) or not re.fullmatch(COLOR, value):
        raise invalid(field, "must be a colour such as #4bce97")
    return value


@takes(type="object")
def settings(field: str, value: object) -> dict[str, Any]:
    """An object; an empty array is an empty object, as services write it."""
    if value == []:
        return {}
    if not isinstance(value, dict):
        raise invalid(field, "must be an object")
    # The depth comes first: `json.dumps` recurses.
    if not _is_shallow(value, _DEEPEST) or len(json.dumps(value)) > _SETTINGS_LIMIT:
        raise invalid(field, f"must have at most {_SETTINGS_LIMIT:,} characters and few levels")
    return value


def _is_shallow(value: object, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_is_shallow(item, levels - 1) for item in inner)


def one_of(*words: str) -> Reader[str]:
    """A reader of one of these words."""

    @takes(type="string", enum=list(words))
    def read(field: str, value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise invalid(field, f"must be one of: {', '.join(words)}")
        return value

    return read


PRIORITIES = ("low", "medium", "high")
status = one_of("open", "closed")
priority = one_of(*PRIORITIES)


def wall_time(site: SiteClock) -> Read[str | None]:
    """A reader of dates; null and empty text are no date."""

    def read(field: str, value: object) -> str | None:
        if value is None or value == "":
            return None
        if isinstance(value, str):
            try:
                return site.parse_wall(text(field, value))
            except (ValueError, OverflowError):
                pass
        raise invalid(field, "must be a date such as 2026-11-21 17:00:00")

    return read


def or_else(read: Read[Value], nothing: Value) -> Read[Value]:
    """A reader that replaces null by `nothing`."""
    return lambda field, value: nothing if value is None else read(field, value)


def slug(title: str) -> str:
    """A title in lower case with hyphens between its words; empty if it has none."""
    return _GAP.sub("-", title.casefold()).strip("-")[:_LONGEST_SLUG].rstrip("-")
