"""Changes that may have arrived, or that fail again and again: what a person can do about them."""

import asyncio
from dataclasses import replace
from datetime import datetime

import pytest

from tests.store.faults import Fault
from tests.store.party import Party
from tests.store.service import BOARD, DOING, OPEN, Service
from tests.store.test_sync import pass_time
from tui.errors import CallboardError
from tui.model.detail import Reminder, TaskDetail
from tui.model.task import Status, Task
from tui.store.events import PendingChange, PendingState
from tui.store.operations import CreateTask, set_reminder, set_status, set_title


async def unsure_card(started: Party, fault: Fault = Fault.REPLY_LOST) -> PendingChange:
    """A card that is renamed before it is known whether it arrived; somebody else made two alike.

    `fault` says whether it did.
    """
    made = CreateTask.new(BOARD, DOING, "Card")
    drawn = made.apply(started.view).task(made.task_id)
    assert drawn is not None

    def trouble(name: str) -> Fault | None:
        if name != "create_task":
            return None
        started.remote.trouble = lambda _: None
        for _ in range(2):
            started.service.add("Card", DOING)
        return fault

    started.remote.trouble = trouble
    await started.store.submit(made)
    await started.store.submit(set_status(drawn, Status.CLOSED))
    await started.until(lambda: started.store.pending()[0].state is PendingState.UNSURE)
    return started.store.pending()[0]


def forget_others(service: Service) -> None:
    """Somebody else deletes the two cards of theirs."""
    others = [task for task in service.lane(DOING) if task["title"] == "Card"][:2]
    for task in others:
        service.delete(task["id"])


async def test_what_arrived_is_found_by_another_look_and_not_sent_again(
    started: Party, service: Service
) -> None:
    card = await unsure_card(started)
    forget_others(service)
    await started.store.retry(card.id)
    await started.delivered()
    assert started.store.pending() == ()
    (closed,) = [task for task in service.lane(DOING) if task["title"] == "Card"]
    assert closed["status"] == "closed"


async def test_what_still_cannot_be_told_is_sent_only_at_a_persons_word(
    started: Party, service: Service
) -> None:
    card = await unsure_card(started, Fault.REQUEST_LOST)
    assert not card.was_checked_again
    await started.store.retry(card.id)
    await started.until(lambda: started.store.pending()[0].was_checked_again)
    assert service.titles(DOING) == ["Delta", "Card", "Card"]
    await started.store.retry(card.id, force=True)
    await started.delivered()
    assert service.titles(DOING) == ["Delta", "Card", "Card", "Card"]
    assert started.store.pending() == ()


async def test_what_waits_for_a_card_of_which_nobody_knows_says_so(started: Party) -> None:
    await unsure_card(started)
    _, closing = started.store.pending()
    assert (closing.state, closing.after) == (PendingState.WAITING, "Add “Card”")
    assert closing.is_after_unsure
    await started.store.submit(CreateTask.new(BOARD, DOING, "Other"))
    await started.until(lambda: len(started.store.pending()) == 2)


async def test_what_was_meant_to_be_forgotten_but_arrived_stays_with_all_that_needs_it(
    started: Party, service: Service
) -> None:
    card = await unsure_card(started)
    assert started.store.count_dependants(card.id) == 1
    forget_others(service)
    assert await started.store.discard(card.id) is False
    await started.delivered()
    (closed,) = [task for task in service.lane(DOING) if task["title"] == "Card"]
    assert closed["status"] == "closed"


async def test_what_did_not_arrive_is_forgotten_with_all_that_needs_it(
    started: Party, service: Service
) -> None:
    card = await unsure_card(started, Fault.REQUEST_LOST)
    forget_others(service)
    assert await started.store.discard(card.id) is True
    assert started.store.pending() == ()
    await started.store.refresh(BOARD)
    assert service.titles(DOING) == started.titles(DOING) == ["Delta"]


async def test_nothing_that_others_need_is_forgotten_while_nobody_can_look(
    started: Party, service: Service
) -> None:
    card = await unsure_card(started)
    started.remote.trouble = lambda _: Fault.PAGE
    with pytest.raises(CallboardError, match=r"shows a page\. Nothing was discarded"):
        await started.store.discard(card.id)
    assert len(started.store.pending()) == 2
    started.remote.trouble = lambda _: None
    forget_others(service)
    await started.store.retry(card.id)
    await started.delivered()
    assert service.titles(DOING) == ["Delta", "Card"]


async def unreadable(started: Party) -> PendingChange:
    """A new title of which it cannot be read whether it arrived."""
    faults = {"set_task": Fault.REQUEST_LOST, "task": Fault.FAULT_BEFORE}
    started.remote.trouble = faults.get
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.until(lambda: started.store.pending()[0].needs_attention)
    return started.store.pending()[0]


async def test_what_cannot_be_looked_at_needs_a_person_who_can_forget_it(
    started: Party, service: Service
) -> None:
    title = await unreadable(started)
    status = started.store.status(BOARD)
    assert (status.need_attention, status.pending) == (1, 0)
    assert title.needs_attention
    await started.until(lambda: not started.store.status(BOARD).busy)
    assert await started.store.discard(title.id) is True
    assert started.titles(OPEN)[0] == service.titles(OPEN)[0] == "Alpha"
    assert started.store.status(BOARD).need_attention == 0


async def test_what_cannot_be_looked_at_is_tried_at_once_when_a_person_wants_it(
    started: Party, service: Service
) -> None:
    title = await unreadable(started)
    await pass_time(started, 300)
    started.remote.trouble = lambda _: None
    before = started.clock.now()
    await started.store.retry(title.id)
    await started.until(lambda: not started.store.pending())
    assert service.titles(OPEN)[0] == "Omega"
    assert started.clock.now() == before


async def test_a_send_that_hangs_is_freed_by_asking_for_what_is_new(
    started: Party, service: Service
) -> None:
    create = started.remote.create_task
    answered = asyncio.Event()

    async def hangs(*args: object, **kwargs: object) -> object:
        answered.set()
        await create(*args, **kwargs)
        return await asyncio.get_running_loop().create_future()

    started.remote.create_task = hangs
    await started.store.submit(CreateTask.new(BOARD, DOING, "Once"))
    await answered.wait()
    started.remote.create_task = create
    await started.store.refresh()
    assert started.store.pending()[0].state is PendingState.SENDING, "it has hardly begun"
    started.clock.advance(6)
    await started.store.refresh()
    await started.until(lambda: not started.store.pending())
    assert service.titles(DOING) == ["Delta", "Once"]


@pytest.mark.parametrize("waits", [0, 60])
async def test_a_reminder_of_which_half_arrived_is_no_change_of_somebody_else(
    started: Party, service: Service, waits: int
) -> None:
    task_id = service.add("Card", DOING)["id"]
    sent: list[str] = []

    def trouble(name: str) -> Fault | None:
        sent.extend([name] * (name == "set_task"))
        return Fault.UNREACHABLE if len(sent) >= 2 else None

    started.remote.trouble = trouble
    first, second = datetime(2026, 12, 6, 9), datetime(2026, 12, 5, 9)  # noqa: DTZ001  wall clock
    detail = TaskDetail(Task(task_id, BOARD, DOING, "Card"))
    await started.store.submit(set_reminder(detail, Reminder("once", first)))
    await started.until(lambda: len(sent) == 2)
    await pass_time(started, 60)
    detail = replace(detail, reminder=Reminder("once", first))
    await started.store.submit(set_reminder(detail, Reminder("once", second)))
    await pass_time(started, waits)
    started.remote.trouble = lambda _: None
    await started.delivered()
    assert not started.store.pending()
    assert service.task(task_id)["remind_at"] == str(second)
