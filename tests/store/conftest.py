"""Fixtures of the store's tests."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.store.fake_clock import FakeClock
from tests.store.opened_board import Opened, furnished
from tests.store.party import Party
from tests.store.service import Service, four_tasks


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def service(
    tmp_path: Path, clock: FakeClock, request: pytest.FixtureRequest
) -> AsyncIterator[Service]:
    """The embedded service with a board of four tasks; for `opened`, the first has everything."""
    content = furnished()[0] if "opened" in request.fixturenames else four_tasks()
    service = Service(content, tmp_path / "attachments", clock=clock.now)
    yield service
    await service.aclose()


@pytest.fixture
async def party(tmp_path: Path, service: Service, clock: FakeClock) -> AsyncIterator[Party]:
    """A person whose store has not been connected yet."""
    party = Party(tmp_path, service, clock)
    yield party
    await party.store.aclose()


@pytest.fixture
async def started(party: Party) -> Party:
    """A person who looks at the board."""
    await party.start()
    return party


@pytest.fixture
async def opened(tmp_path: Path, service: Service, clock: FakeClock) -> AsyncIterator[Opened]:
    """A person who looks at a task with everything around it."""
    party = Party(tmp_path, service, clock)
    opened = Opened(party, furnished()[1])
    await opened.start()
    yield opened
    await party.store.aclose()
