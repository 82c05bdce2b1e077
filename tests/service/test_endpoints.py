"""Every endpoint: a success, a refusal by role, a missing thing, a bad body."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lint import tables
from tests.service import trials
from tests.service.detail_endpoints import DETAIL_ENDPOINTS
from tests.service.detailed_world import detailed_world
from tests.service.endpoints import ENDPOINTS, Endpoint, Refusal
from tests.service.sharing_endpoints import SHARING_ENDPOINTS, sharing_world
from tests.service.world import File, World, furnished_world
from tui.service.attachments import Attachments
from tui.service.routes import ROUTES

_ALL = ENDPOINTS + DETAIL_ENDPOINTS + SHARING_ENDPOINTS
_REFUSED = [
    pytest.param(endpoint, refusal, id=f"{endpoint.route} {refusal.code} {number}")
    for endpoint in _ALL
    for number, refusal in enumerate(endpoint.refusals)
]
_OPEN_TO_ALL = {"GET /admin/folders"}
_NOT_RECORDED = ("/remove-manager", "/comment-image-upload", "/admin/folders")
_WITH_MORE = DETAIL_ENDPOINTS + SHARING_ENDPOINTS


@pytest.fixture
def world(endpoint: Endpoint, tmp_path: Path) -> Iterator[World]:
    """The world that the table of the endpoint is about."""
    if endpoint in SHARING_ENDPOINTS:
        world = sharing_world(attachments=Attachments(tmp_path / "attachments"))
    else:
        world = detailed_world() if endpoint in DETAIL_ENDPOINTS else furnished_world()
    yield world
    world.close()


def _name(endpoint: Endpoint) -> str:
    return endpoint.route


def _is_on_the_board(endpoint: Endpoint) -> bool:
    return endpoint.path.startswith("/projects/1")


def test_every_route_is_tried() -> None:
    tried, served = {e.route for e in _ALL}, {f"{route.method} {route.path}" for route in ROUTES}
    file = "tests/service/endpoints.py, detail_endpoints.py or sharing_endpoints.py"
    lines = (f'Endpoint("{route}", "PATH", "LEAST ROLE"),' for route in served - tried)
    tables.check(
        tables.missing(lines, "the endpoints", file),
        tables.obsolete(tried - served, "the endpoints", file),
    )


@pytest.mark.parametrize("endpoint", _ALL, ids=_name)
def test_least_role_suffices(world: World, endpoint: Endpoint) -> None:
    trials.least_role_suffices(world, endpoint)


@pytest.mark.parametrize("endpoint", [*filter(_is_on_the_board, _ALL)], ids=_name)
def test_lower_roles_are_refused(world: World, endpoint: Endpoint) -> None:
    trials.lower_roles_are_refused(world, endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [e for e in SHARING_ENDPOINTS if not _is_on_the_board(e) and e.route not in _OPEN_TO_ALL],
    ids=_name,
)
def test_lower_roles_are_refused_beside_boards(world: World, endpoint: Endpoint) -> None:
    answer = world.ask("bob", endpoint.method, endpoint.path, endpoint.body)
    assert (answer.status, answer.body["code"]) == (403, "forbidden")


@pytest.mark.parametrize("endpoint", SHARING_ENDPOINTS, ids=_name)
def test_nobody_is_refused(world: World, endpoint: Endpoint) -> None:
    answer = world.ask("nobody", endpoint.method, endpoint.path, endpoint.body)
    assert (answer.status, answer.body["code"]) == (401, "unauthorized")


@pytest.mark.parametrize(("endpoint", "refusal"), _REFUSED)
def test_refusals_say_what_is_wrong(world: World, endpoint: Endpoint, refusal: Refusal) -> None:
    trials.refusal_says_what_is_wrong(world, endpoint, refusal)


@pytest.mark.parametrize(
    "endpoint", [e for e in _ALL if e.body and not isinstance(e.body, File)], ids=_name
)
def test_bodies_that_are_no_objects_are_refused(world: World, endpoint: Endpoint) -> None:
    trials.bodies_that_are_no_objects_are_refused(world, endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [e for e in _WITH_MORE if e.method != "GET" and not e.path.endswith(_NOT_RECORDED)],
    ids=_name,
)
def test_every_write_is_noticed_and_recorded(world: World, endpoint: Endpoint) -> None:
    trials.write_is_noticed_and_recorded(world, endpoint)


@pytest.mark.parametrize("endpoint", [e for e in _WITH_MORE if e.method == "GET"], ids=_name)
def test_reading_changes_nothing(world: World, endpoint: Endpoint) -> None:
    since = world.done("ann", "GET", "/projects/1").at("synced_at")
    world.done(endpoint.least, "GET", endpoint.path, endpoint.body)
    assert not trials.has_changed(world, since)
