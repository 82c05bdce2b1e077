"""One program among several on the same profile: one sends, all see.

Whatever another program did is read from the disk, never guessed. Who gets the
right to send reads the whole outbox first, so that what another program was sending when it ended
is looked for before anything is repeated.
"""

import asyncio
import logging
import sqlite3
from datetime import datetime
from pathlib import Path

from tui.store.cache.eviction import Eviction
from tui.store.clock import in_background
from tui.store.core import Core
from tui.store.files.database import forget_old_set_aside, is_damage, is_whole, set_aside
from tui.store.opening import ProfileFiles
from tui.store.sharing.file_watch import Watch
from tui.store.wiring import Parts

logger = logging.getLogger(__name__)


class Sharing:
    """What this program does when others on its profile did something (a `Neighbour`)."""

    def __init__(self, files: ProfileFiles, core: Core, parts: Parts) -> None:
        self._lease = files.lease
        self._cache_path = files.cache
        self._core = core
        self._parts = parts
        self._outbox_version: int | None = None
        self._cache_version: int | None = None
        self._evicting: asyncio.Task[None] | None = None
        self._eviction = Eviction(
            core.cache,
            core.disk,
            core.clock,
            in_use=lambda: core.queue.board_ids() | parts.boards.in_memory(),
            limit_mb=files.cache_mb,
        )
        self._watch = Watch(self, files, core.clock)
        parts.poller.mend_with(self.cache_was_damaged)
        if not files.lease.is_held:
            parts.delivery.pause()

    def seen(self, *, is_seen: bool) -> None:
        """Whether a person can see the program; less often is enough while not."""
        self._watch.seen(is_seen=is_seen)

    def start(self) -> None:
        """Look at what others do from now on, and keep the cache tidy."""
        self._watch.start()
        if self._evicting is None:
            self._evicting = in_background(self._eviction.go_on(), lambda: None)

    async def aclose(self) -> None:
        """Stop looking; `release` follows when nothing is being sent any more."""
        if self._evicting is not None:
            self._evicting.cancel()
            await asyncio.gather(self._evicting, return_exceptions=True)
        await self._watch.aclose()

    def release(self) -> None:
        """Let another program send."""
        self._lease.release()

    async def outbox_was_written(self) -> None:
        """Take over what another program did, if it was not this one that wrote."""
        version = await self._core.disk.run(self._core.outbox.version_of_others)
        if version != self._outbox_version:
            await self._read_outbox()
            self._outbox_version = version

    async def _read_outbox(self) -> None:
        """Draw what another program did, and have sent what is new.

        What it had accepted is read from the cache first, so that nothing is missed meanwhile.
        """
        parts, queue = self._parts, self._core.queue
        await parts.unseen.look_again()
        for task_id in await parts.unread.look_again():
            parts.details.tell_again(task_id)
        reloaded = await queue.look_again()
        if not reloaded:
            return
        for entry in reloaded.gone:
            parts.remote_changes.did(entry.operation)
        for board_id in {entry.board_id for entry in reloaded.gone}:
            await parts.boards.catch_up(board_id)
        queue.take(reloaded)
        board_ids = {queue.renames.get(one, one) for one in reloaded.board_ids}
        parts.changes.redraw(board_ids | reloaded.board_ids, reloaded.renamed)

    async def cache_was_written(self) -> None:
        """Draw what is new in it, if it was not this program that wrote."""
        try:
            version = await self._core.disk.run(self._core.cache.version_of_others)
            if version != self._cache_version:
                await self._parts.poller.hear_of_others()
                self._cache_version = version
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            await self.cache_was_damaged()

    async def cache_was_replaced(self) -> None:
        """Go on with the file that is there now, or with a new one, and have it filled."""
        logger.warning("The cache was replaced while it was used; it is filled again.")
        now = self._core.clock.now()
        await self._core.disk.run(self._core.cache.go_on_with, self._cache_path, now)
        self._core.loop_cache.go_on_with(self._cache_path, now)
        self._cache_version = None
        self._parts.poller.forget_when()
        self._parts.delivery.nudge_all()

    async def cache_was_damaged(self) -> None:
        """Set it aside, unless another program has done so, and go on."""
        await self._core.disk.run(_set_damaged_aside, self._cache_path, self._core.clock.now())
        await self.cache_was_replaced()

    async def lease_was_taken(self) -> None:
        """Take over what another program was sending."""
        await self._read_outbox()
        self._parts.delivery.resume()

    async def lease_was_lost(self) -> None:
        """Another program may send from now on."""
        self._parts.delivery.pause()

    async def time_was_missed(self) -> None:
        """What is known is old: ask and send at once."""
        self._parts.poller.ask_soon()
        self._parts.delivery.nudge_all()


def _set_damaged_aside(path: Path, now: datetime) -> None:
    if path.exists() and not is_whole(path):
        set_aside(path, now)
        forget_old_set_aside(path)
