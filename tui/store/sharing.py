"""Coordinates several programs on one profile: one sends, all show the same state.

Changes by other programs are read from disk. A program that gets the lease reads the whole outbox
first, so that entries being sent when the previous holder ended are read back before any retry.
"""

import asyncio
import logging
import sqlite3

from tui.errors import CallboardError
from tui.runtime.input_priority import until_beat
from tui.store.cache.eviction import Eviction
from tui.store.clock import end_all, in_background
from tui.store.core import Core
from tui.store.events import StatusChanged
from tui.store.files.database import is_damage, written_at
from tui.store.files.lease import identity
from tui.store.wiring import Parts

logger = logging.getLogger(__name__)

_LEASE_SECONDS = 1.0
"""How often the lease is tried for or renewed, and files are read that seem unchanged."""
_ELSEWHERE_SECONDS = 10.0
"""How often the service is asked about requests of a program that still runs."""
_HIDDEN_SECONDS = 1.0
_SLEPT_SECONDS = 30.0
"""A longer gap between two checks means that the machine slept."""


class Sharing:
    """Checks outbox and cache several times a second, and tries for the lease every second."""

    def __init__(self, core: Core, parts: Parts) -> None:
        self._core = core
        self._every = self._pause = core.watch_seconds or 0.0
        self._parts = parts
        self._outbox_version: int | None = None
        self._cache_version: tuple[int, int] | None = None
        self._written_at: tuple[object, ...] = ()
        self._work: list[asyncio.Task[None]] = []
        self._looked_at = self._tried_at = self._asked_elsewhere_at = core.clock.elapsed()
        self._eviction = Eviction(
            core.cache,
            core.disk,
            core.clock,
            in_use=lambda: core.queue.board_ids() | parts.boards.in_memory(),
        )
        if core.is_follower:
            parts.delivery.pause()

    def set_visible(self, *, is_visible: bool) -> None:
        """Check less often while the program is not visible."""
        self._pause = self._every if is_visible else max(self._every, _HIDDEN_SECONDS)

    def start(self) -> None:
        """Start the periodic checks, if any, and the eviction of old cache data."""
        if self._every and not self._work:
            # The time since the store was opened is no sleep.
            self._looked_at = self._core.clock.elapsed()
            work = (self._watch(), self._eviction.run())
            self._work = [in_background(task, lambda: None) for task in work]

    async def aclose(self) -> None:
        """Stop checking; the lease is released once nothing is being sent."""
        await end_all(self._work)

    async def _watch(self) -> None:
        while True:
            try:
                await self.check()
            except (sqlite3.Error, OSError, CallboardError) as error:
                logger.warning("What other programs did cannot be read: %s", error)
            except Exception:  # an error in one check must not end sending
                logger.exception("A look at what other programs did went wrong")
            await self._core.clock.sleep(until_beat(self._pause, self._core.clock.elapsed()))

    async def check(self) -> None:
        """Check once; a file that cannot be read now is read the next time.

        Files that nobody seems to have written to are read once a second.
        """
        now = self._core.clock.elapsed()
        # `elapsed` goes on while the machine sleeps: so long a gap means that it slept. It is not
        # the wall clock, which may be set without any sleep.
        missed = now - self._looked_at > self._pause + _SLEPT_SECONDS
        self._looked_at = now
        if is_due := now - self._tried_at >= _LEASE_SECONDS:
            self._tried_at = now
            await self._try_for_lease()
        # Taken before anything is read: a write from now on is found by the next check. Two writes
        # within the resolution of file times look like one, so a second one that was missed is
        # found when the files are due.
        times = written_at(self._core.outbox_path), written_at(self._core.cache_path)
        if times == self._written_at and not is_due:
            return
        poller = self._parts.poller
        # Before the versions, which tell of writes to the file that is open. SQLite keeps a file
        # open that was deleted or renamed, and would never see what is written to the new one.
        if identity(self._core.cache_path) != poller.cache_identity:
            await poller.cache_was_replaced()
        # SQLite's version of the data is read before the data, so that a write in between is read
        # once more rather than missed.
        version, cache_version = await self._core.disk.run(self._versions)
        if version != self._outbox_version:
            await self._read_outbox()
            # Only now: if reading fails, the next check reads again.
            self._outbox_version = version
        try:
            if isinstance(cache_version, sqlite3.DatabaseError):
                raise cache_version
            if cache_version != self._cache_version:
                await poller.read_other_programs()
                self._cache_version = cache_version
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            await poller.cache_was_damaged()
        # As with the versions: else a failed check would pass for one until the files are due.
        self._written_at = times
        if missed:  # the cached state is old: poll and send now
            poller.poll_soon()
            self._parts.delivery.nudge_all()

    def _versions(self) -> tuple[int, tuple[int, int] | sqlite3.DatabaseError]:
        # The outbox is read also if the cache cannot be: what it holds is nowhere else. Runs on the
        # disk thread. `number` tells a cache that was replaced from the former one, whose version
        # may be the same number.
        version, cache = self._core.outbox.version_of_others(), self._core.cache
        try:
            return version, (cache.number, cache.version_of_others())
        except sqlite3.DatabaseError as error:
            return version, error

    async def _try_for_lease(self) -> None:
        lease, delivery, queue = self._core.lease, self._parts.delivery, self._core.queue
        is_held = lease.take()
        if is_held and delivery.is_paused:
            # Before the first request: memory may lack entries that the previous holder was sending
            # when it ended, and which are read back.
            await self._read_outbox()
            delivery.resume()
            await self._parts.poller.take_over()
        elif not is_held and not delivery.is_paused:
            # Another program has taken over, as this one was stopped or hung, or its lock file was
            # removed. What is in flight ends as it may, see `end_former`; nothing new begins.
            delivery.pause()
        # The successor waits for the lock of a lost lease before it repeats what was sent under it.
        if not delivery.is_sending:
            lease.end_former()
        now = self._core.clock.elapsed()
        # That another program still runs says nothing about its request, which the service may have
        # answered in the meantime: so it is asked now and then.
        have_ended = not all(map(lease.sends_still, queue.elsewhere))
        if have_ended or now - self._asked_elsewhere_at >= _ELSEWHERE_SECONDS:
            self._asked_elsewhere_at = now
            delivery.ask_elsewhere_again()
        if lease.waits_for != queue.silent:
            queue.silent = lease.waits_for
            self._core.listeners.notify(StatusChanged(None))

    async def _read_outbox(self) -> None:
        # The cache is merged before accepted entries leave the queue, or their effect would vanish
        # from the board for a moment.
        parts, queue = self._parts, self._core.queue
        await parts.unseen.reread()
        for task_id in await parts.unread.reread():
            parts.details.notify_again(task_id)
        losses = queue.losses
        reloaded = await queue.reread()
        if queue.losses != losses:
            self._core.listeners.notify(StatusChanged(None))
        if not reloaded:
            return
        # Noted while they are still in the queue: a poll takes for a change by others what is
        # neither pending nor noted as our own. Discarded ones are among these, which can no longer
        # be told from accepted ones.
        for entry in reloaded.gone:
            parts.remote_changes.record_own(entry.operation)
            parts.histories.note_own(entry)
        for board_id in {entry.board_id for entry in reloaded.gone}:
            await parts.updates.catch_up(board_id)
        queue.take(reloaded)
        # After `take`, from which on the ids are known that the service assigned to new boards. A
        # screen that shows one by its local id hears of it by that.
        board_ids = set(map(queue.current_id, reloaded.board_ids))
        parts.changes.redraw(board_ids | reloaded.board_ids, reloaded.renamed)
