"""Undo and redo of what undo can only archive, and of the newest step of all boards."""

import pytest

from tests.store.faults import Fault
from tests.store.party import Party, new_board, step_of
from tests.store.service import BOARD, DOING, OPEN, Service
from tui.client.capabilities import Feature
from tui.errors import CallboardError
from tui.model.board import Board, Place
from tui.store.operations import (
    ArrangeStages,
    CreateBoard,
    CreateTask,
    DeleteBoard,
    MoveTask,
    new_stage_at,
    rename_board,
    set_title,
)


async def undo_anywhere(party: Party) -> str:
    """Undo the newest step of all boards; returns it, empty if there is none."""
    board_id = await party.store.board_of_last("undo")
    return step_of(None if board_id is None else await party.store.undo(board_id))


async def redo_anywhere(party: Party) -> str:
    """Redo the step of all boards that was undone last; returns it, empty if there is none."""
    board_id = await party.store.board_of_last("redo")
    return step_of(None if board_id is None else await party.store.redo(board_id))


async def test_redo_restores_the_stage_that_undo_archived(started: Party, service: Service) -> None:
    await started.store.submit(*new_stage_at(BOARD, "Next", Place(above=OPEN, below=DOING)))
    await started.delivered()
    made = service.stages()["Next"]
    service.add("Added by others", made)
    await started.store.refresh(BOARD)
    undone = await started.store.undo(BOARD)
    assert undone is not None
    assert undone.lost == "The stage is archived, not deleted."
    await started.delivered()
    assert "Next" not in service.stages()
    assert step_of(await started.store.redo(BOARD)) == "Add the stage “Next”"
    await started.delivered()
    for _ in range(2):
        assert service.stages()["Next"] == made
        assert list(service.stages())[:3] == ["Open", "Next", "Doing"]
        assert [stage.title for stage in started.view.stages][:3] == ["Open", "Next", "Doing"]
        assert service.titles(made) == started.titles(made) == ["Added by others"]
        await started.store.undo(BOARD)
        await started.delivered()
        assert "Next" not in service.stages()
        await started.store.redo(BOARD)
        await started.delivered()


async def test_a_stage_that_was_never_sent_is_made_anew(started: Party, service: Service) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(*new_stage_at(BOARD, "Next", Place(above=OPEN, below=DOING)))
    undone = await started.store.undo(BOARD)
    assert undone is not None
    assert undone.lost == ""
    await started.store.redo(BOARD)
    started.remote.trouble = lambda _: None
    started.clock.advance(60)
    await started.delivered()
    assert list(service.stages()).count("Next") == 1
    assert [stage.title for stage in started.view.stages][:3] == ["Open", "Next", "Doing"]


async def test_redo_restores_the_board_that_undo_archived_with_what_others_changed(
    started: Party, service: Service
) -> None:
    made = CreateBoard.new("Second")
    stages = ArrangeStages(made.board_id, "Second", ("One", "Two"))
    await started.store.submit(made, stages)
    await started.delivered()
    board_id = service.boards()["Second"]
    service.ask("POST", f"/projects/{board_id}/stage-create", {"title": "By others"})
    undone = await started.store.undo(board_id)
    assert undone is not None
    assert undone.lost == "The board is archived, not deleted."
    await started.delivered()
    assert step_of(await started.store.redo(board_id)) == "Add the board “Second”"
    await started.delivered()
    assert service.boards()["Second"] == board_id
    assert list(service.boards()).count("Second") == 1
    assert list(service.stages(board_id)) == ["One", "Two", "By others"]
    active = [board.title for board in started.store.boards() if board.archived_at is None]
    assert active == ["Second", "Relaunch"]


async def test_redo_restores_the_card_where_cards_can_only_be_archived(
    started: Party, service: Service
) -> None:
    offers = started.remote.far_end.offers
    started.remote.far_end.offers = lambda feature: (
        False if feature is Feature.TASK_DELETION else offers(feature)
    )
    await started.store.submit(CreateTask.new(BOARD, OPEN, "New"))
    await started.delivered()
    made = started.task("New").id
    await started.store.undo(BOARD, force=True)
    await started.delivered()
    assert service.titles(OPEN).count("New") == 0
    await started.store.redo(BOARD)
    await started.delivered()
    assert started.task("New").id == made
    assert service.titles(OPEN).count("New") == 1


async def test_the_steps_of_all_boards_are_undone_and_redone_in_the_order_of_time(
    started: Party, service: Service
) -> None:
    first, second = CreateBoard.new("First"), CreateBoard.new("Second")
    await started.store.submit(first)
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.store.submit(second)
    await started.delivered()
    steps = ["Add the board “Second”", "Rename “Alpha” to “Omega”", "Add the board “First”"]
    assert [await undo_anywhere(started) for _ in range(4)] == [*steps, ""]
    await started.delivered()
    assert service.titles(OPEN)[0] == "Alpha"
    assert [one.title for one in started.store.boards() if not one.archived_at] == ["Relaunch"]
    assert [await redo_anywhere(started) for _ in range(4)] == [*steps[::-1], ""]
    await started.delivered()
    assert service.titles(OPEN)[0] == "Omega"
    assert sorted(service.boards()) == ["First", "Relaunch", "Second"]


async def test_boards_made_offline_are_undone_one_after_the_other_also_after_a_restart(
    started: Party, service: Service
) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    for title in ("First", "Second"):
        await started.store.submit(CreateBoard.new(title))
    await started.restart()
    board_id = await started.store.board_of_last("undo")
    assert board_id is not None
    assert step_of(await started.store.undo(board_id, force=True)) == "Add the board “Second”"
    board_id = await started.store.board_of_last("undo")
    assert board_id is not None
    assert step_of(await started.store.undo(board_id, force=True)) == "Add the board “First”"
    assert [one.title for one in started.store.boards() if not one.archived_at] == ["Relaunch"]
    assert await redo_anywhere(started) == "Add the board “First”"
    started.remote.trouble = lambda _: None
    await started.start()
    await started.delivered()
    assert sorted(service.boards()) == ["First", "Relaunch"]


async def test_a_board_that_is_gone_holds_up_nothing(started: Party, service: Service) -> None:
    board_id = await new_board(started.store, "Second")
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.store.submit(rename_board(Board(board_id, "Second"), "Third"))
    await started.delivered()
    service.ask("DELETE", f"/projects/{board_id}")
    await started.store.refresh()
    assert await undo_anywhere(started) == "Rename “Alpha” to “Omega”"


async def test_a_deleted_board_is_said_to_be_gone_before_earlier_steps_are_undone(
    started: Party,
) -> None:
    board_id = await new_board(started.store, "Second")
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.store.submit(DeleteBoard(board_id, "Second"))
    await started.delivered()
    with pytest.raises(CallboardError, match="Delete the board “Second” cannot be undone"):
        await undo_anywhere(started)
    assert await undo_anywhere(started) == "Rename “Alpha” to “Omega”"


async def test_a_card_moved_into_a_new_stage_is_put_back_before_the_stage_is_archived(
    started: Party, service: Service
) -> None:
    (made,) = new_stage_at(BOARD, "Next", Place())
    await started.store.submit(made)
    await started.store.submit(MoveTask.on(started.task("Alpha"), made.subject.id, Place()))
    await started.delivered()
    assert await undo_anywhere(started) == "Move “Alpha” to “Next”"
    assert await undo_anywhere(started) == "Add the stage “Next”"
    await started.delivered()
    assert service.titles(OPEN)[0] == "Alpha"
    for _ in range(2):
        await redo_anywhere(started)
    await started.delivered()
    assert service.titles(service.stages()["Next"]) == ["Alpha"]
