"""Attempts to send one entry: compare, send, and read back if the response was lost.

`decision` decides each step and `outcome` carries it out. A service with idempotency keys is sent
the same request again under the same key, instead of reading back.
"""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar

from tui.client.errors import REFUSALS, ApiError, TimedOut
from tui.client.writes import KEPT_FOR, made_by, repeatable
from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.store import operations as change
from tui.store.core import Core
from tui.store.events import PendingState, UploadProgress
from tui.store.files.lease import LeaseLostError
from tui.store.operations.base import Baseline, Finding, Reply
from tui.store.outbox.entry import ATTEMPTS_UNTIL_PARKED, OutboxEntry
from tui.store.outbox.merge import merged
from tui.store.remote import Remote
from tui.store.sync import decision
from tui.store.sync.decision import (
    Accept,
    EditConflict,
    Outcome,
    OutcomeUnknown,
    ReadBack,
    Refuse,
    RetryLater,
    Send,
)
from tui.store.sync.known_state import KnownState
from tui.store.sync.outcome import Outcomes
from tui.store.sync.overtaking import turn_of

_HANGS_AFTER = 5.0
_ATTEMPTS_WITH_KEPT_REPLY = 4 * ATTEMPTS_UNTIL_PARKED
_T = TypeVar("_T")


class SentElsewhereError(CallboardError):
    """Another program may still send this entry; the message says which."""


@dataclass(slots=True, repr=False, eq=False)
class _Request:
    """A request in flight; `since` is the monotonic time of its last progress."""

    limit: asyncio.Timeout
    since: float


class Sender:
    """Attempts one entry after another."""

    def __init__(self, core: Core, known_state: KnownState, outcomes: Outcomes) -> None:
        self._core = core
        self._queue = core.queue
        self._clock = core.clock
        self._known_state = known_state
        self._outcomes = outcomes
        self._under_way: dict[int, _Request] = {}

    def stop_waiting(self) -> None:
        """Cancel requests that hang; their changes are read back."""
        now = self._clock.elapsed()
        for request in self._under_way.values():
            if now - request.since >= _HANGS_AFTER:
                # A deadline that has passed ends the wait with a TimeoutError, which unlike a
                # cancellation does not end the worker.
                request.limit.reschedule(asyncio.get_running_loop().time())

    async def has_arrived(self, entry: OutboxEntry) -> bool:
        """Read back whether an entry took effect, and accept it if so.

        Raises `CallboardError` if the service cannot be asked.
        """
        remote = await self._core.connection.required()
        with self._core.status_tracker.busy(entry.board_id):
            finding = await entry.operation.already_done(remote, entry.baseline or Baseline())
            if finding.done:
                await self._outcomes.settle(entry, Accept(finding.reply))
        return bool(finding.done)

    async def attempt(self, entry: OutboxEntry, remote: Remote) -> None:
        """Make one attempt: the entry is accepted, refused, retried later, or left to the user."""
        if self._queue.is_orphan(entry):
            await self._outcomes.settle(entry, Refuse(decision.NEVER_MADE))
            return
        try:
            current, outcome = await self._attempt(entry, remote)
        except ApiError as error:
            # The attempt may have written a baseline before it failed, which `entry` lacks.
            current = self._queue.get(entry.seq) or entry
            attempts = max(current.attempts, entry.attempts + 1)  # a failed read counts too
            faults = current.faults + decision.is_own_fault(error)
            if faults >= ATTEMPTS_UNTIL_PARKED and not await _can_read(remote):
                # A service that fails at reading too parks no change.
                faults = current.faults
            current = replace(current, attempts=attempts, faults=faults)
            outcome = decision.after_reading_failed(current, error)
            if isinstance(outcome, OutcomeUnknown) and await self._is_sent_again(current, remote):
                outcome = RetryLater(error)
        if outcome is not None:
            await self._outcomes.settle(current, outcome)

    async def _attempt(
        self, entry: OutboxEntry, remote: Remote
    ) -> tuple[OutboxEntry, Outcome | None]:
        # Returns no outcome if another entry has to be sent first.
        is_sent = entry.state is PendingState.SENDING
        if is_sent and (holder := self._core.lease.sends_still(entry.sender)):
            # A former holder of the lease, stopped or slow, may have this request in flight. It is
            # not sent again, but if the service has it already, nothing has to wait.
            finding = await self._finding(entry, remote)
            if not finding.done:
                raise SentElsewhereError(holder)
            return entry, Accept(finding.reply)
        if entry.is_accepted:  # the program ended before the cache had it
            return entry, Accept(await entry.operation.reply_again(remote))
        if entry.baseline is not None:
            # It was sent before, and its reply was lost.
            entry, decided = await self._read_back(entry, remote)
            if not isinstance(decided, Send):
                return entry, decided
        survivor = await self._merged(entry)
        if survivor is None:
            return entry, None
        entry = survivor
        answered_at = self._core.status_tracker.checked_at.get(entry.board_id)
        is_old = self._queue.is_of_earlier_run(entry) or decision.has_waited(
            entry, self._clock.now(), answered_at
        )
        if entry.operation.keeps_base and is_old:
            # Comparing costs a request, which is saved if nobody else had time for a change.
            compared = await self._compared(entry, remote)
            if not isinstance(compared, Send):
                return entry, compared
            if compared.operation is not entry.operation:
                entry = replace(entry, operation=compared.operation)
                await self._queue.change([entry])
        return await self._send(entry, remote)

    async def _compared(self, entry: OutboxEntry, remote: Remote) -> Send | Outcome:
        now = await self._known_state.fetch(entry, remote)
        compared = decision.after_comparing(entry.operation, now)
        if isinstance(compared, EditConflict):
            # What was merged into the entry may have been sent by another program, and arrive late.
            own = await self._queue.on_the_way(entry)
            return decision.unless_own(entry.operation, compared, own)
        return compared

    async def _merged(self, entry: OutboxEntry) -> OutboxEntry | None:
        # Returns None if another entry has to be sent first. What may have been sent is not merged:
        # its baseline belongs to the operation as it was sent.
        if not entry.was_never_sent:
            return entry
        has_later = any(later.seq > entry.seq for later in self._queue.of_subject(entry.subject))
        if not has_later and not entry.operation.changes_nothing:
            return entry
        merging = merged(entry, self._queue)
        survivor = merging.survivor
        if not merging.gone and survivor is not None:
            return entry
        await self._outcomes.merge_pending(entry.board_id, merging)
        if survivor is None or survivor.seq != entry.seq:
            return None
        return self._queue.get(survivor.seq)

    async def _send(self, entry: OutboxEntry, remote: Remote) -> tuple[OutboxEntry, Outcome]:
        may_send = self._core.may_send
        truth = await self._known_state.truth_for(entry)
        move = entry.operation
        if isinstance(move, change.MoveTaskToBoard) and not (move.knows_values or entry.baseline):
            entry = await self._with_values(entry, move, remote, truth)
        baseline, was_sent = entry.baseline, entry.baseline is not None
        if baseline is None:
            makes = entry.operation.creates is not None
            baseline = Baseline(
                document=await self._known_state.document(entry.operation),
                newest_id=await self._known_state.newest_id(entry.operation) if makes else 0,
                sent_at=self._clock.now().isoformat(),
            )
        sending = replace(
            entry,
            state=PendingState.SENDING,
            attempts=entry.attempts + 1,
            baseline=baseline,
            sender=self._core.lease.name,
        )
        # The baseline is on disk before anything is sent: if the program is killed now, the next
        # start reads back instead of sending twice.
        await self._queue.claim(sending, entry.sender, may_send)
        await INPUT_PRIORITY.pause_after_input()
        # Another program may have taken the lease during the write.
        if not may_send():  # nothing of it was sent
            await self._queue.update([replace(entry, state=PendingState.WAITING)])
            raise LeaseLostError
        # Only now: the place depends on which older changes are still pending when it is sent.
        operation = turn_of(sending, self._queue, truth).operation
        sending = replace(sending, operation=operation)
        try:
            # An operation may make several requests: the lease is checked before each that writes.
            with repeatable(entry.key, self._check_lease), made_by(entry.origin):
                if isinstance(operation, change.UploadImage):
                    response = self._uploaded(sending, operation, remote, truth)
                else:
                    response = operation.deliver(remote, truth)
                reply = await self._awaited(entry, response)
        except ApiError as error:
            current, outcome = await self._after_failure(sending, error, remote, was_sent=was_sent)
            if not isinstance(outcome, Accept):  # drawn as submitted, and placed anew when sent
                current = replace(current, operation=entry.operation)
            return current, outcome
        if was_sent:
            # It may be the stored reply of the first attempt, which lacks later changes.
            self._core.freshness.behind.add(entry.board_id)
        await INPUT_PRIORITY.pause_after_input()
        return sending, Accept(reply)

    def _check_lease(self) -> None:
        if not self._core.may_send():
            raise LeaseLostError

    async def _with_values(
        self, entry: OutboxEntry, move: "change.MoveTaskToBoard", remote: Remote, truth: BoardView
    ) -> OutboxEntry:
        try:
            move, undo = await self._awaited(entry, move.with_values(remote, truth))
        except REFUSALS:
            return entry
        completed = replace(entry, operation=move)
        await self._queue.change([completed], undo=undo)
        return completed

    async def _uploaded(
        self, entry: OutboxEntry, operation: "change.UploadImage", remote: Remote, truth: BoardView
    ) -> Reply:
        task_id, image_id = operation.task_id, operation.image_id

        def publish(sent: int, total: int | None) -> None:
            # An upload over a slow line takes long without hanging.
            self._under_way[entry.seq].since = self._clock.elapsed()
            self._core.listeners.notify(UploadProgress(task_id, image_id, sent, total))

        return await operation.deliver(remote, truth, publish)

    async def _awaited(self, entry: OutboxEntry, response: Awaitable[_T]) -> _T:
        try:
            async with asyncio.timeout(None) as limit:
                self._under_way[entry.seq] = _Request(limit, self._clock.elapsed())
                return await response
        except TimeoutError as error:
            # `stop_waiting` ended it; the service may carry the request out all the same.
            raise TimedOut("The service did not respond.", may_have_happened=True) from error
        finally:
            del self._under_way[entry.seq]

    async def _after_failure(
        self, entry: OutboxEntry, error: ApiError, remote: Remote, *, was_sent: bool
    ) -> tuple[OutboxEntry, Outcome]:
        # `was_sent` means that an earlier attempt may have taken effect.
        unsent, decided = entry, decision.after_sending_failed(entry.operation, error)
        if isinstance(decided, ReadBack):
            unsent, after_reading = await self._read_back(entry, remote, error)
            if not isinstance(after_reading, Send):
                return unsent, after_reading
            if isinstance(error, decision.IN_THE_WAY):
                await remote.boards()  # raises too if the connection is at fault
            unsent = replace(unsent, faults=entry.faults + 1)
            decided = decision.after_fault(unsent, error)
            was_sent = True
        elif not error.may_have_happened:
            if not was_sent:
                # It had no effect for certain, so the next attempt need not read back.
                unsent = replace(entry, baseline=None)
            if isinstance(decided, Refuse) and decision.is_fault_of_read(error):
                unsent = replace(unsent, faults=entry.faults + 1)
                decided = decision.after_fault(unsent, error)
        if isinstance(decided, Refuse) and was_sent:
            # The earlier attempt may be the reason of the refusal, as when it deleted the task.
            finding = await self._finding(entry, remote)
            if finding.done:
                return unsent, Accept(finding.reply)
        return unsent, decided

    async def _read_back(
        self, entry: OutboxEntry, remote: Remote, error: ApiError | None = None
    ) -> tuple[OutboxEntry, Send | Outcome]:
        # A service that kept the reply returns it again, so nothing is read. Operations that know
        # their base are compared all the same, or they could overwrite changes of others.
        if not entry.operation.keeps_base and await self._has_kept_reply(entry, remote):
            return entry, Send(entry.operation)
        finding = await self._finding(entry, remote)
        decided = decision.after_read_back(entry, finding, error)
        if isinstance(decided, Send):
            await self._outcomes.apply_reply(entry.board_id, finding.reply)
            # It took no effect, and what was just read is newer than its baseline.
            entry = replace(entry, baseline=None)
        return entry, decided

    async def _finding(self, entry: OutboxEntry, remote: Remote) -> Finding:
        # Without a baseline it was never sent. While the service keeps its reply, an unclear result
        # counts as not done, because sending it again is safe.
        if entry.baseline is None:
            return Finding(done=False)
        finding = await self._awaited(entry, entry.operation.already_done(remote, entry.baseline))
        if finding.done is None and await self._has_kept_reply(entry, remote):
            return finding._replace(done=False)
        return finding

    async def _is_sent_again(self, entry: OutboxEntry, remote: Remote) -> bool:
        # Sending again is safe while the reply is kept, but it must end at some time: later changes
        # of the same subject wait for this one.
        if entry.faults >= _ATTEMPTS_WITH_KEPT_REPLY:
            return False
        try:
            return await self._has_kept_reply(entry, remote)
        except ApiError:  # not known yet, and the user is not asked before it is
            return True

    async def _has_kept_reply(self, entry: OutboxEntry, remote: Remote) -> bool:
        if not (entry.key and entry.baseline is not None and entry.baseline.sent_at):
            return False
        age = self._clock.now() - datetime.fromisoformat(entry.baseline.sent_at)
        return timedelta() <= age < KEPT_FOR and await remote.keeps_replies()


async def _can_read(remote: Remote) -> bool:
    # If the service cannot even list the boards, the change is not at fault.
    try:
        await remote.boards()
    except ApiError:
        return False
    return True
