"""Reads what services send as documents, by the records of `tui.schema`.

A document has the service's raw values: text is neither cleaned nor changed, members that no record
has are kept, and values are converted to the types of the record, here only.

Guarantees of a document, on which its readers rely:

- It is a `dict` that can be encoded as JSON and as UTF-8: no NaN, no infinities, no lone
  surrogates, nested at most 100 deep.
- It holds only what was received, so that a short reply never blanks fields that are known. The
  record's own id is always there: as `id`, of people as `ID`.
- A member of the record has its type: own ids are integers above 0, other ids integers from 0,
  counts integers, positions and sums finite floats, text `str`, flags `bool`. Any but own ids,
  counts, positions and required texts may be None, as a value of the wrong type is.
- A moment is ISO 8601 in UTC with `+00:00`, as `datetime.isoformat` writes it. A wall time is
  `YYYY-MM-DD HH:MM:SS` without a zone, on the user's clock; a date that was stored as zeros is
  None, and the record's `zero_dates` names it.
- An inner record is such a document itself, None if it could not be read; a list of records is a
  `list` of those that could, each once.
- An inner object without an id (`settings`, `meta`, `background`) is a `dict` with unchecked
  content, and so is every member that the record does not have; but ids in it that came as digits
  are integers.

`tests.client.guarantee` tests this with damaged recorded responses.
"""

import logging
from collections.abc import Callable, Container, Sequence
from functools import cache, partial
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from pydantic import ValidationError
from pydantic_core import CoreSchema, SchemaValidator, core_schema

from tui.client.documents import Document
from tui.client.site_time import OWN_CLOCK, SiteTime
from tui.client.values import (
    as_count,
    as_flag,
    as_flags,
    as_ids,
    as_instant,
    as_number,
    as_object,
    as_other_id,
    as_own_id,
    as_parent_id,
    as_role,
    as_rows,
    as_text,
    as_texts,
    as_wall_time,
    is_zero_date,
    with_integer_ids,
)
from tui.schema.base import ValueReading
from tui.schema.boards import (
    AnyBoard,
    AnyStage,
    AnyUser,
    Board,
    CustomField,
    FieldValue,
    Folder,
    FoundUser,
    Label,
    ListedPerson,
    Member,
    Stage,
    User,
    Webhook,
    WebhookField,
    WebhookValue,
)
from tui.schema.tasks import Activity, Comment, Image, SubtaskGroup, Task

logger = logging.getLogger(__name__)
Read = Callable[[Any], object]

KINDS: tuple[Any, ...] = (
    *(Task, Board, Stage, Label, CustomField, FieldValue, User, FoundUser),
    *(SubtaskGroup, Comment, Image, Activity, Folder, Webhook, WebhookField, WebhookValue),
)
"""The kinds of records that responses hold."""

_MAY_HAVE_IDS = frozenset({dict, list, str})
_OWN_IDS = frozenset({"id", "ID"})
_READINGS: dict[ValueReading, Read] = {
    ValueReading.COUNT: as_count,
    ValueReading.ID: as_other_id,
    ValueReading.MOMENT: lambda value: (
        moment.isoformat() if (moment := as_instant(value)) else None
    ),
    ValueReading.NUMBER: as_number,
    ValueReading.PARENT: as_parent_id,
    ValueReading.RAW: with_integer_ids,
    ValueReading.ROLE: as_role,
}
_BY_TYPE: dict[object, Read] = {
    Any: with_integer_ids,
    bool: as_flag,
    dict: lambda value: with_integer_ids(as_object(value)),
    float: lambda value: as_number(value) or 0.0,
    int: as_other_id,
    list[dict[str, Any]]: lambda value: [
        with_integer_ids(row) for row in as_rows(value) if isinstance(row, dict)
    ],
    list[int]: as_ids,
    list[str]: as_texts,
    str: lambda value: as_text(value) or "",
}
_READ_AS: dict[Any, Any] = {
    **dict.fromkeys((User, Member, ListedPerson, FoundUser), AnyUser),
    Board: AnyBoard,
    Stage: AnyStage,
}
"""The records with more members than the specification has for them."""


def decode(kind: Any, row: object, site: SiteTime = OWN_CLOCK) -> Document:
    """The document of a record. Raises `ValidationError` if it is none, or has no usable id."""
    document: Document = validator(kind).validate_python(row, context=site)
    return document


@cache
def validator(kind: Any) -> SchemaValidator:
    """The validator of a kind of record; building one takes some milliseconds."""
    records: dict[str, CoreSchema] = {}
    reference = _record(kind, records)
    return SchemaValidator(core_schema.definitions_schema(reference, [*records.values()]))


@cache
def _types(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _record(kind: Any, records: dict[str, CoreSchema]) -> CoreSchema:
    """A reference to the schema of a record, which is added to `records`."""
    kind = _READ_AS.get(kind, kind)
    name = kind.__name__
    if name not in records:
        records[name] = core_schema.any_schema()  # until it is made: records refer to each other
        types = _types(kind)
        members = {
            member: core_schema.typed_dict_field(
                _member(member, type_, records), required=member in _OWN_IDS and own_id(type_)
            )
            for member, type_ in types.items()
        }
        read = partial(_read, kind, frozenset(types), wall_times(kind))
        schema = core_schema.typed_dict_schema(members, extra_behavior="allow")
        records[name] = core_schema.no_info_wrap_validator_function(read, schema, ref=name)
    return core_schema.definition_reference_schema(name)


def _member(name: str, type_: Any, records: dict[str, CoreSchema]) -> CoreSchema:
    reading, bare, is_optional = parts(type_)
    read = _READINGS.get(reading) if reading else None
    if reading is ValueReading.WALL:
        return core_schema.with_info_plain_validator_function(_users_wall_time)
    if is_typeddict(bare) and (reading is ValueReading.PART or has_own_id(bare)):
        inner = _record(bare, records)
        return core_schema.no_info_wrap_validator_function(partial(_inner, name), inner)
    if get_origin(bare) is list and is_typeddict(get_args(bare)[0]):
        rows = core_schema.list_schema(_record(get_args(bare)[0], records))
        return core_schema.no_info_wrap_validator_function(partial(_many, name), rows)
    if name in _OWN_IDS and own_id(type_):
        read = as_own_id
    elif read is None and (get_origin(bare) is Literal or (bare is str and is_optional)):
        read = as_text
    elif read is None:
        read = _BY_TYPE[dict if is_typeddict(bare) or get_origin(bare) is dict else bare]
    return core_schema.no_info_plain_validator_function(read)


def parts(type_: Any) -> tuple[ValueReading | None, Any, bool]:
    """Split a member's type: its `ValueReading` or None, the bare type, whether None is allowed."""
    reading, is_optional = None, False
    while (origin := get_origin(type_)) in (Annotated, NotRequired, Union, UnionType):
        args = get_args(type_)
        if origin is Annotated:
            reading = next((arg for arg in args[1:] if isinstance(arg, ValueReading)), reading)
            type_ = args[0]
        else:
            is_optional = is_optional or NoneType in args
            type_ = next(arg for arg in args if arg is not NoneType)
    return reading, type_, is_optional


def own_id(type_: Any) -> bool:
    """Whether a member named `id` or `ID` of this type is the record's own id."""
    return parts(type_)[1] is int


def has_own_id(kind: Any) -> bool:
    """Whether it is a record with an id."""
    types = _types(kind)
    return any(own_id(types[name]) for name in _OWN_IDS & types.keys())


def wall_times(kind: Any) -> tuple[str, ...]:
    """The members of a record that hold a wall time."""
    return tuple(
        name for name, type_ in _types(kind).items() if parts(type_)[0] is ValueReading.WALL
    )


def _users_wall_time(value: object, info: core_schema.ValidationInfo) -> str | None:
    wall, site = as_wall_time(value), info.context
    if wall is None:
        return None
    return (site.to_person(wall) if isinstance(site, SiteTime) else wall).isoformat(" ")


def _read(
    kind: Any, members: Container[str], walls: Sequence[str], row: Any, read: Read
) -> Document:
    """Read a record, and what no schema says: other members, zero dates, what services imply."""
    # Some replies name the id of a person like any other.
    if kind is AnyUser and isinstance(row, dict) and "ID" not in row:
        row = {("ID" if name == "id" else name): value for name, value in row.items()}
    document: Any = read(row)
    for name, value in document.items():
        if name not in members and type(value) in _MAY_HAVE_IDS:
            document[name] = with_integer_ids(value, name)
    zeros = [name for name in walls if is_zero_date(row.get(name))]
    if zeros or "zero_dates" in document:
        document["zero_dates"] = zeros or as_texts(document["zero_dates"])
    if kind is Task:
        document.pop("board", None)
        document.pop("stage", None)
        # A task that is its own parent would be shown nowhere.
        if document.get("parent_id") == document["id"]:
            document["parent_id"] = None
    elif kind in (AnyUser, AnyBoard) and not document.get("role"):
        # Old services tell it only by flags in the settings of the pivot.
        flags = as_flags((document.get("pivot") or {}).get("settings"))
        if "is_admin" in flags:
            lower = "viewer" if flags.get("is_viewer_only") else "member"
            document["role"] = "admin" if flags["is_admin"] else lower
    return document  # type: ignore[no-any-return]


def _inner(name: str, value: object, read: Read) -> object:
    if not isinstance(value, dict):
        return None
    try:
        return read(value)
    except ValidationError as error:
        leave_out(name, error)
        return None


def _many(name: str, value: object, read: Callable[[Any], Any]) -> list[Document]:
    rows, documents = as_rows(value), list[Document]()
    try:
        documents = read(rows) if rows else []
    except ValidationError:
        # One bad record fails the whole list; reading each by itself keeps the others.
        for row in rows:
            try:
                documents += read([row])
            except ValidationError as error:
                leave_out(f"one of {name}", error)
    return each_once(documents) if len(documents) > 1 else documents


def each_once(documents: list[Document]) -> list[Document]:
    """The records of a list without later ones with the same id."""
    ids = [row.get("id", row.get("ID")) for row in documents]
    if None in ids or len(set(ids)) == len(ids):
        return documents
    by_id: dict[object, Document] = {}
    for record_id, row in zip(ids, documents, strict=True):
        by_id.setdefault(record_id, row)
    return [*by_id.values()]


def leave_out(what: str, error: ValidationError) -> None:
    """Log that a part of a response could not be read, without its content."""
    if logger.isEnabledFor(logging.INFO):
        problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
        logger.info("%s left out: %s", what, problem["msg"])
