"""Sends the outbox: one worker for each board, in order; independent changes pass a slow one.

The `sender` attempts each change, `decision` says what its reply means, and `outcome` carries that
out, down to what is drawn. Failed changes are retried after a pause, which is measured by the
monotonic clock, so that setting the wall clock cannot prolong it.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

from tui.errors import CallboardError
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.store.clock import begin_soon, end_all, in_background, sleep_or
from tui.store.connection import ConnectionProblem
from tui.store.core import Core
from tui.store.events import PendingState
from tui.store.files.database import disk_reason
from tui.store.files.lease import LeaseLostError
from tui.store.outbox.entry import OutboxEntry
from tui.store.remote import Remote
from tui.store.sync.decision import LONGEST_PAUSE, LONGEST_WAIT
from tui.store.sync.sender import Sender, SentElsewhereError
from tui.store.views.boards import BoardViews

logger = logging.getLogger(__name__)

_MOMENT = 1.0
"""Seconds that other changes wait for the outcome of a request before they are sent beside it."""
_MOST_AT_ONCE = 4
_MISTAKE = ConnectionProblem(
    "Sending stopped because of an internal error; no change was lost.", is_reached=True
)


class _Attempt(NamedTuple):
    """An attempt to send the entry with this number; `since` is the monotonic time of its start."""

    seq: int
    since: float


class Delivery:
    """Starts and stops the workers, which attempt one entry after another with the `sender`."""

    def __init__(self, core: Core, boards: BoardViews, sender: Sender) -> None:
        self.sender = sender
        self._boards = boards
        self._connection = core.connection
        self._queue = core.queue
        self._status = core.status_tracker
        self._clock = core.clock
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._nudges: dict[int, asyncio.Event] = {}
        self._in_flight: set[int] = set()
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
            self._deliver_all(board_id), lambda: self._status.failed(board_id, _MISTAKE)
        )

    def wake_all(self) -> None:
        """Start the workers of all boards with entries."""
        for board_id in self._queue.board_ids():
            self.wake(board_id)

    def nudge(self, board_id: int) -> None:
        """The service responds again: end the pause before the next attempt."""
        waiting = [entry for entry in self._queue.of(board_id) if entry.next_try is not None]
        self._queue.put(replace(entry, next_try=None) for entry in waiting)
        self.wake(board_id)

    def nudge_all(self) -> None:
        """The service responds again, for every board."""
        for board_id in self._queue.board_ids():
            self.nudge(board_id)

    def try_now(self, seq: int) -> None:
        """Send an entry now, whatever pause it is in."""
        entry = self._queue.get(seq)
        if entry is not None:
            self._queue.try_anew(seq)
            self.sender.stop_waiting()
            self.nudge(entry.board_id)

    def hold(self, entry: OutboxEntry) -> OutboxEntry:
        """Keep an entry from being sent while the user decides about it.

        Raises `CallboardError` if it is being sent.
        """
        if entry.seq in self._in_flight or self._queue.sender_of(entry):
            raise CallboardError(
                "This change is being sent and cannot be discarded now.",
                hint="Try again in a moment.",
            )
        return self._queue.put([replace(entry, state=PendingState.UNSURE, next_try=None)])[0]

    @property
    def is_sending(self) -> bool:
        """Whether a change is in flight."""
        return bool(self._in_flight)

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
        self.is_paused = True  # what is being written now is not sent
        await end_all(self._workers.values())
        self._workers.clear()

    @property
    def _remote(self) -> Remote | None:
        return None if self.is_paused else self._connection.remote

    async def _deliver_all(self, board_id: int) -> None:
        # One after another, because a reply holds positions that the next change may shift. Only
        # while one takes long are others sent beside it.
        nudge, under_way = self._nudges[board_id], dict[asyncio.Task[None], _Attempt]()
        try:
            with self._status.sending(board_id):
                while True:
                    nudge.clear()
                    for task in [task for task in under_way if task.done()]:
                        del under_way[task]
                        task.result()  # raises what ended it, which ends the worker too
                    seqs = [attempt.seq for attempt in under_way.values()]
                    entry = self._queue.next_of(board_id, seqs) if self._remote else None
                    # After this the worker ends without a pause: a `wake` in between would set a
                    # nudge that nobody looks at any more.
                    if entry is None and not under_way:
                        break
                    pause = self._pause_before(entry, under_way.values())
                    if entry is None or pause is None:
                        await nudge.wait()
                    elif pause > 0:
                        await self._rest(entry, pause, nudge)
                    else:
                        task = begin_soon(self._deliver(entry))
                        task.add_done_callback(lambda _: nudge.set())
                        under_way[task] = _Attempt(entry.seq, self._clock.elapsed())
        finally:
            await end_all(under_way)
            self._boards.catch_up_drawing(board_id)
        for waiting_id in self._queue.board_ids() - {board_id}:
            self.wake(waiting_id)  # it may have waited for something created here

    def _pause_before(
        self, entry: OutboxEntry | None, under_way: Collection[_Attempt]
    ) -> float | None:
        # Returns None if only a nudge can tell, as when an attempt ends.
        if entry is None or len(under_way) >= _MOST_AT_ONCE:
            return None
        pause, now = 0.0, self._clock.elapsed()
        if entry.next_try is not None:
            pause = (entry.next_try - self._clock.now()).total_seconds()
        # Nearly every reply comes within a moment, so changes usually go out strictly in order.
        return max(pause, *(attempt.since + _MOMENT - now for attempt in under_way), 0.0)

    async def _rest(self, entry: OutboxEntry, pause: float, nudge: asyncio.Event) -> None:
        is_nudged = await sleep_or(nudge, min(pause, LONGEST_WAIT), self._clock)
        current = self._queue.get(entry.seq)
        # After the full pause it is due, whatever the wall clock says.
        if current is not None and current.next_try is not None and not is_nudged:
            self._queue.put([replace(current, next_try=None)])

    async def _deliver(self, entry: OutboxEntry) -> None:
        remote = self._remote
        if remote is None:
            return
        self._in_flight.add(entry.seq)
        began = self._clock.elapsed()
        checked_at = self._status.checked_at.get(entry.board_id)
        try:
            await INPUT_PRIORITY.pause_after_input()
            with self._status.busy(entry.board_id):
                await self.sender.attempt(entry, remote)
            is_slow = self._clock.elapsed() - began >= _MOMENT
            current = self._queue.get(entry.seq)
            is_answered = current is not None and current.faults > entry.faults
            has_responded = self._status.checked_at.get(entry.board_id) != checked_at
            # Others got responses in this time: the change is slow, not the service.
            if is_slow and has_responded and not is_answered:
                self._queue.overtake(entry.seq)
        except LeaseLostError:
            self.pause()
        except SentElsewhereError as error:
            self._queue.elsewhere[entry.sender] = error.message
        except (sqlite3.Error, OSError) as error:
            # Nothing may be sent that cannot be written before; the pause is in memory only.
            logger.warning("Change %s waits for the disk: %s", entry.seq, error)
            current = self._queue.get(entry.seq)
            reason = disk_reason(error)
            if current is not None:
                next_try = self._clock.now() + timedelta(seconds=LONGEST_PAUSE)
                waiting = replace(
                    current, state=PendingState.WAITING, next_try=next_try, reason=reason
                )
                self._queue.put([waiting])
            why = f"Changes cannot be sent: {reason}."
            self._status.failed(entry.board_id, ConnectionProblem(why, is_reached=True))
        finally:
            self._in_flight.discard(entry.seq)
