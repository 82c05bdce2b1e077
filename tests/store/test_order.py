"""What was shown is what arrives: the order of things, however late and often a service fails."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest

from tests.harness.cases import mostly_long
from tests.store.fake_clock import FakeClock
from tests.store.faults import READS, Fault, FaultyRemote
from tests.store.machine.choices import DAY
from tests.store.opened_board import Opened
from tests.store.party import Party, rest
from tests.store.service import BOARD, DOING, DONE, OPEN, Service, one_board
from tui.client.capabilities import Feature
from tui.client.documents import Document
from tui.client.errors import TimedOut
from tui.model.board import Place
from tui.model.moving import lift
from tui.model.task import Task
from tui.store.events import BoardChanged
from tui.store.operations import (
    ArchiveTask,
    ConvertToSubtask,
    CreateTask,
    DeleteTask,
    MoveField,
    MoveStage,
    MoveSubtask,
    MoveTask,
    set_due,
    set_title,
)
from tui.store.operations.base import Operation
from tui.store.remote import Remote

_STEPS = ("n", "L 201", "due 104", "202 below 301", "H 301", "L 101", "101 below 201")
_SHOWN = ["201", "101", "202", "102", "103", "104"]


class Gate:
    """A `Remote` that carries a write out, or answers it, only when it is let through."""

    def __init__(self, remote: FaultyRemote) -> None:
        self._remote = remote
        self._waiting: list[asyncio.Event] = []
        self.is_open = False

    def offers(self, feature: Feature) -> bool | None:
        return self._remote.offers(feature)

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def call(*args: Any, **kwargs: Any) -> Any:
            if name in READS:
                return await self._remote.call(name, *args, **kwargs)
            await self._pass()
            answer = await self._remote.call(name, *args, **kwargs)
            await self._pass()
            return answer

        return call

    async def _pass(self) -> None:
        if not self.is_open:
            self._waiting.append(asyncio.Event())
            await self._waiting[-1].wait()

    def let_one_through(self) -> bool:
        """Let the first that waits through."""
        if self._waiting:
            self._waiting.pop(0).set()
        return bool(self._waiting)


class Desk:
    """Somebody whose board has four cards in a stage, two in the one before it, and one behind."""

    def __init__(self, party: Party, gate: Gate, behind: int) -> None:
        self.party = party
        self.gate = gate
        self.behind = behind

    def lane(self, stage_id: int = DOING) -> list[str]:
        """The titles that are drawn in a stage."""
        return self.party.titles(stage_id)

    async def do(self, step: str) -> None:
        """Press keys: create, date, shift, or carry a card below another one."""
        party, view = self.party, self.party.view
        what, *rest_of_it = step.split()
        if what == "n":
            new = CreateTask.new(BOARD, DOING, "301")
            below, above = party.task("102").id, party.task("101").id
            created = new.apply(view).task(new.task_id)
            assert created is not None
            await party.store.submit(new, MoveTask.on(created, DOING, Place(above, below)))
        elif what == "due":
            await party.store.submit(set_due(party.task(rest_of_it[0]), DAY))
        elif what in ("L", "H"):
            await self._carry(rest_of_it[0], by=1 if what == "L" else -1)
        else:
            await self._carry(what, below=rest_of_it[1])

    async def _carry(self, title: str, *, by: int = 0, below: str = "") -> None:
        view, task = self.party.view, self.party.task(title)
        lifted = lift.lift(view, [task.id], task.id)
        assert lifted is not None
        index = [stage.id for stage in view.stages].index(lifted.stage_id)
        lifted = lift.to_stage(lifted, view, index + by)
        if below:
            index = [stage.id for stage in view.stages].index(DOING)
            lifted = lift.to_stage(lifted, view, index)
            others = lift.others(lifted, view, DOING)
            row = [other.title for other in others].index(below) + 1
            lifted = lift.to_row(lifted, view, row)
        await self.party.store.submit(MoveTask.on(task, lifted.stage_id, lift.place(lifted, view)))


@pytest.fixture
async def desk(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Desk]:
    service = Service(one_board(), tmp_path / "attachments", clock=clock.now)
    service.ask("POST", f"/projects/{BOARD}/stage-create", {"title": "Behind"})
    order = [OPEN, DOING, service.stages()["Behind"], *service.stages().values()]
    for title in ("201", "202"):
        service.add(title, OPEN)
    for title in ("101", "102", "103", "104"):
        service.add(title, DOING)
    party = Party(tmp_path, service, clock)
    await party.start()
    stages = list(dict.fromkeys(order))
    await party.remote.reposition_stages(BOARD, stages)
    await party.store.refresh(BOARD)
    gate = Gate(party.remote)
    party.remote.gate = gate
    yield Desk(party, gate, service.stages()["Behind"])
    await party.store.aclose()
    await service.aclose()


@mostly_long("ahead", [0, 1, 2, 3, 20], every=4)
async def test_the_order_that_was_shown_arrives_at_any_latency(desk: Desk, ahead: int) -> None:
    """So many gates open before each step; with 20 all that was done is there before the next."""
    party, service = desk.party, desk.party.service
    party.store.connect(cast("Remote", desk.gate))
    for step in _STEPS:
        for _ in range(ahead):
            await rest()
            desk.gate.let_one_through()
        await rest()
        await desk.do(step)
    assert desk.lane() == _SHOWN
    drawn = lanes_drawn(party)
    desk.gate.is_open = True
    while desk.gate.let_one_through():
        await rest()
    await party.delivered()
    assert [lane for lane in drawn if lane != _SHOWN] == []
    assert service.titles(DOING) == desk.lane() == _SHOWN
    assert service.titles(OPEN) == ["301"]


async def test_the_order_that_was_shown_without_a_connection_arrives_after_a_restart(
    desk: Desk,
) -> None:
    party, service = desk.party, desk.party.service
    await party.restart()
    await party.store.open_board(BOARD)
    for step in _STEPS:
        await desk.do(step)
    assert desk.lane() == _SHOWN
    await party.restart()
    await party.start()
    await party.delivered()
    assert service.titles(DOING) == desk.lane() == _SHOWN


async def test_cards_below_one_whose_creation_failed_at_first_come_below_it(
    started: Party, service: Service
) -> None:
    started.remote.fail_next("create_task", Fault.FAULT_BEFORE)
    new, next_one = (CreateTask.new(BOARD, DOING, title) for title in ("New", "Next"))
    alpha, beta = map(started.task, ("Alpha", "Beta"))
    await started.store.submit(new, MoveTask.on(alpha, DOING, Place(new.task_id)))
    await started.store.submit(MoveTask.on(beta, DOING, Place(alpha.id)), next_one)
    await started.store.submit(MoveTask.on(started.task("Gamma"), DOING, Place()))
    drawn = ["Gamma", "Delta", "New", "Alpha", "Beta", "Next"]
    assert started.titles(DOING) == drawn
    lanes = lanes_drawn(started)
    await started.delivered()
    assert [lane for lane in lanes if lane != drawn] == []
    assert service.titles(DOING) == started.titles(DOING) == drawn


async def test_a_move_to_where_the_card_was_is_sent_if_others_are_placed_by_it(
    started: Party, service: Service
) -> None:
    """New goes before the others, after which Beta is placed above Gamma, and Alpha below Beta."""
    started.remote.fail_next("move_task", Fault.FAULT_BEFORE)
    alpha, beta, gamma, delta = map(started.task, ("Alpha", "Beta", "Gamma", "Delta"))
    for card, stage_id, place in (
        (beta, DOING, Place(delta.id)),
        (delta, DOING, Place(beta.id)),
        (beta, OPEN, Place(below=alpha.id)),
        (alpha, OPEN, Place(beta.id, gamma.id)),
    ):
        await started.store.submit(MoveTask.on(card, stage_id, place))
    await started.store.submit(CreateTask.new(BOARD, OPEN, "New"))
    drawn = ["Beta", "Alpha", "Gamma", "New"]
    assert started.titles(OPEN) == drawn
    lanes = lanes_drawn(started, OPEN)
    await started.delivered()
    assert [lane for lane in lanes if lane != drawn] == []
    assert service.titles(OPEN) == started.titles(OPEN) == drawn


@pytest.mark.parametrize(
    ("leaving", "call"),
    [
        (lambda card, _: ArchiveTask.on(card, Place()), "set_task"),
        (lambda card, _: DeleteTask(card, Place()), "delete_task"),
        (ConvertToSubtask.on, "task_to_subtask"),
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
async def test_a_place_is_not_counted_while_another_card_is_leaving(
    started: Party,
    service: Service,
    leaving: Callable[[Task, Task], Operation],
    call: str,
    *,
    is_first: bool,
) -> None:
    """After a moment others are sent beside what is answered slowly, but not these two."""
    alpha, beta, gamma, delta = map(started.task, ("Alpha", "Beta", "Gamma", "Delta"))
    steps = [leaving(alpha, delta), MoveTask.on(gamma, OPEN, Place(below=beta.id))]
    slow = call if is_first else "move_task"
    answered = started.remote.held[slow] = asyncio.Event()
    await started.store.submit(*(steps if is_first else reversed(steps)))
    lanes = lanes_drawn(started, OPEN)
    await rest()
    started.clock.advance(1.0)
    await rest()
    asked = [name for name in started.remote.calls if name in ("move_task", call)]
    assert asked == [slow]
    answered.set()
    await started.delivered()
    assert [lane for lane in lanes if lane != ["Gamma", "Beta"]] == []
    assert service.titles(OPEN) == started.titles(OPEN) == ["Gamma", "Beta"]


@pytest.mark.parametrize("is_archived", [True, False])
async def test_a_place_is_counted_anew_after_a_change_of_which_the_answer_was_lost(
    started: Party, service: Service, *, is_archived: bool
) -> None:
    """Others are answered while it takes long: they go before it is asked what became of it."""
    alpha, beta, gamma = map(started.task, ("Alpha", "Beta", "Gamma"))
    first: Operation = MoveTask.on(alpha, DOING, Place())
    if is_archived:
        first = ArchiveTask.on(alpha, Place())
    call = "set_task" if is_archived else "move_task"
    carry_out = getattr(started.remote, call)

    async def lost(*args: Any) -> None:
        setattr(started.remote, call, carry_out)
        await carry_out(*args)
        await started.clock.sleep(2.0)
        raise TimedOut("The service did not respond.", may_have_happened=True)

    setattr(started.remote, call, lost)
    await started.store.submit(first)
    await rest()
    await started.store.submit(MoveTask.on(gamma, OPEN, Place(below=beta.id)))
    await started.store.submit(set_title(started.task("Delta"), "Psi"))
    for _ in range(2):
        started.clock.advance(1.0)
        await rest()
    await started.delivered()
    assert service.titles(OPEN) == started.titles(OPEN) == ["Gamma", "Beta"]


async def test_subtasks_of_which_the_first_failed_come_where_they_were_drawn(
    opened: Opened,
) -> None:
    party = opened.party
    party.remote.fail_next("place_subtask", Fault.FAULT_BEFORE)
    group = opened.group(0)
    for number, above in ((0, 2), (1, 0)):
        subtask, place = opened.subtask(number), Place(above=opened.subtask(above).id)
        await party.store.submit(MoveSubtask.on(opened.detail, subtask, group.id, place))
    assert opened.titles(0) == ["Z", "X", "Y"]
    await party.delivered()
    arrived = [subtask["title"] for subtask in party.service.line(group.id)]
    assert arrived == opened.titles(0) == ["Z", "X", "Y"]


async def test_stages_of_which_the_first_failed_come_where_they_were_drawn(
    started: Party, service: Service
) -> None:
    started.remote.fail_next("reposition_stages", Fault.FAULT_BEFORE)
    stages = {stage.id: stage for stage in started.view.stages}
    for stage_id, above in ((OPEN, DONE), (DOING, OPEN)):
        await started.store.submit(MoveStage.on(stages[stage_id], Place(above)))
    drawn = [stage.title for stage in started.view.stages]
    assert drawn == [stages[stage_id].title for stage_id in (DONE, OPEN, DOING)]
    await started.delivered()
    assert list(service.stages()) == [stage.title for stage in started.view.stages] == drawn


async def test_custom_fields_of_which_the_first_failed_come_where_they_were_drawn(
    party: Party, service: Service
) -> None:
    for title in ("Customer", "Place", "Price"):
        service.add_field(title)
    await party.start()
    first, second, third = party.view.fields
    party.remote.fail_next("reposition_field", Fault.FAULT_BEFORE)
    for field, above in ((first, third), (second, first)):
        await party.store.submit(MoveField(BOARD, field.id, field.title, Place(above.id)))
    drawn = [field.id for field in party.view.fields]
    assert drawn == [third.id, first.id, second.id]
    await party.delivered()
    assert [field.id for field in party.view.fields] == drawn
    await party.store.refresh(BOARD)
    assert [field.id for field in party.view.fields] == drawn


@pytest.mark.long
async def test_a_reply_to_another_change_moves_no_card(started: Party, service: Service) -> None:
    """The service numbered the stage afresh, of which the reply tells for one card only."""

    def renumbered(answer: Document) -> Document:
        return {**answer, "position": 500.0}

    started.remote.retold |= {"set_task": renumbered, "task": renumbered}
    drawn = ["Omega", "Beta", "Gamma"]
    lanes = lanes_drawn(started, OPEN)
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.until(lambda: not started.store.pending())
    await started.store.open_task(BOARD, started.task("Omega").id)
    await rest()
    assert started.titles(OPEN) == service.titles(OPEN) == drawn
    assert [lane for lane in lanes if lane != drawn] == []


async def test_a_card_is_not_drawn_elsewhere_while_it_is_not_known_where_the_others_are(
    started: Party, service: Service
) -> None:
    """The service numbers the stage afresh when a card is moved, and cannot be reached then."""

    def renumbered(answer: Document) -> Document:
        started.remote.trouble = lambda _: Fault.UNREACHABLE
        return {**answer, "position": 500.0}

    started.remote.retold["move_task"] = renumbered
    drawn = ["Gamma", "Alpha", "Beta"]
    await started.store.submit(MoveTask.on(started.task("Gamma"), OPEN, Place()))
    lanes = lanes_drawn(started, OPEN)
    await started.until(lambda: started.store.pending()[0].attempts > 0)
    await started.until(lambda: started.store.status(BOARD).problem)
    await started.restart()
    started.remote.trouble = lambda _: None
    await started.start()
    await started.delivered()
    assert started.titles(OPEN) == service.titles(OPEN) == drawn
    assert [lane for lane in lanes if lane != drawn] == []


def lanes_drawn(party: Party, stage_id: int = DOING) -> list[list[str]]:
    """What is drawn in a stage, each time that the board changes from now on."""
    drawn: list[list[str]] = []
    party.store.subscribe(
        lambda event: (
            drawn.append(party.titles(stage_id)) if isinstance(event, BoardChanged) else None
        )
    )
    return drawn
