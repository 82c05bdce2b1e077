"""Answers that are none of the service's, and faults of the service: changes wait, and are sent."""

import pytest

from tests.store.faults import READS, Fault
from tests.store.party import Party, until
from tests.store.service import BOARD, DOING, OPEN, Service
from tests.store.test_sync import pass_time
from tui.model.board import Place
from tui.model.task import Status
from tui.store.events import PendingState
from tui.store.operations import (
    CreateComment,
    CreateTask,
    DeleteTask,
    MoveTask,
    set_status,
    set_title,
)


async def change_everything(started: Party) -> None:
    """Six changes, of which some need others."""
    made = CreateTask.new(BOARD, DOING, "New")
    drawn = made.apply(started.view).task(made.task_id)
    assert drawn is not None
    alpha, beta = started.task("Alpha"), started.task("Beta")
    await started.store.submit(made)
    await started.store.submit(set_status(drawn, Status.CLOSED))
    await started.store.submit(set_title(alpha, "Omega"))
    await started.store.submit(CreateComment.new(alpha, "Said", at=started.clock.now()))
    await started.store.submit(MoveTask.on(beta, DOING, Place()))
    gamma = started.task("Gamma")
    await started.store.submit(DeleteTask(gamma, started.place("Gamma")))


def assert_all_is_there(started: Party, service: Service) -> None:
    """What was changed is at the service once, and on the board."""
    assert started.store.pending() == ()
    assert started.titles(OPEN) == service.titles(OPEN) == ["Omega"]
    assert started.titles(DOING) == service.titles(DOING) == ["Beta", "Delta", "New"]
    assert started.task("New").is_closed
    assert service.said(started.task("Omega").id) == ["Said"]


@pytest.mark.long
async def test_nothing_is_refused_or_asked_while_a_network_shows_its_own_page(
    started: Party, service: Service
) -> None:
    started.remote.trouble = lambda _: Fault.PAGE
    await change_everything(started)
    drawn = (started.titles(OPEN), started.titles(DOING))
    await pass_time(started, 900)
    states = [waiting.state for waiting in started.store.pending()]
    assert states == [PendingState.WAITING] * 6
    assert (started.titles(OPEN), started.titles(DOING)) == drawn
    assert started.store.status(BOARD).problem == "This network shows a page."
    started.remote.trouble = lambda _: None
    await started.until(lambda: not started.store.pending())
    assert_all_is_there(started, service)


@pytest.mark.parametrize("fault", [Fault.PAGE, Fault.FAULT_BEFORE, Fault.REFUSED_500])
async def test_a_look_that_fails_refuses_nothing(
    started: Party, service: Service, fault: Fault
) -> None:
    is_lost = True

    def trouble(name: str) -> Fault | None:
        nonlocal is_lost
        if name in READS:
            return fault
        is_lost = not is_lost
        return None if is_lost else Fault.REPLY_LOST

    started.remote.trouble = trouble
    await change_everything(started)
    await pass_time(started, 200)
    assert {waiting.state for waiting in started.store.pending()} == {PendingState.WAITING}
    started.remote.trouble = lambda _: None
    await started.until(lambda: not started.store.pending())
    assert_all_is_there(started, service)


async def test_what_the_service_says_no_to_with_500_again_and_again_is_refused(
    started: Party, service: Service
) -> None:
    started.remote.fail_next("set_task", *[Fault.REFUSED_500] * 9)
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.delivered()
    (refused,) = started.store.pending()
    assert (refused.state, refused.attempts) == (PendingState.REFUSED, 3)
    assert refused.reason == "The service says no."
    assert service.titles(OPEN)[0] == "Alpha"


async def test_everything_goes_out_within_seconds_when_the_way_is_free_again(
    started: Party, service: Service
) -> None:
    started.remote.trouble = lambda _: Fault.PAGE
    await change_everything(started)
    await pass_time(started, 400)
    started.remote.trouble = lambda _: None
    started.clock.advance(5)
    await until(started.store, lambda: not started.store.pending())
    assert_all_is_there(started, service)


async def test_a_pause_of_an_earlier_run_is_not_waited_for(
    started: Party, service: Service
) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await pass_time(started, 400)
    await started.restart()
    started.remote.trouble = lambda _: None
    again = started.clock.now()
    started.store.connect(started.remote)
    await until(started.store, lambda: not started.store.pending())
    assert service.titles(OPEN)[0] == "Omega"
    assert started.clock.now() == again
