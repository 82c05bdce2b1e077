"""Form-encoded bodies become the objects that JSON would have been."""

from typing import Any
from urllib.parse import urlencode

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from tui.service.errors import ServiceError
from tui.service.requests.forms import FORM_TYPE, media_type, parse_form


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"title=a+b%21", {"title": "a b!"}),
        (b"title=", {"title": ""}),
        (b"title", {"title": ""}),
        (b"title=a&title=b", {"title": "b"}),
        (b"a[b]=1&a[c]=2", {"a": {"b": "1", "c": "2"}}),
        (b"a[]=1&a[]=2", {"a": ["1", "2"]}),
        (b"a[0]=1&a[1]=2", {"a": ["1", "2"]}),
        (b"a[7]=1", {"a": {"7": "1"}}),
        (b"a[b][]=1&a[b][]=2&c=3", {"a": {"b": ["1", "2"]}, "c": "3"}),
        (b"a[][b]=1", {"a": [{"b": "1"}]}),
        (b"0=x", {"0": "x"}),
        (b"a%5B%5D=1", {"a": ["1"]}),
    ],
)
def test_names_with_brackets_are_nested(raw: bytes, expected: dict[str, Any]) -> None:
    assert parse_form(raw) == expected


@pytest.mark.parametrize(
    "raw",
    [
        b"a=1&a[b]=2",
        b"a[b]=2&a=1",
        b"[a]=1",
        b"a]=1",
        b"a[b=1",
        b"a[b]c=1",
        b"=1",
        b"a[b][c][d][e][f][g]=1",
        b"a=%ff",
        b"\xff=1",
        b"&".join(b"a[]=1" for _ in range(1001)),
    ],
)
def test_what_contradicts_itself_or_cannot_be_read_is_refused(raw: bytes) -> None:
    with pytest.raises(ServiceError) as caught:
        parse_form(raw)
    assert (caught.value.status, caught.value.code) == (400, "invalid_form")


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("application/x-www-form-urlencoded", True),
        ("Application/X-WWW-Form-Urlencoded; charset=UTF-8", True),
        ("application/json", False),
        ("multipart/form-data; boundary=x", False),
        ("", False),
    ],
)
def test_forms_are_told_by_their_type(content_type: str, *, expected: bool) -> None:
    assert (media_type(content_type) == FORM_TYPE) is expected


_names = st.text("abc", min_size=1, max_size=3)
_forms = st.recursive(
    st.text(max_size=5),
    lambda inner: (
        st.dictionaries(_names, inner, min_size=1, max_size=3)
        | st.lists(inner.filter(lambda value: isinstance(value, str)), min_size=1, max_size=3)
    ),
    max_leaves=6,
)


def _pairs(name: str, value: object) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [pair for key, part in value.items() for pair in _pairs(f"{name}[{key}]", part)]
    if isinstance(value, list):
        return [pair for part in value for pair in _pairs(f"{name}[]", part)]
    return [(name, str(value))]


@settings(deadline=None)
@given(form=st.dictionaries(_names, _forms, min_size=1, max_size=3))
def test_what_is_written_as_a_form_is_read_again(form: dict[str, Any]) -> None:
    pairs = [pair for name, value in form.items() for pair in _pairs(name, value)]
    assert parse_form(urlencode(pairs).encode()) == form


@settings(deadline=None)
@given(raw=st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    try:
        form = parse_form(raw)
    except ServiceError as refusal:
        form = {refusal.code: refusal.status}
    assert all(form)
