"""One program among several on the same profile: one sends, all see.

The rule it keeps: whatever another program did is read from the disk, never guessed. Who gets the
right to send reads the whole outbox first, so that what another program was sending when it ended
is looked for before anything is repeated.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from tui.store import background
from tui.store.cache.eviction import LIMIT_MB, Care
from tui.store.cache.file import Cache
from tui.store.clock import Clock
from tui.store.files.database import forget_old_set_aside, is_damage, is_whole, set_aside
from tui.store.files.disk import DiskThread
from tui.store.sharing.file_watch import Watch
from tui.store.sharing.lease import Lease
from tui.store.sync.poller import Sync

logger = logging.getLogger(__name__)

WATCH_SECONDS = 0.25


class Sender(Protocol):
    """What sends changes, as far as it matters here."""

    def pause(self) -> None:
        """Begin nothing new; what is on its way is finished."""
        ...

    def resume(self) -> None:
        """Send what waits."""
        ...

    def nudge_all(self) -> None:
        """Wait no longer for what could not be sent."""
        ...


class SharedFiles(NamedTuple):
    """What several programs share.

    `every` is how many seconds lie between two looks at it, None where there surely is no other
    program; `cache_mb` is how large the cache may be. The lease is tried for before the outbox is
    read, so that what is read then is the last word where it is held.
    """

    outbox: Path
    cache: Path
    lease: Lease
    every: float | None = WATCH_SECONDS
    cache_mb: int = LIMIT_MB

    @classmethod
    def of(
        cls, data: Path, cache: Path, every: float | None, cache_mb: int = LIMIT_MB
    ) -> "SharedFiles":
        """The files in the folders of a profile, with the lease if nobody else has it."""
        lease = Lease(data / "sender.lock")
        if every is not None:
            with suppress(OSError):  # opening the outbox tells it
                data.mkdir(mode=0o700, parents=True, exist_ok=True)
            lease.take()
        return cls(data / "outbox.sqlite3", cache / "cache.sqlite3", lease, every, cache_mb)


class Sharing:
    """What this program does when others on its profile did something (a `Neighbour`).

    `outbox_changed` reads the outbox again, draws what differs and has sent what is new.
    """

    def __init__(
        self,
        files: SharedFiles,
        *,
        cache: Cache,
        glance: Cache,
        disk: DiskThread,
        sender: Sender,
        sync: Sync,
        care: Care,
        outbox_changed: Callable[[], Awaitable[None]],
        clock: Clock,
    ) -> None:
        self._lease = files.lease
        self._cache_path = files.cache
        self._cache = cache
        self._glance = glance
        self._disk = disk
        self._sender = sender
        self._sync = sync
        self._care = care
        self._outbox_changed = outbox_changed
        self._clock = clock
        self._caring: asyncio.Task[None] | None = None
        self._watch = Watch(
            self,
            files.lease,
            outbox=files.outbox,
            cache=files.cache,
            clock=clock,
            every=files.every or WATCH_SECONDS,
        )
        sync.mend_with(self.cache_was_damaged)
        if not files.lease.is_held:
            sender.pause()

    @property
    def remark(self) -> str:
        """What a person should be told, such as that the disk cannot lock files; or empty."""
        return self._lease.remark

    def seen(self, *, is_seen: bool) -> None:
        """Whether a person can see the program; less often is enough while not."""
        self._watch.seen(is_seen=is_seen)

    def start(self) -> None:
        """Look at what others do from now on, and keep the cache tidy."""
        self._watch.start()
        if self._caring is None:
            self._caring = background.start(self._care.go_on(), lambda: None)

    async def aclose(self) -> None:
        """Stop looking; `let_go` follows when nothing is being sent any more."""
        if self._caring is not None:
            self._caring.cancel()
            await asyncio.gather(self._caring, return_exceptions=True)
        await self._watch.aclose()

    def let_go(self) -> None:
        """Let another program send."""
        self._lease.release()

    async def outbox_was_written(self) -> None:
        """Read it again."""
        await self._outbox_changed()

    async def cache_was_written(self) -> None:
        """Draw what is new in it, if it was not this program that wrote."""
        try:
            if await self._disk.run(self._cache.revisions.was_written_by_others):
                await self._sync.hear_of_others()
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            await self.cache_was_damaged()

    async def cache_was_replaced(self) -> None:
        """Go on with the file that is there now, or with a new one, and have it filled."""
        logger.warning("The cache was replaced while it was used; it is filled again.")
        now = self._clock.now()
        await self._disk.run(self._cache.go_on_with, self._cache_path, now)
        self._glance.go_on_with(self._cache_path, now)
        self._sync.forget_when()
        self._sender.nudge_all()

    async def cache_was_damaged(self) -> None:
        """Set it aside, unless another program has done so, and go on."""
        await self._disk.run(_set_damaged_aside, self._cache_path, self._clock.now())
        await self.cache_was_replaced()

    async def lease_was_taken(self) -> None:
        """Take over what another program was sending."""
        await self._outbox_changed()
        self._sender.resume()

    async def lease_was_lost(self) -> None:
        """Another program may send from now on."""
        self._sender.pause()

    async def time_was_missed(self) -> None:
        """What is known is old: ask and send at once."""
        self._sync.ask_soon()
        self._sender.nudge_all()


def _set_damaged_aside(path: Path, now: datetime) -> None:
    if path.exists() and not is_whole(path):
        set_aside(path, now)
        forget_old_set_aside(path)
