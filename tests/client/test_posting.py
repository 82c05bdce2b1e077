"""Forms posted to the addresses of webhooks, which are secrets."""

import logging

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from tests.client.scripted import Script, ok, session
from tui.client import errors
from tui.client.http.inprocess import InProcessTransport

KEY = "0f5c2a7e-1111-4222-8333-444455556666"
HOOK = f"https://board.example/?marker=1&route=task&hash={KEY}"
MADE = {"success": True, "data": {"message": "Task has been created", "type": "task_created"}}
FIELDS = {"title": "Test & more"}


@pytest.mark.parametrize("url", [HOOK, HOOK.replace("board.", "www.board.")])
async def test_a_form_is_posted_without_credentials(url: str) -> None:
    script = Script(ok(MADE))
    assert await session(script).post_form(url, FIELDS) == MADE
    [request] = script.requests
    assert (request.method, str(request.url)) == ("POST", url)
    assert request.content == b"title=Test+%26+more"
    assert request.headers["content-type"] == "application/x-www-form-urlencoded"
    assert not {"authorization", "cookie", "idempotency-key"} & set(request.headers)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        (HOOK.replace("https", "http"), "unencrypted"),
        (HOOK.replace("board.example", "127.0.0.1"), "this machine"),
        (HOOK.replace("https", "ftp"), "not a web address"),
        (f"/?hash={KEY}", "not a web address"),
        (HOOK.replace("board", "ann:secret@board"), "not a web address"),
    ],
)
async def test_an_address_that_is_not_allowed_is_not_reached(url: str, words: str) -> None:
    script = Script(ok(MADE))
    with pytest.raises(errors.BadAddress, match=words) as caught:
        await session(script).post_form(url, FIELDS)
    assert script.requests == []
    assert KEY not in f"{caught.value.message} {caught.value.details}"


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (
            ok({"success": False, "data": {"message": f"No title at {HOOK}"}}),
            errors.Refused,
            "No title",
        ),
        (ok({"message": f"Broken: {KEY}"}, 500), errors.ServerFault, "Broken"),
        (httpx.Response(200, html=f"<a href='{HOOK}'>Log in</a>"), errors.UnexpectedAnswer, "page"),
        (httpx.Response(307, headers={"location": HOOK}), errors.BadAddress, "redirects"),
        (httpx.ConnectError(f"no way to {HOOK}"), errors.Unreachable, "cannot be reached"),
        (httpx.ReadTimeout("slow"), errors.TimedOut, "in time"),
    ],
)
async def test_no_error_shows_the_key_and_nothing_is_sent_twice(
    answer: httpx.Response | Exception,
    kind: type[errors.ApiError],
    words: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    script = Script(answer)
    with pytest.raises(kind, match=words) as caught:
        await session(script).post_form(HOOK, FIELDS)
    assert len(script.requests) == 1
    assert KEY not in f"{caught.value.message} {caught.value.details} {caplog.text}"


async def test_the_embedded_service_is_reached_in_process() -> None:
    seen: list[tuple[str, bytes]] = []

    async def application(scope: Scope, _receive: Receive, send: Send) -> None:
        seen.append((scope["path"], scope["query_string"]))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b'{"success": true}'})

    one = session(InProcessTransport(application), base="http://embedded/v2")
    for _ in range(2):
        assert await one.post_form("http://embedded/?hash=1", FIELDS) == {"success": True}
    await one.aclose()
    assert seen == [("/", b"hash=1")] * 2
