"""Reads responses: a record, a list, a page (section 2.1), or a changed task.

A malformed record is skipped and logged, without losing the others or the record around it. Records
are read in slices, so that a list of thousands does not block the event loop. `updatedTasks`, in
any response, lists everything changed on the board within the last minute, archived tasks too.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from tui.client.documents import Document
from tui.client.endpoints import Route
from tui.client.errors import UnexpectedAnswer
from tui.client.records.base import Part, Record, leave_out
from tui.client.records.tasks import TaskRecord
from tui.client.records.values import as_integer, as_object, as_rows
from tui.client.site_time import OWN_CLOCK, SiteTime
from tui.runtime.slices import Slicer

P = TypeVar("P", bound=Part)
R = TypeVar("R", bound=Record)

_MOST_PAGES = 1_000


@dataclass(frozen=True, slots=True)
class Page(Generic[R]):
    """One page of records; pages count from 1, `total` is the number of records on all pages.

    `current_page` is None where the service does not report it. A page with another number than the
    requested one also `is_last`.
    """

    records: list[R]
    current_page: int | None = None
    last_page: int = 1
    total: int = 0
    is_last: bool = True


@dataclass(frozen=True, slots=True)
class Changed:
    """A task after a change, and `others` that the response reports as changed."""

    task: TaskRecord
    others: tuple[TaskRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The JSON object of a response.

    Missing required members raise `UnexpectedAnswer`: a success without the written thing must not
    count as one, and an empty list would look like a deletion.
    """

    route: Route
    value: dict[str, Any]
    site: SiteTime

    def beside(self, name: str, *members: str) -> "Answer":
        """The same with `members` moved into the object `name`.

        Some services send them beside it.
        """
        inner = self.value.get(name)
        if not isinstance(inner, dict):
            return self
        told = {member: self.value[member] for member in members if member in self.value}
        return replace(self, value={**self.value, name: {**told, **inner}})

    def record(self, kind: type[P], *names: str) -> P:
        """The record under the first of `names` that holds one.

        Without names, the whole response.
        """
        for value in [self.value.get(name) for name in names] or [self.value]:
            try:
                return kind.model_validate(value, context=self.site)
            except ValidationError:
                continue
        raise incomplete(self.route, names[0] if names else "record")

    async def listing(self, kind: type[P], name: str, *, is_due: bool = True) -> list[P]:
        """The records in an array, which is required if it `is_due`."""
        rows = self.array(name) if is_due else self.value.get(name)
        return await read_listing(rows, kind, site=self.site)

    async def page(self, kind: type[R], name: str, number: int) -> Page[R]:
        """The page under a name; `number` is the requested page."""
        return await read_page(self.array(name), kind, number=number, site=self.site)

    async def changed(self) -> Changed:
        """The task in a response, with the other tasks reported as changed.

        Its position is taken from that list if it is in there: the task itself has the number
        before it was rounded to be stored.
        """
        task = self.record(TaskRecord, "task")
        updated = await self.listing(TaskRecord, "updatedTasks", is_due=False)
        by_id = {one.id: one for one in updated}
        twin = by_id.pop(task.id, None)
        if twin is not None and "position" in twin.model_fields_set:
            task = task.model_copy(update={"position": twin.position})
        return Changed(task, tuple(by_id.values()))

    def array(self, name: str) -> object:
        """A required array, or the object that services send in place of one."""
        value = self.value.get(name)
        if not isinstance(value, (list, dict)):
            raise incomplete(self.route, name)
        return value


def incomplete(route: Route, missing: str) -> UnexpectedAnswer:
    """The error for a response that lacks something required."""
    return UnexpectedAnswer(
        "Unexpected answer of the service.",
        details=f"{route}: no {missing} in the answer",
        may_have_happened=not route.is_safe,
    )


async def read_listing(
    rows: object,
    kind: type[P],
    slicer: Slicer | None = None,
    *,
    site: SiteTime = OWN_CLOCK,
) -> list[P]:
    """Read an array of records; anything else counts as an empty one."""
    slicer = slicer or Slicer()
    records: list[P] = []
    for row in as_rows(rows):
        try:
            records.append(kind.model_validate(row, context=site))
        except ValidationError as error:
            leave_out(kind.__name__, error)
        await slicer.yield_if_over()
    return records


async def to_documents(records: Iterable[Part]) -> list[Document]:
    """Records as plain JSON objects, converted in slices."""
    slicer, documents = Slicer(), []
    for one in records:
        documents.append(one.document())
        await slicer.yield_if_over()
    return documents


async def read_page(
    envelope: object, kind: type[R], *, number: int, site: SiteTime = OWN_CLOCK
) -> Page[R]:
    """Read a page; `number` is the requested page."""
    fields = as_object(envelope)
    records = await read_listing(fields.get("data", envelope), kind, site=site)
    current = as_integer(fields.get("current_page"))
    last = as_integer(fields.get("last_page")) or current or number
    return Page(
        records,
        current_page=current,
        last_page=last,
        total=as_integer(fields.get("total")) or len(records),
        is_last=number >= last or current not in {None, number},
    )


async def every_page(fetch: Callable[[int], Awaitable[Page[R]]]) -> AsyncIterator[Page[R]]:
    """Fetch pages as long as the service says that there are more.

    A service that ignores the page number is detected by a page without new records; a page of only
    malformed records does not count as that, if it has the next number.
    """
    seen: set[int] = set()
    for number in range(1, _MOST_PAGES + 1):
        page = await fetch(number)
        fresh = {record.id for record in page.records} - seen
        is_next = not page.records and page.current_page == number
        if number > 1 and not fresh and not is_next:
            return
        seen |= fresh
        yield page
        if number >= page.last_page:
            return


async def gather(fetch: Callable[[int], Awaitable[Page[R]]]) -> list[R]:
    """The records of all pages, without duplicates of those that move between two pages."""
    pages = every_page(fetch)
    return [*{one.id: one async for page in pages for one in page.records}.values()]
