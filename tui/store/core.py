"""The open files and shared services of a store, which its parts are built on.

Opening reads what the first paint needs. A damaged cache is set aside and filled again, since
nothing the user did is in it.
"""

import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path

from tui.model.people import Account
from tui.store.cache.file import Cache, open_cache
from tui.store.cache.freshness import Freshness
from tui.store.cache.schema import set_cache_aside
from tui.store.clock import Clock
from tui.store.connection import LastSeen, StatusTracker, StoreConnection
from tui.store.documents.shapes import FirstPaint
from tui.store.events import Listeners
from tui.store.files.database import is_empty
from tui.store.files.disk import DiskThread
from tui.store.files.lease import Lease
from tui.store.outbox.file import Outbox, open_outbox
from tui.store.outbox.queue import Queue

LAST_BOARD = "last-board"
"""The outbox setting that holds the id of the board opened last."""

WATCH_SECONDS = 0.25


class Core:
    """The files in the folders of a profile, their thread, the connection and the listeners.

    Several programs may share the files, which are checked for changes by others every
    `watch_seconds`, unless that is None. The lease is tried for before the outbox is read, so that
    a holder reads final data; in read-only mode it is renounced. The cache is opened twice:
    `loop_cache` serves the short reads of the event loop. `read_ahead` is what the first paint
    needs, `messages` are notices about the files, `me` is the user's account. `jitter` returns
    numbers between 0 and 1 that spread the retries of several programs; `state_of` looks at a
    process. `origin` is noted with all changes.

    Raises `CallboardError` if a file cannot be used; the lease is released then.
    """

    def __init__(
        self,
        data_dir: Path,
        cache_dir: Path,
        clock: Clock,
        jitter: Callable[[], float],
        *,
        watch_seconds: float | None,
        state_of: Callable[[int], str],
        is_read_only: bool,
        origin: str,
    ) -> None:
        now = clock.now()
        self.data_dir, self.cache_dir = data_dir, cache_dir
        self.cache_path = cache_dir / "cache.sqlite3"
        self.outbox_path = data_dir / "outbox.sqlite3"
        self.watch_seconds = watch_seconds
        self.is_read_only = is_read_only
        self.lease = Lease(
            data_dir / "sender.lock",
            elapsed=clock.elapsed,
            state_of=state_of,
            is_renounced=is_read_only,
        )
        # Asked before anything is opened, which would create it.
        is_used = data_dir.exists() and not is_empty(self.cache_path)
        with ExitStack() as undone:
            undone.callback(self.lease.release)
            if watch_seconds is not None:
                with suppress(OSError):  # opening the outbox reports it
                    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
                self.lease.take()
            self.is_follower = watch_seconds is not None and not self.lease.is_held
            self.outbox, outbox_message = open_outbox(
                self.outbox_path,
                now,
                is_shared=self.is_follower or self.lease.was_taken_over,
                is_used=is_used,
            )
            undone.callback(self.outbox.close)
            self.outbox.origin = origin
            self.last_board_id = _last_board_id(self.outbox)
            self.loop_cache, self.read_ahead, cache_message = _tried_cache(
                self.cache_path, self.last_board_id, now
            )
            undone.callback(self.loop_cache.close)
            self.cache, _ = open_cache(self.cache_path, now, clock.now)
            # Nothing failed, so what was opened stays open.
            undone.pop_all()
        self.messages = tuple(filter(None, (outbox_message, cache_message, self.lease.remark)))
        self.me = Account()
        self.clock = clock
        self.jitter = jitter
        self.disk = DiskThread()
        self.listeners = Listeners()
        self.queue = Queue(self.outbox, self.disk)
        self.connection = StoreConnection(self.listeners, clock)
        self.status_tracker = StatusTracker(self.connection, self.queue, self.listeners, clock)
        self.freshness = Freshness(self.loop_cache, self.cache, self.disk, clock)
        self.last_seen = LastSeen(clock)

    def may_send(self) -> bool:
        """Whether this program sends; to be asked right before each request that writes."""
        return self.watch_seconds is None or self.lease.may_send()


def _last_board_id(outbox: Outbox) -> int | None:
    # In a damaged file the setting may be any text.
    with suppress(ValueError):
        board_id = int(outbox.setting(LAST_BOARD) or "")
        if abs(board_id) < 2**63:  # as SQLite holds it
            return board_id
    return None


def _tried_cache(
    path: Path, last_board_id: int | None, now: datetime
) -> tuple[Cache, dict[int, FirstPaint], str]:
    loop_cache, message = open_cache(path, now)
    read_ahead: dict[int, FirstPaint] = {}
    # Opening does not notice all damage: what is read first is read here, where a damaged file can
    # still be replaced.
    try:
        loop_cache.board_summaries()
        if last_board_id is not None and (first := loop_cache.first_paint(last_board_id)):
            read_ahead[last_board_id] = first
    except (sqlite3.DatabaseError, ValueError):
        loop_cache.close()
        aside = set_cache_aside(path, now)
        loop_cache, _ = open_cache(path, now)
        message = f"The cache was damaged and set aside as {aside.name}; it will be rebuilt."
    return loop_cache, read_ahead, message
