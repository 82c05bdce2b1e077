"""What happens when somebody else changed the same meanwhile."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest

from tests.store.faults import Fault
from tests.store.party import Party, offline, online, rest, step_of
from tests.store.service import BOARD, DOING, DONE, OPEN, Service
from tui.errors import CallboardError
from tui.model.board import Place
from tui.model.task import Priority, Task
from tui.store.events import ConflictFound, PendingState, UndoNeedsConfirmation
from tui.store.operations import (
    ArchiveTask,
    CloneTask,
    CreateStage,
    CreateTask,
    DeleteTask,
    MoveTask,
    Operation,
    rename_stage,
    set_description,
    set_priority,
    set_title,
)
from tui.store.operations.base import FieldDifference


async def in_conflict(party: Party, service: Service) -> int:
    """Both set the title of one task; returns the number of ours."""
    alpha = party.task("Alpha")
    await offline(party, set_title(alpha, "Mine"))
    service.set(alpha.id, "title", "Theirs")
    await online(party)
    (waiting,) = party.store.pending()
    return waiting.id


async def test_nothing_of_another_person_is_overwritten_unasked(
    started: Party, service: Service
) -> None:
    await in_conflict(started, service)
    (waiting,) = started.store.pending()
    assert waiting.state is PendingState.CONFLICT
    assert waiting.differences == (FieldDifference("title", "Mine", "Theirs", "Alpha"),)
    assert service.titles(OPEN)[0] == started.titles(OPEN)[0] == "Theirs"
    assert ConflictFound(waiting) in started.events
    status = started.store.status(BOARD)
    assert (status.conflicts, status.pending, status.refused) == (1, 0, 0)


async def test_a_conflict_waits_over_a_restart(started: Party, service: Service) -> None:
    await in_conflict(started, service)
    before = started.store.pending()
    await started.restart()
    await started.start()
    await started.delivered()
    assert started.store.pending() == before
    assert service.titles(OPEN)[0] == "Theirs"


async def test_mine_stays_if_a_person_says_so(started: Party, service: Service) -> None:
    number = await in_conflict(started, service)
    await started.store.resolve(number, "mine")
    assert started.titles(OPEN)[0] == "Mine"
    await started.delivered()
    assert service.titles(OPEN)[0] == "Mine"
    assert started.store.pending() == ()
    assert step_of(await started.store.undo(BOARD)) == "Rename “Alpha” to “Mine”"
    await started.delivered()
    assert service.titles(OPEN)[0] == "Theirs", "undo goes back to what was there"


async def test_theirs_stays_if_a_person_says_so(started: Party, service: Service) -> None:
    number = await in_conflict(started, service)
    await started.store.resolve(number, "theirs")
    await started.delivered()
    assert service.titles(OPEN)[0] == started.titles(OPEN)[0] == "Theirs"
    assert started.store.pending() == ()
    assert await started.store.undo(BOARD) is None


async def test_what_was_decided_is_not_decided_twice(started: Party, service: Service) -> None:
    number = await in_conflict(started, service)
    await started.store.resolve(number, "mine")
    with pytest.raises(CallboardError, match="Already decided"):
        await started.store.resolve(number, "theirs")


async def test_what_is_no_text_is_not_put_together(started: Party, service: Service) -> None:
    alpha = started.task("Alpha")
    await offline(started, set_priority(alpha, Priority.HIGH))
    service.set(alpha.id, "priority", "medium")
    await online(started)
    (waiting,) = started.store.pending()
    assert waiting.differences == (FieldDifference("priority", "high", "medium", "low"),)
    with pytest.raises(CallboardError, match="not a text"):
        await started.store.resolve(waiting.id, "text", "both")
    assert started.store.pending() == (waiting,)


async def test_other_fields_of_the_same_task_are_no_conflict(
    started: Party, service: Service
) -> None:
    alpha = started.task("Alpha")
    await offline(started, set_priority(alpha, Priority.HIGH))
    service.set(alpha.id, "title", "Theirs")
    await online(started)
    assert started.store.pending() == ()
    assert service.task(alpha.id)["priority"] == "high"
    assert service.titles(OPEN)[0] == "Theirs"


async def test_who_set_the_same_value_sends_nothing(started: Party, service: Service) -> None:
    alpha = started.task("Alpha")
    await offline(started, set_title(alpha, "Same"))
    service.set(alpha.id, "title", "Same")
    started.remote.calls.clear()
    await online(started)
    assert "set_task" not in started.remote.calls
    assert started.titles(OPEN)[0] == "Same"
    assert started.store.pending() == ()


async def test_what_is_asked_for_now_is_not_looked_at_first(started: Party) -> None:
    started.remote.calls.clear()
    await started.store.submit(set_title(started.task("Alpha"), "Mine"))
    await started.delivered()
    assert "set_task" in started.remote.calls
    assert "task" not in started.remote.calls


async def test_many_that_waited_are_looked_at_in_one_go(started: Party, service: Service) -> None:
    for title in ("One", "Two", "Three", "Four", "Five"):
        service.add(title, OPEN)
    await started.store.refresh(BOARD)
    tasks = started.view.in_stage(OPEN)
    await offline(started, *(set_title(task, f"{task.title}!") for task in tasks))
    started.remote.calls.clear()
    started.remote.trouble = lambda _: None
    await started.delivered()
    assert started.remote.calls.count("set_task") == len(tasks)
    assert "task" not in started.remote.calls
    assert started.remote.calls.count("tasks") <= 2, "once to compare, once as it is polled"


async def test_descriptions_are_put_together_line_by_line(started: Party, service: Service) -> None:
    beta = started.task("Beta")
    service.set(beta.id, "description", "<p>One</p><p>Two</p><p>Three</p>")
    await started.store.refresh(BOARD)
    mine = "<p>1</p><p>Two</p><p>Three</p>"
    await offline(started, set_description(started.task("Beta"), mine))
    service.set(beta.id, "description", "<p>One</p><p>Two</p><p>Three</p><p>Four</p>")
    await online(started)
    assert service.task(beta.id)["description"] == "<p>1</p><p>Two</p><p>Three</p><p>Four</p>"
    assert started.task("Beta").description == service.task(beta.id)["description"]
    assert started.store.pending() == ()


async def test_descriptions_that_meet_are_put_together_by_a_person(
    started: Party, service: Service
) -> None:
    beta = started.task("Beta")
    await offline(started, set_description(beta, "<p>Mine</p>"))
    service.set(beta.id, "description", "<p>Theirs</p>")
    await online(started)
    (waiting,) = started.store.pending()
    assert waiting.differences == (FieldDifference("description", "Mine", "Theirs", "none"),)
    await started.store.resolve(waiting.id, "text", "<p>Both</p>")
    await started.delivered()
    assert service.task(beta.id)["description"] == "<p>Both</p>"


async def test_a_new_change_after_a_conflict_goes_its_way(started: Party, service: Service) -> None:
    await in_conflict(started, service)
    await started.store.submit(set_title(started.task("Theirs"), "Newer"))
    await started.delivered()
    assert service.titles(OPEN)[0] == "Newer"
    (waiting,) = started.store.pending()
    assert waiting.state is PendingState.CONFLICT


async def test_a_task_that_others_archived_refuses_the_change_in_words(
    started: Party, service: Service
) -> None:
    alpha = started.task("Alpha")
    await offline(started, set_title(alpha, "Mine"))
    service.set(alpha.id, "archived_at", "2026-11-20 09:00:00")
    await online(started)
    (waiting,) = started.store.pending()
    assert waiting.state is PendingState.REFUSED
    assert "archived by someone else" in waiting.reason


async def test_a_stage_that_others_archived_refuses_a_new_title_in_words(
    started: Party, service: Service
) -> None:
    await offline(started, rename_stage(started.view.stages[1], "Mine"))
    await service.remote().archive_stage(BOARD, DOING)
    await online(started)
    (waiting,) = started.store.pending()
    assert waiting.state is PendingState.REFUSED
    assert "stage was archived by someone else" in waiting.reason
    assert [stage.id for stage in started.view.stages] == [OPEN, DONE]


async def test_a_title_that_a_stage_got_before_others_archived_it_is_not_refused(
    started: Party, service: Service
) -> None:
    started.remote.fail_next("update_stage", Fault.REPLY_LOST)
    await started.store.submit(rename_stage(started.view.stages[1], "Mine"))
    await started.until(lambda: started.store.pending()[0].attempts)
    await service.remote().archive_stage(BOARD, DOING)
    await started.delivered()
    assert started.store.pending() == ()
    assert [stage.id for stage in started.view.stages] == [OPEN, DONE]


async def test_a_new_stage_that_others_archived_before_it_was_heard_of_is_made_once(
    started: Party, service: Service
) -> None:
    started.remote.fail_next("create_stage", Fault.REPLY_LOST)
    await started.store.submit(CreateStage.new(BOARD, "New"))
    await started.until(lambda: started.store.pending()[0].attempts)
    await service.remote().archive_stage(BOARD, service.stages()["New"])
    await started.delivered()
    assert started.store.pending() == ()
    assert list(service.stages()) == ["Open", "Doing", "Done"]
    assert [stage.id for stage in started.view.stages] == [OPEN, DOING, DONE]


async def two_moves(party: Party, service: Service, mine: int, theirs: int) -> None:
    """Both move the first card out of its stage."""
    alpha = party.task("Alpha")
    await offline(party, MoveTask.on(alpha, mine, Place()))
    service.move(alpha.id, theirs, 1)
    await online(party)


async def test_moves_to_different_stages_are_put_side_by_side(
    started: Party, service: Service
) -> None:
    await two_moves(started, service, DONE, DOING)
    (waiting,) = started.store.pending()
    assert waiting.state is PendingState.CONFLICT
    assert waiting.differences == (
        FieldDifference("stage", "Done, which closes it", "Doing", "Open"),
    )
    assert service.titles(DOING) == started.titles(DOING) == ["Alpha", "Delta"]
    await started.store.resolve(waiting.id, "mine")
    await started.delivered()
    assert service.titles(DONE) == started.titles(DONE) == ["Alpha"]
    assert started.task("Alpha").is_closed
    assert step_of(await started.store.undo(BOARD)) == "Move “Alpha” to “Done”"
    await started.delivered()
    assert service.titles(DOING) == started.titles(DOING) == ["Alpha", "Delta"]
    assert service.task(started.task("Alpha").id)["status"] == "open"


async def test_the_move_of_another_that_closes_the_card_can_stay(
    started: Party, service: Service
) -> None:
    await two_moves(started, service, DOING, DONE)
    (waiting,) = started.store.pending()
    assert waiting.differences == (
        FieldDifference("stage", "Doing", "Done, which closes it", "Open"),
    )
    await started.store.resolve(waiting.id, "theirs")
    await started.delivered()
    assert service.titles(DONE) == started.titles(DONE) == ["Alpha"]
    assert service.titles(DOING) == ["Delta"]


async def test_moves_to_the_same_stage_are_no_conflict(started: Party, service: Service) -> None:
    started.remote.calls.clear()
    await two_moves(started, service, DOING, DOING)
    assert started.store.pending() == ()
    assert "move_task" not in started.remote.calls[started.remote.calls.index("task") :]
    assert service.titles(DOING) == started.titles(DOING) == ["Alpha", "Delta"]


async def test_a_card_that_others_put_elsewhere_in_its_stage_is_moved(
    started: Party, service: Service
) -> None:
    alpha = started.task("Alpha")
    below_delta = Place(above=started.task("Delta").id)
    await offline(started, MoveTask.on(alpha, DOING, below_delta))
    service.move(alpha.id, OPEN, 3)
    await online(started)
    assert service.titles(DOING) == started.titles(DOING) == ["Delta", "Alpha"]


async def test_a_card_that_others_took_to_another_stage_is_not_put_back_into_order(
    started: Party, service: Service
) -> None:
    alpha = started.task("Alpha")
    await offline(started, MoveTask.on(alpha, OPEN, Place(above=started.task("Gamma").id)))
    service.move(alpha.id, DOING, 1)
    await online(started)
    (waiting,) = started.store.pending()
    assert waiting.differences == (FieldDifference("stage", "Open", "Doing", "Open"),)
    assert service.titles(DOING) == ["Alpha", "Delta"]


async def test_a_move_whose_answer_was_lost_meets_the_move_of_another(
    started: Party, service: Service
) -> None:
    """Whether ours arrived or not: where the card is now, somebody else put it."""
    alpha = started.task("Alpha")
    started.remote.fail_next("move_task", Fault.REPLY_LOST)
    await started.store.submit(MoveTask.on(alpha, DONE, Place()))
    await started.until(lambda: service.titles(DONE) == ["Alpha"])
    service.move(alpha.id, DOING, 1)
    await started.delivered()
    (waiting,) = started.store.pending()
    assert waiting.state is PendingState.CONFLICT
    assert service.titles(DOING) == started.titles(DOING) == ["Alpha", "Delta"]


async def test_a_move_after_a_refused_one_is_no_conflict(started: Party, service: Service) -> None:
    alpha = started.task("Alpha")
    started.remote.fail_next("move_task", Fault.REFUSED)
    await started.store.submit(MoveTask.on(alpha, DONE, Place()))
    await started.store.submit(MoveTask.on(started.task("Alpha"), DOING, Place()))
    started.clock.advance(60)
    await started.delivered()
    assert [one.state for one in started.store.pending()] == [PendingState.REFUSED]
    assert service.titles(DOING) == started.titles(DOING) == ["Alpha", "Delta"]


async def test_undo_asks_before_it_moves_a_card_that_others_moved_since(
    started: Party, service: Service
) -> None:
    alpha = started.task("Alpha")
    await started.store.submit(MoveTask.on(alpha, DOING, Place()))
    await started.delivered()
    service.move(alpha.id, DONE, 1)
    await started.store.refresh(BOARD)
    with pytest.raises(UndoNeedsConfirmation) as asked:
        await started.store.undo(BOARD)
    assert asked.value.differences == (
        FieldDifference("stage", "Open", "Done, which closes it", "Doing"),
    )
    assert await started.store.undo(BOARD, force=True)
    await started.delivered()
    assert service.titles(OPEN) == started.titles(OPEN) == ["Alpha", "Beta", "Gamma"]


async def test_the_value_of_a_change_on_the_way_is_no_conflict_for_the_next(
    started: Party, service: Service
) -> None:
    """The service may write a title in its own way; the next change was made on that."""
    alpha = started.task("Alpha")
    real = started.remote.set_task

    async def shouting(board_id: int, task_id: int, name: str, value: object) -> object:
        return await real(board_id, task_id, name, str(value).upper())

    started.remote.set_task = shouting
    await started.store.submit(set_title(alpha, "one"))
    await started.store.submit(set_title(started.task("one"), "two"))
    started.clock.advance(30)
    await started.delivered()
    assert service.titles(OPEN)[0] == "TWO"
    assert started.store.pending() == ()


async def test_undo_asks_before_it_takes_back_what_others_did_since(
    started: Party, service: Service
) -> None:
    alpha = started.task("Alpha")
    await started.store.submit(set_title(alpha, "Mine"))
    await started.delivered()
    service.set(alpha.id, "title", "Theirs")
    await started.store.refresh(BOARD)
    with pytest.raises(UndoNeedsConfirmation) as raised:
        await started.store.undo(BOARD)
    assert raised.value.differences == (FieldDifference("title", "Alpha", "Theirs", "Mine"),)
    assert raised.value.step == "Rename “Alpha” to “Mine”"
    assert started.titles(OPEN)[0] == service.titles(OPEN)[0] == "Theirs"
    assert step_of(await started.store.undo(BOARD, force=True)) == "Rename “Alpha” to “Mine”"
    await started.delivered()
    assert service.titles(OPEN)[0] == started.titles(OPEN)[0] == "Alpha"
    assert started.store.pending() == ()


async def test_undo_of_what_others_took_back_already_changes_nothing(
    started: Party, service: Service
) -> None:
    alpha = started.task("Alpha")
    await started.store.submit(set_title(alpha, "Mine"))
    await started.delivered()
    service.set(alpha.id, "title", "Alpha")
    await started.store.refresh(BOARD)
    started.remote.calls.clear()
    assert step_of(await started.store.undo(BOARD)) == "Rename “Alpha” to “Mine”"
    await started.delivered()
    assert "set_task" not in started.remote.calls
    assert step_of(await started.store.redo(BOARD)) == "Rename “Alpha” to “Mine”"
    await started.delivered()
    assert service.titles(OPEN)[0] == "Mine"


async def test_undo_of_what_was_never_sent_leaves_nothing_to_send(
    started: Party, service: Service
) -> None:
    await offline(started, set_title(started.task("Alpha"), "Mine"))
    await started.store.undo(BOARD)
    started.remote.calls.clear()
    await online(started)
    assert "set_task" not in started.remote.calls
    assert started.store.pending() == ()
    assert started.view.pending == frozenset()
    assert service.titles(OPEN)[0] == "Alpha"


async def test_undo_says_what_it_cannot_bring_back(started: Party, service: Service) -> None:
    beta = started.task("Beta")
    service.add_comment(beta.id, "Said")
    await started.store.refresh(BOARD)
    await started.store.submit(DeleteTask(started.task("Beta"), started.place("Beta")))
    await started.delivered()
    undone = await started.store.undo(BOARD)
    assert step_of(undone) == "Delete “Beta”"
    assert undone is not None
    assert undone.lost == "“Beta” was added again, without comments and its history."
    (again,) = undone.operations
    assert again.subject.id == started.task("Beta").id, "by the id that it has now"
    await started.delivered()
    assert service.titles(OPEN) == ["Alpha", "Beta", "Gamma"]


async def test_what_nothing_brings_back_is_said_once_and_then_earlier_changes_are_undone(
    started: Party,
) -> None:
    await started.store.submit(set_title(started.task("Alpha"), "Mine"))
    beta, at = started.task("Beta"), datetime.fromisoformat("2026-11-20")
    archived = replace(beta, stage_id=999, archived_at=at)
    await started.store.submit(ArchiveTask.on(beta, started.place("Beta"), at=at))
    await started.delivered()
    await started.store.submit(DeleteTask(archived, Place()))
    await started.delivered()
    with pytest.raises(CallboardError, match="Delete “Beta” cannot be undone"):
        await started.store.undo(BOARD)
    assert await started.store.redo(BOARD) is None
    assert step_of(await started.store.undo(BOARD)) == "Archive “Beta”"


async def test_a_copy_of_what_somebody_else_changed_is_no_conflict_with_it(
    started: Party, service: Service
) -> None:
    """Nobody else has touched the copy: it is made like the source is by then."""
    beta = started.task("Beta")
    copy = CloneTask.of(beta, title="Copy")
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(copy)
    await started.until(lambda: started.store.pending()[0].attempts)
    await started.store.submit(set_priority(started.task("Copy"), Priority.HIGH))
    await started.store.submit(MoveTask.on(started.task("Copy"), DOING, Place()))
    service.set(beta.id, "priority", "medium")
    started.clock.advance(60)
    await online(started)
    assert started.store.pending() == ()
    assert service.titles(DOING) == ["Copy", "Delta"]
    assert service.task(started.task("Copy").id)["priority"] == "high"


async def test_a_title_that_the_service_writes_in_its_own_way_is_no_conflict_with_the_next(
    started: Party, service: Service
) -> None:
    """A new card gets another title while it is being made."""
    real = started.remote.create_task
    arrived, answers = asyncio.Event(), asyncio.Event()

    async def shouting(board_id: int, stage_id: int, title: str, priority: str) -> object:
        made = await real(board_id, stage_id, title.upper(), priority)
        arrived.set()
        await answers.wait()
        return made

    started.remote.create_task = shouting
    await started.store.submit(CreateTask.new(BOARD, OPEN, "new"))
    await arrived.wait()
    await started.store.submit(set_title(started.task("new"), "newer"))
    answers.set()
    started.remote.trouble = lambda call: Fault.UNREACHABLE if call == "set_task" else None
    await started.until(lambda: started.store.pending()[0].attempts)
    started.clock.advance(60)
    await online(started)
    assert started.store.pending() == ()
    assert service.titles(OPEN)[-1] == "newer"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (lambda task: set_title(task, "one"), lambda task: set_title(task, "two")),
        (
            lambda task: MoveTask.on(task, DONE, Place()),
            lambda task: MoveTask.on(task, DOING, Place()),
        ),
    ],
    ids=["title", "move"],
)
async def test_a_change_is_no_conflict_with_one_of_ones_own_that_was_discarded(
    started: Party,
    service: Service,
    one: Callable[[Task], Operation],
    two: Callable[[Task], Operation],
) -> None:
    alpha = started.task("Alpha").id

    def drawn() -> Task:
        task = started.view.task(alpha)
        assert task is not None
        return task

    writes = ("set_task", "move_task")
    started.remote.trouble = lambda name: (
        Fault.REQUEST_LOST if name in writes else Fault.UNREACHABLE
    )
    await started.store.submit(one(drawn()))
    await started.until(lambda: started.store.pending()[0].reason)
    await started.store.submit(two(drawn()))
    await rest()
    expected = drawn()
    started.remote.trouble = lambda _: None
    first, _ = started.store.pending()
    started.clock.advance(60)
    assert await started.store.discard(first.id) is True
    await started.delivered()
    await started.store.refresh(BOARD)
    assert started.store.pending() == ()
    assert (drawn().title, drawn().stage_id) == (expected.title, expected.stage_id)
    assert service.task(alpha)["title"] == expected.title
    assert service.task(alpha)["stage_id"] == expected.stage_id
    assert service.task(alpha)["status"] == "open"
