"""What a person does: submit, take back, do again, and decide about what is stuck.

The rule it keeps: one change after another. Each is planned on the board as drawn, written to
disk, drawn, and only then sent.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.store import operations as change
from tui.store.clock import Clock
from tui.store.delivery import Delivery
from tui.store.history import History, Step
from tui.store.listeners import Listeners
from tui.store.operations.base import Operation
from tui.store.outbox import Change, Entry
from tui.store.protocol import StatusChanged, WaitingState
from tui.store.queue import Queue
from tui.store.shelf import Shelf

Remember = Callable[[History, Step], None]
_T = TypeVar("_T")


class Changes:
    """Everything that adds to the outbox or takes from it on a person's word."""

    def __init__(
        self,
        *,
        shelf: Shelf,
        queue: Queue,
        delivery: Delivery,
        listeners: Listeners,
        clock: Clock,
    ) -> None:
        self._shelf = shelf
        self._queue = queue
        self._delivery = delivery
        self._listeners = listeners
        self._clock = clock
        self._one_at_a_time = asyncio.Lock()

    async def submit(self, operations: Iterable[Operation]) -> None:
        """Write the operations, draw them and have them sent; a step to undo for each board."""
        by_board: dict[int, list[Operation]] = {}
        for operation in operations:
            by_board.setdefault(operation.board_id, []).append(operation)
        async with self._one_at_a_time:
            for board_id, ours in by_board.items():
                await self._write(board_id, ours, _remember_new)

    async def undo(self, board_id: int) -> str | None:
        """Take back the last step; says what, or None if there is nothing."""
        async with self._one_at_a_time:
            step = await _in_words(self._queue.last_step(board_id, "undo"))
            if step is None:
                return None
            backwards = [operation for part in reversed(step.parts) for operation in part.undo]
            operations, revived = _with_new_tasks(backwards)

            def remember(history: History, _: Step) -> None:
                history.remove(step)
                history.push("redo", step)
                history.rename(board_id, revived)

            await self._write(board_id, operations, remember)
            return step.describe()

    async def redo(self, board_id: int) -> str | None:
        """Do again what was taken back last; says what, or None if there is nothing."""
        async with self._one_at_a_time:
            step = await _in_words(self._queue.last_step(board_id, "redo"))
            if step is None:
                return None
            operations, revived = _with_new_tasks([part.operation for part in step.parts])

            def remember(history: History, again: Step) -> None:
                history.remove(step)
                history.rename(board_id, revived)
                history.push("undo", again)

            await self._write(board_id, operations, remember)
            return step.describe()

    async def retry(self, seq: int) -> None:
        """Send a refused or unsure operation again, with what fell with it."""
        entry = self._queue.get(seq)
        if entry is None or entry.state not in (WaitingState.REFUSED, WaitingState.UNSURE):
            return
        again = [
            replace(
                one,
                state=WaitingState.WAITING,
                attempts=0,
                next_try=None,
                reason="",
                footing=None,
            )
            for one in self._queue.family(entry)
        ]
        await _in_words(self._queue.update(again))
        self._redraw(entry)

    async def discard(self, seq: int) -> None:
        """Forget a refused or unsure operation, with what depends on it."""
        entry = self._queue.get(seq)
        if entry is None or entry.state not in (WaitingState.REFUSED, WaitingState.UNSURE):
            return
        gone = [one for one in self._queue.family(entry) if one.seq >= seq]
        await _in_words(self._queue.discard(gone))
        self._redraw(entry)

    def _redraw(self, entry: Entry) -> None:
        self._shelf.draw(entry.board_id)
        self._shelf.announce(entry.board_id)
        self._listeners.tell(StatusChanged(entry.board_id))
        self._delivery.wake(entry.board_id)

    async def _write(
        self, board_id: int, operations: Sequence[Operation], remember: Remember
    ) -> None:
        if await self._shelf.load(board_id) is None:
            raise CallboardError(
                "This board has not been loaded yet, so nothing was changed.",
                hint="Try again when its tasks are there.",
            )
        view = self._shelf.view(board_id)
        if view is None:
            raise CallboardError("This board is not known here any more, so nothing was changed.")
        changes = _planned(view, [op.renamed(self._queue.renames) for op in operations])
        entries = await _in_words(self._queue.add(board_id, changes, self._clock.now(), remember))
        self._shelf.draw_also(board_id, [entry.operation for entry in entries])
        self._shelf.announce(board_id)
        self._listeners.tell(StatusChanged(board_id))
        self._delivery.wake(board_id)


def _planned(view: BoardView, operations: Iterable[Operation]) -> list[Change]:
    """Each operation with what takes it back, planned one on top of the other."""
    changes: list[Change] = []
    for number, operation in enumerate(operations):
        if number:
            view = changes[-1][0].apply(view)
        told = operation.named(view) if isinstance(operation, change.MoveTask) else operation
        changes.append((told, told.inverse(view)))
    return changes


def _with_new_tasks(operations: Sequence[Operation]) -> tuple[list[Operation], dict[int, int]]:
    """The operations with tasks that are made again under new local ids; says which is which."""
    revived = {
        operation.task_id: change.new_local_id()
        for operation in operations
        if isinstance(operation, change.CreateTask)
    }
    return [operation.renamed(revived) for operation in operations], revived


def _remember_new(history: History, step: Step) -> None:
    history.clear(step.board_id, "redo")
    history.push("undo", step)


async def _in_words(writing: Awaitable[_T]) -> _T:
    """Wait for the disk; what goes wrong there is told in words."""
    try:
        return await writing
    except (sqlite3.Error, OSError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        if "full" in reason or "No space" in reason:
            reason = "the disk is full"
        raise CallboardError(
            f"The change was not kept ({reason}); nothing else was lost.",
            hint="Try again when there is room to write.",
        ) from error
