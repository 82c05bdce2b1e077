"""The order of rows by a value that some of them may lack."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

R = TypeVar("R")


def in_order(rows: Iterable[R], value: Callable[[R], Any], *, is_reversed: bool) -> list[R]:
    """Rows sorted by their values; those without one are last, whichever way it is."""
    having, lacking = list[R](), list[R]()
    for row in rows:
        (lacking if value(row) is None else having).append(row)
    having.sort(key=value, reverse=is_reversed)
    return having + lacking
