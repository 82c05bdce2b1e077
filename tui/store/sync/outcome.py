"""What becomes of a change: accepted, shortened, refused, put off, or left to a person.

The disk is written before the screen, and the effect of a change becomes the truth at the moment
the change is no longer on its way, so that it is never drawn twice nor missed. What hangs on a
refused change falls with it, and is told why.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from tui.client.errors import ApiError
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.store import operations as change
from tui.store.core import Core
from tui.store.events import ConflictFound, OperationRefused, PendingState, StatusChanged
from tui.store.operations.base import (
    AlreadyApplied,
    Baseline,
    Operation,
    Reply,
    Subject,
)
from tui.store.outbox.entry import Entry
from tui.store.outbox.merge import Merging
from tui.store.remote import Document
from tui.store.sync.decision import (
    DIFFERS,
    Accept,
    Conflict,
    Outcome,
    Refuse,
    TryAgain,
    Unsure,
    pause_after,
)
from tui.store.sync.reload import Reloading
from tui.store.sync.remote_changes import RemoteChangeTracker
from tui.store.views.board_updates import BoardUpdates, Settlement
from tui.store.views.details import Details


class Outcomes:
    """Ends what an attempt began."""

    def __init__(
        self,
        core: Core,
        updates: BoardUpdates,
        details: Details,
        reloading: Reloading,
        remote_changes: RemoteChangeTracker,
    ) -> None:
        self._boards = updates.boards
        self._updates = updates
        self._queue = core.queue
        self._freshness = core.freshness
        self._reloading = reloading
        self._details = details
        self._last_heard = core.last_heard
        self._health = core.health
        self._clock = core.clock
        self._jitter = core.jitter
        self._remote_changes = remote_changes
        self._listeners = core.listeners

    async def settle(self, entry: Entry, outcome: Outcome) -> None:
        """Carry out what was decided about an entry."""
        match outcome:
            case Accept(reply):
                await self._accept(entry, reply)
            case Refuse(reason):
                await self._refuse(entry, reason)
            case Conflict():
                await self._set_apart(entry, outcome)
            case Unsure(reason):
                await self._leave_to_a_person(entry, reason)
            case TryAgain():
                await self._put_off(entry, outcome)

    async def _accept(self, entry: Entry, reply: Reply) -> None:
        """The service has it: the outbox forgets it, and its effect becomes the truth."""
        self._remote_changes.did(entry.operation)
        is_overtaken = await self._looked_where_it_went(entry.operation, reply)
        news = () if is_overtaken else reply.news
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
            self._health.settled([entry.board_id])
            self._queue.rename(renamed)
            self._details.take(reply.news)
            if board_id != entry.board_id:
                self._boards.follow_board(entry.board_id, board_id)
            return renamed

        settling = Settlement(settle_on_disk, settle, made=bool(renamed))
        await self._updates.absorb(board_id, news, settling)
        self._last_heard.saw(*(Subject(one.kind, one.id) for one in reply.news))
        if isinstance(entry.operation, change.DeleteTask):
            self._freshness.deleted(board_id)
        await self._queue.in_step()
        following = self._following(entry, document)  # with what was asked for since
        changed = [one for one in following if one != self._queue.get(one.seq)]
        if changed:
            await self._queue.change(changed)
        if board_id != entry.board_id:
            self._boards.announce(entry.board_id, renamed)
        self._boards.announce_accepted(board_id, renamed)
        self._health.answered(board_id)
        await self._look_around(entry.operation, board_id)

    async def hear(self, board_id: int, reply: Reply) -> None:
        """Take over what a look brought."""
        if reply.news:
            await self._updates.absorb(board_id, reply.news)
            self._details.hear(reply.news)
            self._last_heard.saw(*(Subject(one.kind, one.id) for one in reply.news))

    async def _looked_where_it_went(self, operation: Operation, reply: Reply) -> bool:
        """Ask for the board while a move is still drawn that may have come out elsewhere.

        Whether that was done. The reply is taken over before, since what is asked for is newer.
        """
        truth = self._boards.truth(operation.board_id)
        document = _about(operation.subject, reply)
        if truth is None or document is None or not isinstance(operation, change.MoveTask):
            return False
        if operation.fits(document, truth.view):
            return False
        await self._updates.absorb(operation.board_id, reply.news)
        with suppress(ApiError):  # the next poll will tell
            await self._reloading.reload_unless_told(operation.board_id)
        return True

    async def _look_around(self, operation: Operation, board_id: int) -> None:
        """A change of a stage or a board changes others too: ask what the board is like now."""
        kind = operation.subject.kind
        if kind not in ("board", "stage") or isinstance(operation, change.DeleteBoard):
            return
        brings_tasks = isinstance(operation, change.CreateBoard | change.RestoreStage)
        with suppress(ApiError):  # the next poll will tell
            if brings_tasks:
                await self._reloading.reload_unless_told(board_id)
            elif self._boards.truth(board_id) is not None:
                await self._reloading.reload_frame(board_id)

    def _following(self, entry: Entry, document: Document | None) -> list[Entry]:
        """The next changes of the same, made on what this one set, as the service wrote it.

        A copy is like its source is when it is made, which may be otherwise than it was when it
        was asked for.
        """
        if document is None:
            return []
        if entry.operation.creates is None:
            following = [one for one in (self._queue.following(entry),) if one is not None]
        else:
            made = self._queue.renames.get(entry.subject.id, entry.subject.id)
            following = self._first_of_each(Subject(entry.subject.kind, made))
        return [replace(one, operation=one.operation.rebased_on(document)) for one in following]

    def _first_of_each(self, subject: Subject) -> list[Entry]:
        """The unsent changes of a thing that was just made, but for those made on one another."""
        first: list[Entry] = []
        for entry in self._queue.about(subject):
            if entry.was_never_sent and entry.operation.keeps_base:
                earlier = (_sets_before(one.operation, entry.operation) for one in first)
                first += [] if any(earlier) else [entry]
        return first

    async def shorten(self, board_id: int, merging: Merging) -> None:
        """Forget what later changes make up for; history and board stay as they are."""
        changed = [] if merging.survivor is None else [merging.survivor]
        await self._queue.change(changed, [entry.seq for entry in merging.gone])
        self._health.settled(entry.board_id for entry in merging.gone)
        if not changed:
            self._boards.redraw(board_id)
        self._listeners.notify(StatusChanged(board_id))

    async def _set_apart(self, entry: Entry, conflict: Conflict) -> None:
        """Somebody else was faster: keep it, undrawn, until a person decides."""
        apart = replace(
            entry,
            state=PendingState.CONFLICT,
            next_try=None,
            reason=DIFFERS,
            baseline=Baseline(before=conflict.now),
            differences=conflict.differences,
        )
        await self._queue.update([apart])
        self._leave_stuck([apart], ConflictFound)

    async def _refuse(self, entry: Entry, reason: str) -> None:
        """Keep it with the reason, and with it what depends on something that was not made."""
        fallen = [other for other in self._queue.dependants(entry) if other.is_drawn]
        because = f"{entry.operation.describe()} was refused: {reason}"
        refused = [_refused(entry, reason), *(_refused(other, because) for other in fallen)]
        await self._queue.update(refused)
        await self._queue.step_back_from([entry])
        self._leave_stuck(refused, OperationRefused)

    def _leave_stuck(
        self, entries: Sequence[Entry], told: type[ConflictFound | OperationRefused]
    ) -> None:
        """Draw the boards without these, and tell of each; the first was answered for."""
        self._health.settled(one.board_id for one in entries)
        for board_id in {one.board_id for one in entries}:
            self._boards.redraw(board_id)
        for one in entries:
            self._listeners.notify(told(one.waiting()))
        self._health.answered(entries[0].board_id)

    async def _leave_to_a_person(self, entry: Entry, reason: str) -> None:
        unsure = replace(entry, state=PendingState.UNSURE, next_try=None, reason=reason)
        await self._queue.update([unsure])
        self._boards.redraw(entry.board_id)
        self._health.answered(entry.board_id)

    async def _put_off(self, entry: Entry, again: TryAgain) -> None:
        """Keep it, and try it again some time later."""
        error = again.error
        if again.comes_last:
            self._queue.failing.add(entry.seq)
        self._last_heard.lost_touch()
        next_try = self._clock.now() + pause_after(entry.attempts, error, self._jitter())
        waiting = replace(
            entry, state=PendingState.WAITING, next_try=next_try, reason=error.message
        )
        await self._queue.update([waiting])
        self._health.failed_by(entry.board_id, error)


def _sets_before(earlier: Operation, later: Operation) -> bool:
    """Whether the later one was made on what the earlier one sets: a move may close a task."""
    is_closed_by_move = isinstance(earlier, change.MoveTask) and change.is_edit(later, "status")
    return is_closed_by_move or earlier.sets_the_same(later)


def _refused(entry: Entry, reason: str) -> Entry:
    return replace(entry, state=PendingState.REFUSED, next_try=None, reason=reason, baseline=None)


def _written_otherwise(entry: Entry, document: Document | None) -> Document | None:
    """What the service has now, if it wrote what an entry sets in its own way."""
    operation = entry.operation
    if document is None or not operation.keeps_base:
        return None
    return None if isinstance(operation.check(document), AlreadyApplied) else document


def _about(subject: Subject, reply: Reply) -> Document | None:
    """What a reply says about a thing, or about what was made of it."""
    some_id = subject.id if reply.made is None else reply.made
    told = (one for one in reply.news if (one.kind, one.id) == (subject.kind, some_id))
    return next((one.document for one in told), None)
