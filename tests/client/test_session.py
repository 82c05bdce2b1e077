"""How calls are sent, repeated and understood."""

import httpx
import pytest

from tests.client.scripted import BASE, CREDENTIALS, PASSWORD, Naps, Script, ok, session
from tui.client import errors
from tui.client.endpoints import Endpoint

READ = Endpoint.LIST_TASKS.at(1)
WRITE = Endpoint.CREATE_TASK.at(1)
PAGE = httpx.Response(502, html="<html><head><title>x</title></head><h1>Bad gateway</h1></html>")


async def test_a_call_carries_credentials_and_asks_for_json() -> None:
    script = Script(ok({}))
    await session(script).call(READ, query={"page": "1"})
    request = script.requests[0]
    assert str(request.url) == f"{BASE}/projects/1/tasks?page=1"
    assert request.headers["authorization"] == CREDENTIALS.authorization()
    assert request.headers["accept"] == "application/json"


async def test_a_body_is_ascii_json_whatever_was_typed() -> None:
    script = Script(ok({}))
    await session(script).call(WRITE, body={"title": "é\ud800"})
    assert script.requests[0].content == b'{"title": "\\u00e9\\ud800"}'
    assert script.requests[0].headers["content-type"] == "application/json"


async def test_cookies_are_never_sent_back() -> None:
    script = Script(httpx.Response(200, json={}, headers={"set-cookie": "login=1; Path=/"}))
    one = session(script)
    await one.call(READ)
    await one.call(READ)
    assert "cookie" not in script.requests[1].headers


async def test_no_content_is_a_success() -> None:
    assert await session(Script(httpx.Response(204))).call(WRITE) is None


@pytest.mark.parametrize("status", [408, 429, 502, 503, 504, 507])
async def test_a_read_is_repeated_while_the_trouble_is_passing(status: int) -> None:
    naps = Naps()
    script = Script(httpx.Response(status), httpx.Response(status), ok({"tasks": []}))
    assert await session(script, naps=naps).call(READ) == {"tasks": []}
    assert naps.taken == [0.4, 0.8]


async def test_a_read_is_repeated_a_few_times_only() -> None:
    script = Script(PAGE)
    with pytest.raises(errors.ServerFault) as caught:
        await session(script).call(READ)
    assert len(script.requests) == 3
    assert caught.value.is_passing
    assert not caught.value.may_have_happened


@pytest.mark.parametrize("step", [PAGE, httpx.ReadError("reset"), httpx.ReadTimeout("slow")])
async def test_a_write_is_never_repeated(step: httpx.Response | Exception) -> None:
    script = Script(step, ok({}))
    with pytest.raises(errors.ApiError) as caught:
        await session(script).call(WRITE, body={})
    assert len(script.requests) == 1
    assert caught.value.may_have_happened
    assert caught.value.is_passing


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422, 500])
async def test_trouble_that_stays_is_not_repeated(status: int) -> None:
    script = Script(httpx.Response(status, json={"message": "No."}))
    with pytest.raises(errors.ApiError) as caught:
        await session(script).call(READ)
    assert len(script.requests) == 1
    assert not caught.value.is_passing


@pytest.mark.parametrize(
    ("header", "pause"),
    [
        ("2", 2.0),
        ("0", 0.4),
        ("Sat, 21 Nov 2026 12:00:05 GMT", 5.0),
        ("Sat, 21 Nov 2026 11:00:00 GMT", 0.4),
        ("Sat, 21 Nov 2026 12:00:05 -0000", 5.0),
        ("soon", 0.4),
        ("inf", 0.4),
    ],
)
async def test_a_service_says_how_long_to_wait(header: str, pause: float) -> None:
    naps = Naps()
    script = Script(httpx.Response(429, headers={"retry-after": header}), ok({}))
    await session(script, naps=naps).call(READ)
    assert naps.taken == [pause]


async def test_a_long_wait_is_left_to_the_caller() -> None:
    script = Script(httpx.Response(503, headers={"retry-after": "600"}))
    with pytest.raises(errors.ServerFault) as caught:
        await session(script).call(READ)
    assert len(script.requests) == 1
    assert caught.value.retry_after == 600


@pytest.mark.parametrize(
    ("error", "kind", "may_have_happened"),
    [
        (httpx.ConnectError("refused"), errors.Unreachable, False),
        (httpx.ConnectTimeout("slow"), errors.TimedOut, False),
        (httpx.PoolTimeout("busy"), errors.TimedOut, False),
        (httpx.ProxyError("no"), errors.Unreachable, False),
        (httpx.WriteError("reset"), errors.Unreachable, True),
        (httpx.WriteTimeout("slow"), errors.TimedOut, True),
        (httpx.ReadError("reset"), errors.Unreachable, True),
        (httpx.ReadTimeout("slow"), errors.TimedOut, True),
        (httpx.RemoteProtocolError("cut"), errors.Unreachable, True),
        (httpx.DecodingError("gzip"), errors.UnexpectedAnswer, True),
        (httpx.UnsupportedProtocol("x"), errors.BadAddress, False),
    ],
)
async def test_only_what_could_have_been_sent_may_have_happened(
    error: Exception, kind: type[errors.ApiError], may_have_happened: bool
) -> None:
    with pytest.raises(kind) as caught:
        await session(Script(error)).call(WRITE, body={})
    assert caught.value.may_have_happened is may_have_happened
    with pytest.raises(kind) as caught:
        await session(Script(error)).call(READ)
    assert not caught.value.may_have_happened


async def test_a_redirect_at_home_is_followed_by_reads() -> None:
    script = Script(httpx.Response(301, headers={"location": "/elsewhere/v2"}), ok({"a": 1}))
    assert await session(script).call(READ) == {"a": 1}
    assert str(script.requests[1].url) == "https://board.example/elsewhere/v2"


@pytest.mark.parametrize(
    "location",
    [
        "https://evil.example/v2",
        "http://board.example/v2",
        "//evil.example",
        "https://board.example:1/",
    ],
)
async def test_credentials_never_follow_to_another_origin(location: str) -> None:
    script = Script(httpx.Response(302, headers={"location": location}), ok({}))
    with pytest.raises(errors.BadAddress, match="password was not sent"):
        await session(script).call(READ)
    assert len(script.requests) == 1


@pytest.mark.parametrize(("status", "may_have_happened"), [(302, True), (303, True), (307, False)])
async def test_a_write_follows_no_redirect(status: int, may_have_happened: bool) -> None:
    script = Script(httpx.Response(status, headers={"location": "/v3"}), ok({}))
    with pytest.raises(errors.BadAddress) as caught:
        await session(script).call(WRITE, body={})
    assert len(script.requests) == 1
    assert caught.value.may_have_happened is may_have_happened


@pytest.mark.parametrize("status", [200, 400])
async def test_what_is_kept_for_the_log_is_safe_to_print(status: int) -> None:
    with pytest.raises(errors.ApiError) as caught:
        await session(Script(httpx.Response(status, text="\x1b[2J<html>\nmore"))).call(READ)
    assert caught.value.details.endswith("<html> more")
    assert "\x1b" not in caught.value.details


@pytest.mark.parametrize("location", ["https://[nowhere", "javascript:alert(1)", "data:,x"])
async def test_a_redirect_to_nowhere_is_an_error(location: str) -> None:
    script = Script(httpx.Response(302, headers={"location": location}))
    with pytest.raises(errors.ApiError):
        await session(script).call(READ)


async def test_a_redirect_that_names_no_place_is_nonsense() -> None:
    with pytest.raises(errors.UnexpectedAnswer):
        await session(Script(httpx.Response(302))).call(READ)


async def test_redirects_in_a_circle_end() -> None:
    script = Script(httpx.Response(302, headers={"location": "/round"}))
    with pytest.raises(errors.BadAddress):
        await session(script).call(READ)
    assert len(script.requests) == 3


async def test_an_answer_that_is_too_large_is_not_taken() -> None:
    with pytest.raises(errors.UnexpectedAnswer, match="too large"):
        await session(Script(ok({"a": "x" * 500})), largest_answer=400).call(READ)


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, html="<html>Welcome to our shop</html>"),
        httpx.Response(200, content=b""),
        httpx.Response(200, content=b'{"tasks": [{"id": 1}'),
        httpx.Response(200, content=b"\x00\x01"),
        httpx.Response(404, html="<html>Not found</html>"),
    ],
)
async def test_what_is_not_json_is_nonsense(answer: httpx.Response) -> None:
    with pytest.raises(errors.UnexpectedAnswer) as caught:
        await session(Script(answer)).call(READ)
    assert "address" in caught.value.hint
    assert not caught.value.is_passing


async def test_a_write_answered_with_nonsense_may_have_happened() -> None:
    with pytest.raises(errors.UnexpectedAnswer) as caught:
        await session(Script(httpx.Response(200, content=b"{"))).call(WRITE, body={})
    assert caught.value.may_have_happened


async def test_json_under_another_content_type_is_understood() -> None:
    answer = httpx.Response(200, content=b'{"a": 1}', headers={"content-type": "text/html"})
    assert await session(Script(answer)).call(READ) == {"a": 1}


async def test_what_an_error_keeps_for_the_log_holds_no_password() -> None:
    echo = f"{PASSWORD} {CREDENTIALS.authorization()}"
    for answer in (httpx.Response(400, json={"message": echo}), httpx.Response(200, text=echo)):
        with pytest.raises(errors.ApiError) as caught:
            await session(Script(answer)).call(READ)
        told = f"{caught.value!r} {caught.value.message} {caught.value.details}"
        assert PASSWORD not in told
        assert CREDENTIALS.authorization()[6:] not in told


async def test_after_closing_nothing_is_sent_nor_waited_for() -> None:
    script, naps = Script(ok({})), Naps()
    one = session(script, naps=naps)
    await one.aclose()
    with pytest.raises(errors.Unreachable, match="closed"):
        await one.call(READ)
    assert script.requests == []
    assert naps.taken == []


async def test_an_address_in_a_redirect_is_told_without_what_it_carries() -> None:
    location = "https://ann:hunter22@other.example/v2?key=hunter22#hunter22"
    script = Script(httpx.Response(302, headers={"location": location}))
    with pytest.raises(errors.BadAddress, match=r"other\.example/v2;") as caught:
        await session(script).call(READ)
    assert "hunter22" not in f"{caught.value.message} {caught.value.details}"


async def test_a_page_of_megabytes_is_not_kept_for_the_log() -> None:
    page = httpx.Response(500, content=b"<p>" + b"x" * 900_000)
    with pytest.raises(errors.UnexpectedAnswer) as caught:
        await session(Script(page)).call(READ)
    assert len(caught.value.details) < 3_000


def test_an_unsafe_address_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(errors.BadAddress, match="unencrypted"):
        session(Script(ok({})), base="http://board.example/v2")


async def test_a_login_in_a_redirect_does_not_take_the_place_of_ours() -> None:
    moved = httpx.Response(302, headers={"location": "https://eve:pw@board.example/new/v2/tasks"})
    script = Script(moved, ok({}))
    assert await session(script).call(READ) == {}
    assert script.requests[1].headers["authorization"] == CREDENTIALS.authorization()
