"""The base of all records: ids, unknown fields, and conversion into documents.

A record has the service's raw values: text is neither cleaned nor changed, unknown fields are kept,
and values are converted to the types of the record's class, here only.

Guarantees of `document()`, on which readers of documents rely:

- It is a `dict` that can be encoded as JSON and as UTF-8: no NaN, no infinities, no lone
  surrogates, nested at most 100 deep.
- It holds only what was received, so that a short reply never blanks fields that are known. The
  record's own id is always there: as `id`, of people as `ID`.
- A member that is a field of the class has its type: own ids are integers above 0, other ids
  integers from 0, counts integers, positions and sums finite floats, text `str`, flags `bool`;
  optional ones may be None. A value of the wrong type counts as empty.
- A moment is ISO 8601 in UTC with `+00:00`, as `datetime.isoformat` writes it. A wall time is
  `YYYY-MM-DD HH:MM:SS` without a zone, on the user's clock; a date that was stored as zeros is
  None, and the record's `zero_dates` names it.
- An inner record is such a document itself, None if it could not be read; a list of records is a
  `list` of those that could.
- An object (`settings`, `meta`, `background`) is a `dict` with unchecked content, and so is
  what a class calls `Raw`, and every member that is no field of the class; but ids in it that came
  as digits are integers.

`tests.client.guarantee` tests this with damaged recorded responses.
"""

import logging
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)

from tui.client.records.values import (
    WALL_TIME,
    OwnId,
    Texts,
    as_rows,
    is_zero_date,
    with_integer_ids,
)

logger = logging.getLogger(__name__)

_PLAIN = frozenset({bool, dict, float, int, str, type(None)})
_MAY_HAVE_IDS = frozenset({dict, list, str})


class Part(BaseModel):
    """An object inside a response. Fields that cannot be read count as absent."""

    model_config = ConfigDict(
        extra="allow", defer_build=True, populate_by_name=True, protected_namespaces=()
    )

    def document(self) -> dict[str, Any]:
        """The object as plain JSON, under the names of the interface (see the module).

        The inner objects are the record's own: copy them before changing them.
        """
        values, told = self.__dict__, self.model_fields_set
        extra = self.__pydantic_extra__ or {}
        document = {
            name: with_integer_ids(value, name) if type(value) in _MAY_HAVE_IDS else value
            for name, value in extra.items()
        }
        for name, alias in _names(type(self)):
            if name in told:
                value = values[name]
                document[alias] = value if type(value) in _PLAIN else _plain(value)
        return document


def kinds(part: type[Part] = Part) -> Iterator[type[Part]]:
    """Every class of records that was imported."""
    for kind in part.__subclasses__():
        yield kind
        yield from kinds(kind)


class Record(Part):
    """A thing with an id."""

    id: OwnId


class Dated(Record):
    """A record with wall times, which some services store as zeros.

    A zero date is no date; `zero_dates` names the fields that held one.
    """

    zero_dates: Texts = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _note_zero_dates(cls, row: object) -> object:
        if not isinstance(row, dict):
            return row
        zeros = [name for name in wall_times(cls) if is_zero_date(row.get(name))]
        return {**row, "zero_dates": zeros} if zeros else row


@cache
def _names(part: type[Part]) -> tuple[tuple[str, str], ...]:
    fields = part.model_fields.items()
    return tuple((name, field.serialization_alias or name) for name, field in fields)


@cache
def wall_times(record: type[Record]) -> tuple[str, ...]:
    """The fields that hold a wall time."""
    fields = record.model_fields.items()
    return tuple(name for name, field in fields if WALL_TIME in field.metadata)


def _plain(value: object) -> object:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, datetime):
        return value.isoformat(" ") if value.tzinfo is None else value.isoformat()
    if isinstance(value, Part):
        return value.document()
    if isinstance(value, list):
        return [_plain(element) for element in value]
    return value


T = TypeVar("T")


def leave_out(what: str, error: ValidationError) -> None:
    """Log that a part of a response could not be read, without its content."""
    if logger.isEnabledFor(logging.INFO):
        problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
        logger.info("%s left out: %s", what, problem["msg"])


def _one(value: object, read: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
    if not isinstance(value, dict):
        return None
    try:
        return read(value)
    except ValidationError as error:
        leave_out(f"{info.field_name}", error)
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
    for row in rows:
        try:
            records.extend(read([row]))
        except ValidationError as error:
            leave_out(f"one of {info.field_name}", error)
    return records


Many = Annotated[list[T], WrapValidator(_many)]
"""An inner list of records; empty for anything that is no list."""

One = Annotated[T | None, WrapValidator(_one)]
"""An inner record; None for anything that is none."""
