"""Carries out decisions about entries: accept, merge, refuse, retry, or leave to the user.

The disk is written before the screen changes, and a change leaves the pending ones in the same step
in which its reply is merged, so that it is never drawn twice or missed. Dependants of a refused
change are refused with it.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
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
from tui.store.operations.base import (
    AlreadyApplied,
    Baseline,
    Operation,
    Reply,
    ReplyPart,
    Subject,
)
from tui.store.outbox.entry import OutboxEntry
from tui.store.outbox.merge import Merging
from tui.store.sync.decision import (
    DIFFERS,
    Accept,
    EditConflict,
    Outcome,
    OutcomeUnknown,
    Refuse,
    RetryLater,
    pause_after,
)
from tui.store.sync.overtaking import turn_of
from tui.store.sync.reload import Reloading
from tui.store.sync.remote_changes import RemoteChangeTracker
from tui.store.views.board_updates import BoardUpdates
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
        self._core = core
        self._queue = core.queue
        self._boards = updates.boards
        self._updates = updates
        self._details = details
        self._reloading = reloading
        self._remote_changes = remote_changes
        self._histories = histories
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def settle(self, entry: OutboxEntry, outcome: Outcome) -> None:
        """Carry out a decision about an entry, one at a time for each board."""
        core = self._core
        async with self._locks[entry.board_id]:
            match outcome:
                case Accept(reply):
                    await self._accept(entry, reply)
                case Refuse(reason):
                    await self._refuse(entry, reason)
                case EditConflict(now, differences):
                    apart = replace(
                        entry,
                        state=PendingState.CONFLICT,
                        next_try=None,
                        reason=DIFFERS,
                        baseline=Baseline(document=now),
                        differences=differences,
                    )
                    await self._set_apart([apart])
                    core.listeners.notify(ConflictFound(apart.pending_change()))
                case OutcomeUnknown(reason):
                    unsure = replace(entry, state=PendingState.UNSURE, next_try=None, reason=reason)
                    await self._queue.update([unsure])
                    self._boards.redraw(entry.board_id)
                    core.status_tracker.answered(entry.board_id)
                    core.listeners.notify(OutcomeUncertain(unsure.pending_change()))
                case RetryLater(error):
                    await self._retry_later(entry, error)

    async def _retry_later(self, entry: OutboxEntry, error: ApiError) -> None:
        core = self._core
        core.last_seen.clear()
        next_try = core.clock.now() + pause_after(entry.attempts, error, core.jitter())
        waiting = replace(
            entry, state=PendingState.WAITING, next_try=next_try, reason=error.message
        )
        await self._queue.update([waiting])
        core.status_tracker.sending_failed(entry.board_id, error)

    async def _accept(self, entry: OutboxEntry, reply: Reply) -> None:
        operation, local = entry.operation, entry.operation.creates
        # Recorded before anything is awaited: a poll that brings the change in the meantime must
        # not mark it as a change of others.
        self._remote_changes.record_own(operation, reply.created_id)
        self._histories.note_own(entry)
        renamed = {} if local is None or reply.created_id is None else {local: reply.created_id}
        board_id = renamed.get(entry.board_id, entry.board_id)
        document = _document_of(operation.subject, reply)
        overtaken = self._overtaken_by(entry)
        try:
            is_overtaken = await self._reloaded_before_drawing(operation, reply, document)
        except ApiError as error:  # it is drawn as it is until that is known
            await self._retry_later(entry, error)
            return
        parts: Sequence[ReplyPart] = () if is_overtaken else reply.parts
        if not operation.arranges:
            parts = self._updates.in_known_order(board_id, parts)
        async with self._updates.merging(board_id, parts) as writer:
            if renamed:  # before writing, or a program killed in between would paint it twice
                await self._settle_on_disk(entry, document, renamed, overtaken)
                await self._updates.write_reply(writer, parts)
                await self._core.disk.run(self._core.outbox.forget, entry)
            else:  # after writing, or a program killed in between would paint the old state
                keep = partial(writer.keep_reply, parts)
                await self._settle_on_disk(entry, document, renamed, overtaken, first=keep)
            # From here to the merge in `draw_reply` nothing is awaited: a drawing in between would
            # show the change twice or not at all.
            self._queue.remove([entry.seq])
            # Their states may have changed while the disk was written, so only the operations are
            # replaced.
            self._queue.put(
                replace(current, operation=placed.operation)
                for placed in overtaken
                if (current := self._queue.get(placed.seq)) is not None
            )
            self._core.status_tracker.settled[entry.board_id] += 1
            self._queue.rename(renamed)
            self._details.take(reply.parts)
            if board_id != entry.board_id:
                self._boards.follow_board(entry.board_id, board_id)
            await self._updates.draw_reply(writer, renamed)
        self._mark_seen(reply)
        if isinstance(operation, change.DeleteTask):
            self._core.freshness.mark_deleted(board_id)
        # Changes submitted since were planned on the board without the reply, and one may just be
        # being written.
        await self._queue.wait_until_written()
        following = self._following(entry, document)  # with those submitted since
        changed = [later for later in following if later != self._queue.get(later.seq)]
        if changed:
            await self._queue.change(changed)
        if board_id != entry.board_id:
            self._boards.announce(entry.board_id, renamed)
        # A board that is drawn later is announced then.
        if renamed or not self._boards.state(board_id).is_behind:
            self._boards.announce(board_id, renamed)
        self._core.status_tracker.answered(board_id)
        if not is_overtaken:
            await self._reload_after(operation, board_id, reply)

    async def _settle_on_disk(
        self,
        entry: OutboxEntry,
        document: Document | None,
        renamed: Mapping[int, int],
        overtaken: Sequence[OutboxEntry],
        *,
        first: Callable[[], None] = lambda: None,
    ) -> None:
        await INPUT_PRIORITY.pause_after_input()
        operation, rewritten = entry.operation, document
        if document is None or not operation.keeps_base:
            rewritten = None
        elif isinstance(operation.check(document), AlreadyApplied):
            rewritten = None  # stored as it was sent
        following = self._following(entry, document)
        await self._queue.settle_on_disk(
            entry, renamed, following, rewritten, overtaken=overtaken, first=first
        )

    def _overtaken_by(self, entry: OutboxEntry) -> Sequence[OutboxEntry]:
        # From the entry as it was submitted, not as it was sent, and before the reply is merged.
        current, truth = self._queue.get(entry.seq), self._boards.truth(entry.board_id)
        if current is None or truth is None:
            return ()
        return turn_of(current, self._queue, truth.view).overtaken

    def _following(self, entry: OutboxEntry, document: Document | None) -> list[OutboxEntry]:
        # The pending changes based on it, rebased on what the service stored, which may differ from
        # what was submitted: a copy is made from the state its source has when the copy is made.
        if document is None:
            return []
        return [
            replace(later, operation=later.operation.rebased_on(document))
            for later in self._queue.based_on(entry)
        ]

    async def _reloaded_before_drawing(
        self, operation: Operation, reply: Reply, document: Document | None
    ) -> bool:
        # The board is fetched if the card may have come to another place than was sent, or if many
        # tasks were changed and the reply has none of them. The reply is merged first, since what
        # is fetched is newer.
        board_id = operation.board_id
        if not isinstance(operation, change.TasksOfStage):
            truth = self._boards.truth(board_id)
            if truth is None or document is None or operation.fits(document, truth.view):
                return False
            await self._updates.apply_reply(board_id, reply.parts)
        elif reply.parts:
            return False
        try:
            await self._reloading.reload_unless_reported(board_id)
        except ApiError as error:
            if error.is_passing and isinstance(operation, change.MoveTask):
                raise  # reading back a move does no harm
        return True  # the next poll will tell

    async def _reload_after(self, operation: Operation, board_id: int, reply: Reply) -> None:
        # A change of a board or stage may affect more than is in the reply: the order of the
        # stages, or the tasks of the stage.
        kind = operation.subject.kind
        if kind not in ("board", "stage") or isinstance(operation, change.DeleteBoard):
            return
        truth = self._boards.truth(board_id)
        brings_tasks = isinstance(
            operation, change.CreateBoard | change.DuplicateBoard | change.RestoreStage
        )
        if isinstance(operation, change.TasksOfStage):
            replied = {part.id for part in reply.parts}
            tasks = () if truth is None else truth.view.in_stage(operation.subject.id)
            if all(task.id in replied for task in tasks):
                return
            brings_tasks = True
        with suppress(ApiError):  # the next poll will tell
            if brings_tasks:
                await self._reloading.reload_unless_reported(board_id)
            elif truth is not None:
                await self._reloading.reload_frame(board_id)

    async def _refuse(self, entry: OutboxEntry, reason: str) -> None:
        dependants = [member for member in self._queue.dependants(entry) if member.is_drawn]
        because = f"{entry.operation.describe()} was refused: {reason}"
        refused = [
            replace(
                member,
                state=PendingState.REFUSED,
                next_try=None,
                reason=reason if member is entry else because,
                baseline=None,
            )
            for member in (entry, *dependants)
        ]
        await self._set_apart(refused)
        self._core.listeners.notify(OperationRefused(refused[0].pending_change(), len(dependants)))

    async def _set_apart(self, entries: Sequence[OutboxEntry]) -> None:
        await self._queue.update(entries)
        self._core.status_tracker.settled.update(entry.board_id for entry in entries)
        for board_id in {entry.board_id for entry in entries}:
            self._boards.redraw(board_id)
        self._core.status_tracker.answered(entries[0].board_id)

    async def apply_reply(self, board_id: int, reply: Reply) -> None:
        """Merge what reading back returned about an entry that is still to be sent."""
        if reply.parts:
            parts = self._updates.in_known_order(board_id, reply.parts)
            await self._updates.apply_reply(board_id, parts)
            self._details.apply(reply.parts)
            self._mark_seen(reply)

    def _mark_seen(self, reply: Reply) -> None:
        self._core.last_seen.mark(*(Subject(part.kind, part.id) for part in reply.parts))

    async def merge_pending(self, board_id: int, merging: Merging) -> None:
        """Remove entries superseded by later ones; the history stays unchanged.

        The board looks the same too, unless a change that they followed was refused or undone.
        """
        if merging.survivor is None:
            await self._queue.drop(merging.gone)
            self._boards.redraw(board_id)
        else:
            await self._queue.change([merging.survivor], [entry.seq for entry in merging.gone])
            self._boards.draw_later(board_id)
        self._core.status_tracker.settled.update(entry.board_id for entry in merging.gone)
        self._core.listeners.notify(StatusChanged(board_id))


def _document_of(subject: Subject, reply: Reply) -> Document | None:
    some_id = subject.id if reply.created_id is None else reply.created_id
    of_subject = (part for part in reply.parts if (part.kind, part.id) == (subject.kind, some_id))
    return next((part.document for part in of_subject), None)
