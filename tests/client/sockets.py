"""Servers on real sockets that do to each connection what a test says, and sessions with them."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from ssl import SSLContext

from tests.client.scripted import session
from tui.client.http.retry import Timeouts
from tui.client.http.session import HttpSession

Behaviour = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
PATIENT = Timeouts()


@asynccontextmanager
async def listening(behaviour: Behaviour, *, ssl: SSLContext | None = None) -> AsyncIterator[int]:
    """The port of a server that does `behaviour` to each connection, and leaves none open."""
    handling: set[asyncio.Task[None]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None, "a connection is handled by no task"
        handling.add(task)
        try:
            await behaviour(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, ssl=ssl)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in handling:  # Python 3.11 does not wait for them
            task.cancel()
        await asyncio.gather(*handling, return_exceptions=True)
        await server.wait_closed()


@asynccontextmanager
async def served(behaviour: Behaviour, timeouts: Timeouts = PATIENT) -> AsyncIterator[HttpSession]:
    """A session with such a server."""
    async with listening(behaviour) as port:
        one = session(None, base=f"http://127.0.0.1:{port}/v2", timeouts=timeouts)
        try:
            yield one
        finally:
            await one.aclose()


async def read_request(reader: asyncio.StreamReader) -> bytes:
    """One request, head and body."""
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


def reset(writer: asyncio.StreamWriter) -> None:
    """Close with a reset instead of an orderly end."""
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()


def answering(answer: bytes, *, then_close: bool = False) -> Behaviour:
    """Answers every request with the same bytes, and goes on or closes the connection."""

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while not reader.at_eof():
            await read_request(reader)
            writer.write(answer)
            await writer.drain()
            if then_close:
                return

    return behave


def forever(head: bytes, piece: bytes) -> Behaviour:
    """Answers with a head and then the same piece again and again."""

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(head)
        while not reader.at_eof():
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)

    return behave


def stalling(begun: bytes) -> Behaviour:
    """Begins an answer, and does nothing more until the caller has gone."""

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(begun)
        await writer.drain()
        await reader.read()

    return behave


def plain(status: str, body: bytes, *headers: str) -> bytes:
    """An answer of HTTP/1.1 with the right length."""
    lines = (f"HTTP/1.1 {status}", f"content-length: {len(body)}", *headers, "", "")
    return "\r\n".join(lines).encode() + body
