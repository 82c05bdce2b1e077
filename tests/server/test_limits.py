"""What anybody may ask of the server before they have said who they are."""

import asyncio
import json
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.server import ServerState

from tests.service.quick import LOGIN, PASSWORD, quick_content
from tests.service.world import memory_database
from tui.service.database.base import Database
from tui.service.errors import ServiceError
from tui.service.http.application import SteadyBody, served
from tui.service.http.options import Limits, Options
from tui.service.http.server import limited

pytestmark = pytest.mark.long

_GET = b"GET /v2/projects HTTP/1.1\r\nHost: x\r\n"
_BRIEF = 0.02

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[], Awaitable[Streams]]


@pytest.fixture
def database() -> Iterator[Database]:
    """The database of a service with an account."""
    database = memory_database(quick_content())
    yield database
    database.close()


@pytest.fixture
def service(database: Database) -> ASGIApp:
    """A service with an account."""
    return served(database)


@asynccontextmanager
async def _serving(limits: Limits, application: ASGIApp) -> AsyncIterator[Connect]:
    """Makes connections to a server with these limits."""
    config = uvicorn.Config(
        application,
        http=limited(limits),
        lifespan="off",
        ws="none",
        log_config=None,
    )
    config.load()
    state = ServerState()
    made: list[asyncio.StreamWriter] = []
    server = await asyncio.get_running_loop().create_server(
        lambda: config.http_protocol_class(  # type: ignore[call-arg] # as uvicorn calls it
            config=config, server_state=state, app_state={}
        ),
        "127.0.0.1",
        0,
    )
    port = server.sockets[0].getsockname()[1]

    async def connect() -> Streams:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        made.append(writer)
        return reader, writer

    try:
        yield connect
    finally:
        server.close()
        for link in (*made, *state.connections):
            link.transport.abort()
        await asyncio.sleep(0)


async def _replies(streams: Streams, sent: bytes) -> bytes:
    """Everything that a connection answers to what is sent until it is closed."""
    reader, writer = streams
    writer.write(sent)
    try:
        return await reader.read()
    except ConnectionError:
        return b""


async def _status(streams: Streams, sent: bytes) -> tuple[int, Any]:
    """The status and the JSON of one reply."""
    reader, writer = streams
    writer.write(sent)
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
    return int(head.split()[1]), json.loads(await reader.readexactly(length))


async def test_a_head_within_the_limit_is_answered(
    service: ASGIApp,
) -> None:
    async with _serving(Limits(head_bytes=2000), service) as connect:
        streams = await connect()
        for size in (10, 1800):
            status, _ = await _status(streams, _GET + b"X: " + b"x" * size + b"\r\n\r\n")
            assert status == 401


@pytest.mark.parametrize(
    "head",
    [
        _GET + b"X: " + b"x" * 3000 + b"\r\n\r\n",
        _GET + b"".join(b"X-%d: x\r\n" % number for number in range(500)) + b"\r\n",
        b"GET /" + b"x" * 3000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
)
async def test_a_head_that_is_too_large_is_refused(service: ASGIApp, head: bytes) -> None:
    async with _serving(Limits(head_bytes=2000), service) as connect:
        streams = await connect()
        status, body = await _status(streams, head)
        assert (status, body["code"]) == (431, "head_too_large")
        assert await streams[0].read() == b""


@pytest.mark.parametrize("begin", [_GET + b"X: ", b"GET /", b"\r\n"])
async def test_a_head_that_does_not_end_is_refused(service: ASGIApp, begin: bytes) -> None:
    async with _serving(Limits(head_bytes=2000), service) as connect:
        reply = await _replies(await connect(), begin.ljust(3000, begin[-1:]))
        assert reply.startswith(b"HTTP/1.1 431 ")


async def test_large_bodies_and_requests_sent_ahead_are_no_large_heads(service: ASGIApp) -> None:
    body = b"x" * 5000
    post = _GET.replace(b"GET", b"POST") + b"Content-Length: 5000\r\n\r\n" + body
    async with _serving(Limits(head_bytes=2000), service) as connect:
        streams = await connect()
        streams[1].write(post + post + _GET + b"\r\n")
        for _ in range(3):
            assert (await _status(streams, b""))[0] == 401


@pytest.mark.parametrize("begin", [b"", b"GET", _GET, b"\r\n"])
async def test_a_connection_without_a_head_is_closed(service: ASGIApp, begin: bytes) -> None:
    async with _serving(Limits(head_seconds=_BRIEF), service) as connect:
        assert await _replies(await connect(), begin) == b""


async def test_a_head_must_be_complete_in_time_however_steadily_it_comes(service: ASGIApp) -> None:
    async with _serving(Limits(head_seconds=_BRIEF), service) as connect:
        reader, writer = await connect()
        writer.write(_GET)
        ended = asyncio.ensure_future(_replies((reader, writer), b""))
        while not ended.done():
            writer.write(b"X: x\r\n")
            await asyncio.wait([ended], timeout=_BRIEF / 4)
        assert ended.result() == b""


async def test_a_connection_that_is_idle_after_a_reply_is_closed(
    service: ASGIApp,
) -> None:
    async with _serving(Limits(head_seconds=4 * _BRIEF), service) as connect:
        reply = await _replies(await connect(), _GET + b"\r\n")
        assert reply.startswith(b"HTTP/1.1 401 ")
        assert reply.count(b"HTTP/1.1") == 1


async def test_a_body_that_nobody_reads_ends_with_the_reply(service: ASGIApp) -> None:
    post = _GET.replace(b"GET", b"POST") + b"Content-Length: 1000\r\n\r\nx"
    async with _serving(Limits(linger_seconds=_BRIEF), service) as connect:
        assert (await _replies(await connect(), post)).startswith(b"HTTP/1.1 401 ")


async def test_what_is_no_request_is_refused_in_the_shape_of_errors(service: ASGIApp) -> None:
    async with _serving(Limits(), service) as connect:
        status, body = await _status(await connect(), b"nonsense\r\n\r\n")
        assert (status, body["code"]) == (400, "invalid_request")


async def test_the_connection_that_waits_longest_makes_room_for_a_new_one(service: ASGIApp) -> None:
    async with _serving(Limits(connections_per_address=3), service) as connect:
        idle = [await connect() for _ in range(3)]
        for _ in range(3):
            assert (await _status(await connect(), _GET + b"\r\n"))[0] == 401
        assert [await reader.read() for reader, _ in idle] == [b""] * 3


def test_behind_a_proxy_many_connections_come_from_one_address() -> None:
    assert Options("b", behind_proxy=True).limits.connections_per_address is None
    assert Options("b").limits.connections_per_address == 256


async def test_the_number_of_all_connections_is_limited_as_well(service: ASGIApp) -> None:
    async with _serving(Limits(connections_per_address=None, connections=2), service) as connect:
        idle = [await connect() for _ in range(2)]
        for _ in range(2):
            assert (await _status(await connect(), _GET + b"\r\n"))[0] == 401
        assert [await reader.read() for reader, _ in idle] == [b""] * 2


async def test_requests_that_are_being_answered_are_not_cut_off_for_new_connections() -> None:
    go_on, answered = asyncio.Event(), asyncio.Semaphore(0)

    async def application(_scope: Scope, _receive: Receive, send: Send) -> None:
        answered.release()
        await go_on.wait()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    async with _serving(Limits(connections_per_address=2), application) as connect:
        busy = [await connect() for _ in range(2)]
        for _, writer in busy:
            writer.write(_GET + b"\r\n")
            await answered.acquire()
        assert await _replies(await connect(), b"") == b""
        go_on.set()
        for reader, _ in busy:
            assert (await reader.readline()).startswith(b"HTTP/1.1 204 ")


async def _waiting(database: Database, count: int) -> None:
    def have_looked() -> int:
        by_board = database.waiters._by_board.values()
        return sum(bool(each._woken._waiters) for waiters in by_board for each in waiters)

    while have_looked() < count:  # noqa: ASYNC110 - requests are looked at on threads
        await asyncio.sleep(0)


async def test_requests_that_wait_for_a_change_make_room_after_idle_connections(
    service: ASGIApp, database: Database
) -> None:
    token = "Basic " + b64encode(f"{LOGIN}:{PASSWORD}".encode()).decode()
    head = f" HTTP/1.1\r\nAuthorization: {token}\r\nHost: x\r\n\r\n"
    async with _serving(Limits(connections_per_address=2), service) as connect:
        waiting, idle = await connect(), await connect()
        _, listed = await _status(waiting, f"GET /v2/projects{head}".encode())
        board_id = listed["boards"]["data"][0]["id"]
        _, board = await _status(waiting, f"GET /v2/projects/{board_id}{head}".encode())
        since = board["synced_at"].replace(" ", "T")
        path = f"/v2/projects/{board_id}/has-data-changed?since={since}&wait=25"
        waiting[1].write(f"GET {path}{head}".encode())
        await _waiting(database, 1)
        second = await connect()
        assert await idle[0].read() == b""
        second[1].write(f"GET {path}{head}".encode())
        await _waiting(database, 2)
        assert (await _status(await connect(), _GET + b"\r\n"))[0] == 401
        assert await _replies(waiting, b"") == b""
        assert database.waiters.count == 1


async def test_a_reply_that_nobody_reads_is_given_up() -> None:
    ended = asyncio.Event()

    async def application(_scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x" * 50_000_000})
        while (await receive())["type"] != "http.disconnect":
            pass
        ended.set()

    async with _serving(Limits(stalled_seconds=_BRIEF), application) as connect:
        _, writer = await connect()
        writer.write(_GET + b"\r\n")
        await ended.wait()


@pytest.mark.parametrize("announced", [True, False])
async def test_a_body_that_is_too_large_is_refused(service: ASGIApp, announced: bool) -> None:
    limits = Limits(linger_seconds=_BRIEF)
    token = "Basic " + b64encode(f"{LOGIN}:{PASSWORD}".encode()).decode()
    head = _GET.replace(b"GET", b"POST") + f"Authorization: {token}\r\n".encode()
    async with _serving(limits, service) as connect:
        streams = await connect()
        if announced:
            status, body = await _status(streams, head + b"Content-Length: 999999999\r\n\r\n")
        else:
            chunk = b"%x\r\n" % 1_000_000 + b"x" * 1_000_000 + b"\r\n"
            streams[1].write(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 17)
            status, body = await _status(streams, b"")
        assert (status, body["code"]) == (413, "too_large")


_PIECE: Message = {"type": "http.request", "body": b"x", "more_body": True}


async def _paced(limits: Limits, pieces: AsyncIterator[Message]) -> bytes:
    """What an application reads of a body that comes in these pieces."""
    read = bytearray()

    async def application(_scope: Scope, receive: Receive, _send: Send) -> None:
        more = True
        while more:
            message = await receive()
            read.extend(message["body"])
            more = message["more_body"]

    async def send(_message: Message) -> None:
        raise AssertionError

    await SteadyBody(application, limits)({"type": "http"}, pieces.__anext__, send)
    return bytes(read)


async def test_a_body_that_comes_at_once_is_read() -> None:
    async def pieces() -> AsyncIterator[Message]:
        yield _PIECE
        yield {**_PIECE, "more_body": False}

    assert await _paced(Limits(), pieces()) == b"xx"


async def test_a_body_that_pauses_is_refused() -> None:
    async def pieces() -> AsyncIterator[Message]:
        yield _PIECE
        await asyncio.Event().wait()

    with pytest.raises(ServiceError) as caught:
        await _paced(Limits(body_pause_seconds=_BRIEF), pieces())
    assert (caught.value.status, caught.value.code) == (408, "too_slow")


async def test_who_waits_after_the_whole_body_is_not_slow() -> None:
    async def application(_scope: Scope, receive: Receive, _send: Send) -> None:
        assert (await receive())["body"] == b"x"
        assert (await receive())["type"] == "http.disconnect"

    async def pieces() -> AsyncIterator[Message]:
        yield {**_PIECE, "more_body": False}
        await asyncio.sleep(0)
        yield {"type": "http.disconnect"}

    async def send(_message: Message) -> None:
        raise AssertionError

    limits = Limits(body_pause_seconds=0)
    await SteadyBody(application, limits)({"type": "http"}, pieces().__anext__, send)


async def test_a_body_that_never_pauses_but_comes_too_slowly_is_refused() -> None:
    async def pieces() -> AsyncIterator[Message]:
        while True:
            await asyncio.sleep(0)
            yield _PIECE

    limits = Limits(body_pause_seconds=_BRIEF, body_bytes_per_second=1e9)
    with pytest.raises(ServiceError) as caught:
        await _paced(limits, pieces())
    assert caught.value.status == 408


@pytest.mark.parametrize(
    ("now", "received", "deadline"),
    [(100, 0, 120), (110, 0, 120), (110, 5_000, 125), (110, 50_000, 130), (200, 50_000, 170)],
)
def test_a_body_must_neither_pause_nor_be_slow_on_the_average(
    now: float, received: int, deadline: float
) -> None:
    limits = Limits(body_pause_seconds=20, body_bytes_per_second=1000)
    assert limits.body_deadline(100, now, received) == deadline
