"""Keeping the cache from growing for ever, while the program runs.

The rule it keeps: only what can be had again is forgotten: the tasks of boards that nobody has
looked at for long, and only while the cache is larger than it may be. Never a board with changes on
their way, and never for longer than a moment at a time.
"""

import logging
import sqlite3
from collections.abc import Callable, Collection
from datetime import timedelta
from typing import NamedTuple, Protocol

from tui.store.cache.upkeep import KeptTasks, Upkeep
from tui.store.clock import Clock
from tui.store.files.disk import DiskThread

logger = logging.getLogger(__name__)

LIMIT_MB = 200
OLD_AFTER = timedelta(days=90)

_FIRST_AFTER = 120.0
_EVERY = 6 * 3600.0
_ROWS = 500
_PAGES = 256
_MEGABYTE = 1 << 20


class HasUpkeep(Protocol):
    """The cache, as far as it matters here; it may go on with another file."""

    upkeep: Upkeep


class Tidied(NamedTuple):
    """What was done: of which boards the tasks were forgotten, and how large the cache is now."""

    forgotten: tuple[int, ...] = ()
    total: int = 0


class Eviction:
    """Tidies the cache of a profile now and then.

    `limit_mb` is how large it may be; `in_use` tells the boards that must stay as they are: those
    with changes on their way, and those in memory.
    """

    def __init__(
        self,
        cache: HasUpkeep,
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

    async def go_on(self) -> None:
        """Tidy some time after the start, and again every few hours."""
        await self._clock.sleep(_FIRST_AFTER)
        while True:
            try:
                await self.tidy()
            except sqlite3.Error as error:
                logger.warning("The cache could not be tidied: %s", error)
            await self._clock.sleep(_EVERY)

    async def tidy(self) -> Tidied:
        """Forget what is old while there is too much, and give back what is not used."""
        forgotten = []
        for board in await self._old_boards():
            if (await self._disk.run(self._cache.upkeep.size)).used <= self._limit:
                break
            if board.board_id not in self._in_use():
                await self._forget(board.board_id)
                forgotten.append(board.board_id)
        await self._disk.run(self._cache.upkeep.empty_journal)
        while await self._disk.run(self._cache.upkeep.give_back, _PAGES):
            continue
        await self._disk.run(self._cache.upkeep.empty_journal)
        return Tidied(tuple(forgotten), (await self._disk.run(self._cache.upkeep.size)).total)

    async def _old_boards(self) -> list[KeptTasks]:
        if (await self._disk.run(self._cache.upkeep.size)).used <= self._limit:
            return []
        last = self._clock.now() - OLD_AFTER
        boards = await self._disk.run(self._cache.upkeep.boards)
        return [board for board in boards if board.visited_at < last]

    async def _forget(self, board_id: int) -> None:
        await self._disk.run(self._cache.upkeep.begin_to_forget, board_id)
        while await self._disk.run(self._cache.upkeep.forget_some, board_id, _ROWS):
            if board_id in self._in_use():
                return
