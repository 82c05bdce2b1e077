"""One change and the service: look, compare, send, and see what came of it.

Nothing is sent twice blindly: whenever the service may have done what it was asked without our
hearing of it, the subject is read back first, and what cannot be told is left to a person. A
service that keeps its replies is sent the same again instead, under the same keys. What somebody
else changed meanwhile is not overwritten unasked. A change is refused only by the service's own
word, and kept with the reason; whatever else goes wrong, it is tried again.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

from tui.client.errors import (
    REFUSALS,
    ApiError,
    BadAddress,
    Nonsense,
    TimedOut,
    TlsFailed,
    WrongCredentials,
)
from tui.client.idempotency import KEPT_FOR, repeatable
from tui.model.board import BoardView
from tui.runtime.input_priority import COURTESY
from tui.store import operations as change
from tui.store.core import Core
from tui.store.events import UploadProgress, WaitingState
from tui.store.operations.base import (
    AlreadySo,
    Differs,
    Finding,
    Footing,
    Merged,
    Operation,
    Reply,
)
from tui.store.operations.reading import is_archived
from tui.store.outbox.entry import Entry
from tui.store.outbox.merge import merged
from tui.store.refusing import archived_in_words, gone_in_words, refusal_in_words
from tui.store.remote import Remote
from tui.store.sync.conflicts import has_waited
from tui.store.sync.known_state import KnownState
from tui.store.sync.outcome import Outcomes

LONGEST_PAUSE = 60.0
LONGEST_WAIT = 300.0
_CANNOT_TELL = "The answer was lost, and what the service has does not show whether it was done."
_STILL_CANNOT_TELL = "It was looked for again; what the service has still does not show it."
_DIFFERS = "Somebody else changed the same meanwhile. Say whose should stay; nothing is lost."
_NEVER_MADE = "What it changes was never made."
_FAULTS_UNTIL_LAST = 3
_FIRST_FAULT = 500
_IN_THE_WAY = (BadAddress, TlsFailed, WrongCredentials, Nonsense)
"""What is wrong with the way to the service, and so with every change alike."""
_HANGS_AFTER = 5.0
_T = TypeVar("_T")


@dataclass(slots=True)
class _Request:
    """A request that is under way; `since` is when it was last heard of, in seconds."""

    limit: asyncio.Timeout
    since: float


class Sender:
    """Attempts one entry after another. `done` counts, by board, those that need no more."""

    def __init__(self, core: Core, known_state: KnownState, outcomes: Outcomes) -> None:
        self._queue = core.queue
        self._connection = core.connection
        self._known_state = known_state
        self._outcomes = outcomes
        self._health = core.health
        self._clock = core.clock
        self._jitter = core.jitter
        self._listeners = core.listeners
        self._faults: Counter[int] = Counter()
        self._under_way: dict[int, _Request] = {}

    @property
    def done(self) -> dict[int, int]:
        """How many entries of each board need to be sent no more, since the start."""
        return self._outcomes.done

    def stop_waiting(self) -> None:
        """End requests that hang; whether they were carried out is looked for."""
        now = self._clock.elapsed()
        for request in self._under_way.values():
            if now - request.since >= _HANGS_AFTER:
                request.limit.reschedule(asyncio.get_running_loop().time())

    async def has_arrived(self, entry: Entry, remote: Remote) -> bool:
        """Look whether a change that may have been sent was carried out; then it is accepted.

        Raises `tui.client.errors.ApiError`.
        """
        finding = await entry.operation.already_done(remote, entry.footing or Footing())
        if finding.done:
            await self._outcomes.accept(entry, finding.reply)
        return bool(finding.done)

    async def attempt(self, entry: Entry, remote: Remote) -> None:
        """Bring an entry one step further: accepted, refused, put off, or left to a person."""
        if self._queue.is_orphan(entry):
            await self._outcomes.refuse(entry, _NEVER_MADE)
            return
        try:
            if entry.footing is not None and not await self._is_repeatable(entry, remote):
                finding = await self._found(entry, remote)
                if not await self._is_to_be_sent(entry, finding):
                    return
                entry = replace(entry, footing=None)
            shortened = await self._shortened(entry)
            if shortened is None:
                return
            clear = await self._compared(shortened, remote)
            if clear is not None:
                await self._send(clear, remote)
        except ApiError as error:
            await self._could_not_look(entry, self._queue.get(entry.seq) or entry, error)

    async def _could_not_look(self, before: Entry, entry: Entry, error: ApiError) -> None:
        """Reading failed, before sending or after a reply was lost; that is an attempt too."""
        entry = replace(entry, attempts=max(entry.attempts, before.attempts + 1))
        if not isinstance(error, REFUSALS) or (error.status or 0) >= _FIRST_FAULT:
            is_own_fault = not (error.is_passing or isinstance(error, _IN_THE_WAY))
            if is_own_fault and self._fails_again(entry):
                self._queue.failing.add(entry.seq)
            await self._keep_trying(entry, error)
        elif entry.footing is not None:
            await self._leave_to_a_person(entry, error.message)
        else:
            await self._outcomes.refuse(entry, refusal_in_words(entry.operation, error))

    async def _shortened(self, entry: Entry) -> Entry | None:
        """The entry with what later ones make of it; None if something else is to be sent first.

        An entry that may have been sent once is left as it is: it is what the footing is about.
        """
        if not entry.was_never_sent:
            return entry
        later = [other for other in self._queue.about(entry.subject) if other.seq > entry.seq]
        if not later and not entry.operation.changes_nothing:
            return entry
        dependants = self._queue.dependants(entry)
        merging = merged(entry, later, self._queue.between, dependants)
        if not merging.gone and merging.survivor is not None:
            return entry
        await self._outcomes.shorten(entry.board_id, merging)
        survivor = merging.survivor
        if survivor is None or survivor.seq != entry.seq:
            return None
        return self._queue.get(survivor.seq)

    async def _compared(self, entry: Entry, remote: Remote) -> Entry | None:
        """The entry as it is to be sent, after a look at what others did; None if it is not.

        Only what waited is looked at, and only what knows the value it was made on.
        """
        operation = entry.operation
        answered_at = self._health.status(entry.board_id).checked_at
        if not operation.keeps_base or not (
            self._queue.is_of_earlier_run(entry)
            or has_waited(entry, self._clock.now(), answered_at)
        ):
            return entry
        now = await self._known_state.of(entry, remote)
        if now is None or (operation.subject.kind == "task" and is_archived(now)):
            why = gone_in_words(operation) if now is None else archived_in_words()
            await self._outcomes.refuse(entry, why)
            return None
        verdict = operation.check(now)
        if isinstance(verdict, AlreadySo):
            await self._outcomes.accept(entry, verdict.reply)
            return None
        if isinstance(verdict, Differs):
            await self._outcomes.set_apart(entry, now, verdict.differences, _DIFFERS)
            return None
        if isinstance(verdict, Merged):
            entry = replace(entry, operation=verdict.operation)
            await self._queue.change([entry])
        return entry

    async def _send(self, entry: Entry, remote: Remote) -> None:
        """Note what is known, then send. Raises `ApiError` only from reading."""
        truth = await self._known_state.truth_for(entry)
        entry = await self._with_values(entry, remote, truth)
        footing = entry.footing
        if footing is None:
            known = await self._known_state.footing_for(entry)
            footing = known._replace(sent_at=self._clock.now().isoformat())
        sending = await self._changed(
            entry, state=WaitingState.SENDING, attempts=entry.attempts + 1, footing=footing
        )
        await COURTESY.wait_if_due()
        try:
            with repeatable(entry.key):
                answer = self._delivered(sending.operation, remote, truth)
                reply = await self._awaited(entry.board_id, answer)
        except ApiError as error:
            await self._failed(sending, error, remote, sent_before=entry.footing is not None)
        else:
            await COURTESY.wait_if_due()
            await self._outcomes.accept(sending, reply)

    async def _with_values(self, entry: Entry, remote: Remote, truth: BoardView) -> Entry:
        """The entry, once what its task loses on the way to another board is known to undo."""
        move = entry.operation
        if not isinstance(move, change.MoveTaskToBoard) or move.knows_values or entry.footing:
            return entry
        try:
            answer = move.with_values(remote, truth)
            move, undo = await self._awaited(entry.board_id, answer)
        except REFUSALS:
            return entry
        completed = replace(entry, operation=move)
        await self._queue.complete(completed, undo)
        return completed

    async def _delivered(self, operation: Operation, remote: Remote, truth: BoardView) -> Reply:
        """What the service says to it; a picture takes long, so it is told how far it is."""
        if not isinstance(operation, change.UploadImage):
            return await operation.deliver(remote, truth)
        task_id, image_id = operation.task_id, operation.image_id

        def sent(so_far: int, total: int | None) -> None:
            self._under_way[operation.board_id].since = self._clock.elapsed()
            self._listeners.tell(UploadProgress(task_id, image_id, so_far, total))

        return await operation.upload(remote, sent)

    async def _awaited(self, board_id: int, answer: Awaitable[_T]) -> _T:
        """An answer, unless a person does not want to wait for it any longer."""
        try:
            async with asyncio.timeout(None) as limit:
                self._under_way[board_id] = _Request(limit, self._clock.elapsed())
                return await answer
        except TimeoutError as error:
            raise TimedOut("No answer came.", may_have_happened=True) from error
        finally:
            del self._under_way[board_id]

    async def _failed(
        self, entry: Entry, error: ApiError, remote: Remote, *, sent_before: bool
    ) -> None:
        if error.may_have_happened and error.is_passing:
            await self._keep_trying(entry, error)
        elif error.may_have_happened:
            await self._look_after_fault(entry, error, remote)
        elif error.is_passing or isinstance(error, _IN_THE_WAY):
            footing = entry.footing if sent_before else None
            await self._keep_trying(replace(entry, footing=footing), error)
        elif sent_before and (finding := await self._found(entry, remote)).done:
            await self._outcomes.accept(entry, finding.reply)  # the first time did it
        else:
            await self._outcomes.refuse(entry, refusal_in_words(entry.operation, error))

    async def _look_after_fault(self, entry: Entry, error: ApiError, remote: Remote) -> None:
        """Something failed on the way or at the service: see whether it was done all the same."""
        if not await self._is_repeatable(entry, remote):
            finding = await self._found(entry, remote)
            if not await self._is_to_be_sent(entry, finding):
                return
            entry = replace(entry, footing=None)
        if not self._fails_again(entry):
            await self._keep_trying(entry, error)
        elif isinstance(error, REFUSALS):
            await self._outcomes.refuse(entry, error.message)
        else:
            if isinstance(error, _IN_THE_WAY):
                await remote.boards()  # which fails too if it is in everybody's way
            self._queue.failing.add(entry.seq)
            await self._keep_trying(entry, error)

    def _fails_again(self, entry: Entry) -> bool:
        """Whether a change has now failed several times by itself."""
        self._faults[entry.seq] = (self._faults[entry.seq] + 1) % _FAULTS_UNTIL_LAST
        return not self._faults[entry.seq]

    async def _is_repeatable(self, entry: Entry, remote: Remote) -> bool:
        """Whether sending a change again does nothing if it was done, whatever others did since.

        What knows its base is compared instead, lest it overwrites what they did.
        """
        return not entry.operation.keeps_base and await self._has_kept_reply(entry, remote)

    async def _has_kept_reply(self, entry: Entry, remote: Remote) -> bool:
        """Whether the service keeps the reply to a change, if it was done at all."""
        if not (entry.key and entry.footing is not None and entry.footing.sent_at):
            return False
        age = self._clock.now() - datetime.fromisoformat(entry.footing.sent_at)
        return timedelta() <= age < KEPT_FOR and await remote.keeps_replies()

    async def _found(self, entry: Entry, remote: Remote) -> Finding:
        """What a look shows of a change that may have been sent.

        Where the service keeps replies nobody is asked: what cannot be told is compared once more.
        """
        look = entry.operation.already_done(remote, entry.footing or Footing())
        finding = await self._awaited(entry.board_id, look)
        if finding.done is None and await self._has_kept_reply(entry, remote):
            return finding._replace(done=False)
        return finding

    async def _is_to_be_sent(self, entry: Entry, finding: Finding) -> bool:
        """Whether it was not carried out, or a person wants it to be, who was asked before."""
        was_asked = not entry.attempts
        if finding.done:
            await self._outcomes.accept(entry, finding.reply)
            return False
        if finding.done is None and not (was_asked and entry.operation.creates is None):
            reason = _STILL_CANNOT_TELL if was_asked else _CANNOT_TELL
            await self._leave_to_a_person(entry, reason)
            return False
        await self._outcomes.hear(entry.board_id, finding.reply)
        return True

    async def _leave_to_a_person(self, entry: Entry, reason: str) -> None:
        await self._changed(entry, state=WaitingState.UNSURE, next_try=None, reason=reason)
        self._outcomes.redraw(entry.board_id)
        self._health.answered(entry.board_id)

    async def _keep_trying(self, entry: Entry, error: ApiError) -> None:
        longest = min(LONGEST_PAUSE, 2.0 ** min(entry.attempts, 10))
        asked_for = min(error.retry_after or 0.0, LONGEST_WAIT)
        pause = max(asked_for, longest * (1.0 + self._jitter()) / 2)
        self._known_state.lost_touch()
        await self._changed(
            entry,
            state=WaitingState.WAITING,
            next_try=self._clock.now() + timedelta(seconds=pause),
            reason=error.message,
        )
        remedy = "" if error.is_passing else error.hint
        self._health.failed(entry.board_id, error.message, remedy)
        if self._connection.heed(error):
            self._health.cut_off(error.message, remedy)

    async def _changed(self, entry: Entry, **news: Any) -> Entry:
        changed = replace(entry, **news)
        await self._queue.update([changed])
        return changed
