"""How far a call has come."""

import asyncio
import gzip
import json

import httpx

from tests.client.scripted import Heard, Script, session
from tests.client.sockets import answering, plain, read_request, served
from tui.client.endpoints import Endpoint
from tui.client.http.bodies import Upload

READ = Endpoint.LIST_TASKS.at(1)
UPLOAD = Endpoint.UPLOAD_COMMENT_IMAGE.at(1, 2)
BODY = json.dumps({"tasks": [{"id": number, "title": "x" * 99} for number in range(3_000)]})


async def test_an_upload_is_heard_piece_by_piece() -> None:
    heard = Heard()
    content = bytes(300_000)
    async with served(answering(plain("200 OK", b"{}"))) as one:
        await one.call(UPLOAD, body=Upload("a.png", "image/png", content, heard))
    sent = [so_far for so_far, _ in heard]
    assert sent == sorted(sent)
    assert len(sent) >= 5
    assert sent[-1] == heard[-1][1]
    assert sent[-1] > len(content)


async def test_a_download_is_heard_in_bytes_as_they_travelled() -> None:
    heard = Heard()
    packed = gzip.compress(BODY.encode())
    answer = plain("200 OK", packed, "content-encoding: gzip")
    async with served(answering(answer)) as one:
        value = await one.fetch("/a.png", progress=heard)
    assert value == BODY.encode()
    assert heard[-1] == (len(packed), len(packed))


async def test_a_stream_is_heard_in_bytes() -> None:
    heard = Heard()
    async with served(answering(plain("200 OK", BODY.encode()))) as one:
        tasks = [
            task async for slice_ in one.stream(READ, "tasks", progress=heard) for task in slice_
        ]
    assert tasks == json.loads(BODY)["tasks"]
    assert len(heard) > 3
    assert heard[-1] == (len(BODY), len(BODY))
    assert 0 < heard[0][0] < len(BODY)


async def test_a_length_that_nobody_said_is_none() -> None:
    async def chunked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
        await writer.drain()

    heard = Heard()
    async with served(chunked) as one:
        await one.fetch("/a.png", progress=heard)
    assert heard[-1] == (2, None)


async def test_a_length_that_is_none_is_not_believed() -> None:
    heard = Heard()
    answer = httpx.Response(200, content=b"{}", headers={"content-length": "many"})
    await session(Script(answer)).fetch("/a.png", progress=heard)
    assert heard[-1][1] is None
