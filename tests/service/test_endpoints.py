"""Every endpoint: a success, a refusal by role, a missing thing, a bad body."""

import pytest

from tests.service import trials
from tests.service.detail_endpoints import DETAIL_ENDPOINTS
from tests.service.endpoints import ENDPOINTS, Endpoint, Refusal
from tests.service.sharing_endpoints import SHARING_ENDPOINTS
from tests.service.world import World
from tui.service.routes import ROUTES

_REFUSED = [
    pytest.param(endpoint, refusal, id=f"{endpoint.route} {refusal.code} {number}")
    for endpoint in ENDPOINTS
    for number, refusal in enumerate(endpoint.refusals)
]


def _name(endpoint: Endpoint) -> str:
    return endpoint.route


def test_every_route_is_tried() -> None:
    tried = {e.route for e in ENDPOINTS + DETAIL_ENDPOINTS + SHARING_ENDPOINTS}
    assert sorted(tried) == sorted(f"{route.method} {route.path}" for route in ROUTES)


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=_name)
def test_least_role_suffices(world: World, endpoint: Endpoint) -> None:
    trials.least_role_suffices(world, endpoint)


@pytest.mark.parametrize(
    "endpoint", [e for e in ENDPOINTS if e.path.startswith("/projects/1")], ids=_name
)
def test_lower_roles_are_refused(world: World, endpoint: Endpoint) -> None:
    trials.lower_roles_are_refused(world, endpoint)


@pytest.mark.parametrize(("endpoint", "refusal"), _REFUSED)
def test_refusals_say_what_is_wrong(world: World, endpoint: Endpoint, refusal: Refusal) -> None:
    trials.refusal_says_what_is_wrong(world, endpoint, refusal)


@pytest.mark.parametrize("endpoint", [e for e in ENDPOINTS if e.body], ids=_name)
def test_bodies_that_are_no_objects_are_refused(world: World, endpoint: Endpoint) -> None:
    trials.bodies_that_are_no_objects_are_refused(world, endpoint)
