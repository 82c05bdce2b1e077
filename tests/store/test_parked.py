"""A change that cannot succeed is set apart, and nothing waits for it or for a slow one."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.harness.cases import mostly_long
from tests.store.fake_clock import FakeClock
from tests.store.faults import Fault
from tests.store.party import Party, rest, step_of, until
from tests.store.service import BOARD, DOING, DONE, OPEN, Service, four_tasks
from tests.store.test_sync import let_pass, pass_time
from tui.client.errors import ApiError, ServerFault, TimedOut, Unreachable
from tui.errors import CallboardError
from tui.model.board import Place
from tui.model.task import Priority, Status
from tui.store.events import OperationRefused, PendingState
from tui.store.operations import (
    CloneTask,
    CreateTask,
    MoveTask,
    set_priority,
    set_status,
    set_title,
)


def refusals(party: Party) -> list[OperationRefused]:
    """What was said about changes that are not sent any more."""
    return [event for event in party.events if isinstance(event, OperationRefused)]


def always(name: str, fault: Fault = Fault.FAULT_BEFORE) -> Callable[[str], Fault | None]:
    """One kind of write goes wrong whenever it is tried."""
    return lambda call: fault if call == name else None


async def parked_title(started: Party, fault: Fault = Fault.FAULT_BEFORE) -> None:
    """A new title that the service never takes."""
    started.remote.trouble = always("set_task", fault)
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.delivered()


@mostly_long("fault", [Fault.FAULT_BEFORE, Fault.PAGE], every=2)
async def test_the_same_answer_three_times_sets_a_change_apart_and_says_so_once(
    started: Party, service: Service, fault: Fault
) -> None:
    await parked_title(started, fault)
    (parked,) = started.store.pending()
    assert (parked.state, parked.attempts) == (PendingState.REFUSED, 3)
    assert started.remote.calls.count("set_task") == 3
    assert "3 times" in parked.reason
    assert refusals(started) == [OperationRefused(parked)]
    assert started.titles(OPEN)[0] == service.titles(OPEN)[0] == "Alpha"
    await pass_time(started, 600)
    assert started.remote.calls.count("set_task") == 3
    assert len(refusals(started)) == 1
    status = started.store.status(BOARD)
    assert (status.need_attention, status.pending) == (1, 0)


@pytest.mark.parametrize("name", ["create_task", "clone_task"])
async def test_a_card_like_another_one_is_set_apart_too(started: Party, name: str) -> None:
    started.remote.trouble = always(name)
    alpha = started.task("Alpha")
    made = CreateTask.new(BOARD, OPEN, "Alpha") if name == "create_task" else CloneTask.of(alpha)
    await started.store.submit(made)
    await started.delivered()
    (parked,) = started.store.pending()
    assert (parked.state, parked.attempts) == (PendingState.REFUSED, 3)
    assert refusals(started) == [OperationRefused(parked)]


async def test_a_change_that_cannot_be_compared_is_set_apart_too(
    started: Party, service: Service
) -> None:
    started.remote.trouble = lambda _: Fault.REQUEST_LOST
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.store.submit(CreateTask.new(BOARD, DOING, "One"))
    await started.until(lambda: started.store.pending()[0].attempts > 0)
    started.remote.trouble = always("task")
    await started.until(lambda: started.store.pending()[0].needs_attention)
    await started.until(lambda: len(started.store.pending()) == 1)
    (parked,) = started.store.pending()
    assert "Tried 3 times" in parked.reason
    assert service.titles(DOING) == ["Delta", "One"]
    started.remote.trouble = lambda _: None
    await started.store.retry(parked.id)
    await started.delivered()
    assert service.titles(OPEN)[0] == started.titles(OPEN)[0] == "Omega"


@pytest.mark.parametrize(("failures", "is_asked_about"), [(5, False), (100, True)])
async def test_what_can_be_sent_again_is_asked_about_only_after_many_failures(
    tmp_path: Path, clock: FakeClock, failures: int, is_asked_about: bool
) -> None:
    service = Service(four_tasks(), tmp_path, clock=clock.now, keeps_replies=True)
    party = Party(tmp_path, service, clock)
    await party.start()
    left = ["task"] * failures
    lost = ["set_task"]

    def trouble(call: str) -> Fault | None:
        if call in lost:
            lost.remove(call)
            return Fault.REPLY_LOST
        if call in left and not lost:
            left.remove(call)
            return Fault.FAULT_BEFORE
        return None

    party.remote.trouble = trouble
    await party.store.submit(set_title(party.task("Alpha"), "Omega"))
    await party.delivered()
    asked_about = [change.state for change in party.store.pending()]
    assert asked_about == ([PendingState.UNSURE] if is_asked_about else [])
    assert service.titles(OPEN)[0] == "Omega"
    await party.store.aclose()
    await service.aclose()


async def test_nobody_is_asked_while_it_is_not_known_whether_replies_are_kept(
    tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(four_tasks(), tmp_path, clock=clock.now, keeps_replies=True)
    party = Party(tmp_path, service, clock)
    await party.start()
    failures = [ServerFault("The service failed.", status=500, may_have_happened=True)] * 8

    async def keeps_replies() -> bool:
        if failures:
            raise failures.pop()
        return True

    monkeypatch.setattr(party.remote, "keeps_replies", keeps_replies)
    party.remote.fail_next("create_task", Fault.REPLY_LOST)
    await party.store.submit(CreateTask.new(BOARD, OPEN, "Omega"))
    await party.delivered()
    assert party.store.pending() == ()
    assert service.titles(OPEN)[-1] == "Omega"
    await party.store.aclose()
    await service.aclose()


async def test_all_others_go_at_once_without_waiting_for_the_attempts(
    started: Party, service: Service
) -> None:
    before = started.clock.now()
    started.remote.trouble = always("set_task")
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.store.submit(CreateTask.new(BOARD, DOING, "One"))
    await started.store.submit(MoveTask.on(started.task("Beta"), DOING, Place()))
    await until(started.store, lambda: len(started.store.pending()) == 1)
    assert service.titles(DOING) == ["Beta", "Delta", "One"]
    assert started.clock.now() == before
    assert started.titles(OPEN)[0] == "Omega", "it is still tried"


@pytest.mark.parametrize("fails", [1, 2])
@pytest.mark.parametrize("drawn", [["Alpha", "Beta"], ["Alpha", "Gamma", "Beta"]])
async def test_cards_are_put_where_they_are_drawn_in_whatever_order_they_are_sent(
    started: Party, service: Service, drawn: list[str], fails: int
) -> None:
    started.remote.fail_next("move_task", *[Fault.FAULT_BEFORE] * fails)
    alpha, beta = started.task("Alpha"), started.task("Beta")
    delta = started.task("Delta").id
    await started.store.submit(
        MoveTask.on(alpha, DOING, Place(below=delta)),
        MoveTask.on(beta, DOING, Place(above=alpha.id, below=delta)),
    )
    if "Gamma" in drawn:
        place = Place(above=alpha.id, below=beta.id)
        await started.store.submit(MoveTask.on(started.task("Gamma"), DOING, place))
    drawn = [*drawn, "Delta"]
    assert started.titles(DOING) == drawn
    await started.delivered()
    assert service.titles(DOING) == started.titles(DOING) == drawn


async def test_a_move_that_failed_stays_where_it_is_drawn(started: Party, service: Service) -> None:
    new = CreateTask.new(BOARD, DOING, "New")
    alpha, beta, delta = map(started.task, ("Alpha", "Beta", "Delta"))
    tried: list[str] = []

    def trouble(call: str) -> Fault | None:
        tried.append(call)
        return Fault.FAULT_BEFORE if call in ("create_task", "move_task") else None

    started.remote.trouble = trouble
    await started.store.submit(new)
    await started.store.submit(
        MoveTask.on(alpha, DOING, Place(delta.id, new.task_id)),
        MoveTask.on(beta, DOING, Place(new.task_id)),
    )
    drawn = ["Delta", "Alpha", "New", "Beta"]
    assert started.titles(DOING) == drawn
    await started.until(lambda: tried.count("move_task") >= 2)
    service.add("Other", OPEN)
    await started.store.refresh(BOARD)
    assert started.titles(OPEN) == ["Gamma", "Other"]
    assert started.titles(DOING) == drawn


@pytest.mark.parametrize("status", [408, 425, 501, 507])
async def test_any_definite_status_sets_a_change_apart(started: Party, status: int) -> None:
    def fails(*_: object, **__: object) -> ApiError:
        raise ServerFault(
            "No.", status=status, is_passing=status != 501, may_have_happened=status > 500
        )

    started.remote.set_task = fails
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.until(lambda: started.store.pending()[0].state is PendingState.REFUSED)
    assert started.store.pending()[0].attempts == 3


@pytest.mark.parametrize("status", [429, 502, 503, 504])
async def test_what_concerns_everybody_sets_nothing_apart_and_keeps_the_order(
    started: Party, service: Service, status: int
) -> None:
    calls: list[str] = []

    async def fails(*_: object, **__: object) -> None:
        calls.append("set_task")
        raise ServerFault("Busy.", status=status, is_passing=True)

    set_task, started.remote.set_task = started.remote.set_task, fails
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.store.submit(CreateTask.new(BOARD, DOING, "One"))
    await started.until(lambda: len(calls) > 5)
    assert [waiting.state for waiting in started.store.pending()] == [PendingState.WAITING] * 2
    assert service.titles(DOING) == ["Delta"]
    started.remote.set_task = set_task
    await started.delivered()
    assert service.titles(OPEN)[0] == "Omega"
    assert service.titles(DOING) == ["Delta", "One"]


async def test_the_attempts_are_counted_over_a_restart(started: Party) -> None:
    started.remote.trouble = always("set_task")
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.until(lambda: started.remote.calls.count("set_task") == 2)
    await started.until(lambda: started.store.pending()[0].state is PendingState.WAITING)
    await started.restart()
    await started.start()
    await started.delivered()
    assert started.remote.calls.count("set_task") == 3
    (parked,) = started.store.pending()
    assert parked.state is PendingState.REFUSED
    await started.restart()
    assert [waiting.reason for waiting in started.store.pending()] == [parked.reason]


async def test_trying_again_gives_it_three_new_attempts_and_discarding_forgets_it(
    started: Party, service: Service
) -> None:
    await parked_title(started)
    await started.store.retry(started.store.pending()[0].id)
    assert started.titles(OPEN)[0] == "Omega"
    await started.delivered()
    assert started.remote.calls.count("set_task") == 6
    (parked,) = started.store.pending()
    assert parked.state is PendingState.REFUSED
    await started.store.discard(parked.id)
    assert started.store.pending() == ()
    started.remote.trouble = lambda _: None
    assert started.titles(OPEN)[0] == service.titles(OPEN)[0] == "Alpha"


async def test_what_depends_on_it_is_set_apart_with_it_and_said_in_one_message(
    started: Party, service: Service
) -> None:
    started.remote.trouble = always("create_task")
    made = CreateTask.new(BOARD, DOING, "New")
    drawn = made.apply(started.view).task(made.task_id)
    assert drawn is not None
    await started.store.submit(
        made, set_status(drawn, Status.CLOSED), set_title(started.task("Alpha"), "Omega")
    )
    await started.delivered()
    assert {waiting.state for waiting in started.store.pending()} == {PendingState.REFUSED}
    assert [(event.change.operation, event.more) for event in refusals(started)] == [(made, 1)]
    assert service.titles(OPEN)[0] == "Omega"
    started.remote.trouble = lambda _: None
    await started.store.retry(started.store.pending()[0].id)
    await started.delivered()
    assert started.task("New").is_closed
    assert service.titles(DOING) == ["Delta", "New"]


async def test_a_later_change_of_the_same_value_goes_on_and_is_no_conflict(
    started: Party, service: Service
) -> None:
    alpha = started.task("Alpha")
    started.remote.fail_next("set_task", *[Fault.FAULT_BEFORE] * 3)
    await started.store.submit(set_title(alpha, "Omega"))
    await started.until(lambda: started.store.pending()[0].attempts)
    started.clock.advance(60)
    await started.until(lambda: started.store.pending()[0].attempts > 1)
    await started.store.submit(set_title(started.task("Omega"), "Psi"))
    await started.delivered()
    assert service.titles(OPEN)[0] == started.titles(OPEN)[0] == "Psi"
    assert PendingState.CONFLICT not in {one.state for one in started.store.pending()}


async def test_a_new_card_that_cannot_be_deleted_is_shown_again(
    started: Party, service: Service
) -> None:
    started.remote.trouble = always("delete_task")
    await started.store.submit(CreateTask.new(BOARD, DOING, "New"))
    await started.delivered()
    assert step_of(await started.store.undo(BOARD)) == "Add “New”"
    assert started.titles(DOING) == ["Delta"]
    await started.delivered()
    assert started.titles(DOING) == service.titles(DOING) == ["Delta", "New"]
    (parked,) = started.store.pending()
    assert parked.operation.describe() == "Delete “New”"
    assert [event.change for event in refusals(started)] == [parked]
    with pytest.raises(CallboardError, match="Nothing to undo: Delete “New” was refused"):
        await started.store.undo(BOARD)
    started.remote.trouble = lambda _: None
    await started.store.retry(parked.id)
    await started.delivered()
    assert started.titles(DOING) == service.titles(DOING) == ["Delta"]


@pytest.mark.long
async def test_a_service_that_fails_at_everything_sets_nothing_apart(
    started: Party, service: Service
) -> None:
    started.remote.trouble = lambda _: Fault.FAULT_BEFORE
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.store.submit(set_title(started.task("Beta"), "Psi"))
    await pass_time(started, 900)
    assert {one.state for one in started.store.pending()} == {PendingState.WAITING}
    started.remote.trouble = lambda _: None
    await started.until(lambda: not started.store.pending())
    assert service.titles(OPEN) == ["Omega", "Psi", "Gamma"]


class Slow:
    """Lets writes of some kinds take until they are let go."""

    def __init__(self, party: Party, *names: str) -> None:
        self._party = party
        self.begun = 0
        self.go = asyncio.Event()
        for name in names:
            setattr(party.remote, name, self._slow(name))

    def _slow(self, name: str) -> Callable[..., object]:
        async def call(*args: object, **kwargs: object) -> object:
            self.begun += 1
            await self.go.wait()
            return await self._party.remote.call(name, *args, **kwargs)

        return call


async def test_a_slow_change_of_a_card_does_not_delay_those_of_others(
    started: Party, service: Service
) -> None:
    slow = Slow(started, "set_task")
    await started.store.submit(set_title(started.task("Delta"), "Omega"))
    await started.store.submit(CreateTask.new(BOARD, DOING, "One"))
    await started.store.submit(MoveTask.on(started.task("Gamma"), DONE, Place()))
    await rest()
    assert (slow.begun, service.titles(DOING)) == (1, ["Delta"]), "a moment is waited"
    started.clock.advance(1)
    await until(started.store, lambda: len(started.store.pending()) == 1)
    assert (service.titles(DOING), service.titles(DONE)) == (["Delta", "One"], ["Gamma"])
    slow.go.set()
    await started.delivered()
    assert service.titles(DOING) == started.titles(DOING) == ["Omega", "One"]


async def test_what_has_to_do_with_a_slow_change_waits_for_it(
    started: Party, service: Service
) -> None:
    slow = Slow(started, "move_task")
    await started.store.submit(MoveTask.on(started.task("Gamma"), DOING, Place()))
    await started.store.submit(MoveTask.on(started.task("Beta"), DOING, Place()))  # same stage
    await started.store.submit(set_title(started.task("Gamma"), "Omega"))  # the same card
    await started.store.submit(set_title(started.task("Delta"), "Psi"))
    await rest()
    started.clock.advance(1)
    await until(started.store, lambda: len(started.store.pending()) == 3)
    started.clock.advance(20)
    await rest()
    assert (service.titles(OPEN), service.titles(DOING)) == (["Alpha", "Beta", "Gamma"], ["Psi"])
    assert slow.begun == 1
    slow.go.set()
    await started.delivered()
    assert service.titles(DOING) == started.titles(DOING) == ["Beta", "Omega", "Psi"]


async def test_not_everything_is_sent_at_once_though_everything_is_slow(started: Party) -> None:
    slow = Slow(started, "set_task", "create_task")
    for title in ("Alpha", "Beta", "Gamma", "Delta"):
        await started.store.submit(set_priority(started.task(title), Priority.HIGH))
    for number in range(4):
        await started.store.submit(CreateTask.new(BOARD, DOING, f"New {number}"))
    for _ in range(12):
        await rest()
        started.clock.advance(1)
    assert slow.begun == 4
    slow.go.set()
    await started.delivered()
    assert started.store.pending() == ()
    assert started.titles(DOING) == ["Delta", "New 0", "New 1", "New 2", "New 3"]


@pytest.mark.long
async def test_a_change_that_never_gets_an_answer_is_overtaken_while_others_get_one(
    started: Party, service: Service
) -> None:
    """It is tried for ever, but what it would make wait goes before it."""

    async def lost(*_: object, **__: object) -> None:
        await started.clock.sleep(50)
        raise TimedOut("The service did not respond.", may_have_happened=True)

    move_task, started.remote.move_task = started.remote.move_task, lost
    await started.store.submit(MoveTask.on(started.task("Alpha"), DOING, Place()))
    await rest()
    await started.store.submit(set_title(started.task("Gamma"), "Psi"))
    await started.store.submit(CreateTask.new(BOARD, DOING, "One"))  # waits for the move
    await let_pass(started, 60)
    assert service.titles(DOING) == ["Delta", "One"]
    assert len(started.store.pending()) == 1
    started.remote.move_task = move_task
    await let_pass(started, 60)
    await started.delivered()
    assert service.titles(DOING) == ["Alpha", "Delta", "One"]


@pytest.mark.parametrize("is_answered_once", [True, False])
async def test_a_new_card_waits_for_one_above_it_that_got_no_answer_but_not_for_ever(
    started: Party, service: Service, *, is_answered_once: bool
) -> None:
    create_task = started.remote.create_task

    async def lost(board_id: int, stage_id: int, title: str, *more: object) -> object:
        if title == "Two":
            return await create_task(board_id, stage_id, title, *more)
        if is_answered_once:
            started.remote.create_task = create_task
        await started.clock.sleep(50)
        raise Unreachable("The service cannot be reached.")

    started.remote.create_task = lost
    await started.store.submit(CreateTask.new(BOARD, DOING, "One"))
    await started.store.submit(CreateTask.new(BOARD, DOING, "Two"))
    for number in range(8):  # others get their answers meanwhile
        priority = Priority.HIGH if number % 2 else Priority.LOW
        await started.store.submit(set_priority(started.task("Gamma"), priority))
        await let_pass(started, 60)
    await until(started.store, lambda: len(started.store.pending()) == (not is_answered_once))
    assert service.titles(DOING) == ["Delta", *["One"] * is_answered_once, "Two"]


@mostly_long("seed", range(24), every=8)
async def test_any_moves_end_where_they_were_drawn_whichever_failed_at_first(
    started: Party, service: Service, seed: int
) -> None:
    random = Random(seed)  # noqa: S311 (chance, not secrecy)
    for number in range(3):
        service.add(f"Card {number}", OPEN)
    await started.store.refresh(BOARD)
    faults = [Fault.FAULT_BEFORE, Fault.FAULT_BEFORE, *[None] * 4]
    random.shuffle(faults)
    started.remote.trouble = lambda call: faults.pop() if call == "move_task" and faults else None
    for task in random.sample(started.view.in_stage(OPEN), 6):
        others = [each.id for each in started.view.in_stage(DOING) if each is not task]
        others.insert(random.randint(0, len(others)), task.id)
        place = Place.of(task.id, others)
        assert place is not None
        await started.store.submit(MoveTask.on(task, DOING, place))
    drawn = started.titles(DOING)
    await started.delivered()
    assert service.titles(DOING) == started.titles(DOING) == drawn
