"""Every endpoint answers on PostgreSQL as it does on SQLite."""

import pytest

from tests.postgres.worlds import Worlds
from tests.service import trials
from tests.service.detail_endpoints import DETAIL_ENDPOINTS
from tests.service.endpoints import ENDPOINTS, Endpoint
from tests.service.sharing_endpoints import SHARING_ENDPOINTS

pytestmark = pytest.mark.long

_TABLES = {"furnished": ENDPOINTS, "detailed": DETAIL_ENDPOINTS, "sharing": SHARING_ENDPOINTS}
_WRITES = [
    pytest.param(kind, endpoint, id=endpoint.route)
    for kind, endpoints in _TABLES.items()
    for endpoint in endpoints
    if endpoint.method != "GET"
]


@pytest.mark.parametrize(("kind", "endpoint"), _WRITES)
def test_writes(worlds: Worlds, kind: str, endpoint: Endpoint) -> None:
    world = worlds.renewed(kind)
    trials.least_role_suffices(world, endpoint)


@pytest.mark.parametrize("kind", list(_TABLES))
def test_reads_and_refusals(worlds: Worlds, kind: str) -> None:
    world = worlds.renewed(kind)
    since = world.done("ann", "GET", "/projects/1").at("synced_at")
    for endpoint in _TABLES[kind]:
        if endpoint.method == "GET":
            trials.least_role_suffices(world, endpoint)
        for refusal in endpoint.refusals:
            trials.refusal_says_what_is_wrong(world, endpoint, refusal)
    assert not trials.has_changed(world, since)
