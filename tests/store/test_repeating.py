"""A service that keeps its replies: what was lost is sent again, without a look or a question."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.store.fake_clock import FakeClock
from tests.store.faults import Fault
from tests.store.party import Party
from tests.store.service import BOARD, DOING, OPEN, Service, four_tasks
from tests.store.test_sync import pass_time
from tui.store.events import PendingState
from tui.store.operations import CreateTask, set_title


@pytest.fixture
async def service(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Service]:
    """A service that keeps its replies."""
    folder = tmp_path / "attachments"
    service = Service(four_tasks(), folder, clock=clock.now, keeps_replies=True)
    yield service
    await service.aclose()


def lose(started: Party, call: str, fault: Fault = Fault.REPLY_LOST, times: int = 1) -> None:
    """Let something go wrong with the first of these calls, with somebody else making the same."""
    left = [fault] * times

    def trouble(name: str) -> Fault | None:
        if name != call or not left:
            return None
        started.service.add("Twin", DOING)
        return left.pop()

    started.remote.trouble = trouble


LOST = [
    Fault.REPLY_LOST,
    Fault.FAULT_AFTER,
    Fault.PAGE_AFTER,
    Fault.REQUEST_LOST,
    Fault.FAULT_BEFORE,
    Fault.PAGE,
]


@pytest.mark.parametrize("fault", LOST)
async def test_a_lost_reply_is_asked_for_once_more_and_nothing_else(
    started: Party, service: Service, fault: Fault
) -> None:
    lose(started, "create_task", fault)
    started.remote.calls.clear()
    await started.store.submit(CreateTask.new(BOARD, DOING, "Twin"))
    await started.until(lambda: not started.store.pending())
    assert [call for call in started.remote.calls if call in ("create_task", "tasks")] == [
        "create_task"
    ] * 2
    assert service.titles(DOING) == ["Delta", "Twin", "Twin"], "theirs and ours"


async def test_a_page_that_is_in_everybodys_way_is_no_fault_of_a_change(
    started: Party, service: Service
) -> None:
    started.remote.trouble = lambda _: Fault.PAGE
    for title in ("One", "Two"):
        await started.store.submit(CreateTask.new(BOARD, DOING, title))
    await pass_time(started, 400)
    first, second = started.store.pending()
    assert first.attempts > 3
    assert (first.state, second.attempts) == (PendingState.WAITING, 0)
    started.remote.trouble = lambda _: None
    await started.until(lambda: not started.store.pending())
    assert service.titles(DOING) == ["Delta", "One", "Two"]


async def test_it_is_sent_again_after_a_restart_in_the_middle(
    started: Party, service: Service
) -> None:
    lose(started, "create_task")
    await started.store.submit(CreateTask.new(BOARD, DOING, "Twin"))
    await started.until(lambda: service.titles(DOING).count("Twin") == 2)
    await started.restart()
    await started.start()
    await started.until(lambda: not started.store.pending())
    assert service.titles(DOING) == ["Delta", "Twin", "Twin"]


async def test_a_repetition_that_does_not_get_through_is_repeated(
    started: Party, service: Service
) -> None:
    faults = [Fault.UNREACHABLE, Fault.LOCKED_OUT, Fault.UNREACHABLE, Fault.REPLY_LOST]
    started.remote.trouble = lambda name: faults.pop() if name == "create_task" and faults else None
    await started.store.submit(CreateTask.new(BOARD, DOING, "Once"))
    await started.until(lambda: not started.store.pending())
    assert service.titles(DOING) == ["Delta", "Once"]


async def test_what_took_effect_is_not_refused_because_its_repetitions_fail(
    started: Party, service: Service
) -> None:
    faults = [Fault.REPLY_LOST, *[Fault.REFUSED_500] * 10]
    started.remote.trouble = lambda name: (
        faults.pop(0) if name == "create_task" and faults else None
    )
    await started.store.submit(CreateTask.new(BOARD, DOING, "Once"))
    await started.until(lambda: not started.store.pending())
    assert len(faults) > 1
    assert service.titles(DOING) == started.titles(DOING) == ["Delta", "Once"]


async def test_a_reply_that_may_be_forgotten_is_not_asked_for(
    started: Party, service: Service
) -> None:
    lose(started, "create_task", Fault.REPLY_LOST)
    await started.store.submit(CreateTask.new(BOARD, DOING, "Twin"))
    await started.until(lambda: service.titles(DOING).count("Twin") == 2)
    started.clock.advance(49 * 3600)
    await started.until(lambda: started.store.pending()[0].state is PendingState.UNSURE)
    assert service.titles(DOING) == ["Delta", "Twin", "Twin"]


async def test_a_value_that_somebody_else_changed_meanwhile_is_a_conflict_and_not_a_riddle(
    started: Party, service: Service
) -> None:
    alpha = started.task("Alpha")

    def interfere(name: str) -> Fault | None:
        if name == "set_task":
            service.set(alpha.id, "title", "Theirs")
            started.remote.trouble = lambda _: None
            return Fault.REQUEST_LOST
        return None

    started.remote.trouble = interfere
    await started.store.submit(set_title(alpha, "Mine"))
    await started.until(lambda: started.store.pending()[0].state is PendingState.CONFLICT)
    assert service.titles(OPEN)[0] == "Theirs"
