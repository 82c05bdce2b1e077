"""Values that are too long are refused by name, and before anything is done with them."""

import json
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.service.detailed_world import detailed_world
from tests.service.sharing_endpoints import sharing_world
from tests.service.world import BASE_URL, Form, World
from tui.service.errors import ServiceError
from tui.service.requests.body import read_object
from tui.service.requests.replies import LARGEST_BODY, LARGEST_UPLOAD

pytestmark = pytest.mark.world(make=detailed_world)

_HUGE_ID = "9" * 5_000


def _property(name: str, value: object) -> tuple[str, str, Any]:
    return "PUT", "/projects/1/tasks/1", {"property": name, "value": value}


@pytest.mark.parametrize(
    ("asked", "field", "limit"),
    [
        (_property("title", "x" * 1_001), "title", "1,000"),
        (_property("description", "x" * 200_001), "description", "200,000"),
        (_property("due_at", " " * 201), "due_at", "200"),
        (_property("is_watching", "y" * 201), "is_watching", "200"),
        (_property("crm_contact_id", "1" * 201), "crm_contact_id", "200"),
        (_property("assignees", [1] * 10_001), "assignees", "10,000"),
        (_property("p" * 201, ""), "property", "200"),
        (
            (
                "POST",
                "/projects/1/tasks/1/comments",
                {"comment": "x" * 65_536, "comment_type": "comment"},
            ),
            "comment",
            "64 kB",
        ),
        (
            ("POST", "/projects/1/stage-create", {"title": "x", "position": "1" * 201}),
            "position",
            "200",
        ),
        (
            (
                "POST",
                "/projects/1/labels",
                {"label": "x" * 201, "color": "#fff", "bg_color": "#fff"},
            ),
            "label",
            "200",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_value_that_is_too_long_is_refused_by_name(
    world: World, asked: tuple[str, str, Any], field: str, limit: str
) -> None:
    answer = world.ask("ann", *asked)
    assert (answer.status, answer.body["code"]) == (422, "invalid_field")
    assert f"at most {limit}" in answer.at(f"data.params.{field}")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (f"/projects?search={'x' * 201}", "search"),
        (f"/projects?order_by={'x' * 201}", "order_by"),
        (f"/projects/1/has-data-changed?since={'0' * 201}", "since"),
        (f"/projects/1/tasks/1/comments?type={'x' * 201}", "type"),
    ],
)
def test_a_value_of_the_query_has_at_most_200_characters(
    world: World, path: str, name: str
) -> None:
    answer = world.ask("ann", "GET", path)
    assert answer.status == 422
    assert "at most 200" in answer.at(f"data.params.{name}")


def test_the_search_for_webhooks_has_at_most_200_characters() -> None:
    world = sharing_world()
    assert world.ask("ann", "GET", f"/webhooks?search={'x' * 200}").status == 200
    assert world.ask("ann", "GET", f"/webhooks?search={'x' * 201}").status == 422
    world.close()


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"title": "x" * 1_001}, "title"),
        ({"title": "x", "description": "x" * 200_001}, "description"),
        ({"title": "x", "source_id": "x" * 201}, "source_id"),
        ({"title": "x", "stage": "x" * 201}, "stage"),
        ({"title": "x", "contact_email": "x" * 201}, "contact_email"),
        ({"title": "x", "labels": "," * 100_001}, "labels"),
        ({"title": "x", "labels": ["a"] * 1_001}, "labels"),
        ({"title": "x", "assignees": [1] * 1_001}, "assignees"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_webhook_refuses_values_that_are_too_long(fields: dict[str, Any], name: str) -> None:
    world = sharing_world()
    address = world.done("ann", "GET", "/webhooks").at("webhooks.0.value.url")
    refusal = world.fetch("nobody", "POST", address, json=fields).json()
    assert (refusal["success"], refusal["data"]["type"]) == (False, "invalid_field")
    assert f"“{name}”" in refusal["data"]["message"]
    assert "at most" in refusal["data"]["message"]
    world.close()


@pytest.mark.parametrize(
    "path",
    [
        f"/projects/{_HUGE_ID}",
        f"/projects/1/tasks/{_HUGE_ID}",
        f"/projects/{_HUGE_ID}/tasks/{_HUGE_ID}/comments",
        f"/projects/1/tasks/{'0' * 5_000}1",
    ],
)
def test_an_id_of_thousands_of_digits_is_missing(
    world: World, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    answer = world.ask("ann", "GET", path)
    assert answer.status == 404
    assert answer.body["code"].endswith("_not_found")
    assert world.fetch("nobody", "GET", path).status_code == 401
    assert not caplog.records


def test_a_body_that_is_said_to_be_longer_than_any_is_not_read(world: World) -> None:
    pieces_read = []

    async def content() -> AsyncIterator[bytes]:
        pieces_read.append(b"x")
        yield pieces_read[-1]

    for length in (str(LARGEST_UPLOAD + 1), "9" * 5_000):
        headers = {"content-length": length}
        address = f"{BASE_URL}/projects"
        reply = world.fetch("ann", "POST", address, content=content(), headers=headers)
        assert (reply.status_code, reply.json()["code"]) == (413, "too_large")
    assert pieces_read == []


def test_a_form_is_no_longer_than_json_may_be(world: World) -> None:
    fields = {"customField": {"title": "x" * LARGEST_BODY, "type": "text"}}
    answer = world.ask("ann", "POST", "/projects/1/custom-field", Form(fields))
    assert answer.status == 413


def test_a_body_of_a_million_lists_is_refused(world: World) -> None:
    content = b'{"a": [' + b"[]," * 300_000 + b"1]}"
    answer = world.ask("ann", "POST", "/projects", content=content)
    assert (answer.status, answer.body["code"]) == (400, "invalid_json")


@pytest.mark.long
def test_a_long_body_is_read_like_a_short_one() -> None:
    values = {
        f"{number:x}": [number, -1.5e3, None, True, 'ä"\\\n\u2028'] for number in range(3_000)
    }
    raw = json.dumps(values).encode()
    assert len(raw) > 64 * 1024
    assert read_object(raw) == values
    for broken in (raw[:-1], raw + b"}", raw.replace(b"true", b"NaN", 1), b"[" + raw + b"]"):
        with pytest.raises(ServiceError) as refusal:
            read_object(broken)
        assert refusal.value.status == 400


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/projects?search=%00", "search"),
        ("/projects?search=a%00b", "search"),
        ("/webhooks?search=%00", "search"),
        ("/search-service-users?searchInput=%00", "searchInput"),
        ("/projects/1/tasks?unknown=%00", "unknown"),
    ],
)
def test_nul_in_the_query_is_refused_by_name(world: World, path: str, name: str) -> None:
    answer = world.ask("ann", "GET", path)
    assert (answer.status, list(answer.at("data.params"))) == (422, [name])
