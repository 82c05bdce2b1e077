"""Deleting a board, which cannot be undone."""

from dataclasses import dataclass
from typing import ClassVar, Self

from tui.model.board import Board, BoardView
from tui.model.ids import BoardId
from tui.store.operations.base import Operation, Reply, operation
from tui.store.remote import Remote
from tui.text.clean import quoted


@operation("delete-board")
@dataclass(frozen=True, slots=True)
class DeleteBoard(Operation):
    """Delete a board permanently, with everything on it."""

    removes_subject: ClassVar[bool] = True

    board_id: BoardId
    name: str

    @classmethod
    def on(cls, board: Board) -> Self:
        return cls(board.id, board.title)

    def apply_boards(self, boards: tuple[Board, ...]) -> tuple[Board, ...]:
        return tuple(board for board in boards if board.id != self.board_id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        await remote.delete_board(self.board_id)
        return self.reply_about(None)

    def lost_when_undone(self) -> str:
        return "A deleted board cannot be brought back."

    def describe(self) -> str:
        return f"Delete the board {quoted(self.name)}"
