"""What an answer means: a value, the elements of a long list, or one of the package's errors.

An error is an error whatever status it came with, and a list that did not come to its end never
passes for a whole one. What is kept of an answer for the log has been searched for the password.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final

import httpx

from tui.client.endpoints import Route
from tui.client.errors import ApiError, BadAddress, Nonsense
from tui.client.http.bodies import Progress, ProgressListener
from tui.client.http.connection import Response
from tui.client.http.credentials import Credentials
from tui.client.http.error_bodies import Answer, foreign_words, hidden_status, refusal
from tui.client.http.json_stream import JsonReader, UndecodableError, decode
from tui.client.http.retry import retry_after
from tui.client.http.transport_errors import Peer, login_wanted
from tui.runtime.slices import Slicer
from tui.text import clean

TELLING: Final = frozenset({"code", "data", "message", "success"})
"""The members of an answer that can make it an error."""

_ASK_AGAIN_THERE = frozenset({HTTPStatus.TEMPORARY_REDIRECT, HTTPStatus.PERMANENT_REDIRECT})
_LOGGED = 2_000
_LARGEST_ERROR = 256 * 1024
"""In bytes; what is longer is no error that a service wrote."""
_LONGEST_ADDRESS = 100
Spend = Callable[[Awaitable[bytes | None]], Awaitable[bytes | None]]


class ResponseReader:
    """Reads the answers of `peer`; `clock` gives the time, aware."""

    def __init__(self, peer: Peer, credentials: Credentials, clock: Callable[[], datetime]) -> None:
        self._peer = peer
        self._credentials = credentials
        self._clock = clock

    async def outcome(self, route: Route, response: Response, content: bytes) -> Any:
        """The value of an answer, None if it has no content; an `ApiError` to raise if it is one.

        Not raised here: who raises should not hold what came, which a traceback would show.
        """
        if response.status >= HTTPStatus.BAD_REQUEST:
            return await self.refusal(route, response, content)
        if response.status == HTTPStatus.NO_CONTENT:
            return None
        try:
            value = await decode(content)
        except UndecodableError as error:
            return self.nonsense(route, response, str(error), content)
        status = hidden_status(value)
        return value if status is None else await self.refusal(route, response, content, status)

    async def refusal(
        self, route: Route, response: Response, content: bytes, status: int | None = None
    ) -> ApiError:
        """The error that an answer stands for; `status` is the one that its body tells."""
        if response.status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
            return login_wanted(self._peer, f"{route}: {int(response.status)}")
        text = self._redacted(content)
        try:
            body = await decode(text.encode(errors="replace"))
        except UndecodableError:
            body = None
        wait = retry_after(response.headers.get("retry-after"), self._clock())
        answer = Answer(status or response.status, body, text, wait, is_page=_is_page(response))
        return refusal(route, answer)

    def hidden(self, route: Route, response: Response, told: Mapping[str, Any]) -> ApiError | None:
        """The error that came as a success, by what `TELLING` members say."""
        status = hidden_status(told)
        if status is None:
            return None
        wait = retry_after(response.headers.get("retry-after"), self._clock())
        text = self._credentials.redact(str(told))
        return refusal(route, Answer(status, told, text, wait))

    def nonsense(
        self, route: Route, response: Response, why: str, content: bytes = b""
    ) -> Nonsense:
        """The error of an answer that cannot be understood."""
        text = self._redacted(content)
        answer = Answer(response.status, None, text, is_page=_is_page(response))
        words, hint = foreign_words(answer)
        return Nonsense(
            words,
            hint=hint,
            details=f"{route}: {response.status}: {why}: {clean.line(text)[:_LOGGED]}",
            status=response.status,
            may_have_happened=not route.is_safe,
        )

    def redirect_refused(self, route: Route, status: int, target: httpx.URL) -> BadAddress:
        """The error of a redirect that is not followed; it names where to, without the query."""
        plain = str(target.copy_with(query=None, userinfo=b"", fragment=None))
        shown = clean.line(self._credentials.redact(plain))[:_LONGEST_ADDRESS]
        return BadAddress(
            f"{self._peer.host} sends callers on to {shown}; the password was not sent there.",
            hint="Sign in if this network asks for it, or set the new address in the profile.",
            details=f"{route}: {status}: to {shown}",
            status=status,
            may_have_happened=not route.is_safe and status not in _ASK_AGAIN_THERE,
        )

    def _redacted(self, content: bytes) -> str:
        return self._credentials.redact(content[:_LARGEST_ERROR].decode(errors="replace"))


def _is_page(response: Response) -> bool:
    return str(response.headers.get("content-type", "")).startswith("text/html")


class ArrayStream:
    """Takes one answer in; `progress` hears of its bytes and elements."""

    def __init__(
        self,
        route: Route,
        response: Response,
        reader: ResponseReader,
        progress: ProgressListener | None,
    ) -> None:
        self._route = route
        self._response = response
        self._reader = reader
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
            nonsense = self._reader.nonsense(self._route, self._response, str(error))
            trouble: ApiError | None = nonsense
        else:
            trouble = self._judged(reader, member)
        if trouble is not None:
            raise trouble

    async def _read(self, reader: JsonReader, spend: Spend) -> AsyncGenerator[list[Any], None]:
        """All slices; raises `UndecodableError` as well."""
        async with aclosing(self._response.pieces()) as pieces:
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
            response = self._response
            self._progress(
                Progress(received=response.received, records=self._records, total=response.total)
            )

    def _judged(self, reader: JsonReader, member: str) -> ApiError | None:
        """What is wrong with an answer that came whole."""
        hidden = self._reader.hidden(self._route, self._response, reader.value)
        if hidden is not None or reader.is_found:
            return hidden
        return self._reader.nonsense(self._route, self._response, f"no {member} in the answer")
