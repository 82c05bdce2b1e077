"""An httpx transport to an ASGI application in this process.

The application runs on its own event loop in a daemon thread, so that its database work does not
block the caller's loop. A cancelled request cancels its handler if that only reads, since it may be
waiting for a change; any other handler, and one whose request timed out, runs to its end. `aclose`
waits for all handlers.
"""

import asyncio
import concurrent.futures
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

import httpx

_Message = MutableMapping[str, Any]
Application = Callable[
    [_Message, Callable[[], Awaitable[_Message]], Callable[[_Message], Awaitable[None]]],
    Awaitable[None],
]
"""An ASGI application."""
_Reply = tuple[int, list[tuple[bytes, bytes]], bytes]
_FAILURE: _Reply = 500, [], b""


class InProcessTransport(httpx.AsyncBaseTransport):
    """Sends requests to `application`, an ASGI application.

    Supports the read time-out (`httpx.ReadTimeout`). An exception in the application becomes a 500.
    `aclose` waits for running requests and ends the thread.
    """

    def __init__(self, application: Application) -> None:
        self._application = application
        self._loop = asyncio.new_event_loop()
        self._under_way: set[concurrent.futures.Future[_Reply]] = set()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="embedded-service", daemon=True)
        self._thread.start()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Run a request. Raises `httpx.ConnectError` once closed."""
        body = await request.aread()
        if self._is_closed:
            raise httpx.ConnectError("the embedded service has been closed", request=request)
        # Nothing is awaited after the check, so that `aclose` waits for this handler, too.
        running = asyncio.run_coroutine_threadsafe(self._reply(request, body), self._loop)
        self._under_way.add(running)
        running.add_done_callback(self._under_way.discard)
        timeout = request.extensions.get("timeout", {}).get("read")
        try:
            async with asyncio.timeout(timeout):
                # Shielded: a cancelled caller must not cancel the handler.
                status, headers, content = await asyncio.shield(asyncio.wrap_future(running))
        except asyncio.CancelledError:
            if request.method == "GET":
                running.cancel()
            raise
        except TimeoutError:
            raise httpx.ReadTimeout("no answer in time", request=request) from None
        return httpx.Response(status, headers=headers, content=content, request=request)

    async def aclose(self) -> None:
        """Wait for running requests, then end the thread; later requests are rejected."""
        if self._is_closed:
            return
        self._is_closed = True
        await asyncio.to_thread(self._finish)

    async def _reply(self, request: httpx.Request, body: bytes) -> _Reply:
        # `httpx.ASGITransport` would look for a module that is not installed at every request.
        bodies, ended, sent = [body], asyncio.Event(), list[_Message]()

        async def receive() -> _Message:
            if bodies:
                return {"type": "http.request", "body": bodies.pop(), "more_body": False}
            await ended.wait()
            return {"type": "http.disconnect"}

        async def send(message: _Message) -> None:
            sent.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                ended.set()

        with suppress(Exception):  # as of a server, whose clients see a 500
            await self._application(scope(request), receive, send)
        if not ended.is_set():
            return _FAILURE
        start, *parts = sent
        content = b"".join(part.get("body", b"") for part in parts)
        return start["status"], [*start.get("headers", ())], content

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        # Stopped by `_finish`: as in `asyncio.run`, what is left ends before the loop is closed.
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def _finish(self) -> None:
        concurrent.futures.wait(set(self._under_way))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


def scope(request: httpx.Request) -> _Message:
    """The ASGI scope of a request."""
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "scheme": request.url.scheme,
        "path": request.url.path,
        "raw_path": request.url.raw_path.split(b"?")[0],
        "query_string": request.url.query,
        "server": (request.url.host, request.url.port),
        "client": ("127.0.0.1", 123),
        "root_path": "",
    }
