"""A program that is stopped, or does not answer, loses the right to send; nothing is sent twice.

Each program has a clock of its own: one whose clock stands still is stopped.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.drivers.patience import patience
from tests.store.fake_clock import FakeClock
from tests.store.party import Party, rest
from tests.store.service import BOARD, DOING, OPEN, Service
from tui.model.board import Place
from tui.store.operations import CreateTask, MoveTask, set_title

_WATCH = 0.25
_STEP = 0.05
_WRITES = ("create_task", "move_task", "set_task")


class Gate:
    """A remote in front of another one, whose next request of a name waits until it is opened."""

    def __init__(self, far_end: Any) -> None:
        self.closed_for = ""
        self.opened = asyncio.Event()
        self._far_end = far_end

    def __getattr__(self, name: str) -> Any:
        far_end = getattr(self._far_end, name)
        if name != self.closed_for:
            return far_end

        async def call(*args: Any, **kwargs: Any) -> Any:
            await self.opened.wait()
            return await far_end(*args, **kwargs)

        return call


@dataclass
class Machine:
    """What programs find out about each other: the state of their process, the same for all."""

    folder: Path
    service: Service
    state: str = "S"
    programs: list[Party] = field(default_factory=list)

    async def program(self) -> Party:
        """Another program on the same profile, which looks at the board."""
        party = Party(self.folder, self.service, FakeClock(), _WATCH, state_of=lambda _: self.state)
        party.remote.far_end = Gate(party.remote.far_end)
        self.programs.append(party)
        party.store.connect(party.remote)
        opening = asyncio.create_task(party.store.open_board(BOARD))
        await passes(party, lambda: opening.done() and party.view.complete)
        party.remote.calls.clear()
        return party


@pytest.fixture
async def machine(tmp_path: Path, service: Service) -> AsyncIterator[Machine]:
    async with AsyncExitStack() as stack:
        machine = Machine(tmp_path, service)
        yield machine
        for party in machine.programs:
            stack.push_async_callback(party.store.aclose)


async def passes(party: Party, condition: Callable[[], object]) -> float:
    """Let the time of a program pass until something is so; returns how long that took."""
    started = party.clock.elapsed()
    async with patience("a condition", party.shows):
        while True:
            await rest()
            try:
                if condition():
                    return party.clock.elapsed() - started
            except LookupError:
                pass
            party.clock.advance(_STEP)


async def wait(party: Party, seconds: float) -> None:
    """Let some time of a program pass."""
    end = party.clock.elapsed() + seconds
    await passes(party, lambda: party.clock.elapsed() >= end)


def writes(*parties: Party) -> list[str]:
    return [call for party in parties for call in party.remote.calls if call in _WRITES]


@pytest.mark.parametrize(("state", "least", "most"), [("T", 0, 2), ("S", 4, 8)])
async def test_the_next_sends_in_place_of_one_that_is_stopped_or_does_not_answer(
    machine: Machine, service: Service, state: str, least: float, most: float
) -> None:
    one, other = await machine.program(), await machine.program()
    machine.state = state
    await other.store.submit(set_title(other.task("Alpha"), "Omega"))
    taken = await passes(other, lambda: service.titles(OPEN)[0] == "Omega")
    assert least <= taken <= most
    machine.state = "S"
    await one.store.submit(set_title(one.task("Beta"), "Omicron"))
    await wait(one, 3)  # it runs again, and does not send
    assert writes(one) == []
    await passes(other, lambda: "Omicron" in service.titles(OPEN))
    await passes(one, lambda: not one.store.pending() and one.titles(OPEN)[0] == "Omega")
    assert writes(other) == ["set_task", "set_task"]


async def test_one_that_answers_keeps_it(machine: Machine) -> None:
    one, other = await machine.program(), await machine.program()
    for _ in range(20):
        await wait(one, 1)
        await wait(other, 1)
    await other.store.submit(set_title(other.task("Alpha"), "Omega"))
    await passes(one, lambda: writes(one))
    assert writes(other) == []


async def test_a_machine_that_slept_does_not_make_two_senders(machine: Machine) -> None:
    one, other = await machine.program(), await machine.program()
    await wait(other, 2)
    for party in (one, other):
        party.clock.set(-3600)
    other.clock.advance(8 * 3600)
    await wait(other, 2)
    one.clock.advance(8 * 3600)
    await wait(one, 2)
    await wait(other, 3.5)
    await other.store.submit(set_title(other.task("Alpha"), "Omega"))
    await passes(one, lambda: writes(one))
    assert writes(other) == []


async def stop_while_creating(machine: Machine, party: Party) -> Gate:
    """Stop a program whose request for the card “Once” is on its way; the gate that holds it."""
    gate: Gate = party.remote.far_end
    gate.closed_for = "create_task"
    await party.store.submit(CreateTask.new(BOARD, DOING, "Once"))
    await passes(party, lambda: "create_task" in party.remote.calls)
    machine.state = "T"
    return gate


async def test_what_was_not_handed_over_before_the_stop_is_not_sent_after_it(
    machine: Machine, service: Service
) -> None:
    one, other = await machine.program(), await machine.program()
    gate = await stop_while_creating(machine, one)
    await wait(other, 3)
    (waiting,) = other.store.pending()
    assert "process" in waiting.reason
    assert "stopped" in waiting.reason
    assert "stopped" in other.store.status(BOARD).problem
    await other.store.submit(set_title(other.task("Alpha"), "Omega"))
    await passes(other, lambda: service.titles(OPEN)[0] == "Omega")
    assert service.tasks_made() == 4
    gate.opened.set()  # it wakes
    machine.state = "S"
    await wait(one, 3)
    await passes(other, lambda: not other.store.pending())
    await passes(one, lambda: not one.store.pending() and "Once" in one.titles(DOING))
    assert service.titles(DOING) == ["Delta", "Once"]
    assert service.tasks_made() == 5
    assert other.store.status(BOARD).problem == ""


async def test_a_move_waits_for_another_one_in_its_stage_that_may_still_be_sent(
    machine: Machine, service: Service
) -> None:
    one, other = await machine.program(), await machine.program()
    gate: Gate = one.remote.far_end
    gate.closed_for = "move_task"
    await one.store.submit(MoveTask.on(one.task("Alpha"), DOING, Place()))
    await passes(one, lambda: "move_task" in one.remote.calls)
    await passes(other, lambda: "Alpha" in other.titles(DOING))
    machine.state = "T"
    await wait(other, 3)
    place = Place(above=other.task("Alpha").id)
    await other.store.submit(MoveTask.on(other.task("Beta"), DOING, place))
    await other.store.submit(set_title(other.task("Delta"), "Omega"))
    drawn = ["Alpha", "Beta", "Omega"]
    await passes(other, lambda: other.titles(DOING) == drawn)
    await passes(other, lambda: service.titles(DOING) == ["Omega"])
    await wait(other, 3)
    assert writes(other) == ["set_task"]
    gate.opened.set()
    machine.state = "S"
    await wait(one, 3)
    await passes(other, lambda: not other.store.pending())
    assert service.titles(DOING) == drawn


async def test_what_the_service_has_holds_nothing_up(machine: Machine, service: Service) -> None:
    one, other = await machine.program(), await machine.program()
    arrived = one.remote.held["move_task"] = asyncio.Event()
    await one.store.submit(MoveTask.on(one.task("Alpha"), DOING, Place()))
    await passes(
        one, lambda: "move_task" in one.remote.calls and "move_task" not in one.remote.held
    )
    machine.state = "T"
    await passes(other, lambda: not other.store.pending())  # the service has it
    await other.store.submit(set_title(other.task("Alpha"), "Omega"))
    await passes(other, lambda: "Omega" in service.titles(DOING))
    arrived.set()
    machine.state = "S"
    await wait(one, 3)
    assert writes(one, other) == ["move_task", "set_task"]
    taken = await passes(one, lambda: one.titles(DOING) == service.titles(DOING))
    assert taken <= 10, "it reads what the other has sent when it sends again itself"
    assert not one.store.pending()


async def test_what_is_half_way_there_is_sent_once_its_program_has_ended(
    machine: Machine, service: Service
) -> None:
    one, other = await machine.program(), await machine.program()
    await stop_while_creating(machine, one)
    await passes(other, lambda: "Once" in other.titles(DOING))
    await other.store.submit(set_title(other.task("Once"), "Only once"))
    await wait(other, 15)
    assert writes(other) == []
    assert len(other.store.pending()) == 2
    machine.programs.remove(one)
    await one.store.aclose()
    await passes(other, lambda: not other.store.pending())
    assert service.titles(DOING) == ["Delta", "Only once"]
    assert service.tasks_made() == 5


async def test_one_that_is_put_aside_hands_over_at_once_and_may_come_back(
    machine: Machine, service: Service
) -> None:
    one = await machine.program()
    one.store.suspend()
    await one.store.submit(set_title(one.task("Alpha"), "Omega"))
    await passes(one, lambda: service.titles(OPEN)[0] == "Omega")  # nobody wanted it
    other = await machine.program()
    one.store.suspend()
    await other.store.submit(set_title(other.task("Omega"), "Omicron"))
    assert await passes(other, lambda: service.titles(OPEN)[0] == "Omicron") <= 2
    assert writes(other) == ["set_task"]


async def test_who_cannot_be_succeeded_is_named(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", no_links)
    await machine.program()
    other = await machine.program()
    machine.state = "T"
    await other.store.submit(set_title(other.task("Alpha"), "Omega"))
    await passes(other, lambda: "which is stopped" in other.store.status(BOARD).problem)
    assert writes(other) == []
