"""The order of rows by a value that some of them may lack."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

R = TypeVar("R")


def in_order(rows: Iterable[R], value: Callable[[R], Any], *, is_reversed: bool) -> list[R]:
    """Rows sorted by their values; those without one are last, whichever way it is."""
    rows = tuple(rows)
    keys = tuple(map(value, rows))
    lacking = [row for row, key in zip(rows, keys, strict=True) if key is None]
    having = [row for row, key in zip(rows, keys, strict=True) if key is not None]
    return sorted(having, key=value, reverse=is_reversed) + lacking
