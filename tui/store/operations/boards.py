"""Making and changing boards.

The rule it keeps: taking back the making of a board archives it and never deletes it, because
others may have put something on it meanwhile.
"""

from dataclasses import dataclass, replace
from typing import Self

from tui.model.board import Board, BoardType, BoardView
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    AlreadySo,
    Clear,
    Difference,
    Differs,
    Finding,
    Footing,
    News,
    Nothing,
    Operation,
    Reply,
    Verdict,
)
from tui.store.operations.board_keeping import ArchiveBoard, DeleteBoard, board_as_it_is
from tui.store.operations.comparing import found_new, made, said, same_words, settled
from tui.store.operations.ids import Creates, new_local_id
from tui.store.operations.wording import quoted
from tui.store.remote import Remote
from tui.text.clean import line, text


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
        if isinstance(later, RenameBoard):
            described = self.description if later.description is None else later.description
            return replace(self, title=later.title, description=described)
        return Nothing(self.board_id) if isinstance(later, ArchiveBoard | DeleteBoard) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Archive it."""
        del before, detail
        return (ArchiveBoard.on(self.board),)

    def describe(self) -> str:
        """The new board's title."""
        return f"Add the board {quoted(line(self.title))}"


@dataclass(frozen=True, slots=True)
class RenameBoard(Operation):
    """Change a board's title and, unless None, its description."""

    board_id: BoardId
    title: str
    description: str | None = None
    old_title: str | None = None
    old_description: str | None = None

    @classmethod
    def on(cls, board: Board, title: str, description: str | None = None) -> Self:
        """Give `board` a new title, and a new description if one is given."""
        return cls(board.id, title, description, board.title, board.description)

    @property
    def keeps_base(self) -> bool:
        """It knows what the board was called."""
        return self.old_title is not None

    @property
    def changes_nothing(self) -> bool:
        """Whether everything is called as it was."""
        return self.title == self.old_title and self.description in (None, self.old_description)

    def apply(self, view: BoardView) -> BoardView:
        """The board with its new words."""
        return replace(view, board=self._changed(view.board))

    def apply_boards(self, boards: tuple[Board, ...]) -> tuple[Board, ...]:
        """The list with the board's new words."""
        return tuple(self._changed(b) if b.id == self.board_id else b for b in boards)

    def _changed(self, board: Board) -> Board:
        described = board.description if self.description is None else text(self.description)
        return replace(board, title=line(self.title), description=described)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send the title, and the description if there is one."""
        del truth
        board = await remote.update_board(self.board_id, self.title, self.description)
        return said("board", {**board, "id": self.board_id})

    async def look(self, remote: Remote) -> Document | None:
        """The board as it is now."""
        return await board_as_it_is(remote, self.board_id)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Compare the words read back with ours and with those known before."""
        now = await self.look(remote)
        return settled(
            now,
            News("board", self.board_id, now),
            is_ours=now is not None and not self._differing(now, self.title, self.description),
            was_known=now is not None
            and footing.before is not None
            and same_words(now.get("title"), footing.before.get("title"))
            and same_words(now.get("description"), footing.before.get("description")),
        )

    def check(self, now: Document) -> Verdict:
        """Title and description, each three ways."""
        if not self._differing(now, self.title, self.description):
            return AlreadySo(said("board", now))
        ours = self._differing(now, self.title, self.description)
        theirs = self._differing(now, self.old_title, self.old_description)
        both = ours & theirs
        if not both or self.old_title is None:
            return Clear()
        values = {
            "title": (self.title, self.old_title),
            "description": (self.description or "", self.old_description or ""),
        }
        return Differs(
            tuple(
                Difference(name, line(mine), line(str(now.get(name) or "")), line(base))
                for name, (mine, base) in values.items()
                if name in both
            )
        )

    @staticmethod
    def _differing(now: Document, title: str | None, description: str | None) -> set[str]:
        wanted = {"title": title, "description": description}
        return {
            name
            for name, value in wanted.items()
            if value is not None and not same_words(now.get(name), value)
        }

    def on_top_of(self, now: Document) -> Self:
        """The same words, whatever it is called now."""
        title, description = str(now.get("title") or ""), str(now.get("description") or "")
        return replace(self, old_title=title, old_description=description)

    def merged_with(self, later: Operation) -> Operation | None:
        """The words of both, the later ones first."""
        if not isinstance(later, RenameBoard):
            return None
        description = self.description if later.description is None else later.description
        return replace(self, title=later.title, description=description)

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """The words it had."""
        del detail
        old = before.board
        description = None if self.description is None else old.description
        return (RenameBoard.on(self._changed(old), old.title, description),)

    def describe(self) -> str:
        """Both titles, or that the description changes."""
        if self.title == self.old_title:
            return f"Change the description of the board {quoted(line(self.title))}"
        if self.old_title is None:
            return f"Rename the board to {quoted(line(self.title))}"
        return f"Rename the board {quoted(self.old_title)} to {quoted(line(self.title))}"
