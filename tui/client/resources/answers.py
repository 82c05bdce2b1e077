"""What answers hold: many records, pages of them (section 2.1), or a task that was changed.

A bad record never loses the others, nor a bad record inside it the record; each is named in
`skipped` with its place. Records are read in slices, so that a list of thousands does not hold the
event loop. `updatedTasks` of every answer is news for whoever keeps tasks: it holds all that was
touched on the board within the last minute, archived tasks too.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar

from pydantic import ValidationError

from tui.client.documents import Document, break_circles
from tui.client.endpoints import Endpoint, Route
from tui.client.records import Part, Record, TaskRecord
from tui.client.records.base import Notes, reason
from tui.client.records.values import as_integer, as_object, as_rows, as_text
from tui.client.service import Service, record
from tui.client.site_time import SiteTime
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
        for one in self.records:
            documents.append(one.document())
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


_OF_OTHERS = ("board", "stage")


@dataclass(frozen=True, slots=True)
class Changed:
    """A task as the service has it now.

    `news` are other tasks as they are now, each once; `last_updated` is the site's time of the
    change, as the service wrote it, where it told one; `skipped` names what could not be read.
    """

    task: TaskRecord
    news: tuple[TaskRecord, ...] = ()
    last_updated: str | None = None
    skipped: tuple[str, ...] = ()

    @classmethod
    def by(
        cls,
        task: TaskRecord,
        updated: Iterable[TaskRecord],
        last_updated: str | None = None,
        skipped: tuple[str, ...] = (),
    ) -> Self:
        """What an answer with a task and `updated` tasks says.

        The position is the one among the updated tasks, where it is told: the task itself comes
        with the number before it was rounded to be stored.
        """
        updated = tuple(updated)
        twin = next((one for one in updated if one.id == task.id), None)
        if twin is not None and "position" in twin.model_fields_set:
            task = task.model_copy(update={"position": twin.position})
        return cls(task, merged((), updated, without=task.id), last_updated, skipped)

    def then(self, later: "Changed") -> "Changed":
        """What was said up to a later answer: of two words on one task the later one holds."""
        return Changed(
            later.task,
            merged(self.news, later.news, without=later.task.id),
            later.last_updated or self.last_updated,
            self.skipped + later.skipped,
        )

    def and_news(self, tasks: Iterable[TaskRecord]) -> "Changed":
        """The same with more news."""
        news = merged(self.news, tasks, without=self.task.id)
        return Changed(self.task, news, self.last_updated, self.skipped)


def merged(
    earlier: Iterable[TaskRecord], later: Iterable[TaskRecord], *, without: int
) -> tuple[TaskRecord, ...]:
    """Tasks, each once and in its later form, but for one that is told elsewhere."""
    by_id = {task.id: task for task in (*earlier, *later)}
    by_id.pop(without, None)
    return tuple(by_id.values())


async def read_changed(route: Route, answer: dict[str, Any]) -> Changed:
    """The task in an answer, with the other tasks that it says have changed."""
    task = record(route, answer, TaskRecord, "task")
    updated = await read_listing(answer.get("updatedTasks"), TaskRecord)
    told = as_text(answer.get("last_updated"))
    return Changed.by(task, updated.records, told, updated.skipped)


async def read_task(service: Service, board_id: int, task_id: int) -> TaskRecord:
    """A task by itself. Some services refuse to tell of a subtask this way: see `Tasks.get`."""
    route = Endpoint.GET_TASK.at(board_id=board_id, task_id=task_id)
    return record(route, await service.ask(route), TaskRecord, "task")


def task_document(task: TaskRecord, site: SiteTime) -> Document:
    """A task with its times on the person's wall, without the board and stage that come with it."""
    document = site.localised(task.document())
    break_circles([document])
    return {name: value for name, value in document.items() if name not in _OF_OTHERS}
