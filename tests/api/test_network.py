"""Real connections that fail in the ways connections do."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from tests.api.scripted import session
from tui.api import errors
from tui.api.endpoints import Endpoint
from tui.api.patience import Timeouts
from tui.api.session import Session

READ = Endpoint.LIST_TASKS.at(board_id=1)
WRITE = Endpoint.CREATE_TASK.at(board_id=1)
PATIENT = Timeouts()
SHORT = Timeouts(read=0.1)

_Behaviour = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def served(behaviour: _Behaviour, timeouts: Timeouts = PATIENT) -> AsyncIterator[Session]:
    """A session with a server that does `behaviour` to each connection."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await behaviour(reader, writer)
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    one = session(None, base=f"http://127.0.0.1:{port}/v2", timeouts=timeouts)
    async with server:
        try:
            yield one
        finally:
            await one.aclose()


async def _request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        (
            int(line[15:])
            for line in head.lower().split(b"\r\n")
            if line.startswith(b"content-length:")
        ),
        0,
    )
    return head + await reader.readexactly(length)


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close with a reset instead of an orderly end."""
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()


async def _reset_at_once(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    _reset(writer)


async def _reset_after_reading(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await _request(reader)
    _reset(writer)


async def _stall(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await _request(reader)
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")
    await writer.drain()
    await reader.read()


async def _truncate(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await _request(reader)
    writer.write(b'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"tasks": [')
    await writer.drain()


async def _not_http(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await _request(reader)
    writer.write(b"220 mail.example ESMTP\r\n")
    await writer.drain()


@pytest.mark.parametrize(
    ("behaviour", "timeouts", "kind"),
    [
        (_reset_at_once, PATIENT, errors.Unreachable),
        (_reset_after_reading, PATIENT, errors.Unreachable),
        (_stall, SHORT, errors.TimedOut),
        (_truncate, PATIENT, errors.Unreachable),
        (_not_http, PATIENT, errors.Unreachable),
    ],
)
async def test_a_broken_exchange_may_have_happened(
    behaviour: _Behaviour, timeouts: Timeouts, kind: type[errors.ApiError]
) -> None:
    async with served(behaviour, timeouts) as one:
        with pytest.raises(kind) as caught:
            await one.call(WRITE, body={"task": {}})
    assert caught.value.may_have_happened
    assert caught.value.is_passing
    assert "127.0.0.1" in caught.value.message


async def test_a_refused_connection_changed_nothing() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    one = session(None, base=f"http://127.0.0.1:{port}/v2")
    with pytest.raises(errors.Unreachable, match="cannot be reached") as caught:
        await one.call(WRITE, body={})
    assert not caught.value.may_have_happened
    await one.aclose()


async def test_a_read_survives_a_reset_connection() -> None:
    behaviours = [_reset_after_reading, _truncate]

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if behaviours:
            await behaviours.pop(0)(reader, writer)
            return
        await _request(reader)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 13\r\n\r\n" + b'{"tasks": []}')
        await writer.drain()

    async with served(behave) as one:
        assert await one.call(READ) == {"tasks": []}


async def test_a_call_as_a_whole_has_an_end() -> None:
    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _request(reader)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
        while not reader.at_eof():
            writer.write(b" ")
            await asyncio.sleep(0)
            await writer.drain()

    async with served(drip, Timeouts(total=0.2)) as one:
        with pytest.raises(errors.TimedOut) as caught:
            await one.call(READ)
    assert caught.value.is_passing


async def test_a_host_without_tls_is_not_trusted() -> None:
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(plain, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    one = session(None, base=f"https://127.0.0.1:{port}/v2")
    async with server:
        with pytest.raises(errors.TlsFailed, match="not safe") as caught:
            await one.call(WRITE, body={})
    assert not caught.value.may_have_happened
    assert not caught.value.is_passing
    await one.aclose()


async def test_a_call_can_be_cancelled_while_it_waits() -> None:
    has_asked = asyncio.Event()

    async def wait(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await _request(reader)
        has_asked.set()
        await reader.read()

    async with served(wait) as one:
        call = asyncio.create_task(one.call(READ))
        await has_asked.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
