"""Which types of bodies are taken, and what every reply tells browsers."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.service import pictures
from tests.service.world import BASE_URL, World, furnished_world
from tui.service.attachments import Attachments

_COMMENTS = "/projects/1/tasks/1/comments"
_UPLOAD = "/projects/1/tasks/1/comment-image-upload"
_COMMENT = b'{"comment": "x", "comment_type": "comment"}'
_FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = furnished_world(attachments=Attachments(tmp_path))
    yield world
    world.close()


def _send(world: World, method: str, path: str, content: bytes, kind: str | None) -> httpx.Response:
    headers = {} if kind is None else {"Content-Type": kind}
    return world.fetch("root", method, BASE_URL + path, content=content, headers=headers)


@pytest.mark.parametrize(
    "kind", [None, "", "text/plain", _FORM, "multipart/form-data; boundary=x", "application/jsonp"]
)
@pytest.mark.parametrize("path", [_COMMENTS, "/projects", "/webhooks"])
def test_an_endpoint_for_json_takes_nothing_else(world: World, path: str, kind: str | None) -> None:
    refused = _send(world, "POST", path, _COMMENT, kind)
    assert (refused.status_code, refused.json()["code"]) == (415, "unsupported_media_type")
    assert "application/json" in refused.json()["message"]
    assert world.done("vic", "GET", _COMMENTS).at("total") == 1


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=utf-8"])
def test_json_is_known_by_its_type_alone(world: World, kind: str) -> None:
    assert _send(world, "POST", _COMMENTS, _COMMENT, kind).status_code == 200


@pytest.mark.parametrize("kind", [None, "", "text/plain", _FORM, "image/png", "application/json"])
def test_an_upload_takes_a_multipart_form_only(world: World, kind: str | None) -> None:
    assert _send(world, "POST", _UPLOAD, pictures.png(), kind).status_code == 415


def test_some_endpoints_take_forms_and_json(world: World) -> None:
    for kind, content in ((_FORM, b"title=Home"), ("application/json", b'{"title": "Work"}')):
        assert _send(world, "POST", "/admin/folders", content, kind).is_success
    assert _send(world, "POST", "/admin/folders", b"title=x", "text/plain").status_code == 415


@pytest.mark.parametrize("kind", [None, "", _FORM, "text/plain", "application/octet-stream"])
def test_a_request_without_a_body_may_have_any_type(world: World, kind: str | None) -> None:
    assert _send(world, "PUT", "/projects/1/archive-board", b"", kind).status_code == 200
    assert _send(world, "DELETE", "/projects/1", b"", kind).status_code == 200


def test_an_upload_without_a_body_is_refused_in_words(world: World) -> None:
    refused = _send(world, "POST", _UPLOAD, b"", "image/png")
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_form")


def test_a_read_without_a_body_may_have_any_type(world: World) -> None:
    assert _send(world, "GET", "/projects/1", b"", "text/plain").status_code == 200


@pytest.mark.parametrize(
    ("who", "method", "address"),
    [
        ("ann", "GET", f"{BASE_URL}/projects/1/tasks"),
        ("ann", "POST", f"{BASE_URL}/projects"),
        ("nobody", "GET", f"{BASE_URL}/projects"),
        ("ann", "GET", f"{BASE_URL}/nowhere"),
        ("nobody", "GET", f"{BASE_URL}/comment-images/x"),
        ("nobody", "POST", "http://embedded/?callboard=1&route=task&hash=x"),
    ],
)
def test_a_reply_is_never_stored_nor_taken_for_another_type(
    world: World, who: str, method: str, address: str
) -> None:
    headers = world.fetch(who, method, address).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


def test_a_picture_is_never_stored_nor_taken_for_another_type(world: World) -> None:
    files = {"file": ("p.png", pictures.png(), "image/png")}
    made = world.fetch("ann", "POST", BASE_URL + _UPLOAD, files=files).json()
    picture = world.fetch("nobody", "GET", made["imageAttachment"]["secure_url"])
    assert picture.headers["content-type"] == "image/png"
    assert picture.headers["x-content-type-options"] == "nosniff"
    assert picture.headers["cache-control"] == "no-store"
