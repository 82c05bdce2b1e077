"""What the commands of plain mode work on, and how they answer and ask: in lines."""

import asyncio
from collections.abc import Sequence

from tui.cli.scripts.opened import Opened
from tui.cli.scripts.writing import How
from tui.errors import CallboardError
from tui.model.board import Board, BoardView
from tui.model.remote_changes import summarize
from tui.model.task import Task
from tui.store.events import ConflictFound, OperationRefused, StoreEvent, UnseenChanged


class Session:
    """What the commands work on: the board and the card that were opened last."""

    def __init__(self, opened: Opened, lines: "asyncio.Queue[str]", how: How) -> None:
        self.opened = opened
        self.store = opened.store
        self.how = how
        self.view: BoardView | None = None
        self.task_id: int | None = None
        self.listed: Sequence[tuple[str, str]] = ()
        """What the numbers of the last list mean: the command and its words."""
        self._lines = lines

    def say(self, line: str) -> None:
        """Print one line, with its first letter as a capital."""
        self.how.say(f"{line[:1].upper()}{line[1:]}")

    def say_list(self, rows: Sequence[str], meant: Sequence[tuple[str, str]]) -> None:
        """Print numbered rows; a number alone then does what is `meant`."""
        for number, row in enumerate(rows, 1):
            self.say(f"{number}. {row}")
        self.listed = meant

    async def ask(self, question: str) -> str:
        """The line typed as the answer to a question; empty at the end of the input."""
        self.say(question)
        return (await self._lines.get()).strip()

    async def read_line(self) -> str | None:
        """The next command; None at the end of the input."""
        line = await self._lines.get()
        return line.strip() if line else None

    async def open_board(self, board: Board) -> BoardView:
        """Open a board with its latest news, which are told from now on. Raises `CannotGoOn`."""
        self.opened.problems.clear()
        (view,) = await self.opened.views([board])
        if self.view is None or self.view.board.id != view.board.id:
            await self.store.open_board(view.board.id)
            await self.store.mark_board_seen(view.board.id)
            self.task_id = None
        self.view = view
        if self.opened.problems:
            self.say(f"not connected: {self.opened.problems[0].message}")
        return view

    async def board(self) -> BoardView:
        """The open board as it is now. Raises `CallboardError` if there is none."""
        if self.view is None:
            raise CallboardError("no board is open.", hint="Type boards, then a number.")
        board_id = self.view.board.id
        self.view = await self.store.load_board(board_id) or self.view
        return self.view

    async def task(self) -> tuple[BoardView, Task]:
        """The open card as it is now, and its board. Raises `CallboardError` if there is none."""
        view = await self.board()
        task = None if self.task_id is None else view.task(self.task_id)
        if task is None:
            raise CallboardError("no card is open.", hint="Type cards, then a number.")
        return view, task

    def hear(self, event: StoreEvent) -> None:
        """Tell updates by others on the open board, and changes that were not accepted."""
        if isinstance(event, UnseenChanged):
            if event.changes and self.view is not None and event.board_id == self.view.board.id:
                self.say(f"news: {summarize(event.changes)}.")
        elif isinstance(event, OperationRefused):
            self.say(f"refused: {event.change.operation.describe()}: {event.change.reason}")
        elif isinstance(event, ConflictFound):
            self.say(f"conflict: {event.change.operation.describe()}: somebody changed it too.")
