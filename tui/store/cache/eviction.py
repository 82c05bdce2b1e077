"""Limits the size of the cache while the program runs.

What can be fetched again is removed: the tasks of boards not opened for long, while the cache is
over its limit; never those of a board with pending changes. Very old history goes too, and so do
observations that an activity log covers. The cache is consistent after every step.
"""

import logging
import sqlite3
from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from tui.store.cache.file import Cache
from tui.store.cache.history import HistoryTable
from tui.store.clock import Clock
from tui.store.documents.assemble import instant
from tui.store.files.database import transaction
from tui.store.files.disk import DiskThread

logger = logging.getLogger(__name__)

LIMIT_MB = 200
OLD_AFTER = timedelta(days=90)
_HISTORY_KEPT = timedelta(days=400)
_OBSERVED_KEPT = timedelta(days=30)

_FIRST_AFTER = 120.0
_EVERY = 6 * 3600.0
_ROWS = 500
_PAGES = 256
_MEGABYTE = 1 << 20
_OLDEST = datetime.min.replace(tzinfo=UTC)
_INCREMENTAL = 2


class Size(NamedTuple):
    """Size of the file in bytes, and how many of these are free."""

    total: int
    unused: int

    @property
    def used(self) -> int:
        """Bytes in use."""
        return self.total - self.unused


class KeptTasks(NamedTuple):
    """A board with cached tasks, and when it was last opened."""

    board_id: int
    tasks: int
    visited_at: datetime


class Upkeep:
    """Maintenance of a cache file; runs on its connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def size(self) -> Size:
        """The size of the file."""
        page, pages, free = (
            int(self._connection.execute(f"pragma {name}").fetchone()[0])
            for name in ("page_size", "page_count", "freelist_count")
        )
        return Size(page * pages, page * free)

    def count_boards(self) -> int:
        """The length of the list of boards."""
        (count,) = self._connection.execute(
            "select count(*) from section where kind = 'summary'"
        ).fetchone()
        return int(count)

    def boards(self) -> list[KeptTasks]:
        """The boards with cached tasks, the least recently opened first."""
        rows = self._connection.execute(
            """select parent, count(*),
                   (select asked_at from asking where board_id = section.parent),
                   (select checked_at from freshness where board_id = section.parent)
               from section where kind = 'task' and parent != 0 group by parent"""
        )
        boards = [
            KeptTasks(board_id, tasks, instant(asked_at) or instant(checked_at) or _OLDEST)
            for board_id, tasks, asked_at, checked_at in rows
        ]
        return sorted(boards, key=lambda board: board.visited_at)

    def mark_incomplete(self, board_id: int) -> None:
        """Mark a board as incomplete, so that it is fetched when opened."""
        with transaction(self._connection):
            self._connection.execute(
                "delete from section where kind = 'board' and id = ?", (board_id,)
            )
            self._connection.execute("delete from freshness where board_id = ?", (board_id,))

    def forget_some(self, board_id: int, limit: int) -> bool:
        """Remove some tasks of a board; returns whether there are more."""
        # A subquery, as SQLite is usually built without `delete … limit`. In slices, because the
        # disk thread and other programs wait while it deletes.
        cursor = self._connection.execute(
            """delete from section where rowid in (
                   select rowid from section where kind = 'task' and parent = ? limit ?)""",
            (board_id, limit),
        )
        return cursor.rowcount == limit

    def forget_history(self, now: datetime) -> None:
        """Remove what happened on boards too long ago."""
        with transaction(self._connection):
            table = HistoryTable(self._connection)
            table.forget_observed(now - _OBSERVED_KEPT)
            table.forget_before(now - _HISTORY_KEPT)

    def release_pages(self, pages: int) -> bool:
        """Return free pages to the file system; returns whether there are more."""
        # Files made before this setting cannot return pages; `compact` converts them.
        (mode,) = self._connection.execute("pragma auto_vacuum").fetchone()
        if mode != _INCREMENTAL:
            return False
        with transaction(self._connection):
            for _ in range(pages):
                # One page each: more are several steps, of which Python 3.11 makes the first alone.
                self._connection.execute("pragma incremental_vacuum(1)").fetchall()
        return self.size().unused > 0

    def empty_journal(self) -> None:
        """Checkpoint the journal, and truncate it if nobody reads."""
        self._connection.execute("pragma wal_checkpoint(truncate)").fetchone()

    def compact(self) -> None:
        """Rewrite the file without free pages; slow, and no other program may use it meanwhile."""
        # On a file that has tables the mode changes with the next `vacuum` only.
        self._connection.execute(f"pragma auto_vacuum = {_INCREMENTAL}")
        self._connection.execute("vacuum")
        self.empty_journal()


class EvictionResult(NamedTuple):
    """The boards whose tasks were removed, and the size of the cache now."""

    forgotten: tuple[int, ...] = ()
    total: int = 0


class Eviction:
    """Periodically evicts from the cache of a profile.

    `limit_mb` is its size limit; `in_use` returns the boards to keep: those in memory or with
    pending changes.
    """

    def __init__(
        self,
        cache: Cache,
        disk: DiskThread,
        clock: Clock,
        *,
        in_use: Callable[[], Collection[int]],
        limit_mb: int = LIMIT_MB,
    ) -> None:
        self._cache = cache
        self._disk = disk
        self._clock = clock
        self._in_use = in_use
        self._limit = limit_mb * _MEGABYTE

    @property
    def _upkeep(self) -> Upkeep:
        # The file may have been replaced.
        return Upkeep(self._cache.connection)

    async def run(self) -> None:
        """Run some time after the start, and again every few hours."""
        await self._clock.sleep(_FIRST_AFTER)
        while True:
            try:
                await self.evict()
            except sqlite3.Error as error:
                logger.warning("The cache could not be tidied: %s", error)
            await self._clock.sleep(_EVERY)

    async def evict(self) -> EvictionResult:
        """Evict the oldest boards while the cache is too large, and return free space."""
        forgotten = []
        for board in await self._old_boards():
            if (await self._disk.run(self._upkeep.size)).used <= self._limit:
                break
            # Asked for each board: one may have been opened since the list was read.
            if board.board_id not in self._in_use():
                await self._forget(board.board_id)
                forgotten.append(board.board_id)
        await self._disk.run(self._upkeep.forget_history, self._clock.now())
        await self._disk.run(self._upkeep.empty_journal)
        while await self._disk.run(self._upkeep.release_pages, _PAGES):
            continue
        # In WAL mode the file itself shrinks only at a checkpoint.
        await self._disk.run(self._upkeep.empty_journal)
        return EvictionResult(tuple(forgotten), (await self._disk.run(self._upkeep.size)).total)

    async def _old_boards(self) -> list[KeptTasks]:
        if (await self._disk.run(self._upkeep.size)).used <= self._limit:
            return []
        last = self._clock.now() - OLD_AFTER
        boards = await self._disk.run(self._upkeep.boards)
        return [board for board in boards if board.visited_at < last]

    async def _forget(self, board_id: int) -> None:
        # First, so that a program that ends halfway leaves no board that counts as whole without
        # all of its tasks.
        await self._disk.run(self._upkeep.mark_incomplete, board_id)
        while await self._disk.run(self._upkeep.forget_some, board_id, _ROWS):
            if board_id in self._in_use():
                return
