"""Common types of records: texts, times, pages, errors."""

from collections.abc import Mapping
from typing import Annotated, Any, Generic, Literal, NotRequired, TypedDict, TypeVar

from tui.service import values
from tui.service.values import Shape

Item = TypeVar("Item")
Object = dict[str, Any]
"""An object without a declared content."""

Wall = Annotated[
    str,
    Shape({"type": "string", "description": "YYYY-MM-DD hh:mm:ss on the site's clock"}),
]
Moment = Annotated[str, Shape({"type": "string", "format": "date-time"})]
Decimal = Annotated[str, Shape({"type": "string", "pattern": r"^-?[0-9]+\.[0-9]{2}$"})]
Color = Annotated[str, values.color]
Status = Literal["open", "closed"]
Priority = Literal["low", "medium", "high"]
RoleName = Literal["admin", "member", "viewer"]


class Dated(TypedDict):
    """Times of creation and last change."""

    created_at: Moment
    updated_at: Moment


class _PageLink(TypedDict):
    url: str | None
    label: str
    active: bool


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
