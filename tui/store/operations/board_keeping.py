"""Archiving, bringing back and deleting boards.

The rule it keeps: an archived board stays in the list. A deleted one is gone for good, and so is
what was on it: that cannot be taken back, and says so.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from tui.model.board import Board, BoardView
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId
from tui.store.operations.base import Finding, Footing, News, Nothing, Operation, Reply, operation
from tui.store.operations.comparing import gone, said
from tui.store.operations.looking import board_as_it_is
from tui.store.operations.reading import is_no_date
from tui.store.operations.wording import quoted
from tui.store.remote import Remote


@operation("archive-board")
@dataclass(frozen=True, slots=True)
class ArchiveBoard(Operation):
    """Put a board away; `archived_at` is a wall-clock time, drawn until the service names its."""

    board_id: BoardId
    name: str
    archived_at: datetime

    @classmethod
    def on(cls, board: Board, *, at: datetime | None = None) -> Self:
        """Archive `board`; now, if no time is given."""
        moment = at or datetime.now().astimezone().replace(tzinfo=None, microsecond=0)
        return cls(board.id, board.title, moment)

    def apply(self, view: BoardView) -> BoardView:
        """The board, archived."""
        return replace(view, board=replace(view.board, archived_at=self.archived_at))

    def apply_boards(self, boards: tuple[Board, ...]) -> tuple[Board, ...]:
        """The list with the board archived."""
        return _with_archived_at(boards, self.board_id, self.archived_at)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it."""
        del truth
        board = await remote.archive_board(self.board_id)
        return said("board", {**board, "id": self.board_id})

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the board is archived."""
        del footing
        return await _found(remote, self.board_id, archived=True)

    def merged_with(self, later: Operation) -> Operation | None:
        """Archiving again is once; bringing it back again is nothing."""
        if isinstance(later, RestoreBoard):
            return Nothing(self.board_id)
        return self if isinstance(later, ArchiveBoard) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Bring it back, unless it was archived before."""
        del detail
        return () if before.board.archived_at else (RestoreBoard(self.board_id, self.name),)

    def describe(self) -> str:
        """The board's title."""
        return f"Archive the board {quoted(self.name)}"


@operation("restore-board")
@dataclass(frozen=True, slots=True)
class RestoreBoard(Operation):
    """Bring an archived board back."""

    board_id: BoardId
    name: str

    @classmethod
    def on(cls, board: Board) -> Self:
        """Bring `board` back."""
        return cls(board.id, board.title)

    def apply(self, view: BoardView) -> BoardView:
        """The board, active."""
        return replace(view, board=replace(view.board, archived_at=None))

    def apply_boards(self, boards: tuple[Board, ...]) -> tuple[Board, ...]:
        """The list with the board active."""
        return _with_archived_at(boards, self.board_id, None)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it."""
        del truth
        board = await remote.restore_board(self.board_id)
        return said("board", {**board, "id": self.board_id})

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the board is not archived."""
        del footing
        return await _found(remote, self.board_id, archived=False)

    def merged_with(self, later: Operation) -> Operation | None:
        """Bringing it back again is once; archiving it again is nothing."""
        if isinstance(later, ArchiveBoard):
            return Nothing(self.board_id)
        return self if isinstance(later, RestoreBoard) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Archive it again, as of when it was."""
        del detail
        archived_at = before.board.archived_at
        if archived_at is None:
            return ()
        return (ArchiveBoard(self.board_id, self.name, archived_at),)

    def describe(self) -> str:
        """The board's title."""
        return f"Bring the board {quoted(self.name)} back from the archive"


@operation("delete-board")
@dataclass(frozen=True, slots=True)
class DeleteBoard(Operation):
    """Delete a board for good, with everything on it."""

    board_id: BoardId
    name: str

    @classmethod
    def on(cls, board: Board) -> Self:
        """Delete `board`."""
        return cls(board.id, board.title)

    def apply_boards(self, boards: tuple[Board, ...]) -> tuple[Board, ...]:
        """The list without the board."""
        return tuple(board for board in boards if board.id != self.board_id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it; a board that is gone already is a success."""
        del truth
        await remote.delete_board(self.board_id)
        return gone("board", self.board_id)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the board is gone."""
        del footing
        now = await board_as_it_is(remote, self.board_id)
        if now is None:
            return Finding(True, gone("board", self.board_id))
        return Finding(done=False)

    def lost_when_undone(self) -> str:
        """Everything."""
        return "A deleted board cannot be brought back."

    def describe(self) -> str:
        """The board's title."""
        return f"Delete the board {quoted(self.name)}"


async def _found(remote: Remote, board_id: int, *, archived: bool) -> Finding:
    now = await board_as_it_is(remote, board_id)
    if now is None:
        return Finding(done=False)
    is_archived = not is_no_date(now.get("archived_at"))
    return Finding(is_archived is archived, Reply(news=(News("board", board_id, now),)))


def _with_archived_at(
    boards: tuple[Board, ...], board_id: int, archived_at: datetime | None
) -> tuple[Board, ...]:
    return tuple(
        replace(board, archived_at=archived_at) if board.id == board_id else board
        for board in boards
    )
