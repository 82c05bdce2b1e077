"""Noticing what other programs on the same profile do.

Looking costs some microseconds and never waits for anybody, so that it can be done several times a
second on the event loop. What was noticed is read elsewhere.
"""

import asyncio
import logging
import sqlite3
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Protocol

from tui.errors import CallboardError
from tui.store.clock import Clock, in_background, sleep_or
from tui.store.opening import WATCH_SECONDS, ProfileFiles

logger = logging.getLogger(__name__)

_LEASE_SECONDS = 1.0
_HIDDEN_SECONDS = 1.0
_SLEPT_SECONDS = 30.0


class Seen(Enum):
    """What a look at a file showed."""

    NOTHING_NEW = "nothing was written since the last look"
    WRITTEN = "somebody wrote to it, maybe this program"
    REPLACED = "it was deleted, or another file is in its place"


class FileWatch:
    """Whether somebody wrote to a database, by a connection of its own that only reads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._identity = self._present_identity()
        self._version = self._present_version()

    def look(self) -> Seen:
        """What happened since the last look. A file that is busy is looked at the next time."""
        if self._present_identity() != self._identity:
            self.look_anew()
            return Seen.REPLACED
        version = self._present_version()
        if version is None or version == self._version:
            return Seen.NOTHING_NEW
        self._version = version
        return Seen.WRITTEN

    def look_anew(self) -> None:
        """Take what is there now for what was there at the last look."""
        self.close()
        self._identity = self._present_identity()
        self._version = self._present_version()

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _present_identity(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _present_version(self) -> int | None:
        with suppress(sqlite3.Error):
            if self._connection is None and self._identity is not None:
                address = f"{self._path.absolute().as_uri()}?mode=ro"
                self._connection = sqlite3.connect(address, uri=True, timeout=0.0)
            if self._connection is not None:
                (version,) = self._connection.execute("pragma data_version").fetchone()
                return int(version)
        return None


class Neighbour(Protocol):
    """A program among others on the same profile: what it does when it notices something."""

    async def outbox_was_written(self) -> None:
        """Somebody wrote to the outbox, maybe this program itself."""
        ...

    async def cache_was_written(self) -> None:
        """Somebody wrote to the cache, maybe this program itself."""
        ...

    async def cache_was_replaced(self) -> None:
        """The cache was deleted, or another file is in its place."""
        ...

    async def lease_was_taken(self) -> None:
        """This program sends from now on; it looks at what was being sent first."""
        ...

    async def lease_was_lost(self) -> None:
        """This program does not send any more."""
        ...

    async def time_was_missed(self) -> None:
        """The machine slept, or the program was stopped for a while."""
        ...


class Watch:
    """Looks at outbox and cache several times a second, and tries for the lease every second."""

    def __init__(self, neighbour: Neighbour, files: ProfileFiles, clock: Clock) -> None:
        self._neighbour = neighbour
        self._lease = files.lease
        self._clock = clock
        self._every = files.every or WATCH_SECONDS
        self._outbox = FileWatch(files.outbox)
        self._cache = FileWatch(files.cache)
        self._outbox_is_new = self._cache_is_new = True  # since they were read at the start
        self._cache_is_other = False
        self._is_seen = True
        self._wake = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None
        self._looked_at = self._tried_at = clock.elapsed()

    def start(self) -> None:
        """Look from now on."""
        if self._loop is None:
            self._looked_at = self._clock.elapsed()
            self._loop = in_background(self._look_on(), lambda: None)

    async def aclose(self) -> None:
        """Stop looking; the lease stays with its owner."""
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.gather(self._loop, return_exceptions=True)
            self._loop = None
        self._outbox.close()
        self._cache.close()

    def seen(self, *, is_seen: bool) -> None:
        """Whether a person can see the program; less often is enough while not."""
        self._is_seen = is_seen
        if is_seen:
            self._wake.set()

    async def look(self) -> None:
        """Look once, and have done what follows from it."""
        now = self._clock.elapsed()
        missed = now - self._looked_at > self._pause() + _SLEPT_SECONDS
        self._looked_at = now
        if now - self._tried_at >= _LEASE_SECONDS:
            self._tried_at = now
            await self._try_for_lease()
        await self._look_at_outbox()
        await self._look_at_cache()
        if missed:
            await self._neighbour.time_was_missed()

    async def _look_at_outbox(self) -> None:
        """What could not be read, as when the disk was busy, is read the next time."""
        self._outbox_is_new |= self._outbox.look() is not Seen.NOTHING_NEW
        if self._outbox_is_new:
            await self._neighbour.outbox_was_written()
            self._outbox_is_new = False

    async def _look_at_cache(self) -> None:
        seen = self._cache.look()
        self._cache_is_other |= seen is Seen.REPLACED
        if self._cache_is_other:
            await self._neighbour.cache_was_replaced()
            self._cache.look_anew()
            self._cache_is_other = False
        self._cache_is_new |= seen is Seen.WRITTEN
        if self._cache_is_new:
            await self._neighbour.cache_was_written()
            self._cache_is_new = False

    async def _look_on(self) -> None:
        while True:
            self._wake.clear()
            try:
                await self.look()
            except (sqlite3.Error, OSError, CallboardError) as error:
                logger.warning("What other programs did cannot be read: %s", error)
            except Exception:  # a mistake in one look must not be the end of sending
                logger.exception("A look at what other programs did went wrong")
            await sleep_or(self._wake, self._pause(), self._clock)

    async def _try_for_lease(self) -> None:
        was_held = self._lease.is_held
        is_held = self._lease.take()
        if is_held and not was_held:
            await self._neighbour.lease_was_taken()
        elif was_held and not is_held:
            await self._neighbour.lease_was_lost()

    def _pause(self) -> float:
        return self._every if self._is_seen else max(self._every, _HIDDEN_SECONDS)
