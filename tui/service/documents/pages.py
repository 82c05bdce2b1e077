"""Pages of results in the envelope of section 2.1.

A page past the end is empty, not an error; a page size that makes no sense is refused by name;
sizes are cut to a thousand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from tui.service.call import Call, Document
from tui.service.errors import invalid

_LARGEST_PAGE_SIZE = 1000
_LAST_PAGE = 2**31


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a list that is asked for; pages count from 1."""

    page: int
    size: int

    @property
    def offset(self) -> int:
        """How many results come before it."""
        return (self.page - 1) * self.size


def window(call: Call, default_size: int) -> Window:
    """What `page` and `per_page` of the query ask for."""
    size = _positive(call, "per_page", default_size)
    return Window(_positive(call, "page", 1), min(size, _LARGEST_PAGE_SIZE))


def _positive(call: Call, name: str, default: int) -> int:
    raw = call.query.get(name, "").strip()
    if not raw:
        return default
    digits = raw.isascii() and raw.isdigit() and len(raw) <= len(str(_LAST_PAGE))
    if not digits or not 1 <= int(raw) <= _LAST_PAGE:
        raise invalid(name, "must be a whole number from 1")
    return int(raw)


def envelope(call: Call, part: Window, records: Sequence[Any], total: int) -> Document:
    """The records of one page with everything the envelope says about it."""
    last = max(1, -(-total // part.size))
    previous = _address(call, min(part.page - 1, last)) if part.page > 1 else None
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
            *(_link(call, page, part.page) for page in _numbered(part.page, last)),
            {"url": following, "label": "pagination.next", "active": False},
        ],
        "next_page_url": following,
        "path": call.address,
        "per_page": part.size,
        "prev_page_url": previous,
        "to": part.offset + len(records) if records else None,
        "total": total,
    }


def _numbered(page: int, last: int) -> list[int]:
    """The pages that get a link of their own: the first, the last and those near this one."""
    near = range(max(1, page - 3), min(last, page + 3) + 1)
    return sorted({1, last, *near})


def _link(call: Call, page: int, current: int) -> Document:
    return {"url": _address(call, page), "label": str(page), "active": page == current}


def _address(call: Call, page: int) -> str:
    rest = {name: value for name, value in call.query.items() if name != "page"}
    return f"{call.address}?{urlencode({**rest, 'page': page})}"
