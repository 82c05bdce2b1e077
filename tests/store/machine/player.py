"""One person at a program of their own, which can be killed at any moment and started again."""

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from pathlib import Path
from typing import Any, cast
from weakref import WeakSet

from tests.store.fake_clock import FakeClock
from tests.store.machine.disk import MortalDisk
from tests.store.machine.wire import Wire
from tui.model.board import BoardView
from tui.model.detail import TaskDetail
from tui.model.task import Task
from tui.store.store import LocalStore

PLAYING: ContextVar["Player | None"] = ContextVar("PLAYING", default=None)
_DYING = 20


class Player:
    """A person, their files, their line and their clock.

    `archived` and `put_away` are the tasks and stages they saw leave the board.
    """

    def __init__(self, number: int, folder: Path, wire: Wire, board_id: int, login: str) -> None:
        self.number = number
        self.login = login
        self.folder = folder
        self.wire = wire
        self.home = self.board_id = board_id
        self.clock = FakeClock()
        self.task_id: int | None = None
        self.archived: list[Task] = []
        self.tasks: WeakSet[asyncio.Task[Any]] = WeakSet()
        self.open()
        wire.sleep = self.clock.sleep
        wire.is_dead = lambda: self.disk.is_dead

    def open(self) -> None:
        """Start the program."""
        self.disk = MortalDisk()
        self.store = LocalStore.open(
            self.folder / "cache",
            self.folder / "data",
            "default",
            clock=self.clock,
            jitter=lambda: 0.5,
            watch_seconds=None,
        )
        executor = self.store._core.disk
        executor.close()
        executor._executor = cast("ThreadPoolExecutor", self.disk)  # any executor does

    async def start(self) -> None:
        """Look at the board, connected."""
        self.store.connect(self.wire.as_remote())
        await self.store.open_board(self.board_id)

    async def bury(self) -> None:
        """What a killed program leaves behind: its files, closed by the system."""
        for _ in range(_DYING):
            left = [task for task in self.tasks if not task.done()]
            for task in left:
                task.cancel()
            if not left:
                break
            await asyncio.sleep(0)
        boards = self.store._parts.boards
        for board_id in boards.known_ids():  # what was to be drawn later, by the system's clock
            boards.state(board_id).is_behind = False
        for file in (self.store._core.loop_cache, self.store._core.cache, self.store._core.outbox):
            file.close()

    def lose_cache(self) -> None:
        """Somebody deletes the cache, which holds nothing that is not to be had again."""
        shutil.rmtree(self.folder / "cache")

    @property
    def is_dead(self) -> bool:
        """Whether the program was killed."""
        return self.disk.is_dead

    @property
    def view(self) -> BoardView | None:
        """The board that is looked at, as drawn, if it is known."""
        return self.store.board(self.board_id)

    @property
    def detail(self) -> TaskDetail | None:
        """The task that is opened, as drawn."""
        return None if self.task_id is None else self.store.detail(self.task_id)
