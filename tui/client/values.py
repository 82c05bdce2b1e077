"""Parses values in the different forms that services send.

An id comes as a number or as text, a decimal as text, an empty object as an array, a stored date as
zeros. A value that cannot be parsed counts as absent and never makes a record fail, except for the
record's own id. Nothing behind the client sees these forms: ids are integers also inside content
that is not checked otherwise, and wall times are those of the user.
"""

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

_END_OF_IDS = 2**63
_SURE_DIGITS = 18
_ROLES: Mapping[str, str] = {"manager": "admin", "administrator": "admin"}
_LONGEST_FLAGS = 10_000
_LONGEST_OBJECT = 100_000
_MOST_BRACKETS = 100
_ID_NAMES = ("id", "ID")
_ID_ENDINGS = ("_id", "_ids", "_by", "Id", "Ids", "assignees")
"""Of names such as `task_id`, `boards_ids`, `updated_by`, `imageId`, `default_task_assignees`."""
_SERIALISED_FLAG = re.compile(r's:\d+:"(\w+)";(?:b:|i:|s:\d+:")(\w*)"?;', re.ASCII)

Flags = Mapping[str, bool]


def as_integer(value: object) -> int | None:
    """A whole number from a number or text, `"12"` or `"12.00"`; else None."""
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if -_END_OF_IDS <= value < _END_OF_IDS else None
    # Most ids come like this; a float would hold them exactly only up to 2⁵³.
    if (
        isinstance(value, str)
        and len(value) <= _SURE_DIGITS
        and value.isascii()
        and value.isdigit()
    ):
        return int(value)
    number = as_number(value)
    if number is None or abs(number) >= _END_OF_IDS or not number.is_integer():
        return None
    return int(number)


def as_number(value: object) -> float | None:
    """A finite number from a number or decimal text; else None."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def as_count(value: object) -> int:
    """A whole number; 0 for anything else."""
    return as_integer(value) or 0


def as_own_id(value: object) -> int:
    """The id of a record; raises `ValueError` if it is not a positive number below 2⁶³."""
    number = as_integer(value)
    if number is None or number <= 0:
        raise ValueError("no usable id")
    return number


def as_other_id(value: object) -> int | None:
    """The id of another thing, 0 included; else None."""
    number = as_integer(value)
    return number if number is not None and number >= 0 else None


def as_parent_id(value: object) -> int | None:
    """The id of a comment's parent; 0 where a service stored a reply to nothing."""
    return 0 if value is False else as_other_id(value)


def with_integer_ids(value: object, name: str = "") -> Any:
    """Unchecked content with ids in it as integers where they came as text.

    `name` is that of the member that holds it. Text that is no number stays.
    """
    if isinstance(value, str):
        is_id = value.isdigit() and (name in _ID_NAMES or name.endswith(_ID_ENDINGS))
        number = as_other_id(value) if is_id else None
        # `007`, or digits of another script, would not be the same text again.
        return number if str(number) == value else value
    if isinstance(value, dict):
        return {key: with_integer_ids(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [with_integer_ids(element, name) for element in value]
    return value


def as_text(value: object) -> str | None:
    """Raw text; numbers become text; None for everything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return None


def as_role(value: object) -> str | None:
    """`admin`, `member` or `viewer` in lower case; a manager is an admin."""
    text = as_text(value)
    if text is None:
        return None
    role = text.strip().lower()
    return _ROLES.get(role, role)


def as_flag(value: object) -> bool | None:
    """A boolean from a boolean, a number or one of the usual words; else None."""
    if isinstance(value, str):
        word = value.strip().lower()
        return True if word in {"1", "true", "yes"} else False if word in _NO else None
    return bool(value) if isinstance(value, (bool, int)) else None


_NO = frozenset({"0", "false", "no", ""})


def as_object(value: object) -> dict[str, Any]:
    """An object, also from JSON text; empty for anything else."""
    if isinstance(value, str) and value.startswith("{"):
        # Counting brackets bounds the depth before anything is parsed.
        if len(value) > _LONGEST_OBJECT or value.count("{") + value.count("[") > _MOST_BRACKETS:
            return {}
        try:
            value = json.loads(value, parse_constant=lambda _: None)
            # Fails for lone surrogates, which a document must not hold.
            json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, dict) else {}


def as_rows(value: object) -> list[object]:
    """The elements of an array, or of an object with numeric keys."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def as_texts(value: object) -> list[str]:
    """The texts in an array."""
    return [row for row in as_rows(value) if isinstance(row, str)]


def as_ids(value: object) -> list[int]:
    """The ids in an array, or a single id."""
    ids = (as_integer(row) for row in (as_rows(value) or [value]))
    return [number for number in ids if number is not None and number > 0]


def as_flags(value: object) -> Flags:
    """Booleans by name from an object, JSON text, or PHP's serialised notation."""
    if isinstance(value, str) and not value.startswith("{"):
        pairs = _SERIALISED_FLAG.findall(value[:_LONGEST_FLAGS])
        return {name: flag for name, word in pairs if (flag := as_flag(word)) is not None}
    named = as_object(value).items()
    return {name: flag for name, word in named if (flag := as_flag(word)) is not None}


def as_instant(value: object) -> datetime | None:
    """A moment, aware and in UTC. A time without a zone is UTC; a zero date is None."""
    moment = _moment(value)
    if moment is None:
        return None
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return None


def as_wall_time(value: object) -> datetime | None:
    """A wall time of the site, without a zone and to the second; a zone is dropped."""
    moment = _moment(value)
    return None if moment is None else moment.replace(tzinfo=None, microsecond=0)


def is_zero_date(value: object) -> bool:
    """Whether a date was stored as zeros, which databases also show as the year -1."""
    return isinstance(value, str) and value.startswith(("0000", "-0001"))


def _moment(value: object) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        return datetime.fromisoformat(value.strip())
    except ValueError:
        return None
