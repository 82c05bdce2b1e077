"""Requests that carry a key under which they can be sent again."""

from contextlib import suppress

import httpx

from tests.client.scripted import Script, ok, session
from tui.client.endpoints import Endpoint
from tui.client.errors import UnexpectedAnswer
from tui.client.http.bodies import Upload
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
