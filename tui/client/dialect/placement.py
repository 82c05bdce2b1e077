"""Where a task is to stand in a stage, told by its neighbours, and whether it came to stand there.

The rule it keeps: the order of a stage is (position, id) of its active tasks. A place is counted
from 1 among the others only at the moment of sending; whether it was met is told by the neighbours,
so that what other people moved meanwhile is no failure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from tui.client.records import TaskRecord

SMALLEST_GAP = 0.02
"""Deployed services keep two decimals: in a smaller gap there is no room for one more."""
_SAME = 1e-9


class Verdict(Enum):
    """Whether a task stands where it was to stand."""

    RIGHT = auto()
    WRONG = auto()
    UNCLEAR = auto()


@dataclass(frozen=True, slots=True)
class Lane:
    """The active tasks of a stage as far as they are known, with their positions.

    `fresh` are the ids whose positions the service told just now.
    """

    stage_id: int
    positions: dict[int, float]
    fresh: frozenset[int] = field(default_factory=frozenset)

    @classmethod
    def of(cls, stage_id: int, tasks: Iterable[TaskRecord]) -> "Lane":
        """The lane of a stage among all the tasks of its board."""
        positions = {task.id: task.position for task in tasks if _stands_in(task, stage_id)}
        return cls(stage_id, positions, frozenset(positions))

    def order(self) -> list[int]:
        """The ids from top to bottom."""
        return sorted(self.positions, key=self.key)

    def key(self, task_id: int) -> tuple[float, int]:
        """What the order goes by."""
        return (self.positions[task_id], task_id)

    def after(self, tasks: Iterable[TaskRecord]) -> "Lane":
        """The lane once it is known how some tasks are now; some of them may have left it."""
        positions, fresh = dict(self.positions), set(self.fresh)
        for task in tasks:
            if "position" not in task.model_fields_set:
                continue
            positions.pop(task.id, None)
            fresh.discard(task.id)
            if _stands_in(task, self.stage_id):
                positions[task.id] = task.position
                fresh.add(task.id)
        return replace(self, positions=positions, fresh=frozenset(fresh))


def _stands_in(task: TaskRecord, stage_id: int) -> bool:
    return task.stage_id == stage_id and task.archived_at is None and task.parent_id is None


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for a task among others: those `above` it and those `below`, top to bottom."""

    task_id: int
    above: tuple[int, ...]
    below: tuple[int, ...]

    @classmethod
    def at(cls, task_id: int, index: int, others: Sequence[int]) -> "Spot":
        """The place at `index`, from 1; one past the end is the end."""
        cut = min(max(index, 1), len(others) + 1) - 1
        return cls(task_id, tuple(others[:cut]), tuple(others[cut:]))

    def index_in(self, lane: Lane) -> int:
        """The number to send, from 1 among the others that are there now."""
        others = [task_id for task_id in lane.order() if task_id != self.task_id]
        upper, lower = self._neighbours(lane)
        if upper is not None:
            return others.index(upper) + 2
        if lower is not None:
            return others.index(lower) + 1
        return min(len(self.above), len(others)) + 1

    def verdict(self, lane: Lane) -> Verdict:
        """Whether the task stands between its neighbours; unclear where that rests on old news.

        Where others put one neighbour past the other, standing right by one of them is enough.
        """
        if self.task_id not in lane.positions:
            return Verdict.WRONG
        mine = lane.key(self.task_id)
        upper, lower = self._neighbours(lane)
        is_below_upper = upper is None or lane.key(upper) < mine
        is_above_lower = lower is None or mine < lane.key(lower)
        if is_below_upper and is_above_lower:
            return Verdict.RIGHT
        neighbours = {upper, lower} - {None}
        if not neighbours <= lane.fresh:
            return Verdict.UNCLEAR
        crossed = upper is not None and lower is not None and lane.key(upper) > lane.key(lower)
        return Verdict.RIGHT if crossed and (is_below_upper or is_above_lower) else Verdict.WRONG

    def is_cramped(self, lane: Lane) -> bool:
        """Whether the positions around the place leave no room for one more task."""
        upper, lower = self._neighbours(lane)
        if lower is None:
            return self.is_tied(lane)
        floor = 0.0 if upper is None else lane.positions[upper]
        return lane.positions[lower] - floor < SMALLEST_GAP

    def is_tied(self, lane: Lane) -> bool:
        """Whether the task shares the position of a neighbour, which leaves their order open."""
        mine = lane.positions.get(self.task_id)
        around = [lane.positions[one] for one in self._neighbours(lane) if one is not None]
        return mine is not None and any(abs(mine - one) < _SAME for one in around)

    def _neighbours(self, lane: Lane) -> tuple[int | None, int | None]:
        """The nearest task above and the nearest below that are there now."""
        upper = next((one for one in reversed(self.above) if one in lane.positions), None)
        lower = next((one for one in self.below if one in lane.positions), None)
        return upper, lower
