"""What calls carry."""

import asyncio
import json
from dataclasses import replace
from urllib.parse import parse_qsl

import pytest
from hypothesis import given, settings, strategies as st
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from tests.client.scripted import Heard, Script, ok, session
from tui.client.endpoints import Endpoint, RequestLine
from tui.client.http.bodies import Body, Upload, encode_body
from tui.client.http.inprocess import InProcessTransport

FORM = Endpoint.CREATE_FIELD.at(1)
FORM_PUT = Endpoint.UPDATE_FOLDER.at(1)
UPLOAD = Endpoint.UPLOAD_COMMENT_IMAGE.at(1, 2)
JSON_GET = Endpoint.SEARCH_USERS.at("service")
JSON_DELETE = Endpoint.REMOVE_USER_FROM_BOARD.at()
WRITE = Endpoint.CREATE_TASK.at(1)
PNG = Upload("a.png", "image/png", b"\x89PNG" + bytes(200_000))


@pytest.mark.parametrize(
    ("body", "pairs"),
    [
        (
            {"customField": {"title": "x", "options": ["a", "b"]}},
            [
                ("customField[title]", "x"),
                ("customField[options][]", "a"),
                ("customField[options][]", "b"),
            ],
        ),
        ({"ids": (3, 4), "none": [], "empty": {}}, [("ids[]", "3"), ("ids[]", "4")]),
        (
            {"yes": True, "no": False, "null": None},
            [("yes", "true"), ("no", "false"), ("null", "")],
        ),
        ({"rows": [{"a": 1}, {"a": 2}]}, [("rows[0][a]", "1"), ("rows[1][a]", "2")]),
        ({"title": "größer & more = ?"}, [("title", "größer & more = ?")]),
        ({"half": "\ud800"}, [("half", "?")]),
    ],
)
async def test_a_form_is_written_as_services_read_it(
    body: dict[str, object], pairs: list[tuple[str, str]]
) -> None:
    script = Script(ok({}))
    await session(script).call(FORM, body=body)
    request = script.requests[0]
    assert request.headers["content-type"] == "application/x-www-form-urlencoded"
    assert parse_qsl(request.content.decode(), keep_blank_values=True) == pairs


@pytest.mark.parametrize(
    ("route", "method"), [(FORM_PUT, "PUT"), (JSON_GET, "GET"), (JSON_DELETE, "DELETE")]
)
async def test_any_method_may_have_a_body(route: RequestLine, method: str) -> None:
    script = Script(ok({}))
    await session(script).call(route, body={"search": "ann"})
    assert script.requests[0].method == method
    assert b"ann" in script.requests[0].content


async def _received(upload: Upload) -> tuple[str | None, str | None, bytes]:
    """What an application makes of an upload: name, media type and content."""
    seen: list[UploadFile] = []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        async with Request(scope, receive).form() as form:
            file = form["file"]
            assert isinstance(file, UploadFile)
            seen.append(file)
            answer = json.dumps([file.filename, file.content_type, (await file.read()).hex()])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": answer.encode()})

    heard = Heard()
    one = session(InProcessTransport(application), base="http://embedded/v2")
    name, content_type, content = await one.call(UPLOAD, body=replace(upload, progress=heard))
    await one.aclose()
    assert heard[-1][0] == heard[-1][1]
    return name, content_type, bytes.fromhex(content)


async def test_a_file_arrives_as_it_is() -> None:
    assert await _received(PNG) == ("a.png", "image/png", PNG.content)


async def test_a_file_name_stays_within_its_field() -> None:
    sly = 'x"; name="other"\r\nX-More: 1\r\n\r\n größer.png'
    name, _, content = await _received(Upload(sly, "image/png\r\nX: y", b"..."))
    assert name is not None
    assert "\r" not in name
    assert "größer.png" in name
    assert content == b"..."


@settings(deadline=None)
@given(st.text(), st.binary())
def test_any_file_has_the_length_it_says(name: str, content: bytes) -> None:
    script = Script(ok({}))
    asyncio.run(session(script).call(UPLOAD, body=Upload(name, "image/png", content)))
    request = script.requests[0]
    assert request.headers["content-length"] == str(len(request.content))


def test_what_a_file_holds_is_in_no_repr() -> None:
    assert "PNG" not in repr(PNG)


@pytest.mark.parametrize(("route", "body"), [(WRITE, PNG), (UPLOAD, {"file": "x"})])
def test_a_body_of_the_wrong_kind_is_a_mistake(route: RequestLine, body: Body) -> None:
    with pytest.raises(TypeError):
        encode_body(route, body)


async def test_json_is_ascii() -> None:
    script = Script(ok({}))
    await session(script).call(WRITE, body={"title": "é"})
    assert script.requests[0].content == b'{"title": "\\u00e9"}'
