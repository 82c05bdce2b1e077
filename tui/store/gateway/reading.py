"""Records of the client as documents, and long lists read page by page.

The rule it keeps: a page of a list is asked for once: who goes on reading goes on where the last
page ended.
"""

from collections.abc import AsyncIterator, Iterable
from typing import Any

from tui.client.client import Client
from tui.client.documents import break_circles
from tui.client.records import Record, TaskRecord
from tui.client.resources.listing import Page
from tui.store.documents.shapes import Document
from tui.store.remote import DocumentPage

PER_PAGE = 50
_FOREIGN = ("board", "stage")


class GatewayReading:
    """What every part of the gateway turns records into documents by."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._dialect = client.dialect
        self._reading: dict[str, _Reading] = {}

    def _task(self, task: TaskRecord) -> Document:
        document = self._dialect.document(task)
        break_circles([document])
        return {name: value for name, value in document.items() if name not in _FOREIGN}

    def _tasks(self, tasks: Iterable[TaskRecord]) -> list[Document]:
        return [self._task(task) for task in tasks]

    async def _page(
        self,
        what: str,
        of: tuple[int, int],
        number: int,
        pages: "AsyncIterator[Page[Any]]",
    ) -> DocumentPage:
        """The page of this number, read on from the last one where that was the one before."""
        reading = self._reading.get(what)
        if reading is None or reading.of != of or reading.number != number - 1 or number == 1:
            reading = self._reading[what] = _Reading(of, pages)
        try:
            return await reading.read_to(number)
        except BaseException:
            del self._reading[what]
            raise


class _Reading:
    """A long list that is being read, and how many of its pages were."""

    def __init__(self, of: tuple[int, int], pages: "AsyncIterator[Page[Any]]") -> None:
        self.of = of
        self.number = 0
        self._pages = pages

    async def read_to(self, number: int) -> DocumentPage:
        """The page of this number; an empty last one where there are fewer."""
        page: Page[Any] | None = None
        while self.number < number:
            page = await anext(self._pages, None)
            self.number += 1
        if page is None:
            return DocumentPage([], is_last=True)
        return DocumentPage(documents(page.records), number >= page.last_page, page.total)


def documents(records: Iterable[Record]) -> list[Document]:
    """Records as documents."""
    return [record.document() for record in records]
