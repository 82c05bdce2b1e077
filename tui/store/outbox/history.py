"""The undo and redo stacks of each board: steps of operations with their inverses.

A new change clears the redo stack, and a stack holds at most a hundred steps. Steps name things by
the ids they have now, whatever they were called then.

A change that is refused, or set apart as a conflict, stays in its step, marked. A step all of whose
parts are marked has nothing to undo; once that was said, or the change was discarded, an empty step
is left in its place, so that what lies below it is not undone without asking.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from tui.store.documents.shapes import Document
from tui.store.operations.base import Operation
from tui.store.outbox.codec import UnreadableOperationError, as_data, from_data
from tui.text.clean import counted

LEVELS = 100
Stack = Literal["undo", "redo"]


@dataclass(frozen=True, slots=True)
class Part:
    """One operation of a step, by its number in the outbox, and what takes it back, in order.

    `is_void` says that the service refused it, or that it waits as a conflict.
    """

    entry_seq: int
    operation: Operation
    undo: tuple[Operation, ...]
    is_void: bool = False

    def renamed(self, ids: Mapping[int, int]) -> "Part":
        """The same part with everything by its new id."""
        return replace(
            self,
            operation=self.operation.renamed(ids),
            undo=tuple(operation.renamed(ids) for operation in self.undo),
        )


@dataclass(frozen=True, slots=True)
class Step:
    """What one key did; undone and redone as a whole.

    `at` is when it was done, None in steps of older versions; `follows_void` says that changes
    which were refused lie between it and the present.
    """

    seq: int
    board_id: int
    parts: tuple[Part, ...]
    at: datetime | None = None
    follows_void: bool = False

    @property
    def done(self) -> tuple[Part, ...]:
        """The parts that took effect."""
        return tuple(part for part in self.parts if not part.is_void)

    @property
    def undo(self) -> tuple[Operation, ...]:
        """What undoes it as a whole, in order."""
        return tuple(operation for part in reversed(self.done) for operation in part.undo)

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What it did, in order."""
        return tuple(part.operation for part in self.done)

    def lost_when_undone(self) -> str:
        """What taking it back cannot bring back, in words; empty if nothing is lost."""
        words = (operation.lost_when_undone() for operation in self.operations)
        return " ".join(dict.fromkeys(filter(None, words)))

    def describe(self) -> str:
        """What it did in words; of a step that was refused as a whole, what it was to do.

        What it did to something that it made is not told.
        """
        operations = [part.operation for part in self.done or self.parts]
        made = {one.creates for one in operations} - {None}
        first = operations[0].describe()
        more = sum(one.creates in made or one.subject.id not in made for one in operations[1:])
        if not more:
            return first
        return f"{first} and {counted(more, 'more change')}"


class StepGoneError(Exception):
    """Another program took this step back, or did it again, a moment before."""


class History:
    """The two stacks of each board. Runs inside the outbox's transactions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def last(self, board_id: int, stack: Stack) -> Step | None:
        """The step on top; one that is empty, or cannot be read any more, is passed over."""
        rows = self._connection.execute(
            """select seq, board_id, body, at from step where board_id = ? and stack = ?
               order by seq desc""",
            (board_id, stack),
        )
        follows_void = False
        for row in rows:
            step = _step(*row)
            if step is not None and step.parts:
                return replace(step, follows_void=follows_void)
            follows_void |= step is not None
        return None

    def newest(self) -> int:
        """The number of the newest step of all boards; 0 if there is none."""
        (seq,) = self._connection.execute("select max(seq) from step").fetchone()
        return int(seq or 0)

    def push(self, stack: Stack, step: Step) -> None:
        """Put a step on top; the oldest falls off."""
        self._connection.execute(
            "insert into step (board_id, stack, body, at) values (?, ?, ?, ?)",
            (step.board_id, stack, _body(step), step.at.isoformat() if step.at else None),
        )
        self._connection.execute(
            """delete from step where board_id = :board_id and stack = :stack and seq not in (
                   select seq from step where board_id = :board_id and stack = :stack
                   order by seq desc limit :levels)""",
            {"board_id": step.board_id, "stack": stack, "levels": LEVELS},
        )

    def remove(self, step: Step) -> None:
        """Take a step away, and the empty ones above it; parts that were refused stay.

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

    def clear(self, board_id: int, stack: Stack) -> None:
        """Take all steps of a stack away."""
        self._connection.execute(
            "delete from step where board_id = ? and stack = ?", (board_id, stack)
        )

    def rename(self, ids: Mapping[int, int], old: int) -> None:
        """Call what had a local id by its new one, in the steps of every board."""
        for step in self._steps(naming=str(old)):
            self._change(step, lambda part: part.renamed(ids))
        self._connection.execute("update step set board_id = ? where board_id = ?", (ids[old], old))

    def revive(self, board_id: int, ids: Mapping[int, int]) -> None:
        """Call what is made again by its new local id, in the steps of its board."""
        if ids:
            for step in self._steps(board_id):
                self._change(step, lambda part: part.renamed(ids))

    def void(self, step: Step, entry_seqs: Collection[int]) -> None:
        """Note that operations have no effect; if they are in no step, `step` tells of them.

        What undid a step is in none, and a step that was done long ago has fallen off the stack.
        """
        steps = self._with_parts(entry_seqs)
        for found in steps:
            self._change(
                found,
                lambda part: replace(part, is_void=part.is_void or part.entry_seq in entry_seqs),
            )
        if not steps:
            self.push("undo", step)

    def forget(self, entry_seqs: Collection[int], *, leaves_gap: bool) -> None:
        """Leave out operations; a step with nothing left in it stays, empty, or goes."""
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
        """The service wrote what an operation sets in its own way, as `document` shows.

        What undoes the operation, and what is redone on top of it, was made on that: otherwise it
        would look as if somebody else had changed it. An operation in no step undid another; then
        what is undone next was made on it, unless (`is_last`) more of the same is on its way.
        """

        def on_top(one: Operation) -> Operation:
            is_same = one.subject == operation.subject and one.keeps_base
            return one.rebased_on(document) if is_same and operation.sets_the_same(one) else one

        def undone_on_top(part: Part) -> Part:
            return replace(part, undo=tuple(map(on_top, part.undo)))

        def redone_on_top(part: Part) -> Part:
            return replace(part, operation=on_top(part.operation))

        steps = self._with_parts([entry_seq])
        if is_last:
            steps = steps or self._steps(board_id, "undo")
            self._change_first(self._steps(board_id, "redo"), redone_on_top)
        self._change_first(steps, undone_on_top)

    def complete(self, entry_seq: int, operation: Operation, undo: Sequence[Operation]) -> None:
        """An operation became another one, which more is to be undone of."""

        def completed(part: Part) -> Part:
            if part.entry_seq != entry_seq:
                return part
            return replace(part, operation=operation, undo=(*part.undo, *undo))

        for step in self._with_parts([entry_seq]):
            self._change(step, completed)

    def acknowledge(self, board_id: int) -> None:
        """Empty the topmost steps that have nothing to undo: a person knows of them."""
        for step in self._steps(board_id, "undo"):
            if step.done:
                return
            self._write(replace(step, parts=()))

    def _with_parts(self, entry_seqs: Collection[int]) -> list[Step]:
        """The steps to undo that hold one of these operations; those that can be read."""
        rows = self._connection.execute(
            """select seq, board_id, body, at from step where stack = 'undo' and exists (
                   select 1 from json_each(case when json_valid(body) then body else '[]' end) part
                   where case part.type when 'object' then json_extract(part.value, '$.entry') end
                   in (select value from json_each(?))
               ) order by seq desc""",
            (json.dumps(list(entry_seqs)),),
        ).fetchall()
        return _readable(rows)

    def descriptions(self, entry_seqs: Collection[int]) -> list[str]:
        """Changes in words, by their numbers in the outbox; those that are remembered."""
        steps = reversed(self._steps()) if entry_seqs else ()
        parts = (part for step in steps for part in step.parts)
        return [part.operation.describe() for part in parts if part.entry_seq in entry_seqs]

    def _steps(
        self,
        board_id: int | None = None,
        stack: Stack | None = None,
        naming: str = "",
    ) -> list[Step]:
        """The steps, last first, whose kept words hold `naming`; those that can be read."""
        rows = self._connection.execute(
            """select seq, board_id, body, at from step
               where (:board_id is null or board_id = :board_id)
               and (:stack is null or stack = :stack) and (:naming = '' or instr(body, :naming))
               order by seq desc""",
            {"board_id": board_id, "stack": stack, "naming": naming},
        ).fetchall()
        return _readable(rows)

    def _change(self, step: Step, changed: Callable[[Part], Part]) -> bool:
        """Write a step whose parts are other ones now; says whether any is."""
        parts = tuple(map(changed, step.parts))
        if parts == step.parts:
            return False
        self._write(replace(step, parts=parts))
        return True

    def _change_first(self, steps: Iterable[Step], changed: Callable[[Part], Part]) -> None:
        """Write the first step of which any part is another one now."""
        for step in steps:
            if self._change(step, changed):
                return

    def _write(self, step: Step) -> None:
        self._connection.execute("update step set body = ? where seq = ?", (_body(step), step.seq))


def _body(step: Step) -> str:
    parts = [
        {
            "entry": part.entry_seq,
            "do": as_data(part.operation),
            "undo": [as_data(operation) for operation in part.undo],
            "void": part.is_void,
        }
        for part in step.parts
    ]
    return json.dumps(parts, ensure_ascii=False)


def _readable(rows: Iterable[tuple[Any, ...]]) -> list[Step]:
    return [step for row in rows if (step := _step(*row)) is not None]


def _step(seq: int, board_id: int, body: str, at: str | None) -> Step | None:
    try:
        parts = tuple(_part(part) for part in json.loads(body))
        return Step(seq, board_id, parts, datetime.fromisoformat(at) if at else None)
    except (UnreadableOperationError, ValueError, KeyError, TypeError):
        return None


def _part(data: dict[str, Any]) -> Part:
    undo = tuple(from_data(operation) for operation in data["undo"])
    return Part(int(data["entry"]), from_data(data["do"]), undo, bool(data.get("void")))
