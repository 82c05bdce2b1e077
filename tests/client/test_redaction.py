"""The password shows up nowhere, whatever fails: not in words, in traces or in logs."""

import asyncio
import base64
import copy
import html
import json
import logging
import pickle
from collections.abc import Awaitable, Callable, Iterator
from traceback import TracebackException
from urllib.parse import quote

import httpx
import pytest

from tests.client.scripted import Naps, Script
from tests.client.sockets import (
    Behaviour,
    answering,
    listening,
    plain,
    read_request,
    reset,
    stalling,
)
from tui.client import errors
from tui.client.endpoints import Endpoint
from tui.client.errors import WrongCredentials
from tui.client.http.credentials import Credentials, Secret
from tui.client.http.retry import Timeouts
from tui.client.http.session import HttpSession

READ = Endpoint.LIST_TASKS.at(1)
WRITE = Endpoint.CREATE_TASK.at(1)
PASSWORD = 'Zq7vbx/9K<l3 "wm+Tüy8'
CREDENTIALS = Credentials("ann", PASSWORD)
TOKEN = base64.b64encode(f"ann:{PASSWORD}".encode()).decode()
NEEDLES = (
    *(PASSWORD, PASSWORD.replace(" ", ""), "Zq7vbx", "wm+T", "wm%2BT", TOKEN, TOKEN[4:16]),
    *(TOKEN[-16:-4], base64.b64encode(PASSWORD.encode()).decode()[4:16]),
)
_THEIR_WORDS = "receive_response_headers.complete"
"""Of what a service wrote into the head of its answer; the library logs it when debugged."""
ECHOES = {
    "plain": PASSWORD,
    "JSON": json.dumps({"message": f"Not {PASSWORD}"}),
    "PHP": json.dumps({"message": f"Not {PASSWORD} or Basic {TOKEN}"}).replace("/", "\\/"),
    "fields": json.dumps({"password": {"wrong": PASSWORD}, PASSWORD: {"x": TOKEN}}),
    "HTML": f"<p>{html.escape(PASSWORD)}</p>",
    "address": quote(PASSWORD, safe=""),
    "token": f"Basic {TOKEN}",
}


async def _reset_after_reading(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await read_request(reader)
    reset(writer)


async def _reset_at_once(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    reset(writer)


FAILURES: dict[str, Behaviour] = {
    "reset": _reset_after_reading,
    "reset at once": _reset_at_once,
    "stalled": stalling(b""),
    "half a body": stalling(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"),
    "cut": answering(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{", then_close=True),
    "no HTTP": answering(b"220 mail.example\r\n", then_close=True),
    "packed wrongly": answering(plain("200 OK", b"{}", "content-encoding: gzip")),
    "led away": answering(
        plain("302 Found", b"", f"location: https://other.example/?p={quote(PASSWORD)}&t={TOKEN}")
    ),
    **{
        f"{name} {status}": answering(plain(status, echo.encode()))
        for name, echo in ECHOES.items()
        for status in ("200 OK", "400 Bad Request", "502 Bad Gateway")
        if status != "200 OK" or not echo.startswith("{")
    },
}


def _told(error: BaseException) -> Iterator[str]:
    """All that a log, a crash screen or a debugger's listing would show of an error."""
    link: BaseException | None = error
    while link is not None:
        yield from (str(link), repr(link), repr(vars(link)))
        trace = TracebackException.from_exception(link, capture_locals=True)
        yield from trace.format()
        link = link.__cause__ or link.__context__


def _is_clean(texts: Iterator[str] | list[str]) -> bool:
    found = [needle for text in texts for needle in NEEDLES if needle in text]
    return not found


async def _call(one: HttpSession) -> object:
    return await one.call(WRITE, body={"title": "x"})


async def _stream(one: HttpSession) -> object:
    return [elements async for elements in one.stream(READ, "tasks")]


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
@pytest.mark.parametrize("way", [_call, _stream])
async def test_no_failure_tells_the_password(
    way: Callable[[HttpSession], Awaitable[object]],
    failure: Behaviour,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    async with listening(failure) as port:
        base = f"http://127.0.0.1:{port}/v2"
        one = HttpSession(base, CREDENTIALS, sleep=Naps(), timeouts=Timeouts(read=0.03))
        with pytest.raises(errors.ApiError) as caught:
            await way(one)
        await one.aclose()
    assert _is_clean(_told(caught.value))
    logged = [record.getMessage() for record in caplog.records]
    assert _is_clean([line for line in logged if not line.startswith(_THEIR_WORDS)])


async def test_the_time_limit_and_cancelling_tell_nothing() -> None:
    async with listening(stalling(b"")) as port:
        base = f"http://127.0.0.1:{port}/v2"
        one = HttpSession(base, CREDENTIALS, timeouts=Timeouts(total=0.03))
        with pytest.raises(errors.TimedOut) as caught:
            await one.call(WRITE, body={})
        call = asyncio.create_task(one.call(READ))
        await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError) as cancelled:
            await call
        await one.aclose()
    assert _is_clean(_told(caught.value))
    assert _is_clean(_told(cancelled.value))


class Broken(httpx.AsyncBaseTransport):
    """A library that trips, with the header in its hands."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        header = request.headers["authorization"]
        raise RuntimeError(f"{len(header)}")


async def test_a_mistake_of_the_library_tells_nothing() -> None:
    with pytest.raises(RuntimeError) as caught:
        await HttpSession("https://board.example/v2", CREDENTIALS, transport=Broken()).call(READ)
    assert _is_clean(_told(caught.value))


async def test_signatures_in_addresses_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    script = Script(httpx.Response(200, content=b"x"))
    one = HttpSession("https://board.example/v2", CREDENTIALS, transport=script)
    await one.fetch("https://pictures.example/a.png?hash=Zq7vbx")
    await one.fetch("/a.png?hash=Zq7vbx")
    assert len(caplog.records) >= 2
    assert _is_clean([record.getMessage() for record in caplog.records])
    assert _is_clean([repr(record.args) for record in caplog.records])


def test_credentials_do_not_show_themselves() -> None:
    assert _is_clean([repr(CREDENTIALS), str(CREDENTIALS), f"{CREDENTIALS.password}"])
    assert _is_clean([repr(CREDENTIALS.password), f"{CREDENTIALS.password:>40}"])
    with pytest.raises(TypeError):
        pickle.dumps(CREDENTIALS)
    with pytest.raises(TypeError):
        json.dumps({"password": CREDENTIALS.password})
    assert CREDENTIALS.password.reveal() == PASSWORD


def test_credentials_are_equal_by_what_they_hold() -> None:
    assert Credentials("ann", Secret(PASSWORD)) == CREDENTIALS
    assert Credentials("ann", "other") != CREDENTIALS
    assert len({CREDENTIALS, Credentials("ann", PASSWORD)}) == 1
    assert copy.copy(CREDENTIALS.login) == "ann"


def test_a_login_name_that_cannot_be_used_does_not_tell_the_password() -> None:
    with pytest.raises(WrongCredentials) as caught:
        Credentials("a:b", PASSWORD)
    assert _is_clean(_told(caught.value))
