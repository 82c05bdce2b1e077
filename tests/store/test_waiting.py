"""Where the service can wait for the next change of the board, the store lets it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.store.counted import counted
from tests.store.fake_clock import FakeClock
from tests.store.faults import Fault, FaultyRemote
from tests.store.party import Party, rest
from tests.store.service import BOARD, DOING, Service
from tui.client.errors import NotOffered
from tui.store.operations import set_title

_WAIT = 25.0
_STEP = 0.05


class Waits(FaultyRemote):
    """A connection on which the service waits; `going` counts the waits that go on."""

    def __init__(self, service: Service, clock: FakeClock) -> None:
        super().__init__(service.remote())
        self.waits = True
        self.going = 0
        self.says: bool | None = None
        self.is_outdated = False
        self._service = service
        self._clock = clock

    async def wait_for_change(self, board_id: int, since: str) -> bool:
        """What it `says`, at once; the truth when it is known otherwise."""
        self.going += 1
        try:
            if self.is_outdated:
                self.waits = False
                raise NotOffered("No longer.")
            if self.says is None:
                return await self._truth(board_id, since)
            self.calls.append("wait_for_change")
            return self.says
        finally:
            self.going -= 1

    async def _truth(self, board_id: int, since: str) -> bool:
        await self.call("keeps_replies")
        self.calls[-1] = "wait_for_change"
        looked_at = -1
        for _ in range(round(_WAIT / _STEP)):
            if (count := self._service.change_count(board_id)) != looked_at:
                looked_at = count
                news = await self.far_end.changes_since(board_id, since)
                if news is None or news.has_changes:
                    return True
            await self._clock.sleep(_STEP)
        return False


def waiting(party: Party) -> Waits:
    """The connection of a person whose service waits."""
    assert isinstance(party.remote, Waits)
    return party.remote


@pytest.fixture
async def parties(
    tmp_path: Path, service: Service, clock: FakeClock
) -> AsyncIterator[tuple[Party, Party]]:
    """Two programs on one profile, the first of which looks at the board."""
    async with AsyncExitStack() as stack:
        made = [Party(tmp_path, service, clock, 0.25) for _ in range(2)]
        for party in made:
            party.remote = Waits(service, clock)
            stack.push_async_callback(close, party)
        await made[0].start()
        await made[0].until(lambda: waiting(made[0]).going)
        yield made[0], made[1]


async def close(party: Party) -> None:
    """End the program."""
    await party.store.aclose()


async def pass_time(clock: FakeClock, seconds: float) -> None:
    """Let time pass in small steps, with all that happens in it."""
    end = clock.elapsed() + seconds
    while clock.elapsed() < end:
        await rest()
        clock.advance(_STEP)
    await rest()


@pytest.mark.long
async def test_what_others_do_is_drawn_at_once(
    parties: tuple[Party, Party], service: Service, clock: FakeClock
) -> None:
    party, _ = parties
    for number in range(5):
        before = clock.elapsed()
        service.add(f"Theirs {number}", DOING)
        await party.until(lambda number=number: f"Theirs {number}" in party.titles(DOING))  # type: ignore[misc]
        assert clock.elapsed() - before <= 2 * _STEP
        await pass_time(clock, 1)


@pytest.mark.long
async def test_an_idle_minute_costs_three_waits(
    parties: tuple[Party, Party], clock: FakeClock
) -> None:
    party, _ = parties
    party.remote.calls.clear()
    await pass_time(clock, 60)
    assert set(party.remote.calls) == {"wait_for_change"}
    assert 2 <= len(party.remote.calls) <= 3
    checked = party.store.status(BOARD).checked_at
    assert checked is not None
    assert (clock.now() - checked).total_seconds() <= _WAIT + 1


@pytest.mark.long
async def test_many_changes_by_others_are_taken_together(
    parties: tuple[Party, Party], service: Service, clock: FakeClock
) -> None:
    party, _ = parties
    party.remote.calls.clear()
    for number in range(50):
        service.add(f"Theirs {number}", DOING)
        await pass_time(clock, 0.1)
    await party.until(lambda: "Theirs 49" in party.titles(DOING))
    assert party.remote.calls.count("wait_for_change") <= 25
    assert party.remote.calls.count("changes_since") <= 25


@pytest.mark.long
async def test_own_changes_do_not_make_it_ask_for_each(
    tmp_path: Path,
) -> None:
    async with counted(tmp_path, "embedded", 20) as one:
        await one.start()
        await one.pass_time(20)

        async def change() -> None:
            for number, task in enumerate(tuple(one.view.all_tasks())):
                await one.store.submit(set_title(task, f"Mine {number}"))
                await one.rest()
                one.clock.advance(0.1)
            await one.pass_time(5)

        asked = [what for what, _ in (await one.counting(change)).asked]
        writes = [what for what in asked if not what.startswith("GET")]
        assert len(writes) == 20
        assert len(asked) - len(writes) <= 10, asked


@pytest.mark.long
async def test_an_idle_minute_with_the_real_service(tmp_path: Path) -> None:
    async with counted(tmp_path, "embedded", 10) as one:
        await one.start()
        await one.pass_time(40)
        minutes = await one.counting(lambda: one.pass_time(300))
        assert minutes.requests <= 3 * 5, minutes.asked
        assert minutes.lists == 0


@pytest.mark.long
@pytest.mark.parametrize("says", [True, False])
async def test_a_service_that_answers_at_once_is_not_asked_all_the_time(
    parties: tuple[Party, Party], clock: FakeClock, *, says: bool
) -> None:
    party, _ = parties
    waiting(party).says = says
    await pass_time(clock, 30)
    party.remote.calls.clear()
    await pass_time(clock, 60)
    assert len(party.remote.calls) <= 30, "a wait and a poll every five seconds"


@pytest.mark.long
async def test_a_service_that_stops_waiting_is_polled(
    parties: tuple[Party, Party], service: Service, clock: FakeClock
) -> None:
    party, _ = parties
    waiting(party).is_outdated = True
    await pass_time(clock, _WAIT + 1)
    service.add("Theirs", DOING)
    await pass_time(clock, 11)
    assert "Theirs" in party.titles(DOING)
    assert not party.store.status(BOARD).problem


async def test_nothing_waits_for_a_board_that_is_not_seen(
    parties: tuple[Party, Party], clock: FakeClock
) -> None:
    party, _ = parties
    remote = waiting(party)
    party.store.set_visible(is_visible=False)
    await rest()
    assert remote.going == 0
    await pass_time(clock, 60)
    assert remote.going == 0
    party.store.set_visible(is_visible=True)
    await party.until(lambda: remote.going)
    await party.store.close_board()
    await rest()
    assert remote.going == 0
    await party.store.open_board(BOARD)
    await party.until(lambda: remote.going)
    await party.store.aclose()
    assert remote.going == 0


@pytest.mark.long
async def test_one_of_two_programs_waits_and_the_other_takes_over(
    parties: tuple[Party, Party], service: Service, clock: FakeClock
) -> None:
    one, other = parties
    await other.start()
    await pass_time(clock, 120)
    assert waiting(one).going + waiting(other).going == 1
    before = clock.elapsed()
    service.add("Theirs", DOING)
    await one.until(lambda: all("Theirs" in each.titles(DOING) for each in parties))
    assert clock.elapsed() - before <= 0.6
    first, second = sorted(parties, key=lambda party: -waiting(party).going)
    first.store.set_visible(is_visible=False)
    await pass_time(clock, 11)
    assert (waiting(first).going, waiting(second).going) == (0, 1)


@pytest.mark.long
async def test_after_a_failure_it_waits_again(
    parties: tuple[Party, Party], service: Service, clock: FakeClock
) -> None:
    party, _ = parties
    remote = waiting(party)
    remote.trouble = lambda _: Fault.UNREACHABLE
    await pass_time(clock, _WAIT + 1)
    assert party.store.status(BOARD).problem
    remote.calls.clear()
    await pass_time(clock, 60)
    assert len(remote.calls) <= 15
    remote.trouble = lambda _: None
    service.add("Theirs", DOING)
    await party.until(lambda: "Theirs" in party.titles(DOING) and remote.going)
    assert not party.store.status(BOARD).problem


@pytest.mark.long
async def test_a_problem_of_one_program_ends_with_its_cause_while_another_one_waits(
    parties: tuple[Party, Party], clock: FakeClock
) -> None:
    first, second = parties
    await second.start()
    await pass_time(clock, 10)
    assert waiting(first).going
    waiting(second).trouble = lambda _: Fault.UNREACHABLE
    await second.store.refresh(None)
    await pass_time(clock, 20)
    assert second.store.status(BOARD).problem
    assert waiting(first).going
    waiting(second).trouble = lambda _: None
    await pass_time(clock, 6)
    assert not second.store.status(BOARD).problem
    await pass_time(clock, 2 * _WAIT)
    assert not first.store.status(BOARD).problem
    assert waiting(first).going + waiting(second).going == 1


@pytest.mark.long
async def test_a_program_that_reads_the_board_once_does_not_keep_another_from_its_news(
    parties: tuple[Party, Party], service: Service, clock: FakeClock
) -> None:
    first, second = parties
    second.store.connect(second.remote)
    for number in range(3):
        await second.store.refresh(BOARD, only_changes=True)
        service.add(f"Theirs {number}", DOING)
        await pass_time(clock, 1)
        assert f"Theirs {number}" in first.titles(DOING)
