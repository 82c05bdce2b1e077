"""Making and changing boards.

The rule it keeps: taking back the making of a board archives it and never deletes it, because
others may have put something on it meanwhile.
"""

from dataclasses import dataclass, replace
from typing import Self

from tui.model.board import Board, BoardType, BoardView
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId
from tui.store.operations.base import (
    Finding,
    Footing,
    Nothing,
    Operation,
    Reply,
    operation,
)
from tui.store.operations.board_keeping import ArchiveBoard, DeleteBoard
from tui.store.operations.comparing import found_new, made, same_words
from tui.store.operations.edit import is_edit
from tui.store.operations.ids import Creates, new_local_id
from tui.store.operations.wording import quoted
from tui.store.remote import Remote
from tui.text.clean import line, text


@operation("create-board")
@dataclass(frozen=True, slots=True)
class CreateBoard(Operation):
    """Make a board, which comes with the service's own stages; `board_id` is a local id."""

    board_id: Creates[BoardId]
    title: str
    description: str = ""
    type: BoardType = BoardType.TO_DO

    @classmethod
    def new(cls, title: str, description: str = "", kind: BoardType = BoardType.TO_DO) -> Self:
        """A board that does not exist yet, under a local id of its own."""
        return cls(new_local_id(), title, description, kind)

    @property
    def board(self) -> Board:
        """The board as it will look."""
        return Board(self.board_id, line(self.title), self.type, text(self.description))

    def apply_boards(self, boards: tuple[Board, ...]) -> tuple[Board, ...]:
        """The list with the board as the newest."""
        if any(board.id == self.board_id for board in boards):
            return boards
        return (self.board, *boards)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it."""
        del truth
        return made("board", await remote.create_board(self.title, self.description, self.type))

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Search the list for exactly one new board with our title."""
        return found_new(
            "board",
            await remote.boards(),
            lambda board: same_words(board.get("title"), self.title),
            footing.newest_id,
        )

    def merged_with(self, later: Operation) -> Operation | None:
        """A board that was never sent is made under its last name, or not at all."""
        if is_edit(later, "title", "board"):
            _, described = later.value
            kept = self.description if described is None else described
            return replace(self, title=later.text, description=kept)
        return Nothing(self.board_id) if isinstance(later, ArchiveBoard | DeleteBoard) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Archive it."""
        del before, detail
        return (ArchiveBoard.on(self.board),)

    def describe(self) -> str:
        """The new board's title."""
        return f"Add the board {quoted(line(self.title))}"
