"""Sends the outbox: one worker for each board, in order.

Failed changes are retried after a pause. The pause is measured by the monotonic clock, so that
setting the wall clock cannot prolong it.
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
from tui.store.files.lease import LeaseLostError
from tui.store.outbox.entry import Entry
from tui.store.remote import Remote
from tui.store.sync.decision import LONGEST_PAUSE, LONGEST_WAIT
from tui.store.sync.sender import Sender, SentElsewhereError
from tui.store.views.boards import Boards

logger = logging.getLogger(__name__)

_MISTAKE = "Sending stopped because of an internal error; no change was lost."


class Delivery:
    """Starts and stops the workers."""

    def __init__(self, core: Core, boards: Boards, sender: Sender) -> None:
        self._sender = sender
        self.stop_waiting = sender.stop_waiting
        self._boards = boards
        self._queue = core.queue
        self._connection = core.connection
        self._status_tracker = core.status_tracker
        self._clock = core.clock
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._nudges: dict[int, asyncio.Event] = {}
        self._attempted: set[int] = set()
        self.is_paused = core.is_read_only

    def wake(self, board_id: int) -> None:
        """Start the worker of a board, if it is not running."""
        worker = self._workers.get(board_id)
        if worker is not None and not worker.done():
            self._nudges[board_id].set()  # it may be in the pause before a retry
            return
        if self._remote is None or not self._queue.next_of(board_id):
            return
        self._nudges[board_id] = asyncio.Event()
        self._workers[board_id] = in_background(
            self._deliver_all(board_id), lambda: self._status_tracker.failed(board_id, _MISTAKE)
        )

    def wake_all(self) -> None:
        """Start the workers of all boards with entries."""
        for board_id in self._queue.board_ids():
            self.wake(board_id)

    def nudge(self, board_id: int) -> None:
        """The service responds again: end the pause before the next attempt."""
        waiting = [entry for entry in self._queue.of(board_id) if entry.next_try is not None]
        self._queue.put(replace(entry, next_try=None) for entry in waiting)
        if board_id in self._nudges:
            self._nudges[board_id].set()
        self.wake(board_id)

    def nudge_all(self) -> None:
        """The service responds again, for every board."""
        for board_id in self._queue.board_ids():
            self.nudge(board_id)

    def try_now(self, seq: int) -> None:
        """Send an entry now, whatever pause it is in."""
        entry = self._queue.get(seq)
        if entry is not None:
            self._queue.failing.discard(seq)
            self.stop_waiting()
            self.nudge(entry.board_id)

    def hold(self, entry: Entry) -> Entry:
        """Keep an entry from being sent while the user decides about it.

        Raises `CallboardError` if it is being sent.
        """
        if entry.seq in self._attempted or self._queue.sender_of(entry):
            raise CallboardError(
                "This change is being sent and cannot be discarded now.",
                hint="Try again in a moment.",
            )
        return self._queue.put([replace(entry, state=PendingState.UNSURE, next_try=None)])[0]

    async def has_arrived(self, entry: Entry) -> bool:
        """Read back whether an entry took effect, and accept it if so.

        Raises `CallboardError` if the service cannot be asked.
        """
        remote = await self._connection.required()
        with self._status_tracker.busy(entry.board_id):
            has_arrived = await self._sender.has_arrived(entry, remote)
        self.wake_all()  # send its dependants
        return has_arrived

    @property
    def is_sending(self) -> bool:
        """Whether a change is in flight."""
        return bool(self._attempted)

    def ask_elsewhere_again(self) -> None:
        """Look again at what other programs began to send."""
        if self._queue.elsewhere:
            self._queue.elsewhere.clear()
            self.nudge_all()

    def pause(self) -> None:
        """Start nothing new, as another program sends; requests in flight are finished."""
        self.is_paused = True
        for nudge in self._nudges.values():
            nudge.set()

    def resume(self) -> None:
        """Send again now. Entries that another program was sending are read back first."""
        self.is_paused = False
        self._queue.elsewhere.clear()
        self.nudge_all()

    async def aclose(self) -> None:
        """Stop. Entries in flight are read back at the next start."""
        workers = [worker for worker in self._workers.values() if not worker.done()]
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
        self._workers.clear()

    @property
    def _remote(self) -> Remote | None:
        """The remote, if this program may send now."""
        return None if self.is_paused else self._connection.remote

    async def _deliver_all(self, board_id: int) -> None:
        try:
            with self._status_tracker.sending(board_id):
                while (entry := self._queue.next_of(board_id)) and self._remote:
                    if await self._is_due(entry, self._nudges[board_id]):
                        await INPUT_PRIORITY.pause_after_input()
                        await self._deliver(entry)
        finally:
            self._boards.catch_up_drawing(board_id)
        for other in self._queue.board_ids() - {board_id}:
            self.wake(other)  # it may have waited for something created here

    async def _is_due(self, entry: Entry, nudge: asyncio.Event) -> bool:
        """Wait until an entry may be sent; False if it waited, because the queue may have changed.

        After the full pause it is due whatever the wall clock says.
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
            with self._status_tracker.busy(entry.board_id):
                await self._sender.attempt(entry, remote)
        except LeaseLostError:
            self.pause()
        except SentElsewhereError as error:
            self._queue.elsewhere[entry.sender] = error.message
        except (sqlite3.Error, OSError) as error:
            # It waits in memory only: when the disk cannot be written, nothing may be sent.
            logger.warning("Change %s waits for the disk: %s", entry.seq, error)
            current = self._queue.get(entry.seq)
            if current is not None:
                next_try = self._clock.now() + timedelta(seconds=LONGEST_PAUSE)
                waiting = replace(
                    current, state=PendingState.WAITING, next_try=next_try, reason=str(error)
                )
                self._queue.put([waiting])
            self._status_tracker.failed(entry.board_id, f"Changes cannot be sent: {error}")
        finally:
            self._attempted.discard(entry.seq)
