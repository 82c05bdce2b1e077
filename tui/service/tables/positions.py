"""Positions of tasks in a stage and of subtasks in a group, which never run out.

The order is (position, id) of active tasks. A task is put between two others at the middle of their
positions, so that one row is written; if the gap is too small for that, the tasks around it are
spread first: as few as possible, or else the whole line, 1 to n.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tui.service.database.base import Later, Transaction, first, listed

SMALLEST_GAP = 1e-6
"""Half of it is still far above the precision of a double at the positions of a full stage."""

_SPREADS = ((32, 32 * SMALLEST_GAP), (256, 512 * SMALLEST_GAP), (2048, 8192 * SMALLEST_GAP))
"""How many tasks to spread, and the gap they must get for it; the more, the wider, so that
thousands of tasks put to one place cost a few rows each."""
_ALL = 2**62


class FreePosition(NamedTuple):
    """A free position; `renumbered` says whether others were changed for it."""

    position: float
    renumbered: bool = False


def in_stage(db: Transaction, stage_id: int, besides: int = 0) -> "OrderedTasks":
    """The active tasks of a stage, without the task `besides`."""
    condition = "stage_id = :line and archived_at is null and parent_id is null"
    order = ("archived_at", "parent_id", "position", "id")
    return OrderedTasks(db, condition, order, {"line": stage_id, "besides": besides})


def in_group(db: Transaction, group_id: int, besides: int = 0) -> "OrderedTasks":
    """The active subtasks of a group, without the subtask `besides`."""
    condition = "subtask_group_id = :line and archived_at is null"
    order = ("archived_at", "position", "id")
    return OrderedTasks(db, condition, order, {"line": group_id, "besides": besides})


@dataclass(frozen=True, slots=True)
class OrderedTasks:
    """Tasks in one order: those that match an SQL condition.

    The order begins with the columns that are null in all of them, because PostgreSQL would sort
    the whole line otherwise, instead of reading a part of its index.
    """

    db: Transaction
    condition: str
    order: tuple[str, ...]
    params: Mapping[str, int]

    def ids(self) -> list[int]:
        """The ids in order."""
        return [task_id for task_id, _ in self.rows()]

    def values(self, column: str) -> Sequence[tuple[int, Any]]:
        """The ids in order, with the values of a column of `task`."""
        return self.db.tuples(
            f"""select id, {column} from task where {self.condition} and id <> :besides
            order by {", ".join(self.order)}""",
            **self.params,
        )

    def place(self, index: int | None) -> Later[FreePosition]:
        """A position at `index`, from 1; None, or one past the end, is the end."""
        neighbours = self._neighbours(index)
        return lambda: self._between(index, *neighbours())

    def _between(self, index: int | None, lower: float, upper: float | None) -> FreePosition:
        """A position between those of the neighbours, which may be spread for it."""
        if upper is None or index is None:
            return FreePosition(lower + 1)
        # One row is written in nearly every case.
        if upper - lower > SMALLEST_GAP:
            return FreePosition((lower + upper) / 2)
        # The fewest tasks first: other writers wait for what is written.
        if not any(self._spread(index, count, gap) for count, gap in _SPREADS):
            self._renumber()
        lower, upper = self._neighbours(index)()
        middle = (lower + upper) / 2 if upper is not None else lower + 1
        return FreePosition(middle, renumbered=True)

    def rows(self, begin: int = 0, count: int = _ALL) -> Sequence[tuple[int, float]]:
        """Some of the ids in order, with their positions."""
        return self.db.tuples(
            f"""select id, position from task where {self.condition} and id <> :besides
            order by {", ".join(self.order)} limit {count:d} offset :begin""",
            **self.params,
            begin=begin,
        )

    def _last(self) -> Sequence[tuple[int, float]]:
        return self.db.tuples(
            f"""select id, position from task where {self.condition} and id <> :besides
            order by {", ".join(f"{column} desc" for column in self.order)} limit 1""",
            **self.params,
        )

    def _neighbours(self, index: int | None) -> Later[tuple[float, float | None]]:
        """The positions above and below an index: 0 above the first, None below the last."""
        near = self._last() if index is None else self.rows(max(index - 2, 0), 2)

        def neighbours() -> tuple[float, float | None]:
            # Past the end there is nothing at the index: the place is below the last one.
            is_past_end = not near and index not in (None, 1)
            positions = [float(position) for _, position in (self._last() if is_past_end else near)]
            if index == 1:
                return 0.0, first(positions)
            return first(positions) or 0.0, first(positions[1:])

        return neighbours

    def _spread(self, index: int, count: int, gap: float) -> bool:
        """Spread so many tasks around an index evenly, if each gets a gap of that size."""
        begin = max(index - 2 - count // 2, 0)
        # The first and the last of these are borders that stay, except at the ends of the line.
        rows = list(self.rows(begin, count + 2))
        lower = 0.0 if begin == 0 else float(rows.pop(0)[1])
        # At the end of the line nothing bounds it.
        step = 1.0
        if len(rows) > count:
            upper = float(rows.pop()[1])
            step = (upper - lower) / (len(rows) + 1)
        if step < gap:
            return False
        self.db.run(
            """update task
            set position = cast(:lower as {real}) + wanted.one * cast(:step as {real})
            from {pairs} as wanted where task.id = wanted.other""",
            lower=lower,
            step=step,
            pairs=listed(enumerate((task_id for task_id, _ in rows), start=1)),
        )
        return True

    def _renumber(self) -> None:
        """Set the positions of all tasks to 1 to n, in their present order."""
        self.db.run(
            f"""update task set position = ranked.place from (
                select id, row_number() over (order by position, id) as place from task
                where {self.condition}
            ) as ranked where task.id = ranked.id""",
            **self.params,
        )
