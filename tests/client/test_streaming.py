"""A big array, read while it arrives."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import aclosing
from itertools import pairwise
from typing import Any

import httpx
import pytest
from hypothesis import given, settings, strategies as st

from tests.client.scripted import Script, ok, session
from tui.client import errors
from tui.client.endpoints import Endpoint
from tui.client.http.json_stream import JsonReader, UndecodableError, decode
from tui.client.http.session import HttpSession

READ = Endpoint.LIST_TASKS.at(1)
_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=8,
)
_ARRAY = st.lists(_JSON, max_size=5) | st.dictionaries(st.integers(0, 9).map(str), _JSON)


def _pieces(body: bytes, cuts: Iterable[int]) -> Iterator[bytes]:
    ends = sorted({0, len(body), *(cut % (len(body) + 1) for cut in cuts)})
    return (body[start:end] for start, end in pairwise(ends))


def _read(reader: JsonReader, pieces: Iterable[bytes]) -> list[Any]:
    found = [element for piece in pieces for element in reader.feed(piece)]
    return [*found, *reader.finish()]


@pytest.mark.parametrize("number", ["0.25", "-1.5e-3", "2E+10", "1e5", "120"])
def test_a_number_is_read_whole_wherever_it_is_cut(number: str) -> None:
    body = f'{{"tasks": [{number}, null]}}'.encode()
    for cut in range(len(body)):
        reader = JsonReader("tasks", frozenset())
        assert _read(reader, _pieces(body, [cut])) == [float(number), None]


@settings(deadline=None)
@given(_ARRAY, st.dictionaries(_TEXT, _JSON, max_size=3), st.booleans(), st.data())
def test_however_it_is_cut_the_array_is_the_same(
    array: object, others: dict[str, object], is_first: bool, data: st.DataObject
) -> None:
    others.pop("tasks", None)
    document = {"tasks": array, **others} if is_first else {**others, "tasks": array}
    indent, ascii_only = data.draw(st.sampled_from([None, 1])), data.draw(st.booleans())
    body = json.dumps(document, indent=indent, ensure_ascii=ascii_only).encode()
    reader = JsonReader("tasks", frozenset({"message"}))
    found = _read(reader, _pieces(body, data.draw(st.lists(st.integers(0, 10_000), max_size=12))))
    understood = asyncio.run(decode(body))
    tasks = understood["tasks"]
    assert found == (list(tasks.values()) if isinstance(tasks, dict) else tasks)
    assert reader.is_found
    assert reader.value == {k: v for k, v in understood.items() if k == "message"}


@settings(deadline=None)
@given(_ARRAY, st.data())
def test_what_is_cut_short_never_ends_well(array: object, data: st.DataObject) -> None:
    body = json.dumps({"tasks": array}).encode()
    end = data.draw(st.integers(0, len(body) - 1))
    with pytest.raises(UndecodableError):
        _read(JsonReader("tasks", frozenset()), _pieces(body[:end], [end // 2]))


@settings(deadline=None)
@given(st.lists(st.binary() | st.sampled_from([b'{"tasks": [', b'"', b"{", b"1", b"]", b"}"])))
def test_any_bytes_are_elements_or_undecodable(pieces: list[bytes]) -> None:
    try:
        _read(JsonReader("tasks", frozenset()), pieces)
    except UndecodableError:
        return


def test_byte_by_byte_is_the_same() -> None:
    array = [{"id": 1, "title": "größer 漢字 😀"}, -1.5e-7, True, None, [[]], "\\", 12345]
    body = json.dumps({"code": "x", "tasks": array, "data": [1]}, ensure_ascii=False).encode()
    reader = JsonReader("tasks", frozenset({"code", "data"}))
    assert _read(reader, (body[at : at + 1] for at in range(len(body)))) == array
    assert reader.value == {"code": "x", "data": [1]}


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b'{"tasks": [' + b"[" * 100_000, id="deep"),
        pytest.param(b'{"tasks": [1 2]}', id="no comma"),
        pytest.param(b'{"tasks": {1: 2}}', id="no name"),
        pytest.param(b'{"tasks": []} {}', id="two values"),
        pytest.param(b"[]", id="an array"),
        pytest.param(b'{"tasks" []}', id="no colon"),
        pytest.param(b'{"tasks": [' + b"1" * 5_000 + b"]}", id="a long number"),
        pytest.param(b'{"tasks": ["' + b"x" * 9_000_000, id="one element without an end"),
    ],
)
def test_what_cannot_be_read_is_undecodable(body: bytes) -> None:
    pieces = [body[at : at + 65_536] for at in range(0, len(body), 65_536)]
    with pytest.raises(UndecodableError) as caught:
        _read(JsonReader("tasks", frozenset()), pieces)
    assert len(str(caught.value)) < 200


def test_what_is_wrong_is_noticed_at_once() -> None:
    reader = JsonReader("tasks", frozenset())
    assert list(reader.feed(b'{"tasks": [{"id": 1}, ')) == [{"id": 1}]
    with pytest.raises(UndecodableError):
        list(reader.feed(b'{"id": oops, "title": "and much more that could be waited for"'))


class _Flow(httpx.AsyncByteStream):
    """A body that is made while it is read; notes how much has been asked for."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = pieces
        self.given = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            self.given += len(piece)
            yield piece


class _Flowing(httpx.AsyncBaseTransport):
    def __init__(self, flow: _Flow) -> None:
        self._flow = flow

    async def handle_async_request(self, _request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, stream=self._flow)


async def _all(one: HttpSession) -> list[Any]:
    return [element async for slice_ in one.stream(READ, "tasks") for element in slice_]


async def test_nothing_is_read_before_it_is_wanted() -> None:
    task = json.dumps({"id": 1, "title": "x" * 1_000}).encode()
    flow = _Flow([b'{"tasks": [', *(task + b"," for _ in range(2_000)), b"1]}"])
    async with aclosing(
        session(_Flowing(flow), largest_answer=9_000_000).stream(READ, "tasks")
    ) as all_:
        await anext(all_)
        assert flow.given < 10_000


@pytest.mark.long
async def test_an_endless_list_ends_at_the_limit() -> None:
    def endless() -> Iterator[bytes]:
        yield b'{"tasks": ['
        while True:
            yield b'{"id": 1},'

    with pytest.raises(errors.UnexpectedAnswer, match="too large"):
        await _all(session(_Flowing(_Flow(endless())), largest_answer=50_000))


@pytest.mark.long
async def test_the_event_loop_has_a_turn_between_slices() -> None:
    rows = [{"id": number, "more": {"x": ["y"] * 50}} for number in range(6_000)]
    flow = _Flow([json.dumps({"tasks": rows}).encode()])
    turns = 0

    async def beat() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    heart = asyncio.create_task(beat())
    found = await _all(session(_Flowing(flow), largest_answer=99_000_000))
    heart.cancel()
    assert len(found) == 6_000
    assert turns > 3


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"tasks": None}, errors.UnexpectedAnswer),
        ({"boards": []}, errors.UnexpectedAnswer),
        ({"tasks": "none"}, errors.UnexpectedAnswer),
        ([], errors.UnexpectedAnswer),
        ("Unauthorized", errors.UnexpectedAnswer),
        ({"code": "rest_x", "message": "No", "data": {"status": 403}}, errors.NotAllowed),
        ({"tasks": [], "success": False, "message": "No"}, errors.Refused),
    ],
)
async def test_what_is_no_list_is_an_error(value: object, kind: type[errors.ApiError]) -> None:
    with pytest.raises(kind):
        await _all(session(Script(ok(value))))


async def test_an_empty_list_is_one() -> None:
    assert await _all(session(Script(ok({"tasks": []})))) == []


async def test_a_stream_is_asked_for_again_until_it_begins() -> None:
    script = Script(httpx.Response(503), httpx.ReadError("reset"), ok({"tasks": [1]}))
    assert await _all(session(script)) == [1]
    assert len(script.requests) == 3


async def test_a_stream_that_has_begun_is_not_asked_for_again() -> None:
    def broken() -> Iterator[bytes]:
        yield b'{"tasks": [1, 2'
        raise httpx.ReadError("reset")

    stream = session(_Flowing(_Flow(broken()))).stream(READ, "tasks")
    assert await anext(stream) == [1]
    with pytest.raises(errors.Unreachable):
        await anext(stream)


async def test_a_stream_follows_a_redirect_at_home() -> None:
    moved = httpx.Response(301, headers={"location": "/new/v2/tasks"})
    script = Script(moved, ok({"tasks": [1]}))
    assert await _all(session(script)) == [1]
    assert script.requests[1].url.path == "/new/v2/tasks"
