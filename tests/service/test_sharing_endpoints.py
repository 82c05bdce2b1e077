"""Pictures, people, folders and webhooks: every endpoint of theirs is put through the same."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service import trials
from tests.service.endpoints import Endpoint, Refusal
from tests.service.sharing_endpoints import SHARING_ENDPOINTS, sharing_world
from tests.service.world import File, World
from tui.service.attachments import Attachments

_REFUSED = [
    pytest.param(endpoint, refusal, id=f"{endpoint.route} {refusal.code} {number}")
    for endpoint in SHARING_ENDPOINTS
    for number, refusal in enumerate(endpoint.refusals)
]
_ON_THE_BOARD = [e for e in SHARING_ENDPOINTS if e.path.startswith("/projects/1/")]
_OPEN_TO_ALL = {"GET /admin/folders"}
_ABOUT_BOARD_1 = [
    e
    for e in SHARING_ENDPOINTS
    if e.method != "GET"
    and not e.path.endswith(("/remove-manager", "/comment-image-upload"))
    and e.route != "POST /admin/folders"
]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = sharing_world(attachments=Attachments(tmp_path / "attachments"))
    yield world
    world.close()


def _name(endpoint: Endpoint) -> str:
    return endpoint.route


@pytest.mark.parametrize("endpoint", SHARING_ENDPOINTS, ids=_name)
def test_least_role_suffices(world: World, endpoint: Endpoint) -> None:
    trials.least_role_suffices(world, endpoint)


@pytest.mark.parametrize("endpoint", _ON_THE_BOARD, ids=_name)
def test_lower_roles_are_refused(world: World, endpoint: Endpoint) -> None:
    trials.lower_roles_are_refused(world, endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [e for e in SHARING_ENDPOINTS if e not in _ON_THE_BOARD and e.route not in _OPEN_TO_ALL],
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
    "endpoint",
    [e for e in SHARING_ENDPOINTS if e.body and not isinstance(e.body, File)],
    ids=_name,
)
def test_bodies_that_are_no_objects_are_refused(world: World, endpoint: Endpoint) -> None:
    trials.bodies_that_are_no_objects_are_refused(world, endpoint)


@pytest.mark.parametrize("endpoint", _ABOUT_BOARD_1, ids=_name)
def test_every_write_is_noticed_and_recorded(world: World, endpoint: Endpoint) -> None:
    trials.write_is_noticed_and_recorded(world, endpoint)


@pytest.mark.parametrize("endpoint", [e for e in SHARING_ENDPOINTS if e.method == "GET"], ids=_name)
def test_reading_changes_nothing(world: World, endpoint: Endpoint) -> None:
    since = world.done("ann", "GET", "/projects/1").at("synced_at")
    world.done(endpoint.least, "GET", endpoint.path, endpoint.body)
    assert not trials.has_changed(world, since)
