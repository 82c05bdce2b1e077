"""JSON, decoded in slices."""

import asyncio
import json
from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import given, settings, strategies as st

from tui.client.http.json_stream import JsonReader, UndecodableError, decode
from tui.runtime.slices import Slicer

_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=20,
)


@settings(deadline=None)
@given(_JSON, st.sampled_from([None, 2]), st.booleans())
def test_any_json_is_read_as_it_was_written(
    value: object, indent: int | None, ascii_only: bool
) -> None:
    body = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    assert asyncio.run(decode(body)) == _in_slices(body) == value


def _in_slices(body: bytes) -> object:
    """A body as a long one is read."""
    reader = JsonReader()
    for _ in reader.finish(body):
        pass
    return reader.value


@settings(deadline=None)
@given(_JSON, st.data())
def test_a_body_cut_short_is_undecodable(value: object, data: st.DataObject) -> None:
    body = json.dumps({"tasks": value}).encode()
    end = data.draw(st.integers(0, len(body) - 1))
    with pytest.raises(UndecodableError):
        asyncio.run(decode(body[:end]))


@settings(deadline=None)
@given(st.binary())
def test_any_bytes_are_a_value_or_undecodable(body: bytes) -> None:
    try:
        asyncio.run(decode(body))
    except UndecodableError:
        return


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b"\xef\xbb\xbf{}", {}),
        (b'{"a": NaN, "b": [Infinity, -Infinity, 1e999]}', {"a": None, "b": [None, None, None]}),
        (b'["\\ud83d\\ude00", "\\ud83d", "\\uDE00!"]', ["😀", "?", "?!"]),
        (b'{"a": "\xff"}', {"a": "\ufffd"}),
        (b' {"a" : [ 1 , 2 ] , "b":{} } ', {"a": [1, 2], "b": {}}),
    ],
)
async def test_odd_values_become_plain_json(body: bytes, value: object) -> None:
    assert await decode(body) == _in_slices(body) == value


async def test_an_element_nested_too_deep_does_not_lose_the_others() -> None:
    deep = "[" * 150 + "]" * 150
    assert await decode(f'{{"tasks": [1, {deep}, 2]}}'.encode()) == {"tasks": [1, None, 2]}


async def test_wide_elements_are_not_mistaken_for_deep_ones() -> None:
    wide: list[object] = [[{}] * 300]
    assert await decode(json.dumps(wide).encode()) == wide


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"[" * 100_000, id="deep"),
        pytest.param(b'{"a":' * 100_000, id="deep objects"),
        pytest.param(b"1" * 5_000, id="a long number"),
        pytest.param(b"", id="nothing"),
        pytest.param(b"<html>", id="a page"),
        pytest.param(b"{} {}", id="two values"),
        pytest.param(b'{"a" 1}', id="no colon"),
        pytest.param(b"[1 2]", id="no comma"),
        pytest.param(b"{1: 2}", id="no name"),
    ],
)
async def test_what_cannot_be_read_is_undecodable(body: bytes) -> None:
    with pytest.raises(UndecodableError):
        await decode(body)


@pytest.mark.long
async def test_the_event_loop_gets_a_turn_every_few_milliseconds() -> None:
    turns = count()
    ticks: Iterator[int] = count()

    async def beat() -> None:
        while True:
            next(turns)
            await asyncio.sleep(0)

    heart = asyncio.create_task(beat())
    body = json.dumps({"tasks": list(range(20_000))}).encode()
    await decode(body, Slicer(lambda: next(ticks) / 1_000))
    heart.cancel()
    assert next(turns) >= 60
