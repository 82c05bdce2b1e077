"""Requests that carry a key under which they can be sent again."""

from contextlib import aclosing, suppress
from typing import Any

import httpx
import pytest

from tests.client.scripted import Script, ok, session
from tui.client.endpoints import Endpoint
from tui.client.errors import ApiError, UnexpectedAnswer
from tui.client.http.bodies import Upload
from tui.client.http.session import HttpSession
from tui.client.writes import repeatable

READ = Endpoint.GET_TASK.at(1, 2)
WRITE = Endpoint.CREATE_TASK.at(1)
DELETE = Endpoint.DELETE_TASK.at(1, 2)
UPLOAD = Endpoint.UPLOAD_COMMENT_IMAGE.at(1, 2)
ANNOUNCED = {"callboard-features": "other, idempotency-keys"}


async def keys_of(key: str) -> list[str | None]:
    """The keys of one change that makes several requests."""
    script = Script(ok({}))
    one = session(script)
    with repeatable(key):
        await one.call(READ)
        for title in ("One", "One", "Two"):
            await one.call(WRITE, body={"task": {"title": title}})
        await one.call(DELETE)
        for content in (b"a", b"b"):
            await one.call(UPLOAD, body=Upload("a.png", "image/png", content))
    await one.call(WRITE, body={"task": {"title": "One"}})
    return [request.headers.get("idempotency-key") for request in script.requests]


async def test_every_write_of_a_change_has_a_key_of_its_own_and_always_the_same() -> None:
    first, *keys, last = await keys_of("k1")
    assert first is last is None
    assert len(set(keys)) == 6
    assert all(key and key.isascii() and len(key) <= 128 for key in keys)
    assert await keys_of("k1") == [None, *keys, None]
    assert not set(await keys_of("k2")) & set(keys)
    assert set(await keys_of("")) == {None}


async def test_what_the_service_announces_is_learnt_from_its_answers() -> None:
    script = Script(
        httpx.Response(200, html="<p>Sign in", headers=ANNOUNCED),
        httpx.Response(200, json={}, headers=ANNOUNCED),
        ok({}),
    )
    one = session(script)
    for expected in (None, {"other", "idempotency-keys"}, {""}):
        with suppress(UnexpectedAnswer):
            await one.call(WRITE)
        assert one.announced == expected


async def _list(one: HttpSession) -> None:
    async with aclosing(one.stream(Endpoint.GET_BOARD.at(1), "tasks")) as slices:
        async for _ in slices:
            pass


async def _read(one: HttpSession) -> None:
    await one.call(READ)


@pytest.mark.parametrize("read", [_read, _list])
@pytest.mark.parametrize(
    "answer",
    [
        *(ok({}, 500), ok({}, 404), ok({}, 503)),
        *(httpx.ReadError("cut"), httpx.Response(200, html="<p>Sign in")),
    ],
)
async def test_a_read_that_fails_says_whether_its_change_has_written(
    answer: Any, read: Any
) -> None:
    def ask(request: httpx.Request) -> httpx.Response:
        if request.method != "GET":
            return ok({})
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)

    one = session(Script(ask))
    with repeatable("k1"):
        for has_written in (False, True):
            with pytest.raises(ApiError) as caught:
                await read(one)
            assert caught.value.may_have_happened is has_written
            await one.call(WRITE)
    with pytest.raises(ApiError) as caught:
        await read(one)
    assert not caught.value.may_have_happened
