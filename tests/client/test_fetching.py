"""Pictures, from the service and from elsewhere."""

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from tests.client.scripted import BASE, CREDENTIALS, Heard, Script, session
from tui.client import errors
from tui.client.http.inprocess import InProcessTransport

PICTURE = httpx.Response(200, content=b"\x89PNG", headers={"content-type": "image/png"})
SIGNED = "https://pictures.example/a.png?signature=abc123"


def _moved(location: str) -> httpx.Response:
    return httpx.Response(302, headers={"location": location})


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("https://board.example/a.png?hash=1", "https://board.example/a.png?hash=1"),
        ("/a.png", "https://board.example/a.png"),
        ("https://board.example:443/a.png", "https://board.example/a.png"),
    ],
)
async def test_at_home_credentials_go_along(url: str, asked: str) -> None:
    script = Script(PICTURE)
    assert await session(script).fetch(url) == b"\x89PNG"
    assert str(script.requests[0].url) == asked
    assert script.requests[0].headers["authorization"] == CREDENTIALS.authorization()


@pytest.mark.parametrize(
    "url",
    [SIGNED, "//pictures.example/a.png", "https://board.example:444/a", "https://x.board.example/"],
)
async def test_elsewhere_they_do_not(url: str) -> None:
    script = Script(PICTURE)
    assert await session(script).fetch(url) == b"\x89PNG"
    headers = script.requests[0].headers
    assert "authorization" not in headers
    assert "cookie" not in headers
    assert headers["accept"].startswith("image/")


async def test_a_redirect_leaves_the_credentials_behind() -> None:
    script = Script(_moved(SIGNED), PICTURE)
    assert await session(script).fetch("/a.png") == b"\x89PNG"
    assert ["authorization" in request.headers for request in script.requests] == [True, False]


async def test_a_redirect_home_takes_them_up() -> None:
    script = Script(_moved(f"{BASE}/a.png"), PICTURE)
    assert await session(script).fetch(SIGNED) == b"\x89PNG"
    assert ["authorization" in request.headers for request in script.requests] == [False, True]


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://pictures.example/a.png", "unencrypted"),
        ("http://board.example/a.png", "unencrypted"),
        ("https://localhost/a.png", "this machine"),
        ("https://127.0.0.1:8080/a.png", "this machine"),
        ("https://[::1]/a.png", "this machine"),
        ("ftp://pictures.example/a.png", "not a web address"),
        ("file:///etc/passwd", "not a web address"),
        ("data:image/png;base64,AAAA", "not a web address"),
        ("javascript:alert(1)", "not a web address"),
        ("https://ann:secret@pictures.example/a", "not a web address"),
        ("https://board.example:port/", "not a web address"),
    ],
)
async def test_what_is_not_safe_is_not_fetched(url: str, words: str) -> None:
    script = Script(PICTURE)
    with pytest.raises(errors.BadAddress, match=words) as caught:
        await session(script).fetch(url)
    assert script.requests == []
    assert "secret" not in caught.value.message
    script = Script(_moved(url))
    with pytest.raises(errors.ApiError):
        await session(script).fetch(SIGNED)
    assert {request.url.host for request in script.requests} == {"pictures.example"}


async def test_redirects_end() -> None:
    script = Script(_moved("https://pictures.example/next"))
    with pytest.raises(errors.BadAddress, match="in a loop"):
        await session(script).fetch(SIGNED)
    assert len(script.requests) == 4


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, errors.NotAllowed),
        (403, errors.NotAllowed),
        (404, errors.NotFound),
        (410, errors.NotFound),
        (500, errors.UnexpectedAnswer),
    ],
)
async def test_a_picture_that_is_kept_back(status: int, kind: type[errors.ApiError]) -> None:
    with pytest.raises(kind) as caught:
        await session(Script(httpx.Response(status, html="<h1>No</h1>"))).fetch(SIGNED)
    assert "abc123" not in f"{caught.value.message} {caught.value.details}"


async def test_a_page_is_no_picture() -> None:
    with pytest.raises(errors.UnexpectedAnswer, match="page instead"):
        await session(Script(httpx.Response(200, html="<h1>Log in</h1>"))).fetch(SIGNED)


async def test_a_picture_has_a_limit() -> None:
    large = httpx.Response(200, content=bytes(33 * 1024 * 1024))
    with pytest.raises(errors.UnexpectedAnswer, match="too large"):
        await session(Script(large)).fetch(SIGNED)


async def test_a_fetch_is_tried_again_and_tells_its_progress() -> None:
    heard = Heard()
    script = Script(httpx.Response(503), PICTURE)
    await session(script).fetch(SIGNED, progress=heard)
    assert len(script.requests) == 2
    assert heard == [(4, 4)]


async def test_the_embedded_service_is_asked_in_process() -> None:
    seen: list[str] = []

    async def application(scope: Scope, _receive: Receive, send: Send) -> None:
        seen.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"picture"})

    one = session(InProcessTransport(application), base="http://embedded/v2")
    assert await one.fetch("http://embedded/v2/comment-images/a?x=1") == b"picture"
    with pytest.raises(errors.BadAddress, match="unencrypted"):
        await one.fetch("http://pictures.example/a.png")
    await one.aclose()
    assert seen == ["/v2/comment-images/a"]
