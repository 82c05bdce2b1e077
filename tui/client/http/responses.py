"""Responses: decompresses their bodies in pieces, and turns them into values or errors.

A truncated list is an error and never passes for a complete one. Decompression is limited in size,
with one piece in memory at a time. Texts kept for the log are redacted.
"""

import json
import zlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final

import httpx

from tui.client.documents import BytesListener
from tui.client.endpoints import RequestLine
from tui.client.errors import ApiError, BadAddress, UnexpectedAnswer
from tui.client.http.address import without_query
from tui.client.http.credentials import Credentials
from tui.client.http.error_bodies import ErrorReply, foreign_words, hidden_status, refusal
from tui.client.http.json_stream import JsonReader, UndecodableError, decode
from tui.client.http.retry import retry_after
from tui.client.http.transport_errors import Peer, login_wanted
from tui.runtime.slices import Slicer
from tui.text import clean

ACCEPTED: Final = "gzip, deflate"
"""The `Accept-Encoding` of requests."""

_PIECE = 64 * 1024
_AS_IT_IS = frozenset({"", "identity"})
_DEFLATED = frozenset({"gzip", "x-gzip", "deflate"})
_EITHER_HEADER = 32 + zlib.MAX_WBITS
_NO_HEADER = -zlib.MAX_WBITS
_ZLIB_METHOD = 8
_GZIP_SIGN = 0x1F

_TELLING = frozenset({"code", "data", "message", "success"})
"""Members of a response that can make it an error."""
_ASK_AGAIN_THERE = frozenset({HTTPStatus.TEMPORARY_REDIRECT, HTTPStatus.PERMANENT_REDIRECT})
_LOGGED = 2_000
_LARGEST_ERROR = 256 * 1024
"""In bytes; a longer body is not an error of the service."""
_LONGEST_ADDRESS = 100
Spend = Callable[[Awaitable[bytes | None]], Awaitable[bytes | None]]


class UnpackingError(ValueError):
    """A body is not compressed as declared, or in an unsupported way."""


class BodyUnpacker:
    """Decompresses a body as it arrives. Raises `UnpackingError`."""

    def __init__(self, encoding: str) -> None:
        name = encoding.strip().lower()
        if name not in _AS_IT_IS | _DEFLATED:
            raise UnpackingError(f"packed as {clean.line(encoding)[:40]}")
        self._is_deflated = name in _DEFLATED
        self._inflater: zlib._Decompress | None = None

    def pieces(self, packed: bytes) -> Iterator[bytes]:
        """Decompress the next bytes, in pieces of at most 64 kB."""
        # zlib copies what it has not read yet, so it is given little at a time.
        for start in range(0, len(packed), _PIECE):
            piece = packed[start : start + _PIECE]
            if self._is_deflated:
                yield from self._inflated(piece)
            else:
                yield piece

    def finish(self) -> None:
        """Check that the compressed data is complete."""
        if self._inflater is not None and not self._inflater.eof:
            raise UnpackingError("its packing is cut short")

    def _inflated(self, packed: bytes) -> Iterator[bytes]:
        if self._inflater is None:
            # Some services send deflate without its header.
            is_bare = packed[0] != _GZIP_SIGN and packed[0] & 0x0F != _ZLIB_METHOD
            self._inflater = zlib.decompressobj(_NO_HEADER if is_bare else _EITHER_HEADER)
        while not self._inflater.eof:
            try:
                piece = self._inflater.decompress(packed, _PIECE)
            except zlib.error as error:
                raise UnpackingError(str(error)) from None
            packed = self._inflater.unconsumed_tail
            if piece:
                yield piece
            # After a full piece, the inflater may hold more although its input is used up.
            if not packed and len(piece) < _PIECE:
                return


class Response:
    """A response whose head has arrived; its body is read as it comes.

    `largest` limits the unpacked body, in bytes. `target` is where it redirects to; `received`
    counts the bytes of the body as transferred, `total` is the expected number or None.
    """

    def __init__(
        self, route: RequestLine, peer: Peer, largest: int, response: httpx.Response
    ) -> None:
        self.route: Final = route
        self.status: Final = response.status_code
        self.headers: Final = response.headers
        onward = response.next_request
        self.target: Final = None if onward is None else onward.url
        self.received = 0
        length = response.headers.get("content-length", "")
        self.total: Final = int(length) if length.isascii() and length.isdigit() else None
        self._peer = peer
        self._largest = largest
        self._response = response

    @property
    def is_page(self) -> bool:
        """Whether its type is HTML."""
        return str(self.headers.get("content-type", "")).startswith("text/html")

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """The decompressed body, in pieces of at most 64 kB. Raises `UnexpectedAnswer`."""
        # Raw bytes: httpx would unpack a decompression bomb completely.
        stream = self._response.stream
        if not isinstance(stream, httpx.AsyncByteStream):
            raise TypeError("a transport answered with a stream that is not asynchronous")
        left, slicer = self._largest, Slicer()
        try:
            unpacker = BodyUnpacker(self.headers.get("content-encoding", ""))
            async for packed in stream:
                self.received += len(packed)
                for piece in unpacker.pieces(packed):
                    left -= len(piece)
                    if left < 0:
                        raise self._unexpected("is too large to take", "past the limit")
                    await slicer.yield_if_over()
                    yield piece
            unpacker.finish()
        except UnpackingError as error:
            trouble = self._unexpected("cannot be unpacked", str(error))
        else:
            return
        raise trouble

    async def whole(self, progress: BytesListener | None = None) -> bytes:
        """The whole body."""
        content = bytearray()
        async for piece in self.pieces():
            content += piece
            if progress is not None:
                progress(self.received, self.total)
        return bytes(content)

    def _unexpected(self, what: str, why: str) -> UnexpectedAnswer:
        return UnexpectedAnswer(
            f"{self._peer.host} sent an answer that {what}.",
            details=f"{self.route}: {self.status}: {why}",
            status=self.status,
            may_have_happened=not self.route.is_safe,
        )


@dataclass(frozen=True, slots=True)
class ResponseReader:
    """Reads responses of `peer`; `clock` returns the time, aware."""

    peer: Peer
    credentials: Credentials
    clock: Callable[[], datetime]

    async def outcome(self, response: Response) -> Any:
        """The value of a response, None without content; or an `ApiError` for the caller to raise.

        It is not raised here, so that the traceback does not hold the response.
        """
        content = await response.whole()
        if response.status >= HTTPStatus.BAD_REQUEST:
            return await self.refusal(response, content)
        if response.status == HTTPStatus.NO_CONTENT:
            return None
        try:
            value = await decode(content)
        except UndecodableError as error:
            return self._unexpected(response, str(error), content)
        status = hidden_status(value)
        return value if status is None else await self.refusal(response, content, status)

    async def elements(
        self, response: Response, member: str, spend: Spend, progress: BytesListener | None
    ) -> AsyncGenerator[list[Any], None]:
        """The elements of the array `member`, in slices that take little time to read.

        `spend` waits for bytes, which `progress` reports. Raises `ApiError`.
        """
        reader, slicer = JsonReader(member, _TELLING), Slicer()
        try:
            async with aclosing(response.pieces()) as pieces:
                is_over = False
                while not is_over:
                    piece = await spend(anext(pieces, None))
                    is_over = piece is None
                    arrived = reader.finish() if piece is None else reader.feed(piece)
                    # A traceback may show local variables, and this may echo the password.
                    del piece
                    for elements in _slices(arrived, slicer):
                        await slicer.yield_if_over()
                        yield elements
                    if progress is not None:
                        progress(response.received, response.total)
        except UndecodableError as error:
            trouble: ApiError = self._unexpected(response, str(error))
        else:
            # Even after a list: an error beside it may mean that the list is incomplete.
            status = hidden_status(reader.value)
            if status is not None:
                content = json.dumps(reader.value).encode()
                trouble = await self.refusal(response, content, status)
            elif reader.is_found:
                return
            else:
                trouble = self._unexpected(response, f"no {member} in the answer")
        raise trouble

    async def refusal(
        self, response: Response, content: bytes, status: int | None = None
    ) -> ApiError:
        """The error for a response; `status` overrides its own."""
        if response.status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
            return login_wanted(self.peer, f"{response.route}: {int(response.status)}")
        text = self._redacted(content)
        try:
            body = await decode(text.encode(errors="replace"))
        except UndecodableError:
            body = None
        wait = retry_after(response.headers.get("retry-after"), self.clock())
        answer = ErrorReply(status or response.status, body, text, wait, is_page=response.is_page)
        return refusal(response.route, answer)

    def redirect_refused(self, response: Response) -> BadAddress:
        """The error for a redirect that is not followed, naming its target without the query."""
        plain = without_query(response.target or httpx.URL())
        shown = clean.line(self.credentials.redact(plain))[:_LONGEST_ADDRESS]
        # 307 and 308 ask for the same request elsewhere; after others a write may be done already.
        is_asked_again = response.route.is_safe or response.status in _ASK_AGAIN_THERE
        return BadAddress(
            f"{self.peer.host} redirects to {shown}; the password was not sent.",
            hint="Sign in if this network asks for it, or set the new address in the profile.",
            details=f"{response.route}: {response.status}: to {shown}",
            status=response.status,
            may_have_happened=not is_asked_again,
        )

    def _unexpected(self, response: Response, why: str, content: bytes = b"") -> UnexpectedAnswer:
        text = self._redacted(content)
        words, hint = foreign_words(response.status, is_page=response.is_page)
        return UnexpectedAnswer(
            words,
            hint=hint,
            details=f"{response.route}: {response.status}: {why}: {clean.line(text)[:_LOGGED]}",
            status=response.status,
            may_have_happened=not response.route.is_safe,
        )

    def _redacted(self, content: bytes) -> str:
        return self.credentials.redact(content[:_LARGEST_ERROR].decode(errors="replace"))


def _slices(elements: Iterable[Any], slicer: Slicer) -> Iterator[list[Any]]:
    ready: list[Any] = []
    for element in elements:
        ready.append(element)
        if slicer.is_over:
            yield ready
            ready = []
    if ready:
        yield ready
