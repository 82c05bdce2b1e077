"""A proxy on loopback between the program and a service that does to requests what networks do.

It runs in a thread of its own. Every request is one connection to the service; whoever holds the
proxy says what becomes of the requests from now on, and can heal it at any time.
"""

import asyncio
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from random import Random
from typing import NamedTuple

LATE_SECONDS = 2.0
"""How long a late answer is held back, unless the network is healed before."""

_PATIENCE_SECONDS = 40.0
"""Longer than the service lets anybody wait for a change."""
_HTML = "content-type: text/html; charset=utf-8"
_PORTAL = b"<!doctype html><title>Hotel</title><form action=/login>Room number: <input></form>"


class Fault(Enum):
    """What becomes of a request."""

    NONE = "passed on"
    DELAY = "passed on a moment later"
    CUT_BEFORE = "cut before the request"
    CUT_REQUEST = "cut in the middle of the request"
    CUT_ANSWER = "cut in the middle of the answer"
    CUT_AFTER = "cut after the request was carried out"
    LATE = "answered late"
    STATUS_500 = "500 instead of the request"
    STATUS_502 = "502 after the request was carried out"
    STATUS_503 = "503 instead of the request"
    STATUS_429 = "429 instead of the request"
    PORTAL = "a login page with status 200"
    REDIRECT = "a redirect to a login page"
    GARBAGE = "garbage instead of an answer"
    NOT_JSON = "status 200 with half a document"
    REFUSED = "refused in the service's own form"


_CARRIED_OUT = {
    *(Fault.NONE, Fault.DELAY, Fault.CUT_ANSWER, Fault.CUT_AFTER, Fault.LATE, Fault.STATUS_502)
}
"""Those after which the service has done what it was asked."""


class Request(NamedTuple):
    """A request as the proxy sees it."""

    method: str
    target: str

    @property
    def changes(self) -> bool:
        """Whether it asks for a change."""
        return self.method != "GET"


Weather = Callable[[Request], Fault]
"""Says what becomes of a request; called in the proxy's thread, for one request at a time."""


def calm(request: Request) -> Fault:
    """Pass everything on."""
    del request
    return Fault.NONE


_ANSWERS = {Fault.STATUS_500, Fault.PORTAL, Fault.REDIRECT, Fault.GARBAGE, Fault.NOT_JSON}
"""Definite answers: the third one to the same change means that it cannot succeed."""
_MOST_ANSWERS = 2

BAD = [fault for fault in Fault if fault not in (Fault.NONE, Fault.REFUSED)]
"""What a network does; a refusal is the service's own."""


def weather(random: Random, story: list[str]) -> Weather:
    """What a bad network does to requests: always the same, now this and now that, or to changes.

    It is told in the `story`. The same change is definitely answered only so often that it is tried
    again.
    """
    own = Random(random.random())  # noqa: S311 (chance, not secrecy)
    one, share, left = own.choice(BAD), own.choice((0.3, 0.6, 0.9)), own.choice((1, 2, 3))
    kind = own.choice(("always", "mixed", "changes"))
    answers: Counter[str] = Counter()

    def passing(fault: Fault, request: Request) -> Fault:
        """The fault, unless it is one answer too many to the same change."""
        if fault in _ANSWERS and request.changes:
            answers[request.target] += 1
            if answers[request.target] > _MOST_ANSWERS:
                return Fault.NONE
        return fault

    if kind == "always":
        story.append(f"always {one.value}")
        return lambda _: one
    if kind == "mixed":
        story.append(f"{share:.0%} of the requests fail somehow")

        def mixed(request: Request) -> Fault:
            return passing(own.choice(BAD), request) if own.random() < share else Fault.NONE

        return mixed
    story.append(f"the first changes, {left} of them: {one.value}")

    def changes(request: Request) -> Fault:
        nonlocal left
        if not request.changes or not left:
            return Fault.NONE
        left -= 1
        return passing(one, request)

    return changes


def losing_creations(*, has_arrived: bool) -> Weather:
    """Lose the answer to a creation, or the creation, and have every look for it refused."""
    lost = Fault.CUT_AFTER if has_arrived else Fault.CUT_BEFORE

    def losing(request: Request) -> Fault:
        if not request.target.endswith("/tasks"):
            return Fault.NONE
        return lost if request.changes else Fault.REFUSED

    return losing


class Proxy:
    """A proxy to a port of this machine; `log` has every request with what became of it.

    Without `with_keys` it takes `Idempotency-Key` from requests and `Callboard-Features` from
    answers, as if the service had never heard of them. The service may take `patience` seconds.
    """

    def __init__(
        self, service_port: int, *, with_keys: bool = True, patience: float = _PATIENCE_SECONDS
    ) -> None:
        self.port = 0
        self._service_port = service_port
        self.weather: Weather = calm
        self.log: list[tuple[Request, Fault]] = []
        self._with_keys = with_keys
        self._patience = patience
        self._loop = asyncio.new_event_loop()
        self._healed = asyncio.Event()
        self._under_way: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        """Where a program finds the service."""
        return f"http://127.0.0.1:{self.port}/v2"

    @contextmanager
    def there(self) -> Iterator[None]:
        """The proxy listens until this is left."""
        listening = socket.create_server(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        thread = threading.Thread(target=self._run, args=(listening,), name="proxy")
        thread.start()
        try:
            yield
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join()

    def storm(self, weather: Weather) -> None:
        """Have requests treated like this from now on."""
        self._loop.call_soon_threadsafe(self._healed.clear)
        self.weather = weather

    def heal(self) -> None:
        """Pass everything on from now on, late answers too."""
        self.weather = calm
        self._loop.call_soon_threadsafe(self._healed.set)

    def _run(self, listening: socket.socket) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            asyncio.start_server(self._take, sock=listening, limit=1 << 24)
        )
        self._loop.run_forever()
        server.close()
        for task in self._under_way:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*self._under_way, return_exceptions=True))
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = self._loop.create_task(self._serve(reader, writer))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Treat the one request of a connection, then close it."""
        try:
            with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
                await self._treat(reader, writer)
        finally:
            writer.transport.abort() if writer.is_closing() else writer.close()

    async def _treat(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ", 2)
        request = Request(method, target)
        fault = self.weather(request)
        self.log.append((request, fault))
        if fault is Fault.CUT_BEFORE:
            return
        body = await _body(reader, head)
        if fault is Fault.CUT_REQUEST:
            await self._half_asked(head, body)
        elif fault in _CARRIED_OUT:
            await self._carried_out(head + body, fault, writer)
        else:
            writer.write(_MADE_UP[fault])
            await writer.drain()

    async def _carried_out(self, asked: bytes, fault: Fault, writer: asyncio.StreamWriter) -> None:
        if fault is Fault.DELAY:
            await asyncio.sleep(0.1)
        answer = await self._answer(asked)
        if fault is Fault.CUT_AFTER:
            return
        if fault is Fault.LATE:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._healed.wait(), LATE_SECONDS)
        if fault is Fault.STATUS_502:
            answer = _MADE_UP[fault]
        if fault is Fault.CUT_ANSWER:
            answer = answer[: -1 - len(answer.partition(b"\r\n\r\n")[2]) // 2]
        writer.write(answer)
        await writer.drain()

    async def _answer(self, asked: bytes) -> bytes:
        """What the service answers."""
        head, _, body = asked.partition(b"\r\n\r\n")
        lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection")]
        if not self._with_keys:
            lines = [line for line in lines if not line.lower().startswith(b"idempotency-key")]
        head = b"\r\n".join([*lines, b"connection: close"])
        reader, writer = await asyncio.open_connection("127.0.0.1", self._service_port)
        try:
            writer.write(head + b"\r\n\r\n" + body)
            async with asyncio.timeout(self._patience):
                answer = await reader.read(-1)
        finally:
            writer.close()
        if self._with_keys:
            return answer
        head, _, body = answer.partition(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        kept = [line for line in lines if not line.lower().startswith(b"callboard-features")]
        return b"\r\n".join(kept) + b"\r\n\r\n" + body

    async def _half_asked(self, head: bytes, body: bytes) -> None:
        """Send the service the first half of a request, which it can do nothing with."""
        _, writer = await asyncio.open_connection("127.0.0.1", self._service_port)
        writer.write(head + body[: len(body) // 2] if body else head[: len(head) // 2])
        with suppress(OSError):
            await writer.drain()
        writer.close()


async def _body(reader: asyncio.StreamReader, head: bytes) -> bytes:
    """The body of a request, whose length its head tells."""
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return await reader.readexactly(int(line.partition(b":")[2]))
    return b""


def _answer(status: str, body: bytes, *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(headers or (_HTML,))]
    lines += [f"content-length: {len(body)}", "connection: close", "", ""]
    return "\r\n".join(lines).encode() + body


_MADE_UP = {
    Fault.STATUS_500: _answer("500 Internal Server Error", b"<h1>Error in the database</h1>"),
    Fault.STATUS_502: _answer("502 Bad Gateway", b"<h1>502 Bad Gateway</h1>"),
    Fault.STATUS_503: _answer("503 Service Unavailable", b"<h1>Down for maintenance</h1>"),
    Fault.STATUS_429: _answer("429 Too Many Requests", b"<h1>Slow down</h1>", "retry-after: 1"),
    Fault.PORTAL: _answer("200 OK", _PORTAL),
    Fault.REDIRECT: _answer("302 Found", b"", "location: http://127.0.0.1:9/login"),
    Fault.GARBAGE: b"\x00\xff\x16\x03garbage \x1b]0;owned\x07\r\n" * 20,
    Fault.NOT_JSON: _answer(
        "200 OK", b'{"task": {"id": 5, "title": "Al', "content-type: application/json"
    ),
    Fault.REFUSED: _answer(
        "400 Bad Request",
        b'{"code": "bad_request", "message": "Not now", "data": {"status": 400}}',
        "content-type: application/json",
    ),
}
"""What is answered in the place of the service."""
