"""Every way a connection or an answer can fail, on real sockets: told rightly, and in time."""

import asyncio
import gzip
import socket
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass

import pytest

from tests.client.scripted import session
from tests.client.sockets import (
    PATIENT,
    Behaviour,
    answering,
    forever,
    plain,
    read_request,
    reset,
    served,
    stalling,
)
from tests.drivers.patience import patience
from tui.client import errors
from tui.client.endpoints import Endpoint
from tui.client.http.retry import Timeouts
from tui.client.http.session import HttpSession

Way = Callable[[HttpSession], Awaitable[None]]

READ = Endpoint.LIST_TASKS.at(1)
WRITE = Endpoint.UPDATE_TASK.at(1, 2)
SHORT = Timeouts(read=0.04)
SHORT_BEFORE = Timeouts(connect=0.04)
IN_ALL = Timeouts(read=3600.0, total=0.06)

JSON = "content-type: application/json"
TASKS = b'{"tasks": [{"id": 1}, {"id": 2}]}'
CUT_TASKS = b'{"tasks": [{"id": 1}, {"id"'
PAGE = b"<html><head><title>Oops</title></head><body><h1>Bad gateway</h1></body></html>"
UNKNOWN = b'{"code": "outcome_unknown", "message": "It may have been saved.", "data": null}'
HIDDEN = b'{"code": "rest_x", "message": "No such thing.", "data": {"status": 404}}'
PACKED = gzip.compress(b'{"tasks": [' + b'{"id": 1}, ' * 99 + b"7]}")
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"


def _bomb() -> bytes:
    """40 MB in few bytes, each million of them packed as the first one is."""
    packing = zlib.compressobj(wbits=16 + zlib.MAX_WBITS)
    start = packing.compress(b'{"tasks": ["') + packing.flush(zlib.Z_FULL_FLUSH)
    part = packing.compress(b"x" * 1_000_000) + packing.flush(zlib.Z_FULL_FLUSH)
    return start + 40 * part


async def _reset_at_once(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    reset(writer)


async def _reset_after_reading(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await read_request(reader)
    reset(writer)


async def _reset_within(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await read_request(reader)
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n" + CUT_TASKS)
    await writer.drain()
    reset(writer)


def _closing(answer: bytes) -> Behaviour:
    return answering(answer, then_close=True)


@dataclass(frozen=True)
class Fault:
    """What happens, what it is called, and whether a write may have happened then."""

    behaviour: Behaviour
    kind: type[errors.ApiError]
    may_have_happened: bool
    timeouts: Timeouts = PATIENT
    words: str = ""


FAULTS = {
    "reset at once": Fault(_reset_at_once, errors.Unreachable, True, words="broke"),
    "reset after the request": Fault(_reset_after_reading, errors.Unreachable, True),
    "reset within the body": Fault(_reset_within, errors.Unreachable, True),
    "closed without an answer": Fault(_closing(b""), errors.Unreachable, True),
    "no head": Fault(stalling(b""), errors.TimedOut, True, SHORT, "in time"),
    "half a head": Fault(stalling(b"HTTP/1.1 200 OK\r\nx-a"), errors.TimedOut, True, SHORT),
    "half a body": Fault(
        stalling(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"), errors.TimedOut, True, SHORT
    ),
    "a body that drips": Fault(
        forever(b"HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n", b" "),
        errors.TimedOut,
        True,
        IN_ALL,
    ),
    "endless preludes": Fault(
        forever(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), errors.TimedOut, True, IN_ALL
    ),
    "endless headers": Fault(
        forever(b"HTTP/1.1 200 OK\r\n", b"x-more: " + b"y" * 9_000 + b"\r\n"),
        errors.Unreachable,
        True,
    ),
    "an endless body": Fault(
        forever(CHUNKED, b"10000\r\n" + b" " * 65_536 + b"\r\n"),
        errors.UnexpectedAnswer,
        True,
        words="too large",
    ),
    "a bomb": Fault(
        _closing(plain("200 OK", _bomb(), JSON, "content-encoding: gzip")),
        errors.UnexpectedAnswer,
        True,
        words="too large",
    ),
    "cut gzip": Fault(
        _closing(plain("200 OK", PACKED[:-12], JSON, "content-encoding: gzip")),
        errors.UnexpectedAnswer,
        True,
        words="unpacked",
    ),
    "what is no gzip": Fault(
        _closing(plain("200 OK", TASKS, JSON, "content-encoding: gzip")),
        errors.UnexpectedAnswer,
        True,
        words="unpacked",
    ),
    "an encoding that was not requested": Fault(
        _closing(plain("200 OK", TASKS, JSON, "content-encoding: br")),
        errors.UnexpectedAnswer,
        True,
    ),
    "fewer bytes than said": Fault(
        _closing(b"HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n" + CUT_TASKS),
        errors.Unreachable,
        True,
    ),
    "a cut chunk": Fault(
        _closing(CHUNKED + b"1b\r\n" + CUT_TASKS + b"\r\n40\r\n[1"), errors.Unreachable, True
    ),
    "cut JSON": Fault(_closing(plain("200 OK", CUT_TASKS, JSON)), errors.UnexpectedAnswer, True),
    "elsewhere": Fault(
        _closing(plain("302 Found", b"", "location: https://other.example/v2")),
        errors.BadAddress,
        True,
        words="other.example",
    ),
    "elsewhere, again": Fault(
        _closing(plain("307 Temporary Redirect", b"", "location: https://other.example/v2")),
        errors.BadAddress,
        False,
    ),
    "round and round": Fault(
        _closing(plain("302 Found", b"", "location: /v2/round")), errors.BadAddress, True
    ),
    "too often": Fault(
        _closing(plain("429 Too Many", b"{}", "retry-after: 1")), errors.ServerFault, False
    ),
    "a bad gateway": Fault(
        _closing(plain("502 Bad Gateway", PAGE, "content-type: text/html")),
        errors.ServerFault,
        True,
    ),
    "an unknown outcome": Fault(
        _closing(plain("503 Service Unavailable", UNKNOWN, JSON)), errors.ServerFault, True
    ),
    "a page": Fault(
        _closing(plain("200 OK", PAGE, "content-type: text/html")), errors.UnexpectedAnswer, True
    ),
    "nothing": Fault(_closing(plain("200 OK", b"", JSON)), errors.UnexpectedAnswer, True),
    "a hidden error": Fault(_closing(plain("200 OK", HIDDEN, JSON)), errors.NotFound, False),
    "no HTTP": Fault(_closing(b"220 mail.example ESMTP\r\n"), errors.Unreachable, True),
    "a proxy's login": Fault(
        _closing(plain("407 Proxy Authentication Required", PAGE)),
        errors.BadAddress,
        False,
        words="proxy",
    ),
    "a network's login": Fault(
        _closing(plain("511 Network Authentication Required", PAGE)),
        errors.Unreachable,
        False,
        words="sign in",
    ),
    "another server": Fault(
        _closing(plain("421 Misdirected Request", b"{}")), errors.ServerFault, False
    ),
    "too long an address": Fault(_closing(plain("414 URI Too Long", PAGE)), errors.TooLarge, False),
    "too much in the head": Fault(
        _closing(plain("431 Request Header Fields Too Large", PAGE)), errors.TooLarge, False
    ),
}


async def _read(one: HttpSession) -> None:
    await one.call(READ)


async def _stream(one: HttpSession) -> None:
    async for _ in one.stream(READ, "tasks"):
        pass


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("way", [_read, _stream])
async def test_a_read_that_fails_changed_nothing(way: Way, fault: Fault) -> None:
    async with patience("an error"), served(fault.behaviour, fault.timeouts) as one:
        with pytest.raises(fault.kind) as caught:
            await way(one)
    _check(caught.value, fault)
    assert not caught.value.may_have_happened


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
async def test_a_write_that_fails_says_whether_it_may_have_happened(fault: Fault) -> None:
    async with patience("an error"), served(fault.behaviour, fault.timeouts) as one:
        with pytest.raises(fault.kind) as caught:
            await one.call(WRITE, body={"property": "title", "value": "x"})
    _check(caught.value, fault)
    assert caught.value.may_have_happened is fault.may_have_happened


def _check(error: errors.ApiError, fault: Fault) -> None:
    assert type(error) is fault.kind
    assert fault.words in error.message
    assert "\n" not in error.message
    assert "<" not in error.message


async def test_nobody_listens() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    one = session(None, base=f"http://127.0.0.1:{port}/v2")
    with pytest.raises(errors.Unreachable, match="cannot be reached") as caught:
        await one.call(WRITE, body={})
    assert not caught.value.may_have_happened
    await one.aclose()


@contextmanager
def _overrun() -> Iterator[int]:
    """The port of a server that has no room for another connection, so that making one stalls."""
    with ExitStack() as stack:
        server = stack.enter_context(socket.socket())
        server.bind(("127.0.0.1", 0))
        server.listen(0)
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(server.getsockname())
        yield server.getsockname()[1]


async def test_a_connection_that_is_not_made_in_time_changed_nothing() -> None:
    with _overrun() as port:
        one = session(None, base=f"http://127.0.0.1:{port}/v2", timeouts=SHORT_BEFORE)
        with pytest.raises(errors.TimedOut) as caught:
            await one.call(WRITE, body={})
        await one.aclose()
    assert not caught.value.may_have_happened
    assert caught.value.is_passing


async def test_the_time_of_a_call_covers_its_pauses() -> None:
    busy = answering(plain("429 Too Many", b"{}", "retry-after: 8"))
    async with served(busy, Timeouts(total=5.0)) as one:
        with pytest.raises(errors.ServerFault) as caught:
            await one.call(READ)
    assert caught.value.retry_after == 8.0


@asynccontextmanager
async def _kept_open(answers: int) -> AsyncIterator[tuple[HttpSession, list[bytes]]]:
    """A server that answers so many requests on a connection, reads one more, and closes it."""
    seen: list[bytes] = []

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(answers):
            seen.append(await read_request(reader))
            writer.write(plain("200 OK", b"{}", JSON))
            await writer.drain()
        seen.append(await read_request(reader))

    async with served(behave) as one:
        yield one, seen


async def test_a_write_on_a_connection_that_went_stale_is_not_repeated() -> None:
    async with _kept_open(1) as (one, seen):
        await one.call(READ)
        with pytest.raises(errors.Unreachable) as caught:
            await one.call(WRITE, body={})
    assert caught.value.may_have_happened
    assert len(seen) == 2


async def test_a_read_on_a_connection_that_went_stale_is_repeated() -> None:
    async with _kept_open(1) as (one, seen):
        await one.call(READ)
        await one.call(READ)
    assert len(seen) == 3


async def test_a_cancelled_write_closes_its_connection() -> None:
    has_asked, has_gone = asyncio.Event(), asyncio.Event()

    async def wait(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        has_asked.set()
        await reader.read()
        has_gone.set()

    async with served(wait) as one:
        call = asyncio.create_task(one.call(WRITE, body={}))
        await has_asked.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await has_gone.wait()


async def test_a_stream_that_is_left_closes_its_connection() -> None:
    has_gone = asyncio.Event()
    head = b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n"

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(head + b'{"tasks": [{"id": 1}, ')
        await writer.drain()
        await reader.read()
        has_gone.set()

    async with served(behave) as one:
        stream = one.stream(READ, "tasks")
        assert await anext(stream) == [{"id": 1}]
        await stream.aclose()
        await has_gone.wait()
