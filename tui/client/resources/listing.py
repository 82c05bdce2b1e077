"""Many records at once: lists, and pages of lists (section 2.1).

A bad record never loses the others, nor a bad record inside it the record; each
is named in `skipped` with its place. Records are read in slices, so that a list of thousands does
not hold the event loop.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from tui.client.records import Part, Record
from tui.client.records.base import Notes, reason
from tui.client.records.values import as_integer, as_object, as_rows
from tui.runtime.slices import Slicer

P = TypeVar("P", bound=Part)
R = TypeVar("R", bound=Record)

_MOST_PAGES = 1_000


@dataclass(frozen=True, slots=True)
class Listing(Generic[P]):
    """The records of an answer, and in words which ones could not be read."""

    records: list[P] = field(default_factory=list)
    skipped: tuple[str, ...] = ()

    async def documents(self) -> list[dict[str, Any]]:
        """The records as plain JSON objects, made without holding the event loop."""
        slicer, documents = Slicer(), []
        for record in self.records:
            documents.append(record.document())
            await slicer.breathe()
        return documents


@dataclass(frozen=True, slots=True)
class Page(Listing[R]):
    """One page of records; numbers count from 1, `total` is that of all pages."""

    current_page: int = 1
    last_page: int = 1
    per_page: int = 0
    total: int = 0


async def read_listing(
    rows: object, kind: type[P], slicer: Slicer | None = None, *, first: int = 1
) -> Listing[P]:
    """Read an array of records of one kind; anything but an array is an empty one.

    What is skipped is told with its place, which counts from `first`.
    """
    slicer = slicer or Slicer()
    notes = Notes()
    records: list[P] = []
    skipped: list[str] = []
    for number, row in enumerate(as_rows(rows), start=first):
        try:
            records.append(kind.model_validate(row, context=notes))
        except ValidationError as error:
            skipped.append(f"{kind.__name__} {number}: {reason(error)}")
        skipped.extend(f"{kind.__name__} {number}: {note}" for note in notes.take())
        await slicer.breathe()
    return Listing(records, tuple(skipped))


async def read_page(envelope: object, kind: type[R], *, number: int) -> Page[R]:
    """Read a page envelope; `number` is the page that was asked for."""
    fields = as_object(envelope)
    listing = await read_listing(fields.get("data", envelope), kind)
    current = as_integer(fields.get("current_page")) or number
    return Page(
        listing.records,
        listing.skipped,
        current_page=current,
        last_page=as_integer(fields.get("last_page")) or current,
        per_page=as_integer(fields.get("per_page")) or 0,
        total=as_integer(fields.get("total")) or len(listing.records),
    )


async def every_page(fetch: Callable[[int], Awaitable[Page[R]]]) -> AsyncIterator[Page[R]]:
    """Fetch page after page, for as long as the service says that there are more.

    A service that ignores the page number is noticed by a page without anything new. A page of
    nothing but bad records is not taken for that, if the service says that it is the next one.
    """
    seen: set[int] = set()
    for number in range(1, _MOST_PAGES + 1):
        page = await fetch(number)
        fresh = {record.id for record in page.records} - seen
        is_next = bool(page.skipped) and page.current_page == number
        if number > 1 and not fresh and not is_next:
            return
        seen |= fresh
        yield page
        if number >= page.last_page:
            return


async def gather(pages: AsyncIterator[Page[R]]) -> Listing[R]:
    """All the records of all pages, each once: what moves between two pages comes twice."""
    records: dict[int, R] = {}
    skipped: list[str] = []
    async for page in pages:
        records.update((record.id, record) for record in page.records)
        place = f"page {page.current_page}: " if page.last_page > 1 else ""
        skipped.extend(f"{place}{line}" for line in page.skipped)
    return Listing(list(records.values()), tuple(skipped))
