"""A long list that comes in: from the bytes of an answer to slices of its elements.

The rule it keeps: the event loop has a turn between two slices, and a list that did not come to
its end, or that was an error after all, never passes for a whole one.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing
from typing import Any

from tui.client.endpoints import Route
from tui.client.errors import ApiError
from tui.client.http.connection import Arrival
from tui.client.http.json_stream import JsonReader, UndecodableError
from tui.client.http.responses import TELLING, Understanding
from tui.client.progress import Progress, ProgressListener
from tui.runtime.slices import Slicer

Spend = Callable[[Awaitable[bytes | None]], Awaitable[bytes | None]]


class Reception:
    """Takes one answer in; `progress` hears of its bytes and elements."""

    def __init__(
        self,
        route: Route,
        arrival: Arrival,
        understanding: Understanding,
        progress: ProgressListener | None,
    ) -> None:
        self._route = route
        self._arrival = arrival
        self._understanding = understanding
        self._progress = progress
        self._slicer = Slicer()
        self._records = 0

    async def slices(self, member: str, spend: Spend) -> AsyncGenerator[list[Any], None]:
        """The elements of the array `member`; `spend` waits for bytes. Raises `ApiError`."""
        reader = JsonReader(member, TELLING)
        try:
            async with aclosing(self._read(reader, spend)) as slices:
                async for elements in slices:
                    yield elements
        except UndecodableError as error:
            nonsense = self._understanding.nonsense(self._route, self._arrival, str(error))
            trouble: ApiError | None = nonsense
        else:
            trouble = self._judged(reader, member)
        if trouble is not None:
            raise trouble

    async def _read(self, reader: JsonReader, spend: Spend) -> AsyncGenerator[list[Any], None]:
        """All slices; raises `UndecodableError` as well."""
        async with aclosing(self._arrival.pieces()) as pieces:
            while (piece := await spend(anext(pieces, None))) is not None:
                ready = self._cut(reader.feed(piece))
                del piece  # A traceback shows local variables, and this may be an echo.
                for elements in ready:
                    await self._slicer.breathe()
                    yield elements
                self._tell()
        for elements in self._cut(reader.finish()):
            yield elements

    def _cut(self, elements: Iterator[Any]) -> Iterator[list[Any]]:
        """Elements in slices that take a few milliseconds to read."""
        ready: list[Any] = []
        for element in elements:
            ready.append(element)
            if self._slicer.is_over:
                yield self._counted(ready)
                ready = []
        if ready:
            yield self._counted(ready)

    def _counted(self, elements: list[Any]) -> list[Any]:
        self._records += len(elements)
        return elements

    def _tell(self) -> None:
        if self._progress is not None:
            arrival = self._arrival
            self._progress(
                Progress(received=arrival.received, records=self._records, total=arrival.total)
            )

    def _judged(self, reader: JsonReader, member: str) -> ApiError | None:
        """What is wrong with an answer that came whole."""
        hidden = self._understanding.hidden(self._route, self._arrival, reader.value)
        if hidden is not None or reader.is_found:
            return hidden
        return self._understanding.nonsense(
            self._route, self._arrival, f"no {member} in the answer"
        )
