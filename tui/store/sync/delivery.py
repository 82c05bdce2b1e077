"""Bringing the outbox to the service.

The operations of a board go out one after another, those of several boards at the same time; each
worker ends when there is nothing more to send. What cannot be sent now is tried again later, at
the latest after the longest pause, whatever became of the clock meanwhile.
"""

import asyncio
import logging
import sqlite3
from dataclasses import replace
from datetime import timedelta

from tui.errors import CallboardError
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.store.clock import in_background, sleep_or
from tui.store.core import Core
from tui.store.events import PendingState
from tui.store.outbox.entry import Entry
from tui.store.remote import Remote
from tui.store.sync.decision import LONGEST_PAUSE, LONGEST_WAIT
from tui.store.sync.sender import Sender
from tui.store.views.boards import Boards

logger = logging.getLogger(__name__)

_MISTAKE = "Sending stopped by a mistake of this program; no change was lost."


class Delivery:
    """One worker for each board that has something to send."""

    def __init__(self, core: Core, boards: Boards, sender: Sender) -> None:
        self._sender = sender
        self._boards = boards
        self._queue = core.queue
        self._connection = core.connection
        self._health = core.health
        self._clock = core.clock
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._nudges: dict[int, asyncio.Event] = {}
        self._attempted: set[int] = set()
        self._is_paused = False

    def wake(self, board_id: int) -> None:
        """There may be something to send for a board."""
        worker = self._workers.get(board_id)
        if worker is not None and not worker.done():
            self._nudges[board_id].set()  # it may be waiting to try a failing change again
            return
        if self._remote is None or not self._queue.next_of(board_id):
            return
        self._nudges[board_id] = asyncio.Event()
        self._workers[board_id] = in_background(
            self._deliver_all(board_id), lambda: self._health.failed(board_id, _MISTAKE)
        )

    def wake_all(self) -> None:
        """There may be something to send for any board."""
        for board_id in self._queue.board_ids():
            self.wake(board_id)

    def nudge(self, board_id: int) -> None:
        """The service answers again: do not wait any longer."""
        waiting = [entry for entry in self._queue.of(board_id) if entry.next_try is not None]
        self._queue.put(replace(entry, next_try=None) for entry in waiting)
        if board_id in self._nudges:
            self._nudges[board_id].set()
        self.wake(board_id)

    def nudge_all(self) -> None:
        """The service answers again, for every board."""
        for board_id in self._queue.board_ids():
            self.nudge(board_id)

    def try_now(self, seq: int) -> None:
        """A person wants a change to be tried now."""
        entry = self._queue.get(seq)
        if entry is not None:
            self._queue.failing.discard(seq)
            self.stop_waiting()
            self.nudge(entry.board_id)

    def stop_waiting(self) -> None:
        """Wait no longer for answers that do not come; what was sent is looked for."""
        self._sender.stop_waiting()

    def hold(self, entry: Entry) -> Entry:
        """Keep a change from being sent while a person decides about it.

        Raises `CallboardError` if it is just being sent.
        """
        if entry.seq in self._attempted:
            raise CallboardError(
                "This is just being sent, so nothing was forgotten.", hint="Try again in a moment."
            )
        return self._queue.put([replace(entry, state=PendingState.UNSURE, next_try=None)])[0]

    async def has_arrived(self, entry: Entry) -> bool:
        """Look whether a change that may have been sent was carried out; then it is accepted.

        Raises `CallboardError` if the service cannot be asked.
        """
        remote = await self._connection.required()
        with self._health.busy(entry.board_id):
            has_arrived = await self._sender.has_arrived(entry, remote)
        self.wake_all()  # for what needs it
        return has_arrived

    def pause(self) -> None:
        """Begin nothing new: another program sends. What is on its way is finished."""
        self._is_paused = True
        for nudge in self._nudges.values():
            nudge.set()

    def resume(self) -> None:
        """Send again, at once. What another program was sending meanwhile is looked for first."""
        self._is_paused = False
        self.nudge_all()

    async def aclose(self) -> None:
        """Stop. What was on its way is looked for when the program starts again."""
        workers = [worker for worker in self._workers.values() if not worker.done()]
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
        self._workers.clear()

    @property
    def _remote(self) -> Remote | None:
        """The service, if anything may be sent to it."""
        return None if self._is_paused else self._connection.remote

    async def _deliver_all(self, board_id: int) -> None:
        try:
            with self._health.sending(board_id):
                while (entry := self._queue.next_of(board_id)) and self._remote:
                    if await self._is_due(entry, self._nudges[board_id]):
                        await INPUT_PRIORITY.pause_after_input()
                        await self._deliver(entry)
        finally:
            self._boards.catch_up_drawing(board_id)
        for other in self._queue.board_ids() - {board_id}:
            self.wake(other)  # it may have waited for what was made here

    async def _is_due(self, entry: Entry, nudge: asyncio.Event) -> bool:
        """Wait until an entry may be sent; False if there was a wait, so that all may differ.

        After the whole wait it is due, whatever time it is: the clock may have been set meanwhile.
        """
        if entry.next_try is None:
            return True
        pause = (entry.next_try - self._clock.now()).total_seconds()
        if pause <= 0:
            return True
        is_nudged = await sleep_or(nudge, min(pause, LONGEST_WAIT), self._clock)
        nudge.clear()
        current = self._queue.get(entry.seq)
        if current is not None and not is_nudged:
            self._queue.put([replace(current, next_try=None)])
        return False

    async def _deliver(self, entry: Entry) -> None:
        remote = self._remote
        if remote is None:
            return
        self._attempted.add(entry.seq)
        try:
            with self._health.busy(entry.board_id):
                await self._sender.attempt(entry, remote)
        except (sqlite3.Error, OSError) as error:
            self._wait_for_disk(entry, error)
        finally:
            self._attempted.discard(entry.seq)

    def _wait_for_disk(self, entry: Entry, error: Exception) -> None:
        """Nothing can be noted, so nothing may be sent: wait, without writing that down."""
        logger.warning("Change %s waits for the disk: %s", entry.seq, error)
        current = self._queue.get(entry.seq)
        if current is not None:
            next_try = self._clock.now() + timedelta(seconds=LONGEST_PAUSE)
            self._queue.put([replace(current, next_try=next_try)])
        self._health.failed(entry.board_id, f"Changes cannot be sent: {error}")
