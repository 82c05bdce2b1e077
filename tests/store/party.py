"""One person with a store, for tests: opened, connected and driven until something is true."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.drivers.patience import patience
from tests.store.fake_clock import FakeClock
from tests.store.faults import Fault
from tests.store.machine.disk import AtOnce
from tests.store.service import BOARD, Service
from tui.model.board import BoardView, Place
from tui.model.task import Task
from tui.store.events import StoreEvent, Undone
from tui.store.files.lease import process_state
from tui.store.operations import CreateBoard
from tui.store.operations.base import Operation
from tui.store.store import LocalStore


def step_of(undone: Undone | None) -> str:
    """What was undone or redone, in words; empty if there was nothing."""
    return "" if undone is None else undone.step


class Party:
    """A store on its own folder, with a connection of its own to a service.

    It looks at what other programs do every `watch_seconds`, or never. Its disk has no thread of
    its own, so that everything happens in the same order however slow the machine is.
    """

    def __init__(
        self,
        folder: Path,
        service: Service,
        clock: FakeClock,
        watch_seconds: float | None = None,
        *,
        is_read_only: bool = False,
        state_of: Callable[[int], str] = process_state,
    ) -> None:
        self.state_of = state_of
        self.is_read_only = is_read_only
        self.folder = folder
        self.watch_seconds = watch_seconds
        self.clock = clock
        self.service = service
        self.remote: Any = service.connection()
        self.events: list[StoreEvent] = []
        self.open()

    def open(self) -> None:
        """Start the program."""
        self.store = LocalStore.open(
            self.folder / "cache",
            self.folder / "data",
            "default",
            clock=self.clock,
            jitter=lambda: 0.5,
            watch_seconds=self.watch_seconds,
            state_of=self.state_of,
            is_read_only=self.is_read_only,
        )
        self.store._core.disk.close()
        self.store._core.disk._executor = AtOnce()
        self.store.subscribe(self._hear)

    def _hear(self, event: StoreEvent) -> None:
        self.events.append(event)
        self.clock.activity.set()

    async def start(self) -> None:
        """Connect, open the board and wait until it is there."""
        self.store.connect(self.remote)
        await self.store.open_board(BOARD)
        await self.until(lambda: self.view.complete and self.store.status(BOARD).checked_at)

    async def restart(self) -> None:
        """End the program and start it again, not connected yet."""
        await self.store.aclose()
        self.open()

    async def until(self, condition: Callable[[], object]) -> None:
        """Let things happen, and time pass whenever all wait for it, until this is true."""
        async with patience("a condition", self.shows):
            while not _holds(condition):
                self.clock.activity.clear()
                await rest()
                if not self.store.status(BOARD).busy:
                    if _holds(condition):
                        return
                    self.clock.advance_to_next()
                if self.clock.next_wake is None or not self.clock.activity.is_set():
                    await self.clock.activity.wait()

    def shows(self) -> str:
        """The board and its changes, in words."""
        return shown(self.store)

    async def delivered(self) -> None:
        """Wait until nothing can be sent any more before a person decides something."""
        queue = self.store._core.queue
        await self.until(lambda: not any(map(queue.next_of, queue.board_ids())))

    @property
    def view(self) -> BoardView:
        """The board as drawn."""
        view = self.store.board(BOARD)
        if view is None:
            raise LookupError(BOARD)
        return view

    def titles(self, stage_id: int) -> list[str]:
        """What is drawn in a stage."""
        return [task.title for task in self.view.in_stage(stage_id)]

    def task(self, title: str) -> Task:
        """The task drawn with this title."""
        return next(task for task in self.view.all_tasks() if task.title == title)

    def place(self, title: str) -> Place:
        """Where the task with this title stands."""
        found = self.view.place_of(self.task(title).id)
        if found is None:
            raise LookupError(title)
        return found[1]


def shown(store: LocalStore) -> str:
    """What is pending in a store, and the state of each board."""
    changes = [
        f"{one.operation.describe()}: {one.state} {one.reason}".rstrip() for one in store.pending()
    ]
    boards = [f"{board.title}: {store.status(board.id)}" for board in store.boards()]
    return "\n".join([*changes, *boards])


async def rest() -> None:
    """Let everything happen that waits for nothing but its turn."""
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]  # there is no other way
    await asyncio.sleep(0)
    while ready:  # noqa: ASYNC110  nothing tells when a loop has no more to do
        await asyncio.sleep(0)


async def until(store: LocalStore, condition: Callable[[], object]) -> None:
    """Wait until this is true, looking whenever the store tells of something."""
    happened = asyncio.Event()
    end = store.subscribe(lambda _: happened.set())
    async with patience("a condition", lambda: shown(store)):
        while not _holds(condition):
            happened.clear()
            await happened.wait()
    end()


async def new_board(store: LocalStore, title: str) -> int:
    """Make a board and wait until the service has it; returns the id it has there."""
    made = CreateBoard.new(title)
    await store.submit(made)

    def has_stages() -> bool:
        view = store.board(made.board_id)
        return view is not None and view.board.id > 0 and bool(view.stages)

    await until(store, has_stages)
    view = store.board(made.board_id)
    if view is None:
        raise LookupError(title)
    return view.board.id


def _holds(condition: Callable[[], object]) -> bool:
    try:
        return bool(condition())
    except LookupError:
        return False


async def offline(party: Party, *operations: Operation) -> None:
    """Change something while the service cannot be reached."""
    party.remote.trouble = lambda _: Fault.UNREACHABLE
    await party.store.submit(*operations)
    await party.until(lambda: party.store.pending()[0].attempts)
    party.clock.advance(60)


async def online(party: Party) -> None:
    """The service can be reached again."""
    party.remote.trouble = lambda _: None
    await party.store.refresh(BOARD)
    await party.delivered()
