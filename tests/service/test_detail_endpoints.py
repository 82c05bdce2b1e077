"""Every endpoint of copies, subtasks and custom fields, as in `test_endpoints.py`."""

from collections.abc import Iterator

import pytest

from tests.service import trials
from tests.service.detail_endpoints import DETAIL_ENDPOINTS
from tests.service.detailed_world import detailed_world
from tests.service.endpoints import Endpoint, Refusal
from tests.service.world import World

_REFUSED = [
    pytest.param(endpoint, refusal, id=f"{endpoint.route} {refusal.code} {number}")
    for endpoint in DETAIL_ENDPOINTS
    for number, refusal in enumerate(endpoint.refusals)
]


def _name(endpoint: Endpoint) -> str:
    return endpoint.route


@pytest.fixture
def world() -> Iterator[World]:
    world = detailed_world()
    yield world
    world.close()


@pytest.mark.parametrize("endpoint", DETAIL_ENDPOINTS, ids=_name)
def test_least_role_suffices(world: World, endpoint: Endpoint) -> None:
    trials.least_role_suffices(world, endpoint)


@pytest.mark.parametrize("endpoint", DETAIL_ENDPOINTS, ids=_name)
def test_lower_roles_are_refused(world: World, endpoint: Endpoint) -> None:
    trials.lower_roles_are_refused(world, endpoint)


@pytest.mark.parametrize(("endpoint", "refusal"), _REFUSED)
def test_refusals_say_what_is_wrong(world: World, endpoint: Endpoint, refusal: Refusal) -> None:
    trials.refusal_says_what_is_wrong(world, endpoint, refusal)


@pytest.mark.parametrize("endpoint", [e for e in DETAIL_ENDPOINTS if e.body], ids=_name)
def test_bodies_that_are_no_objects_are_refused(world: World, endpoint: Endpoint) -> None:
    trials.bodies_that_are_no_objects_are_refused(world, endpoint)


@pytest.mark.parametrize("endpoint", [e for e in DETAIL_ENDPOINTS if e.method != "GET"], ids=_name)
def test_every_write_is_noticed_and_recorded(world: World, endpoint: Endpoint) -> None:
    trials.write_is_noticed_and_recorded(world, endpoint)


def test_reading_changes_nothing(world: World) -> None:
    since = world.done("ann", "GET", "/projects/1").at("synced_at")
    for endpoint in DETAIL_ENDPOINTS:
        if endpoint.method == "GET":
            world.done(endpoint.least, "GET", endpoint.path)
    assert not trials.has_changed(world, since)
