"""Common types of records: texts, times, pages, errors."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Annotated, Any, Generic, Literal, NotRequired, TypedDict, TypeVar

Item = TypeVar("Item")
Object = dict[str, Any]
"""An object without a declared content."""
COLOR = "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$"


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """Values with a JSON Schema."""

    schema: Object


class ValueReading(Enum):
    """How a client reads a value whose type does not tell, since services write it differently."""

    COUNT = auto()
    ID = auto()
    MOMENT = auto()
    NUMBER = auto()
    PARENT = auto()
    PART = auto()
    RAW = auto()
    ROLE = auto()
    WALL = auto()


Wall = Annotated[
    str,
    Shape({"type": "string", "description": "YYYY-MM-DD hh:mm:ss on the site's clock"}),
    ValueReading.WALL,
]
Moment = Annotated[str, Shape({"type": "string", "format": "date-time"}), ValueReading.MOMENT]
Decimal = Annotated[
    str, Shape({"type": "string", "pattern": r"^-?[0-9]+\.[0-9]{2}$"}), ValueReading.NUMBER
]
Color = Annotated[str, Shape({"type": "string", "pattern": COLOR})]
Count = Annotated[int, ValueReading.COUNT]
IdText = Annotated[str, ValueReading.ID]
"""An id in digits."""
Status = Literal["open", "closed"]
Priority = Literal["low", "medium", "high"]
RoleName = Annotated[Literal["admin", "member", "viewer"], ValueReading.ROLE]


class Dated(TypedDict):
    """Times of creation and last change."""

    created_at: Moment
    updated_at: Moment


class _PageLink(TypedDict):
    url: str | None
    label: str
    active: bool


# `from` is a keyword, so this member cannot be declared in a class.
_From = TypedDict("_From", {"from": int | None})


class Page(_From, Generic[Item]):
    """One page of a list (2.1)."""

    current_page: int
    data: list[Item]
    first_page_url: str
    last_page: int
    last_page_url: str
    links: list[_PageLink]
    next_page_url: str | None
    path: str
    per_page: int
    prev_page_url: str | None
    to: int | None
    total: int


class _ErrorData(TypedDict):
    status: int
    params: NotRequired[Object]


class Error(TypedDict):
    """An error (section 7)."""

    code: str
    message: str
    data: _ErrorData


def filled(record: Any, row: Mapping[str, Any], **given: Any) -> Object:
    """The required fields of a record: those given, the rest from columns with their names."""
    needed = record.__required_keys__
    return {
        name: given[name] if name in given else row[name]
        for name in record.__annotations__
        if name in needed
    }


DONE = {"message": str}
