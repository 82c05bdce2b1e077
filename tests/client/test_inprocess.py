"""An application in this process, on a loop of its own."""

import asyncio
import threading
from typing import Any

import httpx
import pytest

from tui.client.http.inprocess import InProcessTransport


class App:
    """A small ASGI application whose handlers wait until they are let go."""

    def __init__(self) -> None:
        self.may_finish = threading.Event()
        self.has_begun = threading.Event()
        self.story: list[str] = []
        self.threads: set[str] = set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        message = await receive()
        self.threads.add(threading.current_thread().name)
        if scope["path"] == "/boom":
            raise RuntimeError("a handler failed")
        if scope["path"] == "/slow":
            self.story.append("begun")
            self.has_begun.set()
            try:
                while not self.may_finish.is_set():  # noqa: ASYNC110 - set from another thread
                    await asyncio.sleep(0.001)
                self.story.append("finished")
            except asyncio.CancelledError:
                self.story.append("cancelled")
                raise
        headers = [(b"content-type", b"text/plain")]
        await send({"type": "http.response.start", "status": 201, "headers": headers})
        await send({"type": "http.response.body", "body": b"got " + message["body"]})


def _client(transport: InProcessTransport, timeout: float = 10.0) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=transport, base_url="http://embedded", timeout=timeout)


async def test_a_request_is_answered_on_another_thread() -> None:
    app = App()
    async with _client(InProcessTransport(app)) as http:
        response = await http.post("/x", content=b"hello")
    assert (response.status_code, response.text) == (201, "got hello")
    assert app.threads == {"embedded-service"}


async def test_a_handler_that_fails_is_a_500() -> None:
    async with _client(InProcessTransport(App())) as http:
        assert (await http.get("/boom")).status_code == 500
        assert (await http.get("/x")).status_code == 201


@pytest.mark.parametrize(("method", "end"), [("PUT", "finished"), ("GET", "cancelled")])
async def test_a_cancelled_caller_cancels_a_handler_that_only_reads(method: str, end: str) -> None:
    app = App()
    async with _client(InProcessTransport(app)) as http:
        call = asyncio.create_task(http.request(method, "/slow"))
        await asyncio.to_thread(app.has_begun.wait)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        if end == "finished":
            app.may_finish.set()
    assert app.story == ["begun", end]


async def test_a_time_out_is_honoured_and_the_handler_goes_on() -> None:
    app = App()
    async with _client(InProcessTransport(app), timeout=0.02) as http:
        with pytest.raises(httpx.ReadTimeout):
            await http.get("/slow")
        app.may_finish.set()
    assert app.story == ["begun", "finished"]


async def test_closing_waits_for_what_is_under_way_and_ends_the_thread() -> None:
    app = App()
    transport = InProcessTransport(app)
    call = asyncio.create_task(_client(transport).get("/slow"))
    await asyncio.to_thread(app.has_begun.wait)
    closing = asyncio.create_task(transport.aclose())
    await asyncio.sleep(0)
    assert not closing.done()
    app.may_finish.set()
    await closing
    assert (await call).status_code == 201
    assert app.story == ["begun", "finished"]
    assert not transport._thread.is_alive()


async def test_after_closing_nothing_can_be_asked() -> None:
    transport = InProcessTransport(App())
    await transport.aclose()
    await transport.aclose()
    with pytest.raises(httpx.ConnectError):
        await _client(transport).get("/x")


def test_a_transport_can_be_used_from_several_loops() -> None:
    transport = InProcessTransport(App())

    async def ask() -> int:
        request = httpx.Request("GET", "http://embedded/x")
        return (await transport.handle_async_request(request)).status_code

    assert [asyncio.run(ask()) for _ in range(2)] == [201, 201]
    asyncio.run(transport.aclose())


async def test_many_requests_at_once_are_all_answered() -> None:
    async with _client(InProcessTransport(App())) as http:
        answers = await asyncio.gather(*(http.post("/x", content=b"%d" % n) for n in range(50)))
    assert [answer.text for answer in answers] == [f"got {n}" for n in range(50)]
