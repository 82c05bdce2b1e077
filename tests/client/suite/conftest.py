"""The suite runs once for each service: see `tests.client.suite.services`.

`python -m tests.client.suite` runs it once for each quirk alone.

Sessions are kept for all tests on a service, and so is the event loop; each test has clients that
have learnt nothing yet, and a board of its own.
"""

import os
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.client.suite.scene import Scene
from tests.client.suite.services import PEOPLE, Running, embedded, over_http, quirky
from tests.quirky.quirks import Quirks
from tui.client.http.session import HttpSession

SERVICES = {
    "embedded": embedded,
    "http": over_http,
    "recent": quirky(Quirks.recent_free()),
    "older": quirky(Quirks.older_free()),
    "old paid": quirky(Quirks.old_paid()),
    "recent paid": quirky(Quirks.recent_paid()),
    "extended": quirky(Quirks.extended()),
}

BY_DEFAULT = {"embedded", "old paid"}
"""The services of the test line; the others differ from these in little, and are `long`."""

CHOSEN = os.environ.get("SUITE_QUIRKS", "")
"""Names of quirks; the suite then runs on a service with them, and on no other."""
if CHOSEN:
    SERVICES = {CHOSEN: quirky(Quirks.only(*CHOSEN.split()))}
    BY_DEFAULT = {CHOSEN}


@pytest.fixture(
    scope="session",
    params=[
        pytest.param(name, marks=[] if name in BY_DEFAULT else pytest.mark.long)
        for name in SERVICES
    ],
)
def service(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    with SERVICES[request.param](tmp_path_factory.mktemp(request.param)) as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def sessions(service: Running) -> AsyncIterator[dict[str, HttpSession]]:
    opened = {login: service.session(login) for login in PEOPLE}
    yield opened
    for session in opened.values():
        await session.aclose()


@pytest_asyncio.fixture(loop_scope="session")
async def scene(service: Running, sessions: dict[str, HttpSession]) -> Scene:
    ann, bob, eve = (service.client(sessions[login], login) for login in PEOPLE)
    board_id, stages = service.new_board()
    return Scene(service, sessions["ann"], ann, bob, eve, board_id, stages)
