"""Undo and redo of a change of cards on several boards: one step, whatever is between."""

import pytest

from tests.store.faults import Fault
from tests.store.party import Party, new_board, step_of
from tests.store.service import BOARD, OPEN, Service
from tui.store.events import UndoNeedsConfirmation
from tui.store.operations import CreateTask, set_title


@pytest.fixture
async def second(started: Party) -> int:
    """Another board with a card, Delta, known to the store."""
    board_id = await new_board(started.store, "Second")
    await started.delivered()
    board_id = next(one.id for one in started.store.boards() if one.title == "Second")
    view = await started.store.load_board(board_id)
    assert view is not None
    await started.store.submit(CreateTask.new(board_id, view.stages[0].id, "Delta"))
    await started.delivered()
    return board_id


def title_on(party: Party, board_id: int) -> str:
    """The title of the one card of a board, as drawn."""
    view = party.store.board(board_id)
    assert view is not None
    return " ".join(task.title for task in view.all_tasks())


async def rename_both(party: Party, board_id: int) -> None:
    view = party.store.board(board_id)
    assert view is not None
    other = next(view.all_tasks())
    await party.store.submit(set_title(party.task("Alpha"), "One"), set_title(other, "Two"))
    await party.delivered()


async def test_a_step_over_boards_is_undone_and_redone_as_a_whole(
    started: Party, service: Service, second: int
) -> None:
    await rename_both(started, second)
    for board_id in (BOARD, second):
        words = step_of(await started.store.undo(board_id))
        assert words.endswith("and 1 more change on 2 boards")
        assert (title_on(started, second), started.titles(OPEN)[0]) == ("Delta", "Alpha")
        words = step_of(await started.store.redo(second))
        assert words.endswith("and 1 more change on 2 boards")
        assert (title_on(started, second), started.titles(OPEN)[0]) == ("Two", "One")
    await started.delivered()
    assert service.titles(OPEN)[0] == "One"
    await started.store.undo(BOARD)
    assert step_of(await started.store.undo(second)).startswith("Add ")


async def test_it_stays_one_step_over_a_restart(started: Party, second: int) -> None:
    await rename_both(started, second)
    await started.restart()
    await started.start()
    with pytest.raises(UndoNeedsConfirmation) as asked:
        await started.store.undo(second)
    assert asked.value.step.endswith("on 2 boards")
    assert asked.value.why == ("It was made before the program was started.",)
    await started.store.undo(second, force=True)
    assert started.titles(OPEN)[0] == "Alpha"
    assert title_on(started, second) == "Delta"


async def test_a_change_by_others_on_one_board_is_asked_about_first(
    started: Party, service: Service, second: int
) -> None:
    await rename_both(started, second)
    service.set(started.task("One").id, "title", "By others")
    await started.store.refresh(BOARD)
    with pytest.raises(UndoNeedsConfirmation) as asked:
        await started.store.undo(second)
    assert len(asked.value.differences) == 1
    assert title_on(started, second) == "Two", "nothing is undone before the answer"
    await started.store.undo(second, force=True)
    assert (title_on(started, second), started.titles(OPEN)[0]) == ("Delta", "Alpha")


async def test_a_board_with_newer_changes_keeps_its_part(started: Party, second: int) -> None:
    await rename_both(started, second)
    await started.store.submit(set_title(started.task("Beta"), "Newer"))
    undone = await started.store.undo(second)
    assert undone is not None
    assert undone.lost.endswith("has newer changes and stays as it is.")
    assert (title_on(started, second), started.titles(OPEN)[:2]) == ("Delta", ["One", "Newer"])
    assert step_of(await started.store.undo(BOARD)) == "Rename “Beta” to “Newer”"
    assert step_of(await started.store.undo(BOARD)) == "Rename “Alpha” to “One”"
    assert started.titles(OPEN)[:2] == ["Alpha", "Beta"]
    assert title_on(started, second) == "Delta", "nothing is undone twice"


async def test_a_part_that_was_refused_does_not_keep_the_other_from_being_undone(
    started: Party, second: int
) -> None:
    started.remote.fail_next("set_task", Fault.REFUSED)
    await rename_both(started, second)
    assert (title_on(started, second), started.titles(OPEN)[0]) == ("Two", "Alpha")
    assert step_of(await started.store.undo(second)) == "Rename “Delta” to “Two”"
    assert title_on(started, second) == "Delta"
