"""Changes of boards and stages."""

import pytest

from tests.store.party import Party
from tests.store.service import BOARD, DOING, DONE, OPEN, Service
from tui.errors import CallboardError
from tui.model.board import Board, Place
from tui.store.events import BoardChanged, BoardsChanged
from tui.store.operations import MoveStage, rename_board


async def test_who_renames_a_board_renames_it_everywhere(started: Party, service: Service) -> None:
    def titles() -> set[str]:
        listed = {board.title for board in started.store.boards() if board.id == BOARD}
        return listed | {started.view.board.title}

    service.rename_board("Told by the list")
    started.events.clear()
    await started.store.refresh()
    assert titles() == {"Told by the list"}
    assert BoardChanged(BOARD, {}) in started.events
    service.rename_board("Told by the board")
    started.events.clear()
    await started.store.refresh(BOARD)
    assert titles() == {"Told by the board"}
    assert BoardsChanged({}) in started.events
    await started.store.submit(rename_board(started.view.board, "Ours"))
    assert titles() == {"Ours"}
    await started.delivered()
    await started.store.undo(BOARD)
    assert titles() == {"Told by the board"}
    await started.delivered()
    assert titles() == {"Told by the board"}


async def test_stages_are_put_in_order_and_back(started: Party, service: Service) -> None:
    stages = {stage.id: stage for stage in started.view.stages}
    await started.store.submit(MoveStage.on(stages[DONE], Place(below=OPEN)))
    assert [stage.id for stage in started.view.stages] == [DONE, OPEN, DOING]
    await started.delivered()
    assert list(service.stages().values()) == [DONE, OPEN, DOING]
    await started.store.undo(BOARD)
    await started.delivered()
    assert [stage.id for stage in started.view.stages] == [OPEN, DOING, DONE]


async def test_a_board_that_is_not_known_any_more_is_told(started: Party) -> None:
    with pytest.raises(CallboardError, match="no longer cached"):
        await started.store.submit(rename_board(Board(99, ""), "Other"))
