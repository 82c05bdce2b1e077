"""The open files and shared services of a store, which its parts are built on.

Opening reads what the first paint needs. A damaged cache is set aside and filled again, since
nothing the user did is in it.
"""

import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from tui.store.cache.file import Cache, open_cache
from tui.store.cache.freshness import Freshness
from tui.store.cache.schema import set_cache_aside
from tui.store.clock import Clock
from tui.store.connection import Connection, LastSeen, StatusTracker
from tui.store.documents.shapes import FirstPaint
from tui.store.events import Listeners
from tui.store.files.disk import DiskThread
from tui.store.files.lease import Lease
from tui.store.outbox.file import Outbox, open_outbox
from tui.store.outbox.queue import Queue

LAST_BOARD = "last-board"
"""The outbox setting that holds the id of the board opened last."""

WATCH_SECONDS = 0.25


class ProfileFiles(NamedTuple):
    """The files of a profile, which several programs may share.

    `every` is how often they are checked for changes by others, in seconds; None if this is the
    only program. The lease is tried for before the outbox is read, so that a holder reads final
    data; in read-only mode it is renounced.
    """

    outbox: Path
    cache: Path
    lease: Lease
    every: float | None = WATCH_SECONDS

    @classmethod
    def of(
        cls, data: Path, cache: Path, every: float | None, *, is_read_only: bool = False
    ) -> "ProfileFiles":
        """The files in the folders of a profile, with the lease if it is free."""
        lease = Lease(data / "sender.lock", is_renounced=is_read_only)
        if every is not None:
            with suppress(OSError):  # opening the outbox reports it
                data.mkdir(mode=0o700, parents=True, exist_ok=True)
            lease.take()
        return cls(data / "outbox.sqlite3", cache / "cache.sqlite3", lease, every)


class Core:
    """The files, their thread, the connection and the listeners.

    The cache is opened twice: `loop_cache` serves the short reads of the event loop. `read_ahead`
    is what the first paint needs, `messages` are notices about files that were set aside. `jitter`
    returns numbers between 0 and 1 that spread the retries of several programs.

    Raises `CallboardError` if a file cannot be used; the lease is released then.
    """

    def __init__(self, files: ProfileFiles, clock: Clock, jitter: Callable[[], float]) -> None:
        now = clock.now()
        with ExitStack() as undone:
            undone.callback(files.lease.release)
            is_shared = files.every is not None and not files.lease.is_held
            self.outbox, outbox_message = open_outbox(files.outbox, now, is_shared=is_shared)
            undone.callback(self.outbox.close)
            self.loop_cache, self.read_ahead, cache_message = _tried_cache(
                files.cache, self.outbox, now
            )
            self.cache, _ = open_cache(files.cache, now, clock.now)
            undone.pop_all()
        self.is_read_only = files.lease.is_renounced
        self.messages = tuple(filter(None, (outbox_message, cache_message)))
        self.clock = clock
        self.jitter = jitter
        self.disk = DiskThread()
        self.listeners = Listeners()
        self.queue = Queue(self.outbox, self.disk)
        self.connection = Connection(clock)
        self.status_tracker = StatusTracker(self.connection, self.queue, self.listeners, clock)
        self.freshness = Freshness(self.loop_cache, self.cache, self.disk, clock)
        self.last_seen = LastSeen(clock)


def _tried_cache(
    path: Path, outbox: Outbox, now: datetime
) -> tuple[Cache, dict[int, FirstPaint], str]:
    """The open cache, tested by reading the first board to paint, which is returned."""
    loop_cache, message = open_cache(path, now)
    read_ahead: dict[int, FirstPaint] = {}
    try:
        loop_cache.board_summaries()
        board_id = int(outbox.setting(LAST_BOARD) or 0)
        if first := loop_cache.first_paint(board_id):
            read_ahead[board_id] = first
    except (sqlite3.DatabaseError, ValueError):
        loop_cache.close()
        aside = set_cache_aside(path, now)
        loop_cache, _ = open_cache(path, now)
        message = f"The cache was damaged and set aside as {aside.name}; it fills again."
    return loop_cache, read_ahead, message
