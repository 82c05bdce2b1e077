"""Undo and redo: what they undo, what they ask about first, and that they are exact."""

from datetime import datetime

import pytest

from tests.store.faults import Fault
from tests.store.party import Party, step_of
from tests.store.service import ANN, BOARD, DOING, DONE, OPEN, Service
from tui.errors import CallboardError
from tui.model.board import Place
from tui.model.task import Person, Priority, Task
from tui.store.events import PendingState, UndoNeedsConfirmation
from tui.store.operations import (
    CreateTask,
    DeleteTask,
    Edit,
    MoveTask,
    Operation,
    add_label,
    set_assignees,
    set_due,
    set_priority,
    set_title,
)

WRITES = {"create_task", "move_task", "add_label", "assign", "set_task", "delete_task"}
DUE = datetime.fromisoformat("2026-12-01 17:00")


def new_with_everything(party: Party) -> list[Operation]:
    """A new card in the middle of a stage with a label, an assignee, a priority and a due date."""
    made = CreateTask.new(BOARD, OPEN, "New", Priority.HIGH)
    task = Task(made.task_id, BOARD, OPEN, "New")
    return [
        made,
        MoveTask.on(task, OPEN, Place(above=party.task("Alpha").id)),
        add_label(task, party.view.labels[0]),
        set_assignees(task, [Person(ANN, "Ann", "ann")]),
        set_due(task, DUE),
    ]


def renamed(party: Party, title: str, new: str) -> Edit:
    return set_title(party.task(title), new)


async def refuse(party: Party, call: str, *operations: object) -> None:
    """Change something that the service refuses."""
    party.remote.fail_next(call, Fault.REFUSED)
    await party.store.submit(*operations)  # type: ignore[arg-type]  # operations
    await party.delivered()


async def deleted_in_vain(party: Party) -> None:
    """A card is renamed, then another is deleted, which the service refuses."""
    await party.store.submit(renamed(party, "Alpha", "Omega"))
    await party.delivered()
    await refuse(party, "delete_task", DeleteTask(party.task("Beta"), party.place("Beta")))


async def test_undo_after_a_refused_change_undoes_nothing_and_says_so(started: Party) -> None:
    await deleted_in_vain(started)
    with pytest.raises(CallboardError, match="Nothing to undo: Delete “Beta” was refused"):
        await started.store.undo(BOARD)
    await started.delivered()
    assert started.titles(OPEN) == ["Omega", "Beta", "Gamma"]


async def test_what_lies_below_a_refused_change_is_undone_after_asking(
    started: Party, service: Service
) -> None:
    began = started.clock.now()
    await deleted_in_vain(started)
    with pytest.raises(CallboardError):
        await started.store.undo(BOARD)
    with pytest.raises(UndoNeedsConfirmation) as asked:
        await started.store.undo(BOARD)
    assert asked.value.step == "Rename “Alpha” to “Omega”"
    assert asked.value.at == began
    assert asked.value.why == ("It was made before the change that was refused.",)
    assert service.titles(OPEN) == ["Omega", "Beta", "Gamma"]
    assert step_of(await started.store.undo(BOARD, force=True)) == "Rename “Alpha” to “Omega”"
    await started.delivered()
    assert service.titles(OPEN) == ["Alpha", "Beta", "Gamma"]
    assert await started.store.undo(BOARD) is None
    assert step_of(await started.store.redo(BOARD)) == "Rename “Alpha” to “Omega”"


async def test_what_is_done_after_a_refused_change_is_undone_without_asking(
    started: Party, service: Service
) -> None:
    await deleted_in_vain(started)
    await started.store.submit(renamed(started, "Gamma", "Third"))
    await started.delivered()
    assert step_of(await started.store.undo(BOARD)) == "Rename “Gamma” to “Third”"
    await started.delivered()
    assert service.titles(OPEN) == ["Omega", "Beta", "Gamma"]
    with pytest.raises(CallboardError, match="Delete “Beta” was refused"):
        await started.store.undo(BOARD)


@pytest.mark.long
async def test_a_refused_change_that_is_discarded_still_guards_what_lies_below(
    started: Party,
) -> None:
    await deleted_in_vain(started)
    (refused,) = started.store.pending()
    await started.store.discard(refused.id)
    with pytest.raises(UndoNeedsConfirmation):
        await started.store.undo(BOARD)
    assert started.titles(OPEN) == ["Omega", "Beta", "Gamma"]


@pytest.mark.long
async def test_a_refused_change_that_is_sent_again_is_the_last_step(
    started: Party, service: Service
) -> None:
    await deleted_in_vain(started)
    await started.store.submit(renamed(started, "Gamma", "Third"))
    (refused,) = (one for one in started.store.pending() if one.state is PendingState.REFUSED)
    await started.store.retry(refused.id)
    await started.delivered()
    assert service.titles(OPEN) == ["Omega", "Third"]
    assert step_of(await started.store.undo(BOARD)).startswith("Delete “Beta”")
    await started.delivered()
    assert service.titles(OPEN) == started.titles(OPEN) == ["Omega", "Beta", "Third"]
    assert step_of(await started.store.undo(BOARD)) == "Rename “Gamma” to “Third”"
    assert step_of(await started.store.undo(BOARD)) == "Rename “Alpha” to “Omega”"


async def test_undo_of_a_step_of_which_a_part_was_refused_undoes_the_rest(
    started: Party, service: Service
) -> None:
    await refuse(
        started,
        "set_task",
        renamed(started, "Alpha", "One"),
        set_priority(started.task("Beta"), Priority.HIGH),
        renamed(started, "Gamma", "Three"),
    )
    assert service.titles(OPEN) == ["Alpha", "Beta", "Three"]
    assert (
        step_of(await started.store.undo(BOARD))
        == "Set the priority of “Beta” to high and 1 more change"
    )
    await started.delivered()
    assert service.titles(OPEN) == started.titles(OPEN) == ["Alpha", "Beta", "Gamma"]
    with pytest.raises(CallboardError, match="Rename “Alpha” to “One” was refused"):
        await started.store.undo(BOARD)
    assert await started.store.undo(BOARD) is None
    assert step_of(await started.store.redo(BOARD)).startswith("Set the priority")
    await started.delivered()
    assert service.titles(OPEN) == ["Alpha", "Beta", "Three"], "what was refused is not sent again"


@pytest.mark.long
async def test_what_falls_with_a_refused_card_is_nothing_to_undo(
    started: Party, service: Service
) -> None:
    await started.store.submit(renamed(started, "Alpha", "Omega"))
    await started.delivered()
    started.remote.fail_next("create_task", Fault.REFUSED)
    made = CreateTask.new(BOARD, OPEN, "New")
    await started.store.submit(made)
    await started.store.submit(MoveTask.on(started.task("New"), DOING, Place()))
    await started.store.submit(set_priority(started.task("Gamma"), Priority.HIGH))
    await started.delivered()
    assert step_of(await started.store.undo(BOARD)) == "Set the priority of “Gamma” to high"
    with pytest.raises(CallboardError, match="Nothing to undo: Move “New” to “Doing” was refused"):
        await started.store.undo(BOARD)
    with pytest.raises(UndoNeedsConfirmation) as asked:
        await started.store.undo(BOARD)
    assert asked.value.step == "Rename “Alpha” to “Omega”"
    await started.delivered()
    number = min(one.id for one in started.store.pending())
    await started.store.retry(number)
    await started.delivered()
    assert service.titles(DOING) == started.titles(DOING) == ["New", "Delta"]
    assert step_of(await started.store.undo(BOARD)) == "Add “New”"
    await started.delivered()
    assert service.titles(DOING) == started.titles(DOING) == ["Delta"]
    assert "New" not in service.titles(OPEN)


@pytest.mark.long
async def test_an_undo_that_is_refused_is_a_refused_change_itself(
    started: Party, service: Service
) -> None:
    await started.store.submit(renamed(started, "Beta", "Second"))
    await started.store.submit(renamed(started, "Alpha", "Omega"))
    await started.delivered()
    started.remote.fail_next("set_task", Fault.REFUSED)
    await started.store.undo(BOARD)
    await started.delivered()
    with pytest.raises(CallboardError, match="Nothing to undo: Rename “Omega” to “Alpha” was ref"):
        await started.store.undo(BOARD)
    with pytest.raises(UndoNeedsConfirmation):
        await started.store.undo(BOARD)
    assert service.titles(OPEN) == ["Omega", "Second", "Gamma"]


async def test_what_could_not_be_undone_is_nobody_elses_change(
    started: Party, service: Service
) -> None:
    await started.store.submit(renamed(started, "Alpha", "One"))
    await started.store.submit(renamed(started, "One", "Two"))
    await started.delivered()
    started.remote.fail_next("set_task", Fault.REFUSED)
    await started.store.undo(BOARD)
    await started.delivered()
    with pytest.raises(CallboardError, match="Nothing to undo"):
        await started.store.undo(BOARD)
    with pytest.raises(UndoNeedsConfirmation) as asked:
        await started.store.undo(BOARD)
    assert asked.value.differences == ()
    await started.store.undo(BOARD, force=True)
    await started.delivered()
    assert service.titles(OPEN)[0] == started.titles(OPEN)[0] == "Alpha"


async def test_a_conflict_is_nothing_to_undo_until_it_is_decided(
    started: Party, service: Service
) -> None:
    await started.store.submit(set_priority(started.task("Beta"), Priority.HIGH))
    await started.delivered()
    alpha = started.task("Alpha")
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(set_title(alpha, "Mine"))
    await started.until(lambda: started.store.pending()[0].attempts)
    service.set(alpha.id, "title", "Theirs")
    started.remote.trouble = lambda _: None
    await started.delivered()
    with pytest.raises(CallboardError, match="Rename “Alpha” to “Mine” waits for your decision"):
        await started.store.undo(BOARD)
    (conflict,) = started.store.pending()
    await started.store.resolve(conflict.id, "mine")
    await started.delivered()
    assert step_of(await started.store.undo(BOARD)) == "Rename “Alpha” to “Mine”"
    await started.delivered()
    assert service.titles(OPEN)[0] == "Theirs"


async def test_a_step_of_an_earlier_run_is_undone_after_asking(
    started: Party, service: Service
) -> None:
    await started.store.submit(renamed(started, "Alpha", "Omega"))
    await started.delivered()
    await started.restart()
    await started.start()
    with pytest.raises(UndoNeedsConfirmation) as asked:
        await started.store.undo(BOARD)
    assert asked.value.step == "Rename “Alpha” to “Omega”"
    assert asked.value.why == ("It was made before the program was started.",)
    assert await started.store.undo(BOARD, force=True)
    await started.delivered()
    assert service.titles(OPEN)[0] == "Alpha"
    assert await started.store.redo(BOARD), "what was undone in this run is redone without asking"
    assert await started.store.undo(BOARD)


async def test_a_new_card_that_is_back_in_a_stage_that_closes_it_is_open_again(
    started: Party, service: Service
) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(CreateTask.new(BOARD, DONE, "New"))
    await started.store.submit(MoveTask.on(started.task("New"), DOING, Place()))
    await started.store.undo(BOARD)
    assert not started.task("New").is_closed
    started.remote.trouble = lambda _: None
    started.clock.advance(60)
    await started.delivered()
    new = started.task("New")
    assert service.task(new.id)["status"] == "open"
    assert not new.is_closed


@pytest.mark.long
async def test_a_card_that_was_made_with_everything_is_undone_by_one_request(
    started: Party, service: Service
) -> None:
    service.add_label("bug")
    await started.store.refresh(BOARD)
    await started.store.submit(*new_with_everything(started))
    await started.delivered()
    calls = started.remote.calls
    assert [one for one in calls if one in WRITES] == [
        *("create_task", "move_task", "add_label", "assign", "set_task")
    ]
    calls.clear()
    assert step_of(await started.store.undo(BOARD)) == "Add “New”"
    await started.delivered()
    assert [one for one in calls if one in WRITES] == ["delete_task"]
    assert step_of(await started.store.redo(BOARD)) == "Add “New”"
    await started.delivered()
    assert service.titles(OPEN)[:2] == ["Alpha", "New"]
    task = started.task("New")
    assert ([one.title for one in task.labels], task.due_at) == (["bug"], DUE)
    assert [person.id for person in task.assignees] == [ANN]


async def test_a_card_that_was_made_with_everything_offline_and_undone_is_no_request(
    started: Party, service: Service
) -> None:
    service.add_label("bug")
    await started.store.refresh(BOARD)
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(*new_with_everything(started))
    await started.until(lambda: started.store.status(BOARD).problem)
    await started.store.undo(BOARD)
    started.remote.trouble = lambda _: None
    started.remote.calls.clear()
    await started.delivered()
    assert not [one for one in started.remote.calls if one in WRITES]
    assert service.titles(OPEN) == started.titles(OPEN) == ["Alpha", "Beta", "Gamma"]
