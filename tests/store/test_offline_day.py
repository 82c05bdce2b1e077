"""A day without a connection: hundreds of changes, delivered in one go."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.store.faults import Fault
from tests.store.party import Party
from tests.store.service import BOARD, DOING, OPEN, Service
from tui.errors import CallboardError
from tui.model.board import Place
from tui.model.task import Priority, Status
from tui.store.events import PendingState, SyncStatus
from tui.store.operations import (
    CreateTask,
    MoveTask,
    Operation,
    set_priority,
    set_status,
    set_title,
)

MANY = 120


async def a_day(party: Party) -> None:
    """Make many tasks and change each, with nobody to hear of it."""
    party.remote.trouble = lambda _: Fault.UNREACHABLE
    for number in range(MANY // 4):
        made = CreateTask.new(BOARD, OPEN, f"Task {number}")
        await party.store.submit(made)
        task = next(one for one in reversed(party.view.in_stage(OPEN)) if one.id == made.task_id)
        changes: list[Operation] = [
            set_status(task, Status.CLOSED),
            MoveTask.on(task, DOING, Place(above=party.task("Delta").id)),
        ]
        await party.store.submit(*changes)
        await party.store.submit(set_title(party.task("Delta"), "Delta"))
    party.clock.advance(8 * 3600)


def is_delivered(service: Service) -> bool:
    expected = ["Delta", *(f"Task {number}" for number in reversed(range(MANY // 4)))]
    return service.titles(DOING) == expected


@pytest.mark.long
async def test_everything_arrives_in_order_and_progress_is_told(
    started: Party, service: Service
) -> None:
    await a_day(started)
    seen: list[SyncStatus] = []
    started.store.subscribe(lambda _: seen.append(started.store.status(BOARD)))
    started.remote.trouble = lambda _: None
    started.remote.calls.clear()
    await started.delivered()
    assert is_delivered(service)
    assert started.store.pending() == ()
    assert started.remote.calls.count("create_task") == MANY // 4
    assert started.remote.calls.count("set_task") == MANY // 4, "one title is not set to itself"
    going = [(status.sent, status.to_send) for status in seen if status.to_send]
    assert all(sent <= to_send for sent, to_send in going)
    assert [sent for sent, _ in going] == sorted(sent for sent, _ in going)
    assert max(to_send for _, to_send in going) == MANY
    await started.until(lambda: started.store.status(BOARD).to_send == 0)
    assert started.titles(DOING) == service.titles(DOING)
    assert started.view.pending == frozenset()


@pytest.mark.long
async def test_a_go_that_is_interrupted_goes_on_where_it_was(
    started: Party, service: Service
) -> None:
    await a_day(started)
    left = iter(range(MANY // 2))
    started.remote.trouble = lambda _: None if next(left, None) is not None else Fault.UNREACHABLE
    started.clock.advance(60)
    await started.until(lambda: next(left, None) is None)
    await started.restart()
    started.remote.trouble = lambda _: None
    await started.start()
    await started.delivered()
    assert is_delivered(service)
    assert service.tasks_made() == 4 + MANY // 4


@pytest.mark.long
async def test_the_last_of_many_costs_no_more_than_the_first(started: Party) -> None:
    await a_day(started)
    queue = started.store._core.queue
    entry = queue.next_of(BOARD)
    assert entry is not None
    assert entry == queue.of(BOARD)[0], "found without going through the others"
    assert len(queue.of_subject(entry.subject)) < MANY / 10


async def test_a_clock_that_was_set_back_does_not_block_what_waits(
    started: Party, service: Service
) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(set_priority(started.task("Alpha"), Priority.HIGH))
    await started.until(lambda: started.store.pending()[0].attempts >= 3)
    started.clock.set(-timedelta(days=1).total_seconds())
    await started.restart()
    started.remote.trouble = lambda _: None
    began = started.clock.elapsed()
    started.store.connect(started.remote)
    await started.delivered()
    assert started.clock.elapsed() - began <= 300
    assert service.task(started.task("Alpha").id)["priority"] == "high"


async def test_a_pause_is_not_kept_over_a_restart(started: Party) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(set_priority(started.task("Alpha"), Priority.HIGH))
    await started.until(lambda: started.store.pending()[0].attempts >= 5)
    await started.until(lambda: started.store.pending()[0].state is PendingState.WAITING)
    (before,) = started.store._core.queue.all()
    assert before.next_try is not None
    await started.restart()
    (after,) = started.store._core.queue.all()
    assert after == replace(before, next_try=None)


@pytest.mark.long
async def test_what_was_merged_into_a_refused_change_leaves_the_history_with_it(
    started: Party,
) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    for number in range(3):
        await started.store.submit(set_title(started.view.in_stage(OPEN)[0], f"Title {number}"))
    await started.until(lambda: started.store.pending()[0].attempts)
    await started.until(lambda: started.store.pending()[0].state is PendingState.WAITING)
    await started.restart()
    started.remote.fail_next("set_task", Fault.REFUSED)
    await started.start()
    await started.delivered()
    (waiting,) = started.store.pending()
    assert waiting.state is PendingState.REFUSED
    assert started.titles(OPEN)[0] == "Alpha"
    with pytest.raises(CallboardError, match="Nothing to undo: Rename “"):
        await started.store.undo(BOARD)
    assert await started.store.undo(BOARD) is None
