"""Bringing the outbox to the service.

The rule it keeps: the operations of a board go out one after another, those of several boards at
the same time. Nothing is sent twice blindly: whenever the service may have done what it was asked
without our hearing of it, the task is read back first, and what cannot be told is left to a
person. What is refused is kept with its reason.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

from tui.api.errors import ApiError, BadAddress, Nonsense, TlsFailed, WrongCredentials
from tui.store import background, operations as change
from tui.store.clock import Clock, sleep_or
from tui.store.connection import Connection
from tui.store.health import Health
from tui.store.listeners import Listeners
from tui.store.operations.base import Finding, Footing, Operation
from tui.store.outbox import Entry
from tui.store.protocol import OperationRefused, WaitingState
from tui.store.queue import Queue
from tui.store.reloading import Reloading
from tui.store.remote import Document, Remote
from tui.store.shelf import Shelf
from tui.store.truth import Truth

logger = logging.getLogger(__name__)

_CANNOT_TELL = "The answer was lost, and the task does not show whether it was done."
_MISTAKE = "Sending stopped by a mistake of this program; no change was lost."
_LONGEST_PAUSE = 60.0
_FAULTS_UNTIL_REFUSED = 3
_NOT_THE_OPERATIONS_FAULT = (BadAddress, TlsFailed, WrongCredentials)


class Delivery:
    """One courier for each board that has something to send; it ends when there is nothing."""

    def __init__(
        self,
        *,
        shelf: Shelf,
        queue: Queue,
        connection: Connection,
        reloading: Reloading,
        health: Health,
        listeners: Listeners,
        clock: Clock,
        jitter: Callable[[], float],
    ) -> None:
        self._shelf = shelf
        self._queue = queue
        self._connection = connection
        self._reloading = reloading
        self._health = health
        self._listeners = listeners
        self._clock = clock
        self._jitter = jitter
        self._couriers: dict[int, asyncio.Task[None]] = {}
        self._nudges: dict[int, asyncio.Event] = {}

    def wake(self, board_id: int) -> None:
        """There may be something to send for a board."""
        courier = self._couriers.get(board_id)
        is_running = courier is not None and not courier.done()
        if self._connection.remote is None or is_running or not self._queue.next_of(board_id):
            return
        self._nudges[board_id] = asyncio.Event()
        self._couriers[board_id] = background.start(
            self._deliver_all(board_id), lambda: self._health.failed(board_id, _MISTAKE)
        )

    def wake_all(self) -> None:
        """There may be something to send for any board."""
        for board_id in self._queue.board_ids():
            self.wake(board_id)

    def nudge(self, board_id: int) -> None:
        """The service answers again: do not wait any longer."""
        self._queue.put(replace(entry, next_try=None) for entry in self._queue.of(board_id))
        if board_id in self._nudges:
            self._nudges[board_id].set()
        self.wake(board_id)

    def nudge_all(self) -> None:
        """The service answers again, for every board."""
        for board_id in self._queue.board_ids():
            self.nudge(board_id)

    async def aclose(self) -> None:
        """Stop. What was on its way is looked for when the program starts again."""
        couriers = [courier for courier in self._couriers.values() if not courier.done()]
        for courier in couriers:
            courier.cancel()
        await asyncio.gather(*couriers, return_exceptions=True)
        self._couriers.clear()

    async def _deliver_all(self, board_id: int) -> None:
        nudge = self._nudges[board_id]
        while (entry := self._queue.next_of(board_id)) and self._connection.remote is not None:
            pause = self._pause_before(entry)
            if pause > 0:
                await sleep_or(nudge, pause, self._clock)
                nudge.clear()
                continue
            try:
                with self._health.busy(board_id):
                    await self._attempt(entry, self._connection.remote)
            except (sqlite3.Error, OSError) as error:
                self._wait_for_disk(entry, error)

    def _pause_before(self, entry: Entry) -> float:
        if entry.next_try is None:
            return 0.0
        return (entry.next_try - self._clock.now()).total_seconds()

    def _wait_for_disk(self, entry: Entry, error: Exception) -> None:
        """Nothing can be noted, so nothing may be sent: wait, without writing that down."""
        logger.warning("Change %s waits for the disk: %s", entry.seq, error)
        current = self._queue.get(entry.seq)
        if current is not None:
            next_try = self._clock.now() + timedelta(seconds=_LONGEST_PAUSE)
            self._queue.put([replace(current, next_try=next_try)])
        self._health.failed(entry.board_id, f"Changes cannot be sent: {error}")

    async def _attempt(self, entry: Entry, remote: Remote) -> None:
        if self._queue.is_orphan(entry):
            await self._refuse(entry, "The task it changes was never made.")
            return
        try:
            if entry.footing is not None:
                finding = await entry.operation.already_done(remote, entry.footing)
                if not await self._is_to_be_sent(entry, finding):
                    return
            await self._send(entry, remote)
        except ApiError as error:
            await self._could_not_look(self._queue.get(entry.seq) or entry, error)

    async def _could_not_look(self, entry: Entry, error: ApiError) -> None:
        """Reading failed, before sending or after a reply was lost."""
        if error.is_passing or isinstance(error, _NOT_THE_OPERATIONS_FAULT):
            await self._keep_trying(entry, error)
        elif entry.footing is not None:
            await self._leave_to_a_person(entry, error.message)
        else:
            await self._refuse(entry, error.message)

    async def _send(self, entry: Entry, remote: Remote) -> None:
        """Note what is known, then send. Raises `ApiError` only from reading back."""
        truth = await self._truth(entry.board_id)
        footing = Footing(
            task=await self._shelf.task_document(entry.operation.task_id),
            newest_id=truth.newest_id,
        )
        sending = await self._changed(
            entry, state=WaitingState.SENDING, attempts=entry.attempts + 1, footing=footing
        )
        try:
            document = await sending.operation.deliver(remote, truth.view)
        except ApiError as error:
            await self._failed(sending, error, remote)
        else:
            await self._accepted(sending, document)

    async def _truth(self, board_id: int) -> Truth:
        """The board as the service last said it, asked for if it is not known here."""
        if await self._shelf.load(board_id) is None:
            await self._reloading.reload(board_id)
        truth = self._shelf.truth(board_id)
        if truth is None:
            raise Nonsense("The service's answer about this board cannot be understood.")
        return truth

    async def _failed(self, entry: Entry, error: ApiError, remote: Remote) -> None:
        if error.may_have_happened and error.is_passing:
            await self._keep_trying(entry, error)
        elif error.may_have_happened:
            await self._look_after_fault(entry, error, remote)
        elif error.is_passing or isinstance(error, _NOT_THE_OPERATIONS_FAULT):
            await self._keep_trying(replace(entry, footing=None), error)
        else:
            await self._refuse(entry, error.message)

    async def _look_after_fault(self, entry: Entry, error: ApiError, remote: Remote) -> None:
        """The service tripped: see whether it did it all the same; it may trip every time."""
        footing = entry.footing or Footing()
        finding = await entry.operation.already_done(remote, footing)
        if not await self._is_to_be_sent(entry, finding):
            return
        if entry.attempts >= _FAULTS_UNTIL_REFUSED:
            await self._refuse(entry, error.message)
        else:
            await self._keep_trying(replace(entry, footing=None), error)

    async def _is_to_be_sent(self, entry: Entry, finding: Finding) -> bool:
        if finding.done:
            await self._accepted(entry, finding.task)
        elif finding.done is None:
            await self._leave_to_a_person(entry, _CANNOT_TELL)
        elif finding.task is not None:
            await self._shelf.absorb_task(entry.board_id, finding.task)
        return finding.done is False

    async def _accepted(self, entry: Entry, document: Document | None) -> None:
        """The service has it: the outbox forgets it, and its effect becomes the truth."""
        await self._look_where_it_went(entry.operation, document)
        task_id = entry.operation.task_id
        renamed: Mapping[int, int] = {}
        if task_id < 0 and document is not None:
            renamed = {task_id: int(document["id"])}
        else:
            await self._shelf.keep_reply(entry.board_id, task_id, document)
        await self._queue.settle_on_disk(entry, renamed)

        def settle() -> None:
            self._queue.remove([entry.seq])
            self._queue.rename(renamed)

        await self._shelf.absorb_reply(
            entry.board_id, renamed.get(task_id, task_id), document, settle
        )
        self._shelf.announce(entry.board_id, renamed)
        self._health.answered(entry.board_id)

    async def _look_where_it_went(self, operation: Operation, reply: Document | None) -> None:
        """The order is asked for if a move came out elsewhere, while it is still drawn."""
        truth = self._shelf.truth(operation.board_id)
        if not isinstance(operation, change.MoveTask) or reply is None or truth is None:
            return
        if not operation.fits(reply, truth.view):
            with suppress(ApiError):  # the next poll will tell
                await self._reloading.reload(operation.board_id)

    async def _leave_to_a_person(self, entry: Entry, reason: str) -> None:
        await self._changed(entry, state=WaitingState.UNSURE, next_try=None, reason=reason)
        self._health.answered(entry.board_id)

    async def _keep_trying(self, entry: Entry, error: ApiError) -> None:
        await self._put_off(entry, error.message, at_least=error.retry_after or 0.0)
        remedy = "" if error.is_passing else error.hint
        self._health.failed(entry.board_id, error.message, remedy)
        if self._connection.heed(error):
            self._health.cut_off(error.message, remedy)

    async def _put_off(self, entry: Entry, reason: str, *, at_least: float = 0.0) -> None:
        longest = min(_LONGEST_PAUSE, 2.0 ** min(entry.attempts, 10))
        pause = max(at_least, longest * (1.0 + self._jitter()) / 2)
        await self._changed(
            entry,
            state=WaitingState.WAITING,
            next_try=self._clock.now() + timedelta(seconds=pause),
            reason=reason,
            footing=entry.footing,
        )

    async def _refuse(self, entry: Entry, reason: str) -> None:
        """Keep it with the reason, and with it what depends on a task that was not made."""
        fallen = [
            other for other in self._queue.family(entry) if other.seq > entry.seq and other.is_drawn
        ]
        because = f"{entry.operation.describe()} was refused: {reason}"
        refused = [
            replace(entry, state=WaitingState.REFUSED, next_try=None, reason=reason, footing=None)
        ] + [
            replace(other, state=WaitingState.REFUSED, next_try=None, reason=because)
            for other in fallen
        ]
        await self._queue.update(refused)
        self._shelf.draw(entry.board_id)
        self._shelf.announce(entry.board_id)
        for one in refused:
            self._listeners.tell(OperationRefused(one.waiting()))
        self._health.answered(entry.board_id)

    async def _changed(self, entry: Entry, **news: Any) -> Entry:
        changed = replace(entry, **news)
        await self._queue.update([changed])
        return changed
