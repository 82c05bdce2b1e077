"""The order of the active tasks of a stage, by position and id."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tui.client.documents import Document


@dataclass(frozen=True, slots=True)
class StageLane:
    """The active tasks of a stage that are known, with their positions.

    `fresh` are the ids whose positions are from the last response. If it is not `is_whole`, it has
    only those around a place.
    """

    stage_id: int
    positions: dict[int, float]
    fresh: frozenset[int] = field(default_factory=frozenset)
    is_whole: bool = True

    @classmethod
    def of(cls, stage_id: int, tasks: Iterable[Document]) -> "StageLane":
        """The lane of a stage, given all the tasks of its board."""
        positions = {
            task["id"]: task.get("position", 0.0) for task in tasks if _stands_in(task, stage_id)
        }
        return cls(stage_id, positions, frozenset(positions))

    @property
    def is_tied(self) -> bool:
        """Whether two tasks have the same position."""
        return len(set(self.positions.values())) < len(self.positions)

    @property
    def is_fresh(self) -> bool:
        """Whether all positions are known, and from the last response."""
        return self.is_whole and self.fresh == self.positions.keys()

    def order(self) -> list[int]:
        """The ids from top to bottom."""
        return sorted(self.positions, key=self.key)

    def others(self, task_id: int) -> list[int]:
        """The ids from top to bottom, without one."""
        return [other for other in self.order() if other != task_id]

    def key(self, task_id: int) -> tuple[float, int]:
        """The sort key of a task."""
        return (self.positions[task_id], task_id)

    def after(self, tasks: Iterable[Document]) -> "StageLane":
        """The lane updated with tasks, some of which may have left it."""
        positions, fresh = dict(self.positions), set(self.fresh)
        for task in tasks:
            # Short replies say nothing about the place.
            if "position" not in task:
                continue
            task_id = task["id"]
            positions.pop(task_id, None)
            fresh.discard(task_id)
            if _stands_in(task, self.stage_id):
                positions[task_id] = task["position"]
                fresh.add(task_id)
        return replace(self, positions=positions, fresh=frozenset(fresh))


def _stands_in(task: Document, stage_id: int) -> bool:
    is_active = task.get("archived_at") is None and task.get("parent_id") is None
    return is_active and task.get("stage_id") == stage_id


def longest_in_order(present: Sequence[int], wanted: Sequence[int]) -> set[int]:
    """The most tasks that can stay: the longest subsequence of `present` in the new order.

    It keeps, for every length, the subsequence that ends earliest in the new order.
    """
    rank = {task_id: number for number, task_id in enumerate(wanted)}
    # The item at `n` ends the best subsequence of `n + 1` tasks so far.
    ends: list[int] = []
    predecessor: dict[int, int | None] = {}
    for task_id in present:
        if task_id not in rank:
            continue
        length = bisect_left([rank[end] for end in ends], rank[task_id])
        predecessor[task_id] = ends[length - 1] if length else None
        ends[length : length + 1] = [task_id]
    unmoved: set[int] = set()
    last = ends[-1] if ends else None
    while last is not None:
        unmoved.add(last)
        last = predecessor[last]
    return unmoved
