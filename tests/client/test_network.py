"""Real connections: kept open, shared between boards, and given up in good order."""

import asyncio

import pytest

from tests.client.sockets import answering, plain, read_request, reset, served
from tui.client.endpoints import Endpoint

READ = Endpoint.LIST_TASKS.at(1)
WRITE = Endpoint.CREATE_TASK.at(1)
OTHER_WRITE = Endpoint.CREATE_TASK.at(2)


async def test_a_read_survives_connections_that_break() -> None:
    breaks = [b"", b'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"tasks": [']

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        if breaks:
            writer.write(breaks.pop())
            await writer.drain()
            reset(writer)
            return
        writer.write(plain("200 OK", b'{"tasks": []}'))
        await writer.drain()

    async with served(behave) as one:
        assert await one.call(READ) == {"tasks": []}


async def test_a_connection_is_used_again() -> None:
    connections = 0
    answer = answering(plain("200 OK", b"{}"))

    async def count(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        await answer(reader, writer)

    async with served(count) as one:
        for _ in range(3):
            await one.call(READ)
            await one.call(WRITE, body={})
    assert connections == 1


async def test_writes_to_two_boards_do_not_wait_for_each_other() -> None:
    both = asyncio.Barrier(2)

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        await both.wait()
        writer.write(plain("200 OK", b"{}"))
        await writer.drain()

    async with served(meet) as one:
        await asyncio.gather(one.call(WRITE, body={}), one.call(OTHER_WRITE, body={}))


async def test_a_call_can_be_cancelled_while_it_waits() -> None:
    has_asked = asyncio.Event()

    async def wait(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        has_asked.set()
        await reader.read()

    async with served(wait) as one:
        call = asyncio.create_task(one.call(READ))
        await has_asked.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
