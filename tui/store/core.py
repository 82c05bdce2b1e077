"""What every part of a store works with: its files, open, and what tells of them.

They are opened so that the first board can be painted from them. A cache that is damaged is set
aside and filled again; nothing a person did is in it.
"""

import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from tui.store.cache.file import Cache, open_cache, renewed_cache
from tui.store.cache.freshness import Freshness
from tui.store.clock import Clock
from tui.store.connection import Connection, Health, LastHeard
from tui.store.documents.shapes import FirstPaint
from tui.store.events import Listeners
from tui.store.files.disk import DiskThread
from tui.store.files.lease import Lease
from tui.store.outbox.file import Outbox, open_outbox
from tui.store.outbox.queue import Queue

LAST_BOARD = "last-board"
"""Under which name the outbox remembers which board was open last."""

WATCH_SECONDS = 0.25


class ProfileFiles(NamedTuple):
    """The files of a profile, which several programs may share.

    `every` is how many seconds lie between two looks at it, None where there surely is no other
    program. The lease is tried for before the outbox is read, so that what is read then is the last
    word where it is held.
    """

    outbox: Path
    cache: Path
    lease: Lease
    every: float | None = WATCH_SECONDS

    @classmethod
    def of(cls, data: Path, cache: Path, every: float | None) -> "ProfileFiles":
        """The files in the folders of a profile, with the lease if nobody else has it."""
        lease = Lease(data / "sender.lock")
        if every is not None:
            with suppress(OSError):  # opening the outbox tells it
                data.mkdir(mode=0o700, parents=True, exist_ok=True)
            lease.take()
        return cls(data / "outbox.sqlite3", cache / "cache.sqlite3", lease, every)


class Core:
    """The files, the thread that writes them, the service, and who hears what happens.

    The cache is open twice, `loop_cache` for the short reads of the event loop; `read_ahead` is
    what the first paint needs, and `messages` tell of what was set aside. `jitter` tells numbers
    between 0 and 1, by which programs do not try again all at once.

    Raises `CallboardError` if a file cannot be used; the lease is let go then.
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
            self.cache, _ = open_cache(files.cache, now)
            undone.pop_all()
        self.messages = tuple(filter(None, (outbox_message, cache_message)))
        self.clock = clock
        self.jitter = jitter
        self.disk = DiskThread()
        self.listeners = Listeners()
        self.queue = Queue(self.outbox, self.disk)
        self.connection = Connection(clock)
        self.health = Health(self.connection, self.queue, self.listeners, clock)
        self.freshness = Freshness(self.loop_cache, self.cache, self.disk, clock)
        self.last_heard = LastHeard(clock)


def _tried_cache(
    path: Path, outbox: Outbox, now: datetime
) -> tuple[Cache, dict[int, FirstPaint], str]:
    """The cache, tried out on the board that will be painted first; that is kept."""
    loop_cache, message = open_cache(path, now)
    read_ahead: dict[int, FirstPaint] = {}
    try:
        loop_cache.board_summaries()
        board_id = int(outbox.setting(LAST_BOARD) or 0)
        if first := loop_cache.first_paint(board_id):
            read_ahead[board_id] = first
    except (sqlite3.DatabaseError, ValueError):
        loop_cache.close()
        loop_cache, aside = renewed_cache(path, now)
        message = f"The cache was damaged and set aside as {aside.name}; it fills again."
    return loop_cache, read_ahead, message
