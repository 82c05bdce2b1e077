"""Every endpoint: a success, a refusal by role, a missing thing, a bad body."""

import pytest

from tests.service.endpoints import ENDPOINTS, Endpoint, Refusal
from tests.service.world import World
from tui.service.routes import ROUTES

_LOWER = {"ann": ("bob", "vic", "sam"), "bob": ("vic", "sam"), "vic": ("sam",)}
_REFUSED = [
    pytest.param(endpoint, refusal, id=f"{endpoint.route} {refusal.code} {number}")
    for endpoint in ENDPOINTS
    for number, refusal in enumerate(endpoint.refusals)
]


def _name(endpoint: Endpoint) -> str:
    return endpoint.route


def test_every_route_is_tried() -> None:
    assert sorted(e.route for e in ENDPOINTS) == sorted(f"{r.method} {r.path}" for r in ROUTES)


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=_name)
def test_least_role_suffices(world: World, endpoint: Endpoint) -> None:
    answer = world.ask(endpoint.least, endpoint.method, endpoint.path, endpoint.body)
    assert answer.status == endpoint.status, answer.body
    assert {path: answer.at(path) for path in endpoint.seen} == dict(endpoint.seen)


@pytest.mark.parametrize(
    "endpoint", [e for e in ENDPOINTS if e.path.startswith("/projects/1")], ids=_name
)
def test_lower_roles_are_refused(world: World, endpoint: Endpoint) -> None:
    before = world.done("ann", "GET", "/projects/1").at("synced_at")
    for who in _LOWER[endpoint.least]:
        answer = world.ask(who, endpoint.method, endpoint.path, endpoint.body)
        assert (answer.status, answer.body["code"]) == (403, "forbidden"), who
        assert answer.body["data"] == {"status": 403}
    assert world.done("ann", "GET", "/projects/1").at("synced_at") == before


@pytest.mark.parametrize(("endpoint", "refusal"), _REFUSED)
def test_refusals_say_what_is_wrong(world: World, endpoint: Endpoint, refusal: Refusal) -> None:
    who = "root" if refusal.code == "board_not_found" else endpoint.least
    answer = world.ask(who, endpoint.method, refusal.path, refusal.body)
    assert (answer.status, answer.body["code"]) == (refusal.status, refusal.code), answer.body
    assert answer.body["data"]["status"] == refusal.status
    assert answer.body["message"].endswith(".")
    assert list(answer.body["data"].get("params", {})) == ([refusal.field] if refusal.field else [])


@pytest.mark.parametrize("endpoint", [e for e in ENDPOINTS if e.body], ids=_name)
def test_bodies_that_are_no_objects_are_refused(world: World, endpoint: Endpoint) -> None:
    for content in (b"{", b"[1]", b'"x"', b"\xff", b'{"a": NaN}', b'{"a": 1e999}', b"[" * 9999):
        answer = world.ask(endpoint.least, endpoint.method, endpoint.path, content=content)
        assert (answer.status, answer.body["code"]) == (400, "invalid_json"), content
