"""Creating, renaming, archiving, deleting and refreshing boards."""

from collections.abc import Callable

from tui.actions.action import Action
from tui.actions.host import ErrorsSaid, Host
from tui.model.board import Board
from tui.store import operations as change
from tui.store.operations.base import Operation


class BoardContext:
    """The selected board of a list; `changed` is called after a change, to update the list."""

    def __init__(
        self, host: Host, chosen: Callable[[], Board | None], changed: Callable[[], None]
    ) -> None:
        self.host = host
        self.store = host.context.store
        self.say = host.say
        self.ask = host.ask
        self._chosen = chosen
        self._changed = changed

    def need_board(self) -> Board | None:
        """The selected board; say so if there is none."""
        board = self._chosen()
        if board is None:
            self.say("no board is selected", hint="n makes one")
        return board

    async def ask_title(self, question: str, value: str) -> str:
        """Ask for a title; empty if cancelled."""
        from tui.dialogs.ask import AskDialog

        answer = await self.ask(AskDialog(question, value, placeholder="title"))
        return " ".join((answer or "").split())

    async def change(self, operation: Operation, message: str) -> None:
        """Submit an operation and show `message`, or the error."""
        with ErrorsSaid(self.host):
            await self.store.submit(operation)
            self._changed()
            offline = self.store.status().problem
            self.say(message, hint="it is sent when the service answers · g u" if offline else "")


class NewBoard(Action[BoardContext]):
    """Asks for a title and creates a board."""

    id, keys, label, hint = "boards.new", "n", "New board", "new"
    asks = True

    async def run(self, on: BoardContext) -> None:
        title = await on.ask_title("Title of the new board", "")
        if title:
            await on.change(change.CreateBoard.new(title), f"added “{title}”")


class RenameBoard(Action[BoardContext]):
    """Asks for a new title for the board."""

    id, keys, label, hint = "boards.rename", "e", "Rename board", "rename"
    asks = changes_board = True

    async def run(self, on: BoardContext) -> None:
        board = on.need_board()
        if board is None:
            return
        title = await on.ask_title(f"New title of “{board.title}”", board.title)
        if title and title != board.title:
            await on.change(change.rename_board(board, title), f"renamed to “{title}”")


class ArchiveBoard(Action[BoardContext]):
    """Archives the board; restores it if it is archived."""

    id, keys, label, hint = "boards.archive", "A", "Archive or restore board", "archive"
    manages_board = True

    async def run(self, on: BoardContext) -> None:
        board = on.need_board()
        if board is None:
            return
        if board.archived_at is None:
            said = f"archived “{board.title}”: t lists archived boards, A restores"
            await on.change(change.archive_board(board), said)
        else:
            await on.change(change.restore_board(board), f"restored “{board.title}”")


class DeleteBoard(Action[BoardContext]):
    """Asks for confirmation, then deletes the board."""

    id, keys, label = "boards.delete", "D", "Delete board"
    asks = manages_board = True

    async def run(self, on: BoardContext) -> None:
        from tui.dialogs.confirm import ConfirmDialog

        board = on.need_board()
        if board is None:
            return
        text = "All its stages, tasks and comments go with it, for good.\nA archives instead."
        if await on.ask(ConfirmDialog(f"Delete “{board.title}”?", text)):
            await on.change(change.DeleteBoard.on(board), f"deleted “{board.title}”")
        else:
            on.say("nothing was deleted")


class RefreshBoards(Action[BoardContext]):
    """Fetches changes of all boards from the service now."""

    id, keys, label = "boards.refresh", "R", "Refresh boards"

    async def run(self, on: BoardContext) -> None:
        on.host.run_worker(self._refresh(on), group="refresh", exclusive=True)

    async def _refresh(self, on: BoardContext) -> None:
        with ErrorsSaid(on.host):
            await on.store.refresh()
            if not on.store.status().problem:
                on.say("up to date")


BOARD_LIST_ACTIONS: tuple[Action[BoardContext], ...] = (
    NewBoard(),
    RenameBoard(),
    ArchiveBoard(),
    DeleteBoard(),
    RefreshBoards(),
)
