"""User actions on the outbox: submit, undo, redo, and decisions about stuck changes.

They run one at a time. Each is planned against the board as drawn, written to disk, drawn, and then
sent. Undo compares with the current state first, so that it does not revert changes of others
without confirmation.
"""

import asyncio
import os
import sqlite3
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple, NoReturn, TypeVar

from tui.client.capabilities import Feature
from tui.errors import CallboardError
from tui.model.board import Board, BoardView
from tui.store import operations as change
from tui.store.core import Core
from tui.store.events import PendingState, StatusChanged, Undone, UndoNeedsConfirmation
from tui.store.files.database import disk_hint, disk_reason
from tui.store.operations.base import Operation
from tui.store.outbox.entry import OutboxEntry
from tui.store.outbox.file import Change
from tui.store.outbox.history import Stack, StepGoneError, Travel, UndoStep
from tui.store.outbox.undo import (
    RebasedOperations,
    archived_instead,
    archived_words,
    rebased_operations,
    recreated,
    without_gone_labels,
)
from tui.store.protocol import Resolution
from tui.store.sync.delivery import Delivery
from tui.store.sync.known_state import KnownState
from tui.store.views.board_updates import BoardUpdates
from tui.store.views.details import Details
from tui.text.clean import quoted
from tui.text.keyed import keyed

_T = TypeVar("_T")
_NOT_KNOWN = "This board is no longer cached: nothing was changed."
_STUCK = (PendingState.REFUSED, PendingState.UNSURE, PendingState.CONFLICT)


class _Plan(NamedTuple):
    """How a step of a board is undone or redone, and why to ask first."""

    board_id: int
    travel: Travel
    rebased: RebasedOperations
    why: tuple[str, ...]

    @property
    def done(self) -> tuple[Operation, ...]:
        """The operations of the step, with the new ids of what is created again."""
        done = self.travel.step.operations
        for ids in self.travel.revived:
            done = tuple(operation.renamed(ids) for operation in done)
        return done

    @property
    def lost(self) -> str:
        """What undoing it could not restore."""
        step = self.travel.step
        words = (step.lost_when_undone(), archived_words(step, self.rebased.operations))
        return " ".join(filter(None, words))


def _described(plans: Sequence[_Plan]) -> str:
    """The steps of one action, in words."""
    step = plans[0].travel.step
    if len(plans) == 1:
        return step.describe()
    parts = tuple(part for plan in plans for part in plan.travel.step.parts)
    return f"{replace(step, parts=parts).describe()} on {len(plans)} boards"


def _is_about_board(step: UndoStep, board_id: int) -> bool:
    return any(
        isinstance(operation, change.DeleteBoard) or operation.creates == board_id
        for operation in step.operations
    )


class Changes:
    """Adds to and removes from the outbox for the user."""

    def __init__(
        self,
        core: Core,
        updates: BoardUpdates,
        details: Details,
        known_state: KnownState,
        delivery: Delivery,
    ) -> None:
        self._core = core
        self._queue = core.queue
        self._boards = updates.boards
        self._updates = updates
        self._details = details
        self._known_state = known_state
        self._delivery = delivery
        self._one_at_a_time = asyncio.Lock()

    async def submit(self, operations: Iterable[Operation], *, reverses: str = "") -> None:
        """Write, draw and send the operations; one undo step, also over boards.

        `reverses` is the agent whose changes they undo, if they do.
        """
        self._check_writable()
        # Read before waiting for the lock: the operations are based on what is drawn now.
        planned_at = self._queue.revision
        by_board: dict[int, list[Operation]] = {}
        for operation in operations:
            by_board.setdefault(operation.board_id, []).append(operation)
        act = os.urandom(16).hex() if len(by_board) > 1 or reverses else ""
        act = f"{reverses}:{act}" if reverses else act
        async with self._one_at_a_time:
            for board_id, group in by_board.items():
                await self._write(board_id, group, planned_at=planned_at, act=act)

    async def travel(self, stack: Stack, board_id: int, *, force: bool) -> Undone | None:
        """Undo or redo one step; if another program took it first, the next one.

        What the same action did on other boards goes with it.
        """
        self._check_writable()
        async with self._one_at_a_time:
            while step := await _in_words(self._queue.last_step(board_id, stack)):
                if not step.done:
                    await self._refuse_to_undo(step)
                if stack == "undo" and not step.undo and step.lost_when_undone():
                    await self._forget(step)
                others, kept = await self._others(step, stack)
                plans = [await self._plan(step, stack, board_id)]
                plans += [await self._plan(other, stack, other.board_id) for other in others]
                differences = tuple(part for plan in plans for part in plan.rebased.differences)
                why = tuple(dict.fromkeys(reason for plan in plans for reason in plan.why))
                if (differences or why) and not force:
                    raise UndoNeedsConfirmation(_described(plans), differences, why=why, at=step.at)
                try:
                    await self._write(board_id, plans[0].rebased.operations, plans[0].travel)
                except StepGoneError:  # another program was faster
                    continue
                gone = plans[:1]
                for plan in plans[1:]:
                    try:
                        await self._write(plan.board_id, plan.rebased.operations, plan.travel)
                    except StepGoneError:
                        continue
                    except CallboardError as error:
                        # This board keeps its step, the others are undone.
                        kept.append(f"{self._name(plan.board_id)}: {error.message}")
                    else:
                        gone.append(plan)
                lost = [plan.lost for plan in gone if stack == "undo"]
                operations = tuple(operation for plan in gone for operation in plan.done)
                words = " ".join(dict.fromkeys(filter(None, (*lost, *kept))))
                return Undone(_described(gone), operations, words)
        return None

    async def _others(self, step: UndoStep, stack: Stack) -> tuple[list[UndoStep], list[str]]:
        """The steps of the same action on other boards; and of those that stay, why."""
        others, kept = [], []
        for other in await _in_words(self._queue.others_of_act(step, stack)):
            board_id = other.board_id
            top = await _in_words(self._queue.last_step(board_id, stack))
            if top is None or top.seq != other.seq:
                kept.append(f"{self._name(board_id)} has newer changes and stays as it is.")
            elif self._boards.listed(board_id) is None and not _is_about_board(top, board_id):
                kept.append("A board that is gone stays as it is.")
            elif stack == "undo" and not top.undo and top.lost_when_undone():
                kept.append(f"{self._name(board_id)}: {top.lost_when_undone()}")
            else:
                others.append(top)
        return others, kept

    def _name(self, board_id: int) -> str:
        listed = self._boards.listed(board_id)
        return "Another board" if listed is None else quoted(listed.board.title)

    async def _plan(self, step: UndoStep, stack: Stack, board_id: int) -> "_Plan":
        await self._updates.load(board_id)
        view = self._boards.view(board_id)
        operations, revived = recreated(step.undo if stack == "undo" else step.redo, view)
        operations, gone = without_gone_labels(operations, view)
        archived: tuple[str, ...] = ()
        if self._core.connection.offers(Feature.TASK_DELETION) is False:
            operations, archived = archived_instead(operations)
        # If an undo was refused, the service still has the values of the step that is now the next
        # to redo: these are no changes of others.
        undone = await self._queue.last_step(board_id, "redo")
        later = undone.operations if undone is not None and step.follows_void else ()
        rebased = await self._compared(operations, later)
        why = (*self._why_asked(step, stack), *gone, *archived)
        return _Plan(board_id, Travel(step, stack, revived), rebased, why)

    async def board_of_last(self, stack: Stack) -> int | None:
        """The board with the newest step to undo or redo; None if no board has any.

        Boards that are gone are passed over, unless the step is about that.
        """
        drawn_ids = {self._queue.current_id(board.id): board.id for board in self._boards.all()}
        history = self._core.outbox.history
        for board_id in await _in_words(self._core.disk.run(history.boards, stack)):
            step = await _in_words(self._queue.last_step(board_id, stack))
            if step is None:
                continue
            if board_id in drawn_ids or _is_about_board(step, board_id):
                return drawn_ids.get(board_id, board_id)
        return None

    async def _refuse_to_undo(self, step: UndoStep) -> NoReturn:
        history = self._core.outbox.history
        await _in_words(self._core.disk.run(history.acknowledge, step.board_id))
        entries = (self._queue.get(part.entry_seq) for part in step.parts)
        waits = any(entry and entry.state is PendingState.CONFLICT for entry in entries)
        became = "waits for your decision" if waits else "was refused"
        raise CallboardError(
            f"Nothing to undo: {step.describe()} {became}.",
            hint=keyed("{board.undo:u} to ask about earlier ones"),
        )

    async def _forget(self, step: UndoStep) -> NoReturn:
        with suppress(StepGoneError):
            await _in_words(self._core.disk.run(self._core.outbox.forget_step, step))
        hint = keyed("{board.undo:u} to undo earlier changes")
        raise CallboardError(step.lost_when_undone(), hint=hint)

    def _why_asked(self, step: UndoStep, stack: Stack) -> tuple[str, ...]:
        why = []
        if step.follows_void:
            why.append("It was made before the change that was refused.")
        elif self._queue.is_step_of_earlier_run(step):
            why.append("It was made before the program was started.")
        moves = [move for move in step.operations if isinstance(move, change.MoveTaskToBoard)]
        if stack == "undo" and not all(move.knows_values for move in moves):
            why.append("The values of its custom fields are not cached.")
        return tuple(why)

    async def _compared(
        self, operations: Sequence[Operation], later: Sequence[Operation]
    ) -> RebasedOperations:
        # Subjects with pending changes are compared when these are sent.
        documents = [
            None
            if any(entry.is_drawn for entry in self._queue.of_subject(operation.subject))
            else await self._known_state.document(operation)
            for operation in operations
        ]
        return rebased_operations(operations, documents, later)

    async def retry(self, pending_id: int, *, force: bool = False) -> None:
        """Send an operation again, with those refused because of it, or a waiting one now.

        An undetermined one is read back first, unless with `force`.
        """
        self._check_writable()
        entry = self._queue.get(pending_id)
        if entry is None:
            return
        if entry.state not in _STUCK:
            self._delivery.try_now(pending_id)
            return
        if entry.state is PendingState.CONFLICT:
            await self.resolve(pending_id, "mine")
        elif entry.state is PendingState.REFUSED:
            await self._submit_again(pending_id)
        else:  # the user chose to send it whatever the current state is
            # Without attempts `decision.after_read_back` knows that the user was asked.
            document = await self._known_state.document(entry.operation)
            if document is not None:
                on_top = replace(entry, operation=entry.operation.rebased_on(document))
                await _in_words(self._queue.change([on_top]))
            waiting = replace(
                self._queue.get(pending_id) or entry,
                state=PendingState.WAITING,
                attempts=0,
                faults=0,
                next_try=None,
                reason="",
                baseline=None if force else entry.baseline,
            )
            await _in_words(self._queue.update([waiting]))
            self.redraw({waiting.board_id})

    async def _submit_again(self, pending_id: int) -> None:
        async with self._one_at_a_time:
            entry = self._queue.get(pending_id)
            family = () if entry is None else self._queue.family(entry)
            refused = [member for member in family if member.state is PendingState.REFUSED]
            # Also what was submitted a moment ago and not refused yet: it would be older than the
            # creation that it needs, and so not drawn.
            again = {member.seq: member for member in refused}
            again |= {
                later.seq: later for member in refused for later in self._queue.dependants(member)
            }
            groups: dict[tuple[int, bool], list[OutboxEntry]] = {}
            for _, member in sorted(again.items()):
                # The creation of a board comes first, before the changes on it.
                is_board = member.subject.kind == "board"
                groups.setdefault((member.board_id, not is_board), []).append(member)
            for board_id, group in sorted(groups):
                entries = groups[board_id, group]
                await self._write(
                    board_id,
                    [entry.operation for entry in entries],
                    replacing=[seq for entry in entries for seq in (entry.seq, *entry.stands_for)],
                )

    async def discard(self, pending_id: int) -> bool:
        """Drop an operation that cannot be sent, with its dependants; False if it took effect.

        Raises `CallboardError` if that cannot be told and it has dependants, or if it has not been
        tried yet.
        """
        self._check_writable()
        entry = self._queue.get(pending_id)
        if entry is None:
            return True
        if entry.is_to_be_sent and not entry.reason:
            raise CallboardError(
                "This change is pending and was not discarded.", hint="Undo it on its board."
            )
        # Held, so that it is not sent while the service is asked whether it has arrived.
        apart = entry if entry.state in _STUCK else self._delivery.hold(entry)
        try:
            may_be_there = apart.state is PendingState.UNSURE and apart.baseline is not None
            if may_be_there and await self._has_arrived(apart):
                return False
            gone = [apart, *self._queue.dependants(apart)]
            await _in_words(self._queue.discard(gone))
        except CallboardError:
            if apart is not entry:
                self._queue.put([entry])
                self._delivery.wake(entry.board_id)
            raise
        self.redraw({dropped.board_id for dropped in gone})
        return True

    async def _has_arrived(self, entry: OutboxEntry) -> bool:
        try:
            has_arrived = await self._delivery.sender.has_arrived(entry)
        except CallboardError as error:
            if self._queue.dependants(entry):
                raise CallboardError(
                    f"{error.message} Nothing was discarded: it may have taken effect.",
                    hint="Try again when the service responds.",
                ) from error
            return False
        self._delivery.wake_all()  # send its dependants
        return has_arrived

    async def resolve(self, pending_id: int, how: Resolution, text: str | None = None) -> None:
        """Resolve a conflict: a new change on the current state replaces the old one."""
        self._check_writable()
        entry = self._queue.get(pending_id)
        if entry is None or entry.state is not PendingState.CONFLICT:
            raise CallboardError("Already decided; nothing was changed.")
        if how == "theirs":
            await self.discard(pending_id)
            return
        # In a conflict the baseline holds the service's document, not the one before the change.
        current = entry.baseline.document if entry.baseline is not None else None
        operation = entry.operation if current is None else entry.operation.rebased_on(current)
        if how == "text":
            if text is None:
                raise CallboardError("There is no text to send; nothing was changed.")
            try:
                operation = operation.with_text(text)
            except NotImplementedError as error:
                raise CallboardError(
                    "This is not a text, so it cannot be merged; nothing was changed.",
                    hint="Choose whose change to keep.",
                ) from error
        async with self._one_at_a_time:
            replaced = (pending_id, *entry.stands_for)
            await self._write(entry.board_id, [operation], replacing=replaced)

    def _check_writable(self) -> None:
        if self._core.is_read_only:
            raise CallboardError("Read-only mode: nothing was changed.")

    def redraw(self, board_ids: Iterable[int], renamed: Mapping[int, int] | None = None) -> None:
        """Redraw these boards and send what is pending on them."""
        for board_id in board_ids:
            self._boards.redraw(board_id, renamed)
            self._core.listeners.notify(StatusChanged(board_id))
            self._delivery.wake(board_id)

    async def _write(
        self,
        board_id: int,
        operations: Sequence[Operation],
        travel: Travel | None = None,
        replacing: Sequence[int] = (),
        *,
        planned_at: int | None = None,
        act: str = "",
    ) -> None:
        board_id = self._queue.current_id(board_id)
        current = [operation.renamed(self._queue.renames) for operation in operations]
        view = await self._view_for(board_id, current)
        # After the last await: planning uses what is drawn at this moment.
        planned_at = self._queue.revision if planned_at is None else planned_at
        changes = self._planned(view, current)
        await _in_words(
            self._queue.add(
                board_id,
                changes,
                self._core.clock.now(),
                travel,
                planned_at=planned_at,
                replacing=replacing,
                act=act,
            )
        )
        # Use the ids as drawn: the outbox may hold assigned ids that are drawn only later.
        drawn = [operation.renamed(self._queue.renames) for operation, _ in changes]
        self._boards.draw_submitted(board_id, drawn)
        self._core.listeners.notify(StatusChanged(board_id))
        self._delivery.wake(board_id)

    async def _view_for(self, board_id: int, operations: Sequence[Operation]) -> BoardView:
        # For changes of boards themselves the list of boards is enough.
        if all(operation.subject.kind == "board" for operation in operations):
            listed = self._boards.view(board_id) or self._boards.listed(board_id)
            is_new = any(operation.creates == board_id for operation in operations)
            if listed is None and is_new:
                return BoardView(Board(board_id, ""))
            if listed is None:
                raise CallboardError(_NOT_KNOWN)
            return listed
        if await self._updates.load(board_id) is None:
            if board_id < 0:
                raise CallboardError(_NOT_KNOWN)
            raise CallboardError(
                "This board has not been loaded yet, so nothing was changed.",
                hint="Try again when its cards are loaded.",
            )
        view = self._boards.view(board_id)
        if view is None:
            raise CallboardError(_NOT_KNOWN)
        return view

    def _planned(self, view: BoardView, operations: Iterable[Operation]) -> list[Change]:
        # Each is planned on top of the earlier ones. Operations on a thing that the same step
        # creates need no inverse of their own: undoing the creation undoes them.
        changes: list[Change] = []
        created: set[int] = set()
        for operation in operations:
            detail = self._details.detail_containing(operation.task_id)
            if detail is not None:
                for earlier, _ in changes:
                    detail = earlier.apply_detail(detail)
            planned = operation.named(view, detail)
            goes_with_made = created & {planned.subject.id, planned.task_id}
            changes.append((planned, () if goes_with_made else planned.inverse(view, detail)))
            if planned.creates is not None:
                created.add(planned.creates)
            view = planned.apply(view)
        return changes


async def _in_words(writing: Awaitable[_T]) -> _T:
    try:
        return await writing
    except (sqlite3.Error, OSError) as error:
        raise CallboardError(
            f"The change was not saved ({disk_reason(error)}); nothing else was lost.",
            hint=disk_hint(error),
        ) from error
