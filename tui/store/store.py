"""The store: boards kept locally, changed at once, brought to the service behind the scenes.

The rule it keeps: it is usable the moment it is opened, from the cache alone; the service is
connected later. Nothing that a person did is drawn before it is on disk.
"""

import re
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from datetime import timedelta
from pathlib import Path
from random import SystemRandom
from typing import Self

from tui.client.capabilities import Feature
from tui.errors import CallboardError
from tui.model.board import Board, BoardView
from tui.store.cache.eviction import LIMIT_MB, Care
from tui.store.cache.file import Cache
from tui.store.calls.board_calls import BoardCalls
from tui.store.calls.board_changes import BoardChanges
from tui.store.calls.deciding import Deciding
from tui.store.calls.looking import Looking
from tui.store.calls.task_calls import TaskCalls
from tui.store.clock import Clock, SystemClock
from tui.store.documents.shapes import KeptBoardDocuments
from tui.store.opening import LAST_BOARD, opened_cache, unreadable_in_words
from tui.store.operations.base import Operation
from tui.store.outbox.file import Outbox, open_outbox
from tui.store.pictures.pictures import PictureFolder
from tui.store.pictures.uploads import Uploads
from tui.store.protocol import (
    BoardsChanged,
    StatusChanged,
    StoreEvent,
)
from tui.store.remote import Remote
from tui.store.sharing.shared_profile import WATCH_SECONDS, SharedFiles, Sharing
from tui.store.sync.connection import Again
from tui.store.wiring import Parts

_DRAFTS_KEPT = timedelta(days=7)
_PROFILE = re.compile(r"[\w@-][\w@.-]*")


class LocalStore(BoardCalls, TaskCalls, Deciding, Looking):
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
        files: SharedFiles,
    ) -> None:
        self._glance, self._cache, self._outbox = glance, cache, outbox
        parts = Parts(
            glance,
            cache,
            read_ahead,
            outbox,
            clock=clock,
            jitter=jitter,
            poll_seconds=poll_seconds,
            pictures=PictureFolder(files.cache.parent / "pictures"),
        )
        self._parts = parts
        self._disk, self._queue, self._shelf = parts.disk, parts.queue, parts.shelf
        self._connection, self._health = parts.connection, parts.health
        self._delivery, self._changes, self._sync = parts.delivery, parts.changes, parts.sync
        self._details, self._listeners = parts.details, parts.listeners
        self._uploads = Uploads(files.outbox.parent / "uploads")
        with suppress(sqlite3.Error):  # pictures that nothing needs may stay until the next start
            self._uploads.sweep(outbox.mentions, before=clock.now() - _DRAFTS_KEPT)
        self._boards = BoardChanges(self._shelf, self._changes.submit)
        self._listeners.subscribe(self._follow_new_ids)
        self._sharing = None if files.every is None else self._share(files, clock)
        remarks = (files.lease.remark,) if files.lease.remark else ()
        self.messages = messages + remarks + unreadable_in_words(self._queue.unreadable)
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
        watch_seconds: float | None = WATCH_SECONDS,
        cache_mb: int = LIMIT_MB,
    ) -> Self:
        """Open the files of a profile; they are `cache_dir/profile` and `data_dir/profile`.

        `poll_seconds` is how often the opened board is asked for while something happens;
        `watch_seconds` how often it is looked what other programs on the profile did, None if
        there surely are none; `cache_mb` how large the cache may be.

        Raises `CallboardError` if they cannot be used; nothing in them is changed then.
        """
        if not _PROFILE.fullmatch(profile):
            raise CallboardError(
                f"“{profile}” cannot be the name of a profile.",
                hint="Use letters, digits, dots and dashes.",
            )
        clock = clock or SystemClock()
        files = SharedFiles.of(data_dir / profile, cache_dir / profile, watch_seconds, cache_mb)
        with ExitStack() as undone:
            undone.callback(files.lease.release)
            is_shared = files.every is not None and not files.lease.is_held
            outbox, outbox_message = open_outbox(files.outbox, clock.now(), is_shared=is_shared)
            undone.callback(outbox.close)
            glance, cache, read_ahead, cache_message = opened_cache(
                files.cache, outbox, clock.now()
            )
            undone.pop_all()
        return cls(
            glance,
            cache,
            read_ahead,
            outbox,
            messages=tuple(filter(None, (outbox_message, cache_message))),
            clock=clock,
            jitter=jitter or SystemRandom().random,
            poll_seconds=poll_seconds,
            files=files,
        )

    def _share(self, files: SharedFiles, clock: Clock) -> Sharing:
        """Share the files with other programs."""
        return Sharing(
            files,
            cache=self._cache,
            glance=self._glance,
            disk=self._disk,
            sender=self._delivery,
            sync=self._sync,
            care=Care(
                self._cache,
                self._disk,
                clock,
                in_use=lambda: self._queue.board_ids() | self._shelf.in_memory(),
                limit_mb=files.cache_mb,
            ),
            outbox_changed=self.outbox_changed_elsewhere,
            clock=clock,
        )

    def seen(self, *, is_seen: bool) -> None:
        """Whether a person can see anything; nothing is asked for while not."""
        self._sync.seen(is_seen=is_seen)
        if self._sharing is not None:
            self._sharing.seen(is_seen=is_seen)

    @property
    def is_connected(self) -> bool:
        """Whether there is a service to ask, be it away at the moment."""
        return self._connection.remote is not None

    def offers(self, feature: Feature) -> bool | None:
        """Whether the service offers a feature; None if that is not known."""
        return self._connection.offers(feature)

    def has_made(self, local_id: int) -> bool:
        """Whether something with this local id waits to be sent, or was sent."""
        return local_id in self._outbox.renames or self._outbox.mentions(str(local_id))

    def connect(self, remote: Remote, *, again: Again | None = None) -> None:
        """The service is reached: send what waits and hear what is new, from now on.

        Where it does not accept the password, nothing is asked any more until somebody refreshes;
        then `again` is called, which is to connect anew.
        """
        self._connection.connect(remote, again)
        self._health.cut_off()
        if self._sharing is not None:
            self._sharing.start()
        self._sync.start()
        self._details.connected()
        self._delivery.wake_all()

    def cannot_connect(self, error: CallboardError, *, again: Again) -> None:
        """The service cannot be asked as things are; `again` is tried at every refresh."""
        self._connection.failed(error, again)
        self._health.cut_off(error.message, error.hint)

    async def aclose(self) -> None:
        """Stop, and close the files. What is on its way stays in the outbox."""
        if self._sharing is not None:
            await self._sharing.aclose()
        await self._sync.aclose()
        await self._details.aclose()
        await self._delivery.aclose()
        self._disk.close()
        for file in (self._glance, self._cache, self._outbox):
            file.close()
        if self._sharing is not None:
            self._sharing.let_go()

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
        return self._shelf.view(self._current(board_id))

    async def open_board(self, board_id: int) -> None:
        """Keep this board fresh from now on, and its whole view in memory.

        One that was made here is kept fresh from when the service has it.
        """
        board_id = self._current(board_id)
        if self._sharing is not None:
            self._sharing.start()
        self._remember_freshness(board_id)
        await self._shelf.load(board_id)
        self._sync.open(board_id if board_id >= 0 else None)
        self._last_board_id = board_id
        with suppress(sqlite3.Error):  # which board was open last is not worth an error
            await self._disk.run(self._outbox.set_setting, LAST_BOARD, str(board_id))

    def _follow_new_ids(self, event: StoreEvent) -> None:
        """The opened board has an id of the service's own now."""
        opened = self._last_board_id
        if isinstance(event, BoardsChanged) and opened is not None and opened in event.renamed:
            self._last_board_id = event.renamed[opened]
            self._sync.open(self._last_board_id)

    def _remember_freshness(self, board_id: int) -> None:
        with suppress(sqlite3.Error):  # a status line without a time is no error
            self._health.remember(board_id, self._parts.freshness.checked_at(board_id))

    async def close_board(self) -> None:
        """No board is looked at any more."""
        self._sync.open(None)

    async def submit(self, *operations: Operation) -> None:
        """Write these operations to disk, draw them and send them; they are one step to undo.

        Raises `CallboardError` if they could not be written: then nothing changed.
        """
        self._sync.something_happened()
        await self._changes.submit(operations)

    async def refresh(self, board_id: int | None = None) -> None:
        """Ask the service now for a board, or for the list of boards.

        Raises `CallboardError` if there is no connection and none can be made.
        """
        await self._sync.refresh(None if board_id is None else self._current(board_id))

    async def outbox_changed_elsewhere(self) -> None:
        """Another program wrote to the outbox: draw what it did, and have sent what is new.

        What it had accepted is read from the cache first, so that nothing is missed meanwhile.
        """
        await self._parts.unseen.look_again()
        for task_id in await self._parts.unread.look_again():
            self._details.tell_again(task_id)
        reloaded = await self._queue.look_again()
        if not reloaded:
            return
        for entry in reloaded.gone:
            self._parts.others.did(entry.operation)
        for board_id in {entry.board_id for entry in reloaded.gone}:
            await self._shelf.catch_up(board_id)
        self._queue.take(reloaded)
        board_ids = {self._current(board_id) for board_id in reloaded.board_ids}
        for board_id in board_ids | set(reloaded.board_ids):
            self._shelf.draw(board_id)
            self._shelf.announce(board_id, reloaded.renamed)
            self._listeners.tell(StatusChanged(board_id))
            self._delivery.wake(board_id)
