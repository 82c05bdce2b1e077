"""Records inside records.

The rule it keeps: an inner record that cannot be read costs itself only, neither its brothers nor
the record around it, and it is noted with its place for whoever reads the list.
"""

from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from pydantic import ValidationError, ValidationInfo, ValidatorFunctionWrapHandler, WrapValidator

from tui.client.records.values import as_rows

T = TypeVar("T")

_NOTED = 50


class Notes:
    """Notes what was left out while a record was read; hand it in as pydantic's context."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def add(self, place: str, error: ValidationError) -> None:
        """Note one thing that was left out, without anything that it held."""
        if len(self._lines) < _NOTED:
            self._lines.append(f"{place}: {reason(error)}")

    def take(self) -> Sequence[str]:
        """The notes since the last time."""
        taken, self._lines = self._lines, []
        return taken


def reason(error: ValidationError) -> str:
    """What is wrong with a record, without anything that it held."""
    problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return problem["msg"].removeprefix("Value error, ")


def _one(value: object, read: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
    if not isinstance(value, dict):
        return None
    try:
        return read(value)
    except ValidationError as error:
        _note(info, f"{info.field_name}", error)
        return None


def _many(value: object, read: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
    rows = as_rows(value)
    if not rows:
        return []
    try:
        return read(rows)
    except ValidationError:
        return _readable(rows, read, info)


def _readable(
    rows: list[object], read: ValidatorFunctionWrapHandler, info: ValidationInfo
) -> list[object]:
    records: list[object] = []
    for number, row in enumerate(rows, start=1):
        try:
            records.extend(read([row]))
        except ValidationError as error:
            _note(info, f"{info.field_name} {number}", error)
    return records


def _note(info: ValidationInfo, place: str, error: ValidationError) -> None:
    if isinstance(info.context, Notes):
        info.context.add(place, error)


Many = Annotated[list[T], WrapValidator(_many)]
"""The records of an inner list; empty for anything that is no list."""

One = Annotated[T | None, WrapValidator(_one)]
"""An inner record; None for anything that is none."""
