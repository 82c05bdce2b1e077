"""Tries some cases of a test by default, and all of them in the long tests."""

from collections.abc import Iterable
from typing import Any

import pytest


def mostly_long(
    names: str, cases: Iterable[Any], *, every: int, ids: Any = None
) -> pytest.MarkDecorator:
    """Parametrize a test, of whose cases the default tests try the first of `every` so many.

    It is for cases that run the same code: what one of them finds, the others nearly always find.
    """
    return pytest.mark.parametrize(
        names,
        [
            case if number % every == 0 else _long(case, is_one=names.count(",") == 0)
            for number, case in enumerate(cases)
        ],
        ids=ids,
    )


def _long(case: Any, *, is_one: bool) -> Any:
    values = (case,) if is_one else case
    return pytest.param(*values, marks=pytest.mark.long)
