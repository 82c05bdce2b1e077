"""The order of rows by a value that some of them may lack."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

R = TypeVar("R")


def in_order(rows: Iterable[R], value: Callable[[R], Any], *, is_reversed: bool) -> list[R]:
    """Rows sorted by their values; those without one are last, whichever way it is."""
    rows = tuple(rows)
    lacking = [row for row in rows if value(row) is None]
    having = [row for row in rows if value(row) is not None] if lacking else rows
    return sorted(having, key=value, reverse=is_reversed) + lacking
