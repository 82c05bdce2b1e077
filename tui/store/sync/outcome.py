"""Carries out decisions about entries: accept, merge, refuse, retry, or leave to the user.

The disk is written before the screen changes, and a change leaves the pending ones in the same step
in which its reply is merged, so that it is never drawn twice or missed. Dependants of a refused
change are refused with it.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from tui.client.documents import Document
from tui.client.errors import ApiError
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.store import operations as change
from tui.store.core import Core
from tui.store.events import (
    ConflictFound,
    OperationRefused,
    OutcomeUncertain,
    PendingState,
    StatusChanged,
)
from tui.store.operations.base import AlreadyApplied, Baseline, Operation, Reply, Subject
from tui.store.outbox.entry import Entry
from tui.store.outbox.merge import Merging
from tui.store.sync.decision import (
    DIFFERS,
    Accept,
    Conflict,
    Outcome,
    OutcomeUnknown,
    Refuse,
    RetryLater,
    pause_after,
)
from tui.store.sync.reload import Reloading
from tui.store.sync.remote_changes import RemoteChangeTracker
from tui.store.views.board_updates import BoardUpdates, Settlement
from tui.store.views.details import Details
from tui.store.views.history import Histories


class Outcomes:
    """Ends what an attempt began."""

    def __init__(
        self,
        core: Core,
        updates: BoardUpdates,
        details: Details,
        reloading: Reloading,
        remote_changes: RemoteChangeTracker,
        *,
        histories: Histories,
    ) -> None:
        self._boards = updates.boards
        self._updates = updates
        self._queue = core.queue
        self._freshness = core.freshness
        self._reloading = reloading
        self._details = details
        self._last_seen = core.last_seen
        self._status_tracker = core.status_tracker
        self._clock = core.clock
        self._jitter = core.jitter
        self._remote_changes = remote_changes
        self._histories = histories
        self._listeners = core.listeners
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def settle(self, entry: Entry, outcome: Outcome) -> None:
        """Carry out a decision about an entry, one at a time for each board."""
        async with self._locks[entry.board_id]:
            match outcome:
                case Accept(reply):
                    await self._accept(entry, reply)
                case Refuse(reason):
                    await self._refuse(entry, reason)
                case Conflict():
                    await self._keep_conflict(entry, outcome)
                case OutcomeUnknown(reason):
                    await self._keep_unknown(entry, reason)
                case RetryLater():
                    await self._retry_later(entry, outcome)

    async def _accept(self, entry: Entry, reply: Reply) -> None:
        """Remove an accepted entry from the outbox, and merge its reply."""
        self._remote_changes.record_own(entry.operation)
        self._histories.note_own(entry)
        is_overtaken = await self._reloaded_before_drawing(entry.operation, reply)
        parts = () if is_overtaken else reply.parts
        local = entry.operation.creates
        renamed = {} if local is None or reply.made is None else {local: reply.made}
        board_id = renamed.get(entry.board_id, entry.board_id)
        document = _about(entry.subject, reply)

        async def settle_on_disk() -> None:
            await INPUT_PRIORITY.pause_after_input()
            following = self._following(entry, document)
            otherwise = _written_otherwise(entry, document)
            await self._queue.settle_on_disk(entry, renamed, following, otherwise)

        def settle() -> Mapping[int, int]:
            self._queue.remove([entry.seq])
            self._status_tracker.settled.update([entry.board_id])
            self._queue.rename(renamed)
            self._details.take(reply.parts)
            if board_id != entry.board_id:
                self._boards.follow_board(entry.board_id, board_id)
            return renamed

        settling = Settlement(settle_on_disk, settle)
        if renamed:
            forget = partial(self._queue.forget_on_disk, entry)
            settling = Settlement(forget, settle, named=settle_on_disk)
        await self._updates.apply_reply(board_id, parts, settling)
        self._last_seen.mark(*(Subject(one.kind, one.id) for one in reply.parts))
        if isinstance(entry.operation, change.DeleteTask):
            self._freshness.mark_deleted(board_id)
        await self._queue.wait_until_written()
        following = self._following(entry, document)  # with those submitted since
        changed = [one for one in following if one != self._queue.get(one.seq)]
        if changed:
            await self._queue.change(changed)
        if board_id != entry.board_id:
            self._boards.announce(entry.board_id, renamed)
        if renamed or not self._boards.state(board_id).is_behind:
            self._boards.announce(board_id, renamed)
        self._status_tracker.answered(board_id)
        if not is_overtaken:
            await self._reload_after(entry.operation, board_id, reply)

    async def apply_reply(self, board_id: int, reply: Reply) -> None:
        """Merge what reading back returned."""
        if reply.parts:
            await self._updates.apply_reply(board_id, reply.parts)
            self._details.apply(reply.parts)
            self._last_seen.mark(*(Subject(one.kind, one.id) for one in reply.parts))

    async def _reloaded_before_drawing(self, operation: Operation, reply: Reply) -> bool:
        """Fetch the board before drawing a move that may have ended elsewhere.

        The same holds for a change of many tasks if the reply has none of them, lest the state
        before the change is drawn meanwhile. Returns whether it did. The reply is merged first,
        since the fetched state is newer.
        """
        if isinstance(operation, change.TasksOfStage) and not reply.parts:
            with suppress(ApiError):  # the next poll will tell
                await self._reloading.reload_unless_reported(operation.board_id)
            return True
        truth = self._boards.truth(operation.board_id)
        document = _about(operation.subject, reply)
        if truth is None or document is None or not isinstance(operation, change.MoveTask):
            return False
        if operation.fits(document, truth.view):
            return False
        await self._updates.apply_reply(operation.board_id, reply.parts)
        with suppress(ApiError):  # the next poll will tell
            await self._reloading.reload_unless_reported(operation.board_id)
        return True

    async def _reload_after(self, operation: Operation, board_id: int, reply: Reply) -> None:
        """Fetch what a change of a stage or board may affect beside what the reply has.

        That is the board with its stages; or all tasks, if some of the stage's are not in it.
        """
        kind = operation.subject.kind
        if kind not in ("board", "stage") or isinstance(operation, change.DeleteBoard):
            return
        truth = self._boards.truth(board_id)
        brings_tasks = isinstance(
            operation, change.CreateBoard | change.DuplicateBoard | change.RestoreStage
        )
        if isinstance(operation, change.TasksOfStage):
            told = {part.id for part in reply.parts}
            tasks = () if truth is None else truth.view.in_stage(operation.subject.id)
            if all(task.id in told for task in tasks):
                return
            brings_tasks = True
        with suppress(ApiError):  # the next poll will tell
            if brings_tasks:
                await self._reloading.reload_unless_reported(board_id)
            elif truth is not None:
                await self._reloading.reload_frame(board_id)

    def _following(self, entry: Entry, document: Document | None) -> list[Entry]:
        """The pending changes that are based on it, rebased on what the service stored.

        A copy gets the state of its source when it is made, which may differ from when it was
        submitted.
        """
        if document is None:
            return []
        based = self._queue.based_on(entry)
        return [replace(one, operation=one.operation.rebased_on(document)) for one in based]

    async def merge_pending(self, board_id: int, merging: Merging) -> None:
        """Remove entries superseded by later ones; history and board stay unchanged."""
        if merging.survivor is None:
            await self._queue.drop(merging.gone)
            self._boards.redraw(board_id)
        else:
            await self._queue.change([merging.survivor], [entry.seq for entry in merging.gone])
        self._status_tracker.settled.update(entry.board_id for entry in merging.gone)
        self._listeners.notify(StatusChanged(board_id))

    async def _keep_conflict(self, entry: Entry, conflict: Conflict) -> None:
        apart = replace(
            entry,
            state=PendingState.CONFLICT,
            next_try=None,
            reason=DIFFERS,
            baseline=Baseline(before=conflict.now),
            differences=conflict.differences,
        )
        await self._queue.set_apart([apart])
        self._leave_stuck([apart])
        self._listeners.notify(ConflictFound(apart.pending_change()))

    async def _refuse(self, entry: Entry, reason: str) -> None:
        """Keep a refused entry with the reason, and with it its dependants."""
        fallen = [other for other in self._queue.dependants(entry) if other.is_drawn]
        because = f"{entry.operation.describe()} was refused: {reason}"
        refused = [_refused(entry, reason), *(_refused(other, because) for other in fallen)]
        await self._queue.set_apart(refused)
        self._leave_stuck(refused)
        self._listeners.notify(OperationRefused(refused[0].pending_change(), len(fallen)))

    def _leave_stuck(self, entries: Sequence[Entry]) -> None:
        """Redraw without these entries."""
        self._status_tracker.settled.update(one.board_id for one in entries)
        for board_id in {one.board_id for one in entries}:
            self._boards.redraw(board_id)
        self._status_tracker.answered(entries[0].board_id)

    async def _keep_unknown(self, entry: Entry, reason: str) -> None:
        unsure = replace(entry, state=PendingState.UNSURE, next_try=None, reason=reason)
        await self._queue.update([unsure])
        self._boards.redraw(entry.board_id)
        self._status_tracker.answered(entry.board_id)
        self._listeners.notify(OutcomeUncertain(unsure.pending_change()))

    async def _retry_later(self, entry: Entry, again: RetryLater) -> None:
        error = again.error
        self._last_seen.clear()
        next_try = self._clock.now() + pause_after(entry.attempts, error, self._jitter())
        waiting = replace(
            entry, state=PendingState.WAITING, next_try=next_try, reason=error.message
        )
        await self._queue.update([waiting])
        self._status_tracker.sending_failed(entry.board_id, error)


def _refused(entry: Entry, reason: str) -> Entry:
    return replace(entry, state=PendingState.REFUSED, next_try=None, reason=reason, baseline=None)


def _written_otherwise(entry: Entry, document: Document | None) -> Document | None:
    """The service's document, if it stored the value in another form than was sent."""
    operation = entry.operation
    if document is None or not operation.keeps_base:
        return None
    return None if isinstance(operation.check(document), AlreadyApplied) else document


def _about(subject: Subject, reply: Reply) -> Document | None:
    """The document in a reply about a thing, or about what was created as it."""
    some_id = subject.id if reply.made is None else reply.made
    told = (one for one in reply.parts if (one.kind, one.id) == (subject.kind, some_id))
    return next((one.document for one in told), None)
