"""Pages of results in the envelope of section 2.1.

A page past the end is empty, not an error; an invalid page size is refused with its field; sizes
are limited to a thousand.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from tui.service.call import Call, Document
from tui.service.database.base import Later, Rows
from tui.service.errors import invalid
from tui.service.requests.body import Body, BodyField, Query, declared
from tui.service.values import place

_LARGEST_PAGE_SIZE = 1000
_LAST_PAGE = 2**31


@dataclass(frozen=True, slots=True)
class Window:
    """The requested part of a list; pages count from 1."""

    page: int
    size: int

    @property
    def offset(self) -> int:
        """The number of results before it."""
        return (self.page - 1) * self.size


def pages(default_size: int) -> Window:
    """A parameter's default: `page` and `per_page` of the query."""

    def read(_body: Body, given: Query) -> Window:
        size = _positive(given, "per_page", default_size)
        return Window(_positive(given, "page", 1), min(size, _LARGEST_PAGE_SIZE))

    return declared(
        BodyField(dict.fromkeys(("page", "per_page"), place.schema), read, is_in_query=True)
    )


def _positive(given: Query, name: str, default: int) -> int:
    raw = given.get(name, "").strip()
    if not raw:
        return default
    # `isdigit` alone accepts characters that `int` refuses, such as ².
    digits = raw.isascii() and raw.isdigit() and len(raw) <= len(str(_LAST_PAGE))
    if not digits or not 1 <= int(raw) <= _LAST_PAGE:
        raise invalid(name, "must be a whole number from 1")
    return int(raw)


def page_of(
    call: Call,
    part: Window,
    source: str,
    order: str,
    documents: Callable[[Call, Rows], Later[list[Document]]],
    **params: object,
) -> Document:
    """The envelope of a page of rows; `source` is the FROM clause."""
    rows = call.db.all(
        f"select * {source} order by {order} limit :size offset :offset",
        **params,
        size=part.size,
        offset=part.offset,
    )
    ((total,),) = call.db.tuples(f"select count(*) {source}", **params)
    return envelope(call, part, documents(call, rows)(), total)


def envelope(call: Call, part: Window, records: Sequence[Any], total: int) -> Document:
    """The envelope of a page of records."""
    last = max(1, -(-total // part.size))
    previous = _address(call, min(part.page - 1, last)) if part.page > 1 else None
    near = range(max(1, part.page - 3), min(last, part.page + 3) + 1)
    following = _address(call, part.page + 1) if part.page < last else None
    return {
        "current_page": part.page,
        "data": list(records),
        "first_page_url": _address(call, 1),
        "from": part.offset + 1 if records else None,
        "last_page": last,
        "last_page_url": _address(call, last),
        "links": [
            {"url": previous, "label": "pagination.previous", "active": False},
            *(
                {"url": _address(call, page), "label": str(page), "active": page == part.page}
                for page in sorted({1, last, *near})
            ),
            {"url": following, "label": "pagination.next", "active": False},
        ],
        "next_page_url": following,
        "path": call.address,
        "per_page": part.size,
        "prev_page_url": previous,
        "to": part.offset + len(records) if records else None,
        "total": total,
    }


def _address(call: Call, page: int) -> str:
    other_params = {name: value for name, value in call.query.items() if name != "page"}
    return f"{call.address}?{urlencode({**other_params, 'page': page})}"
