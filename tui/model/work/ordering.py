"""The order of rows by a value that some of them may lack."""

from collections.abc import Iterable
from operator import itemgetter
from typing import Any, TypeVar

R = TypeVar("R")
_VALUE = itemgetter(0)


def in_order(valued: Iterable[tuple[Any, R]], *, is_reversed: bool) -> list[R]:
    """Rows sorted by the values before them; those without one are last, whichever way it is."""
    pairs = list(valued)
    having = [pair for pair in pairs if pair[0] is not None]
    having.sort(key=_VALUE, reverse=is_reversed)
    return [row for _, row in having] + [row for value, row in pairs if value is None]
