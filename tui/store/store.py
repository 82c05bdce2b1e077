"""The store: boards kept locally, changed at once, brought to the service behind the scenes.

The rule it keeps: it is usable the moment it is opened, from the cache alone; the service is
connected later. Nothing that a person did is drawn before it is on disk.
"""

import re
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from typing import Self

from tui.errors import CallboardError
from tui.model.board import Board, BoardType, BoardView
from tui.store.cache import Cache, KeptBoardDocuments
from tui.store.changes import Changes
from tui.store.clock import Clock, SystemClock
from tui.store.connection import Again, Connection
from tui.store.delivery import Delivery
from tui.store.direct import DirectCalls
from tui.store.disk import DiskThread
from tui.store.health import Health
from tui.store.listeners import Listeners
from tui.store.opening import LAST_BOARD, opened_cache, unreadable_in_words
from tui.store.operations.base import Operation
from tui.store.outbox import Outbox, open_outbox
from tui.store.protocol import StoreEvent, SyncStatus, Waiting
from tui.store.queue import Queue
from tui.store.reloading import Reloading
from tui.store.remote import Remote
from tui.store.shelf import Shelf
from tui.store.sync import Sync

_PROFILE = re.compile(r"[\w@-][\w@.-]*")


class LocalStore:
    """`tui.store.protocol.Store`, on a cache and an outbox on disk.

    `messages` are what a person should be told about the opening, such as that a damaged file was
    set aside.
    """

    def __init__(
        self,
        glance: Cache,
        cache: Cache,
        read_ahead: Mapping[int, KeptBoardDocuments],
        outbox: Outbox,
        *,
        messages: tuple[str, ...] = (),
        clock: Clock,
        jitter: Callable[[], float],
        poll_seconds: float,
    ) -> None:
        self._glance, self._cache, self._outbox = glance, cache, outbox
        self._disk = DiskThread()
        self._listeners = Listeners()
        self._queue = Queue(outbox, self._disk)
        self.messages = messages + unreadable_in_words(self._queue.unreadable)
        self._connection = Connection(clock)
        self._health = Health(self._queue, self._listeners, clock)
        self._shelf = Shelf(
            glance=glance,
            read_ahead=read_ahead,
            cache=cache,
            disk=self._disk,
            queue=self._queue,
            listeners=self._listeners,
        )
        reloading = Reloading(self._shelf, self._connection, self._health)
        self._delivery = Delivery(
            shelf=self._shelf,
            queue=self._queue,
            connection=self._connection,
            reloading=reloading,
            health=self._health,
            listeners=self._listeners,
            clock=clock,
            jitter=jitter,
        )
        self._changes = Changes(
            shelf=self._shelf,
            queue=self._queue,
            delivery=self._delivery,
            listeners=self._listeners,
            clock=clock,
        )
        self._sync = Sync(
            shelf=self._shelf,
            reloading=reloading,
            connection=self._connection,
            delivery=self._delivery,
            health=self._health,
            clock=clock,
            every=poll_seconds,
        )
        self._direct = DirectCalls(self._connection, self._shelf, reloading)
        last = outbox.setting(LAST_BOARD)
        self._last_board_id = int(last) if last else None
        if self._last_board_id is not None:
            self._remember_freshness(self._last_board_id)

    @classmethod
    def open(
        cls,
        cache_dir: Path,
        data_dir: Path,
        profile: str,
        *,
        clock: Clock | None = None,
        jitter: Callable[[], float] | None = None,
        poll_seconds: float = 10.0,
    ) -> Self:
        """Open the files of a profile; they are `cache_dir/profile` and `data_dir/profile`.

        `poll_seconds` is how often the opened board is asked for while something happens.

        Raises `CallboardError` if they cannot be used; nothing in them is changed then.
        """
        if not _PROFILE.fullmatch(profile):
            raise CallboardError(
                f"“{profile}” cannot be the name of a profile.",
                hint="Use letters, digits, dots and dashes.",
            )
        clock = clock or SystemClock()
        outbox, outbox_message = open_outbox(data_dir / profile / "outbox.sqlite3", clock.now())
        try:
            glance, cache, read_ahead, cache_message = opened_cache(
                cache_dir / profile / "cache.sqlite3", outbox, clock.now()
            )
        except BaseException:
            outbox.close()
            raise
        return cls(
            glance,
            cache,
            read_ahead,
            outbox,
            messages=tuple(filter(None, (outbox_message, cache_message))),
            clock=clock,
            jitter=jitter or SystemRandom().random,
            poll_seconds=poll_seconds,
        )

    @property
    def is_connected(self) -> bool:
        """Whether there is a service to ask, be it away at the moment."""
        return self._connection.remote is not None

    def connect(self, remote: Remote, *, again: Again | None = None) -> None:
        """The service is reached: send what waits and hear what is new, from now on.

        Where it does not accept the password, nothing is asked any more until somebody refreshes;
        then `again` is called, which is to connect anew.
        """
        self._connection.connect(remote, again)
        self._health.cut_off()
        self._sync.start()
        self._delivery.wake_all()

    def cannot_connect(self, error: CallboardError, *, again: Again) -> None:
        """The service cannot be asked as things are; `again` is tried at every refresh."""
        self._connection.failed(error, again)
        self._health.cut_off(error.message, error.hint)

    async def aclose(self) -> None:
        """Stop, and close the files. What is on its way stays in the outbox."""
        await self._sync.aclose()
        await self._delivery.aclose()
        self._disk.close()
        for file in (self._glance, self._cache, self._outbox):
            file.close()

    @property
    def last_board_id(self) -> int | None:
        """The board that was open last, to be opened next time."""
        return self._last_board_id

    def subscribe(self, listener: Callable[[StoreEvent], None]) -> Callable[[], None]:
        """Hear every event, on the event loop; returns what ends the subscription."""
        return self._listeners.subscribe(listener)

    def boards(self) -> tuple[Board, ...]:
        """The boards known, archived ones too, newest first."""
        return self._shelf.boards()

    def board(self, board_id: int) -> BoardView | None:
        """A board with pending changes applied; None if it is not known here yet."""
        return self._shelf.view(board_id)

    def status(self, board_id: int | None = None) -> SyncStatus:
        """How fresh a board, or the list of boards, is and what is on its way."""
        return self._health.status(board_id)

    def waiting(self, board_id: int | None = None) -> tuple[Waiting, ...]:
        """The operations not accepted yet, oldest first; of one board or of all."""
        entries = self._queue.all() if board_id is None else self._queue.of(board_id)
        return tuple(entry.waiting() for entry in entries)

    async def open_board(self, board_id: int) -> None:
        """Keep this board fresh from now on, and its whole view in memory."""
        self._remember_freshness(board_id)
        await self._shelf.load(board_id)
        self._sync.open(board_id)
        self._last_board_id = board_id
        with suppress(sqlite3.Error):  # which board was open last is not worth an error
            await self._disk.run(self._outbox.set_setting, LAST_BOARD, str(board_id))

    def _remember_freshness(self, board_id: int) -> None:
        with suppress(sqlite3.Error):  # a status line without a time is no error
            self._health.remember(board_id, self._shelf.checked_at(board_id))

    async def close_board(self) -> None:
        """No board is looked at any more."""
        self._sync.open(None)

    async def submit(self, *operations: Operation) -> None:
        """Write these operations to disk, draw them and send them; they are one step to undo.

        Raises `CallboardError` if they could not be written: then nothing changed.
        """
        self._sync.something_happened()
        await self._changes.submit(operations)

    async def undo(self, board_id: int) -> str | None:
        """Take back the last step on a board; says what, or None if there is nothing."""
        return await self._changes.undo(board_id)

    async def redo(self, board_id: int) -> str | None:
        """Do again what was taken back last; says what, or None if there is nothing."""
        return await self._changes.redo(board_id)

    async def refresh(self, board_id: int | None = None) -> None:
        """Ask the service now for a board, or for the list of boards.

        Raises `CallboardError` if there is no connection and none can be made.
        """
        await self._sync.refresh(board_id)

    async def retry(self, waiting_id: int) -> None:
        """Send a refused or unsure operation again."""
        await self._changes.retry(waiting_id)

    async def discard(self, waiting_id: int) -> None:
        """Forget a refused or unsure operation."""
        await self._changes.discard(waiting_id)

    async def create_board(self, title: str, description: str = "") -> int:
        """Make a board, at the service, now. Raises `CallboardError` if it cannot be reached."""
        return await self._direct.create_board(title, description, BoardType.TO_DO.value)

    async def rename_board(self, board_id: int, title: str) -> None:
        """Rename a board, at the service, now."""
        await self._direct.rename_board(board_id, title)

    async def archive_board(self, board_id: int) -> None:
        """Archive a board, at the service, now."""
        await self._direct.archive_board(board_id)

    async def restore_board(self, board_id: int) -> None:
        """Bring an archived board back, at the service, now."""
        await self._direct.restore_board(board_id)

    async def delete_board(self, board_id: int) -> None:
        """Delete a board for good, at the service, now."""
        await self._direct.delete_board(board_id)

    async def create_stage(self, board_id: int, title: str) -> None:
        """Add a stage at the end of a board, at the service, now."""
        await self._direct.create_stage(board_id, title)

    async def rename_stage(self, board_id: int, stage_id: int, title: str) -> None:
        """Rename a stage, at the service, now."""
        await self._direct.rename_stage(board_id, stage_id, title)

    async def archive_stage(self, board_id: int, stage_id: int) -> None:
        """Archive a stage with its tasks, at the service, now."""
        await self._direct.archive_stage(board_id, stage_id)

    async def order_stages(self, board_id: int, stage_ids: list[int]) -> None:
        """Put the stages of a board into this order, at the service, now."""
        await self._direct.order_stages(board_id, stage_ids)
