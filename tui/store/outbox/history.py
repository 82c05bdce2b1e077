"""The undo and redo stacks of each board: steps of operations with their inverses.

A new change clears the redo stack, and a stack holds at most a hundred steps. Steps use current
ids.

A refused or conflicting change stays in its step, marked as void. A step with only void parts has
nothing to undo; after that was reported, or the change was discarded, it is emptied but stays, so
that the step below is not undone without asking.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from operator import methodcaller
from typing import Literal

from tui.record import record
from tui.store.documents.shapes import Document
from tui.store.operations.base import Operation
from tui.store.outbox.codec import UnreadableOperationError, encode, from_data
from tui.text.clean import counted

LEVELS = 100
Stack = Literal["undo", "redo"]


@record
class StepPart:
    """One operation of a step with its number in the outbox and its inverse, in order.

    `is_void` says that the service refused it, or that it is in conflict. `restore` brings back
    what it created, once undo archived that.
    """

    entry_seq: int
    operation: Operation
    undo: tuple[Operation, ...]
    is_void: bool = False
    restore: tuple[Operation, ...] = ()

    def renamed(self, ids: Mapping[int, int]) -> "StepPart":
        """The same part with ids replaced."""
        return replace(
            self,
            operation=self.operation.renamed(ids),
            undo=tuple(operation.renamed(ids) for operation in self.undo),
            restore=tuple(operation.renamed(ids) for operation in self.restore),
        )

    def undone_by(self, step: "UndoStep") -> "StepPart":
        """The same part after `step` undid it: if it only archived what was created, restorable."""
        created = self.operation.creates is not None and self.operation.subject
        restore = tuple(
            operation
            for part in step.parts
            if part.operation.subject == created
            for operation in part.undo
        )
        is_gone = any(operation.creates is not None for operation in restore)
        return replace(self, restore=() if is_gone else restore)

    def lost_when_undone(self) -> str:
        """What undoing cannot restore, in words; empty if nothing is lost."""
        lost = self.operation.lost_when_undone()
        return f"{self.operation.describe()} cannot be undone." if lost and not self.undo else lost


@record
class UndoStep:
    """The changes of one user action on a board; undone and redone as a whole.

    `at` is when it was done; `act` is what the steps of an action on several boards have in common,
    empty for one board; if it undoes what an agent did it begins with the agent and a colon.
    `follows_void` says that newer steps were refused. `origin` is what made it in place of the
    user.
    """

    seq: int
    board_id: int
    parts: tuple[StepPart, ...]
    at: datetime
    act: str = ""
    follows_void: bool = False
    origin: str = ""

    @property
    def reverses(self) -> str:
        """The agent whose changes it undoes; empty if it does not."""
        agent, colon, _ = self.act.partition(":")
        return agent if colon else ""

    @property
    def done(self) -> tuple[StepPart, ...]:
        """The parts that took effect."""
        return tuple(part for part in self.parts if not part.is_void)

    @property
    def undo(self) -> tuple[Operation, ...]:
        """What undoes it as a whole, in order."""
        return tuple(operation for part in reversed(self.done) for operation in part.undo)

    @property
    def operations(self) -> tuple[Operation, ...]:
        """Its operations, in order."""
        return tuple(part.operation for part in self.done)

    @property
    def redo(self) -> tuple[Operation, ...]:
        """What redoes it as a whole, in order.

        What the service has created and undo archived is restored with all that was done to it,
        instead of being created again.
        """
        operations: list[Operation] = []
        restored: set[int | None] = set()
        for part in self.done:
            operation = part.operation
            if part.restore and operation.subject.id > 0:
                operations += part.restore
                restored.add(operation.subject.id)
            elif restored.isdisjoint((operation.subject.id, operation.task_id, operation.board_id)):
                operations.append(operation)
        return tuple(operations)

    def lost_when_undone(self) -> str:
        """What undoing cannot restore, in words; empty if nothing is lost."""
        words = (part.lost_when_undone() for part in self.done)
        return " ".join(dict.fromkeys(filter(None, words)))

    def describe(self) -> str:
        """Its description; of a completely refused step, what it was to do.

        Operations on a thing that the same step created are not counted.
        """
        operations = [part.operation for part in self.done or self.parts]
        created = {operation.creates for operation in operations} - {None}
        first = operations[0].describe()
        more = sum(
            operation.creates in created or operation.subject.id not in created
            for operation in operations[1:]
        )
        if not more:
            return first
        return f"{first} and {counted(more, 'more change')}"


@record
class Travel:
    """A step that is undone or redone, by the stack that it is on.

    `revived` are the new ids of what is created again.
    """

    step: UndoStep
    stack: Stack
    revived: Sequence[Mapping[int, int]] = ()


class StepGoneError(Exception):
    """Another program undid or redid this step a moment before."""


class History:
    """The two stacks of each board. Runs inside the outbox's transactions."""

    def __init__(
        self, connection: sqlite3.Connection, renames: Callable[[], Mapping[int, int]]
    ) -> None:
        self._connection = connection
        self._renames = renames

    def last(self, board_id: int, stack: Stack) -> UndoStep | None:
        """The top step, skipping empty and unreadable ones."""
        follows_void = False
        for step in self.steps(board_id, stack):
            if step is not None and step.parts:
                return replace(step, follows_void=follows_void)
            follows_void |= step is not None
        return None

    def steps(self, board_id: int, stack: Stack) -> Iterator[UndoStep | None]:
        """All steps, the newest first; None for an unreadable one."""
        return self._select("board_id = ? and stack = ?", board_id, stack)

    def boards(self, stack: Stack) -> list[int]:
        """The boards with steps, that with the newest one first."""
        rows = self._connection.execute(
            """select board_id from step where stack = ? and body <> '[]'
               group by board_id order by max(seq) desc""",
            (stack,),
        )
        return [board_id for (board_id,) in rows]

    def others_of_act(self, step: UndoStep, stack: Stack) -> list[UndoStep]:
        """The steps of the same action on other boards, as far as they took effect."""
        if not step.act:
            return []
        others = self._readable(
            "act = ? and stack = ? and board_id <> ?", step.act, stack, step.board_id
        )
        return [other for other in others if other.done]

    def since(self, moment: datetime) -> list[UndoStep]:
        """The steps to undo that were done since a moment, on all boards, the newest first."""
        steps = self._readable("stack = 'undo' and body <> '[]' and at is not null")
        return [step for step in steps if step.at >= moment]

    def newest(self) -> int:
        """The number of the newest step of all boards; 0 if there is none."""
        (seq,) = self._connection.execute("select max(seq) from step").fetchone()
        return int(seq or 0)

    def record(self, step: UndoStep, travel: Travel | None = None) -> None:
        """Push a step that was done just now; the redo stack is cleared.

        If it undoes or redoes another one, that one goes to the other stack instead. Raises
        `StepGoneError`.
        """
        if travel is None:
            self._connection.execute(
                "delete from step where board_id = ? and stack = 'redo'", (step.board_id,)
            )
            self.push("undo", step)
            return
        former = travel.step
        # First, because it fails if another program was faster; then nothing is written.
        self.remove(former)
        if travel.stack == "undo":
            parts = tuple(part.undone_by(step) for part in former.done)
            self.push("redo", replace(former, parts=parts))
        for ids in travel.revived:
            for step_of_board in self._readable("board_id = ?", former.board_id):
                self._change(step_of_board, methodcaller("renamed", ids))
        if travel.stack == "redo":
            self.push("undo", replace(step, act=former.act) if step.parts else former)

    def push(self, stack: Stack, step: UndoStep) -> None:
        """Push a step; the oldest is dropped."""
        self._connection.execute(
            """insert into step (board_id, stack, body, at, act, origin)
               values (?, ?, ?, ?, ?, ?)""",
            (step.board_id, stack, _body(step), step.at.isoformat(), step.act, step.origin),
        )
        self._connection.execute(
            """delete from step where board_id = :board_id and stack = :stack and seq not in (
                   select seq from step where board_id = :board_id and stack = :stack
                   order by seq desc limit :levels)""",
            {"board_id": step.board_id, "stack": stack, "levels": LEVELS},
        )

    def remove(self, step: UndoStep) -> None:
        """Remove a step and empty ones above it; void parts stay.

        Raises `StepGoneError` if another program has done so.
        """
        done = self._connection.execute("delete from step where seq = ?", (step.seq,))
        if not done.rowcount:
            raise StepGoneError(step.seq)
        self._connection.execute(
            "delete from step where board_id = ? and seq > ? and body = '[]'",
            (step.board_id, step.seq),
        )
        void = tuple(part for part in step.parts if part.is_void)
        if void:
            self.push("undo", replace(step, parts=void))

    def void(self, step: UndoStep, entry_seqs: Collection[int]) -> None:
        """Mark operations as void; if they are in no step, `step` is flagged instead.

        Operations that undid a step are in none, and old steps have dropped off the stack.
        """
        steps = self._with_parts(entry_seqs)
        for holder in steps:
            self._change(
                holder,
                lambda part: replace(part, is_void=part.is_void or part.entry_seq in entry_seqs),
            )
        if not steps:
            self.push("undo", step)

    def forget(self, entry_seqs: Collection[int], *, leaves_gap: bool) -> None:
        """Remove operations; a step without parts stays empty (`leaves_gap`) or is removed."""
        for step in self._with_parts(entry_seqs):
            parts = tuple(part for part in step.parts if part.entry_seq not in entry_seqs)
            if parts or leaves_gap:
                self._write(replace(step, parts=parts))
            else:
                self.remove(replace(step, parts=()))

    def note_written(
        self,
        board_id: int,
        entry_seq: int,
        operation: Operation,
        document: Document,
        *,
        is_last: bool,
    ) -> None:
        """The service stored the value of an operation in another form, shown by `document`.

        The inverse of the operation, and redone operations based on it, are rebased: otherwise the
        stored form would look like a change of others. An operation in no step undid another; then
        the next step to undo is rebased, if this was the last pending change of the value
        (`is_last`).
        """

        def on_top(other: Operation) -> Operation:
            is_same = other.subject == operation.subject and other.keeps_base
            is_set = is_same and operation.sets_the_same(other)
            return other.rebased_on(document) if is_set else other

        steps = self._with_parts([entry_seq])
        if is_last:
            on_stack = "board_id = ? and stack = ?"
            steps = steps or self._readable(on_stack, board_id, "undo")
            self._change_first(
                self._readable(on_stack, board_id, "redo"),
                lambda part: replace(part, operation=on_top(part.operation)),
            )
        self._change_first(steps, lambda part: replace(part, undo=tuple(map(on_top, part.undo))))

    def complete(self, entry_seq: int, operation: Operation, undo: Sequence[Operation]) -> None:
        """Replace an operation that changed, and add inverses to it."""

        def completed(part: StepPart) -> StepPart:
            if part.entry_seq != entry_seq:
                return part
            return replace(part, operation=operation, undo=(*part.undo, *undo))

        for step in self._with_parts([entry_seq]):
            self._change(step, completed)

    def acknowledge(self, board_id: int) -> None:
        """Empty the void steps on top: the user was told."""
        for step in self._readable("board_id = ? and stack = 'undo'", board_id):
            if step.done:
                return
            self._write(replace(step, parts=()))

    def _with_parts(self, entry_seqs: Collection[int]) -> list[UndoStep]:
        # The `case` expressions are for damaged rows: SQLite may evaluate the operands of an `and`
        # in any order, and json_each fails on what is no JSON.
        return self._readable(
            """stack = 'undo' and exists (
                   select 1 from json_each(case when json_valid(body) then body else '[]' end) part
                   where case part.type when 'object' then json_extract(part.value, '$.entry') end
                   in (select value from json_each(?)))""",
            json.dumps(list(entry_seqs)),
        )

    def operations(self, board_id: int, entry_seqs: Collection[int]) -> list[Operation]:
        """Changes of a board by their numbers in the outbox, as they were made, as far as kept."""
        parts = (part for step in self._readable("board_id = ?", board_id) for part in step.parts)
        return [part.operation for part in parts if part.entry_seq in entry_seqs]

    def descriptions(self, is_meant: Callable[[int], bool]) -> list[str]:
        """Descriptions of changes, chosen by their numbers in the outbox, as far as they are kept.

        The oldest first.
        """
        parts = (part for step in reversed(self._readable("true")) for part in step.parts)
        return [part.operation.describe() for part in parts if is_meant(part.entry_seq)]

    def _readable(self, where: str, *values: object) -> list[UndoStep]:
        # Read completely before callers write: whether a running query sees changed rows is
        # undefined in SQLite.
        return [step for step in self._select(where, *values) if step is not None]

    def _select(self, where: str, *values: object) -> Iterator[UndoStep | None]:
        rows = self._connection.execute(
            f"""select seq, board_id, body, at, act, origin from step
                where {where} order by seq desc""",
            values,
        )
        ids = self._renames()
        return (_step(ids, row) for row in rows)

    def _change(self, step: UndoStep, changed: Callable[[StepPart], StepPart]) -> bool:
        parts = tuple(map(changed, step.parts))
        if parts == step.parts:
            return False
        self._write(replace(step, parts=parts))
        return True

    def _change_first(
        self, steps: Iterable[UndoStep], changed: Callable[[StepPart], StepPart]
    ) -> None:
        for step in steps:
            if self._change(step, changed):
                return

    def _write(self, step: UndoStep) -> None:
        self._connection.execute("update step set body = ? where seq = ?", (_body(step), step.seq))


def _body(step: UndoStep) -> str:
    parts = [
        {
            "entry": part.entry_seq,
            "do": part.operation,
            "undo": part.undo,
            "void": part.is_void,
            "restore": part.restore,
        }
        for part in step.parts
    ]
    return encode(parts)


def _step(ids: Mapping[int, int], row: tuple[int, int, str, str, str, str]) -> UndoStep | None:
    seq, board_id, body, at, act, origin = row
    try:
        parts = tuple(
            StepPart(
                entry_seq=int(part["entry"]),
                operation=from_data(part["do"]),
                undo=tuple(map(from_data, part["undo"])),
                is_void=bool(part.get("void")),
                restore=tuple(map(from_data, part.get("restore", ()))),
            ).renamed(ids)
            for part in json.loads(body)
        )
        return UndoStep(seq, board_id, parts, datetime.fromisoformat(at), act, origin=origin)
    except (UnreadableOperationError, ValueError, KeyError, TypeError):
        return None
