"""A change that the service cannot carry out, with keys on the board and on the real store."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest

from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tests.store.fake_clock import FakeClock
from tests.store.faults import Fault
from tests.store.party import Party
from tests.store.service import DOING, Service, four_tasks


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def service(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Service]:
    service = Service(four_tasks(), tmp_path / "attachments", clock=clock.now)
    yield service
    await service.aclose()


@pytest.fixture
async def party(tmp_path: Path, service: Service, clock: FakeClock) -> AsyncIterator[Party]:
    party = Party(tmp_path, service, clock)
    await party.start()
    yield party
    await party.store.aclose()


def cards(person: Driver) -> str:
    """The board without the lines below it."""
    return "\n".join(person.text.splitlines()[:-4])


@pytest.mark.long
async def test_a_new_card_that_cannot_be_deleted_comes_back_and_says_what_can_be_done(
    party: Party,
) -> None:
    party.remote.trouble = lambda call: Fault.FAULT_BEFORE if call == "delete_task" else None
    store = cast("FakeStore", party.store)
    async with opened(store, size=(140, 30)) as person:
        await person.press("n", *"Zeta", "enter", "escape")
        await party.delivered()
        await person.press("u")
        await person.pilot.pause()
        assert "Zeta" not in cards(person)
        await party.delivered()
        await person.pilot.pause()
        assert (
            "⚠ Refused: The service failed. (Tried 3 times, status 500.) Not done: Delete “Zeta”."
            in person.text
        )
        assert "g u show" in person.text
        assert "Zeta" in cards(person)
        await person.press("g", "u")
        assert "refused  1" in person.text
        assert "r to send it again · D to discard it" in person.text
        party.remote.trouble = lambda _: None
        await person.press("r")
        await party.delivered()
        await person.pilot.pause()
        assert "All changes are synced" in person.text
        await person.press("escape")
        assert "Zeta" not in cards(person)


async def test_a_card_of_which_nobody_knows_whether_it_arrived_is_spoken_of_at_once(
    party: Party, service: Service
) -> None:
    def trouble(call: str) -> Fault | None:
        if call != "create_task":
            return None
        party.remote.trouble = lambda _: None
        for _ in range(2):
            service.add("Zeta", DOING)
        return Fault.FAULT_BEFORE

    party.remote.trouble = trouble
    async with opened(cast("FakeStore", party.store), size=(160, 30)) as person:
        await person.press("2", "n", *"Zeta", "enter", "escape")
        await party.delivered()
        await person.pilot.pause()
        assert "May have arrived: Add “Zeta”: The service failed." in person.text
        assert "g u check or discard" in person.text
        await person.press("g", "u", "D", "y")
        await person.pilot.pause()
        assert "All changes are synced" in person.text
