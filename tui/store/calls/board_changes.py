"""Changes of boards and stages that are asked for by name, as the operations they are.

The rule it keeps: these wait, are drawn, sent and taken back like every other change.
"""

from collections.abc import Awaitable, Callable, Sequence

from tui.errors import CallboardError
from tui.model.board import Board, BoardView, Place, Stage
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.store.views.boards import Shelf

Submit = Callable[[Sequence[Operation]], Awaitable[None]]


class BoardChanges:
    """Every method raises `CallboardError` if what it is about is not known here."""

    def __init__(self, shelf: Shelf, submit: Submit) -> None:
        self._shelf = shelf
        self._submit = submit

    async def create_board(self, title: str, description: str) -> int:
        """Make a board; returns its local id."""
        made = change.CreateBoard.new(title, description)
        await self._submit([made])
        return made.board_id

    async def rename_board(self, board_id: int, title: str) -> None:
        """Rename a board."""
        await self._submit([change.RenameBoard.on(self._board(board_id), title)])

    async def archive_board(self, board_id: int) -> None:
        """Archive a board."""
        await self._submit([change.ArchiveBoard.on(self._board(board_id))])

    async def restore_board(self, board_id: int) -> None:
        """Bring an archived board back."""
        await self._submit([change.RestoreBoard.on(self._board(board_id))])

    async def delete_board(self, board_id: int) -> None:
        """Delete a board for good."""
        await self._submit([change.DeleteBoard.on(self._board(board_id))])

    async def create_stage(self, board_id: int, title: str) -> None:
        """Add a stage at the end of a board."""
        await self._submit([change.CreateStage.new(board_id, title)])

    async def rename_stage(self, board_id: int, stage_id: int, title: str) -> None:
        """Rename a stage."""
        await self._submit([change.RenameStage.on(self._stage(board_id, stage_id), title)])

    async def archive_stage(self, board_id: int, stage_id: int) -> None:
        """Archive a stage; its tasks leave the board with it."""
        self._stage(board_id, stage_id)
        await self._submit([change.ArchiveStage.on(self._view(board_id), stage_id)])

    async def order_stages(self, board_id: int, stage_ids: Sequence[int]) -> None:
        """Put the stages of a board into this order, each that has to move by itself."""
        stages = {stage.id: stage for stage in self._view(board_id).stages}
        wanted = [one for one in stage_ids if one in stages]
        moves = [
            change.MoveStage.on(stages[one], place) for one, place in moves_to(list(stages), wanted)
        ]
        if moves:
            await self._submit(moves)

    def _board(self, board_id: int) -> Board:
        board = next((one for one in self._shelf.boards() if one.id == board_id), None)
        if board is None:
            raise CallboardError("This board is not known here any more, so nothing was changed.")
        return board

    def _view(self, board_id: int) -> BoardView:
        view = self._shelf.view(board_id)
        if view is None:
            raise CallboardError("This board is not known here any more, so nothing was changed.")
        return view

    def _stage(self, board_id: int, stage_id: int) -> Stage:
        stage = self._view(board_id).stage(stage_id)
        if stage is None:
            raise CallboardError("This stage is not on the board any more; nothing was changed.")
        return stage


def moves_to(present: Sequence[int], wanted: Sequence[int]) -> list[tuple[int, Place]]:
    """The moves that bring one order to the other, each to a place among those before it.

    One that went far is one move, whichever way it went.
    """
    order = [one for one in present if one in wanted]
    moves: list[tuple[int, Place]] = []
    while order != list(wanted):
        at = next(i for i, one in enumerate(wanted) if order[i] != one)
        goes_far = order[at]
        far = wanted.index(goes_far)
        lonely = order[:at] + order[at + 1 :]
        lonely.insert(far, goes_far)
        if lonely[at] == wanted[at] and far > at + 1:
            moving, order = goes_far, lonely
        else:
            moving = wanted[at]
            order.remove(moving)
            order.insert(at, moving)
        index = order.index(moving)
        above = order[index - 1] if index else None
        below = order[index + 1] if index + 1 < len(order) else None
        moves.append((moving, Place(above, below)))
    return moves
