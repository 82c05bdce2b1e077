"""Reads responses as documents: a record, a list, a page (section 2.1), or a changed task.

A malformed record is skipped and logged, without losing the others or the record around it. Records
are read in slices, so that a list of thousands does not block the event loop. `updatedTasks`, in
any response, lists everything changed on the board within the last minute, archived tasks too.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pydantic import ValidationError

from tui.client.decoding import decode, each_once, leave_out
from tui.client.documents import Document, DocumentPage
from tui.client.endpoints import RequestLine
from tui.client.errors import UnexpectedAnswer
from tui.client.site_time import OWN_CLOCK, SiteTime
from tui.client.values import as_integer, as_object, as_rows
from tui.runtime.slices import Slicer
from tui.schema.tasks import Task

_MOST_PAGES = 1_000


class Changed(NamedTuple):
    """A task after a change, and `others` that the response reports as changed."""

    task: Document
    others: Sequence[Document] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The JSON object of a response.

    Missing required members raise `UnexpectedAnswer`: a success without the written thing must not
    count as one, and an empty list would look like a deletion.
    """

    route: RequestLine
    value: dict[str, Any]
    site: SiteTime

    def beside(self, name: str, *members: str) -> "Answer":
        """The same with `members` moved into the object `name`.

        Some services send them beside it.
        """
        inner = self.value.get(name)
        if not isinstance(inner, dict):
            return self
        outer = {member: self.value[member] for member in members if member in self.value}
        return replace(self, value={**self.value, name: {**outer, **inner}})

    def document(self, kind: Any, *names: str) -> Document:
        """The document of the record under the first of `names` that holds one.

        Without names, of the whole response.
        """
        for value in [self.value.get(name) for name in names] or [self.value]:
            try:
                return decode(kind, value, self.site)
            except ValidationError:
                continue
        raise incomplete(self.route, names[0] if names else "record")

    async def documents(self, kind: Any, name: str, *, is_due: bool = True) -> list[Document]:
        """The documents of an array, which is required if it `is_due`."""
        rows = self.array(name) if is_due else self.value.get(name)
        return await read_documents(rows, kind, site=self.site)

    async def page(self, kind: Any, name: str, number: int) -> DocumentPage:
        """The page under a name; `number` is the requested page."""
        return await read_page(self.array(name), kind, number=number, site=self.site)

    async def changed(self) -> Changed:
        """The task in a response, with the other tasks reported as changed.

        Its position is taken from that list if it is in there: the task itself has the number
        before it was rounded to be stored.
        """
        task = self.document(Task, "task")
        updated = await self.documents(Task, "updatedTasks", is_due=False)
        by_id = {row["id"]: row for row in updated}
        listed = by_id.pop(task["id"], None)
        if listed is not None and "position" in listed:
            task["position"] = listed["position"]
        return Changed(task, [*by_id.values()])

    def array(self, name: str) -> object:
        """A required array, or the object that services send in place of one."""
        value = self.value.get(name)
        if not isinstance(value, (list, dict)):
            raise incomplete(self.route, name)
        return value


def incomplete(route: RequestLine, missing: str) -> UnexpectedAnswer:
    """The error for a response that lacks something required."""
    return UnexpectedAnswer(
        "Unexpected answer of the service.",
        details=f"{route}: no {missing} in the answer",
        may_have_happened=not route.is_safe,
    )


async def read_documents(
    rows: object,
    kind: Any,
    slicer: Slicer | None = None,
    *,
    site: SiteTime = OWN_CLOCK,
) -> list[Document]:
    """Read an array of records as documents; anything else counts as an empty one.

    Records are converted one by one, since freeing thousands in one step delays key presses.
    """
    slicer = slicer or Slicer()
    documents: list[Document] = []
    for row in as_rows(rows):
        try:
            documents.append(decode(kind, row, site))
        except ValidationError as error:
            leave_out(kind.__name__, error)
        await slicer.yield_if_over()
    return each_once(documents)


async def read_page(
    envelope: object, kind: Any, *, number: int, site: SiteTime = OWN_CLOCK
) -> DocumentPage:
    """Read a page; `number` is the requested page. A page with another number is the last."""
    fields = as_object(envelope)
    rows = as_rows(fields.get("data", envelope))
    documents = await read_documents(rows, kind, site=site)
    # A service that ignores the number answers with the first page for ever.
    current = as_integer(fields.get("current_page"))
    last = as_integer(fields.get("last_page")) or current or number
    return DocumentPage(
        documents,
        is_last=number >= last or current not in {None, number},
        total=as_integer(fields.get("total")) or len(documents),
        number=current,
        last=last,
        is_empty=not rows,
    )


async def every_page(
    fetch: Callable[[int], Awaitable[DocumentPage]],
) -> AsyncIterator[list[Document]]:
    """Fetch pages as long as the service says that there are more.

    A service that ignores the page number, or the length of the list, is detected by a page without
    new records; a page of only malformed records does not count as that, if it has the next number.
    """
    seen: set[int] = set()
    for number in range(1, _MOST_PAGES + 1):
        page = await fetch(number)
        fresh = {document["id"] for document in page.documents} - seen
        # Only malformed records, but the number that was asked for: the pages after it may be good.
        is_next = not (page.documents or page.is_empty) and page.number == number
        if number > 1 and not fresh and not is_next:
            return
        seen |= fresh
        yield page.documents
        if number >= page.last:
            return


async def gather(fetch: Callable[[int], Awaitable[DocumentPage]]) -> list[Document]:
    """The documents of all pages, without duplicates of those that move between two pages."""
    pages = every_page(fetch)
    return [*{row["id"]: row async for documents in pages for row in documents}.values()]
