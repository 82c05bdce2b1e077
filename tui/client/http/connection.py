"""One request and its answer, over a connection that is kept open.

The rule it keeps: no error of the libraries below leaves this module, and nothing that went
through their hands either: their frames hold the `Authorization` header, so they are dropped on
the way out. An answer is taken piece by piece, up to a limit, however it was packed.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import httpx

from tui.client.endpoints import Route
from tui.client.errors import ApiError, Nonsense, Unreachable
from tui.client.http.bodies import Written
from tui.client.http.transport_errors import Way, breakdown
from tui.client.http.unpacking import UnpackingError, unpacker
from tui.client.idempotency import key_header
from tui.client.progress import Progress, ProgressListener
from tui.runtime.slices import Slicer

JSON: Final = "application/json"


class _WithoutQueries(logging.Filter):
    """Keeps what addresses carry behind the question mark, such as signatures, out of the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                arg.copy_with(query=None) if isinstance(arg, httpx.URL) else arg
                for arg in record.args
            )
        return True


logging.getLogger("httpx").addFilter(_WithoutQueries())


@dataclass(frozen=True, slots=True)
class Errand:
    """What is to be asked, and where.

    `accept` is the wanted media type, `largest` the limit of the answer in bytes, unpacked;
    `sending` hears how much of the body is gone.
    """

    route: Route
    url: httpx.URL
    largest: int
    written: Written | None = None
    accept: str = JSON
    sending: ProgressListener | None = None


class Arrival:
    """An answer that is coming in: its head is there, its body is read as it comes.

    `target` is where it redirects to; `received` counts the bytes of its body as they travelled,
    `total` is how many there will be, None while nobody knows.
    """

    def __init__(self, errand: Errand, way: Way, response: httpx.Response) -> None:
        self.status: Final = response.status_code
        self.headers: Final = response.headers
        onward = response.next_request
        self.target: Final = None if onward is None else onward.url
        self.received = 0
        length = response.headers.get("content-length", "")
        self.total: Final = int(length) if length.isascii() and length.isdigit() else None
        self._errand = errand
        self._way = way
        self._response = response

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """The body, unpacked, in pieces of at most 64 kB. Raises `Nonsense`."""
        left, slicer = self._errand.largest, Slicer()
        try:
            unpacking = unpacker(self.headers.get("content-encoding", ""))
            async for packed in self._packed():
                self.received += len(packed)
                for piece in unpacking.pieces(packed):
                    left -= len(piece)
                    if left < 0:
                        raise self._nonsense("is too large to take", "past the limit")
                    await slicer.breathe()
                    yield piece
            unpacking.finish()
        except UnpackingError as error:
            trouble = self._nonsense("cannot be unpacked", str(error))
        else:
            return
        raise trouble

    async def whole(self, progress: ProgressListener | None = None) -> bytes:
        """The body as a whole."""
        content = bytearray()
        async for piece in self.pieces():
            content += piece
            if progress is not None:
                progress(Progress(received=self.received, total=self.total))
        return bytes(content)

    def _packed(self) -> AsyncIterator[bytes]:
        """The bytes as they came; httpx would unpack a bomb whole."""
        stream = self._response.stream
        if not isinstance(stream, httpx.AsyncByteStream):
            raise TypeError("a transport answered with a stream that is not asynchronous")
        return aiter(stream)

    def _nonsense(self, what: str, why: str) -> Nonsense:
        route = self._errand.route
        return Nonsense(
            f"{self._way.host} sent an answer that {what}.",
            details=f"{route}: {self.status}: {why}",
            status=self.status,
            may_have_happened=not route.is_safe,
        )


class _Tunnel:
    """Whether a proxy is only being asked to connect, so that the request itself is still here."""

    def __init__(self) -> None:
        self.is_being_made = False

    async def note(self, event: str, info: Mapping[str, Any]) -> None:
        """Hear from the library what it begins to send."""
        if event.endswith("send_request_headers.started"):
            self.is_being_made = info["request"].method == b"CONNECT"


class Exchange:
    """Sends requests one way, over `http`, which is its own to close."""

    def __init__(self, http: httpx.AsyncClient, way: Way) -> None:
        self.way: Final = way
        self._http = http

    @property
    def is_closed(self) -> bool:
        """Whether nothing can be sent any more."""
        return self._http.is_closed

    @asynccontextmanager
    async def open(self, errand: Errand) -> AsyncIterator[Arrival]:
        """Send a request and wait for the head of its answer. Raises `ApiError`, here and inside.

        Whoever leaves before the body is read closes the connection, and so does who is
        cancelled: a call that writes may have happened then.
        """
        tunnel = _Tunnel()
        try:
            response = await self._send(errand, tunnel)
            try:
                yield Arrival(errand, self.way, response)
            finally:
                await response.aclose()
        except (httpx.RequestError, httpx.InvalidURL) as error:
            trouble = breakdown(
                errand.route, self.way, error, is_on_its_way=not tunnel.is_being_made
            )
        except ApiError:
            raise
        except (Exception, asyncio.CancelledError) as error:
            _drop_frames(error)
            raise
        else:
            return
        raise trouble

    async def aclose(self) -> None:
        """Close all connections, and the transport."""
        await self._http.aclose()

    async def _send(self, errand: Errand, tunnel: _Tunnel) -> httpx.Response:
        if self.is_closed:
            raise Unreachable("The connection was closed.", details=f"{errand.route}: closed")
        headers = {"Accept": errand.accept}
        written = errand.written
        content: bytes | AsyncIterator[bytes] | None = None
        if written is not None:
            headers |= written.headers()
            content = written.stream(errand.sending) if errand.sending else written.content
        if not errand.route.is_safe:
            body = b"" if written is None else written.content
            headers |= key_header(f"{errand.route.method} {errand.url}\n".encode() + body)
        request = self._http.build_request(
            errand.route.method,
            errand.url,
            content=content,
            headers=headers,
            extensions={"trace": tunnel.note},
        )
        return await self._http.send(request, stream=True)


def _drop_frames(error: BaseException) -> None:
    """Forget the frames an error came through, and those of what it followed from."""
    link: BaseException | None = error
    while link is not None:
        link.__traceback__ = None
        link = link.__cause__ or link.__context__
