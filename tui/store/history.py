"""What can be taken back and done again: steps of operations with their inverses.

The rule it keeps: a new change clears what could be done again, and no board remembers more than
a hundred steps. Steps name things by the ids they have now, whatever they were called then.
"""

import json
import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from tui.store.operations.base import Operation
from tui.store.operations.codec import UnreadableOperationError, as_data, from_data

LEVELS = 100
Stack = Literal["undo", "redo"]


@dataclass(frozen=True, slots=True)
class Part:
    """One operation of a step, by its number in the outbox, and what takes it back, in order."""

    entry_seq: int
    operation: Operation
    undo: tuple[Operation, ...]

    def renamed(self, ids: Mapping[int, int]) -> "Part":
        """The same part with everything by its new id."""
        return replace(
            self,
            operation=self.operation.renamed(ids),
            undo=tuple(operation.renamed(ids) for operation in self.undo),
        )


@dataclass(frozen=True, slots=True)
class Step:
    """What one key did; taken back and done again as a whole."""

    seq: int
    board_id: int
    parts: tuple[Part, ...]

    @property
    def undo(self) -> tuple[Operation, ...]:
        """What takes it back as a whole, in order."""
        return tuple(operation for part in reversed(self.parts) for operation in part.undo)

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What it did, in order."""
        return tuple(part.operation for part in self.parts)

    def lost_when_undone(self) -> str:
        """What taking it back cannot bring back, in words; empty if nothing is lost."""
        words = (operation.lost_when_undone() for operation in self.operations)
        return " ".join(dict.fromkeys(filter(None, words)))

    def describe(self) -> str:
        """The step in words."""
        first = self.parts[0].operation.describe()
        more = len(self.parts) - 1
        if not more:
            return first
        return f"{first} and {more} more {'change' if more == 1 else 'changes'}"

    def renamed(self, ids: Mapping[int, int]) -> "Step":
        """The same step with everything by its new id."""
        return replace(self, parts=tuple(part.renamed(ids) for part in self.parts))


class StepGoneError(Exception):
    """Another program took this step back, or did it again, a moment before."""


class History:
    """The two stacks of each board. Runs inside the outbox's transactions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def last(self, board_id: int, stack: Stack) -> Step | None:
        """The step on top; one that cannot be read any more is passed over."""
        rows = self._connection.execute(
            """select seq, board_id, body from step where board_id = ? and stack = ?
               order by seq desc""",
            (board_id, stack),
        )
        steps = (_step(*row) for row in rows)
        return next((step for step in steps if step is not None), None)

    def push(self, stack: Stack, step: Step) -> None:
        """Put a step on top; the oldest falls off."""
        self._connection.execute(
            "insert into step (board_id, stack, body) values (?, ?, ?)",
            (step.board_id, stack, _body(step)),
        )
        self._connection.execute(
            """delete from step where board_id = :board_id and stack = :stack and seq not in (
                   select seq from step where board_id = :board_id and stack = :stack
                   order by seq desc limit :levels)""",
            {"board_id": step.board_id, "stack": stack, "levels": LEVELS},
        )

    def remove(self, step: Step) -> None:
        """Take a step away. Raises `StepGoneError` if another program has done so."""
        done = self._connection.execute("delete from step where seq = ?", (step.seq,))
        if not done.rowcount:
            raise StepGoneError(step.seq)

    def clear(self, board_id: int, stack: Stack) -> None:
        """Take all steps of a stack away."""
        self._connection.execute(
            "delete from step where board_id = ? and stack = ?", (board_id, stack)
        )

    def rename(self, ids: Mapping[int, int], old: int) -> None:
        """Call what had a local id by its new one, in the steps of every board."""
        for step in self._steps(naming=str(old)):
            self._write(step.renamed(ids))
        self._connection.execute("update step set board_id = ? where board_id = ?", (ids[old], old))

    def revive(self, board_id: int, ids: Mapping[int, int]) -> None:
        """Call what is made again by its new local id, in the steps of its board."""
        if ids:
            for step in self._steps(board_id):
                self._write(step.renamed(ids))

    def forget_part(self, board_id: int, entry_seq: int) -> None:
        """Leave out an operation that never happened, and a step with nothing left in it."""
        for step in self._steps(board_id, "undo", naming=f'"entry": {entry_seq},'):
            parts = tuple(part for part in step.parts if part.entry_seq != entry_seq)
            if not parts:
                self.remove(step)
            elif len(parts) < len(step.parts):
                self._write(replace(step, parts=parts))

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
            """select seq, board_id, body from step
               where (:board_id is null or board_id = :board_id)
               and (:stack is null or stack = :stack) and (:naming = '' or instr(body, :naming))
               order by seq desc""",
            {"board_id": board_id, "stack": stack, "naming": naming},
        ).fetchall()
        steps = (_step(*row) for row in rows)
        return [step for step in steps if step is not None]

    def _write(self, step: Step) -> None:
        self._connection.execute("update step set body = ? where seq = ?", (_body(step), step.seq))


def _body(step: Step) -> str:
    parts = [
        {
            "entry": part.entry_seq,
            "do": as_data(part.operation),
            "undo": [as_data(operation) for operation in part.undo],
        }
        for part in step.parts
    ]
    return json.dumps(parts, ensure_ascii=False)


def _step(seq: int, board_id: int, body: str) -> Step | None:
    try:
        parts = tuple(_part(part) for part in json.loads(body))
    except (UnreadableOperationError, ValueError, KeyError, TypeError):
        return None
    return Step(seq, board_id, parts) if parts else None


def _part(data: dict[str, Any]) -> Part:
    undo = tuple(from_data(operation) for operation in data["undo"])
    return Part(int(data["entry"]), from_data(data["do"]), undo)
