"""Bringing a stage back from the archive, with its tasks in the order they had.

Deployed services restore the tasks of a stage all at position 0, so their order is lost.

The rule it keeps: only what was lost is put back. Where the service kept the order nothing is
moved, and otherwise no more tasks than have to.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from tui.client.dialect.changed import merged
from tui.client.dialect.memory import Memory
from tui.client.dialect.placement import Lane
from tui.client.dialect.placing import Placing
from tui.client.records import StageRecord, TaskRecord
from tui.client.resources.stages import Stages
from tui.client.resources.tasks import Tasks

_NO_TASK = 0


@dataclass(frozen=True, slots=True)
class Restored:
    """A stage that is back, and the tasks that changed with it, as far as the service told."""

    stage: StageRecord
    news: tuple[TaskRecord, ...] = ()


class Restoring:
    """Restores stages (4.2)."""

    def __init__(self, stages: Stages, tasks: Tasks, placing: Placing, memory: Memory) -> None:
        self._stages = stages
        self._tasks = tasks
        self._placing = placing
        self._memory = memory

    async def restore(
        self, board_id: int, stage_id: int, order: Sequence[int] | None = None
    ) -> Restored:
        """Restore a stage and, where its order was lost, put the tasks of `order` back into it.

        `order` are the ids of its tasks from top to bottom; tasks that are gone do no harm. Raises
        `ServerFault` if a task does not go to its place, `NotThere`, `NotAllowed`.
        """
        stage = await self._stages.restore(board_id, stage_id)
        if self._memory.is_trusted or not order:
            return Restored(stage)
        tasks = (await self._tasks.list(board_id)).records
        lane = Lane.of(stage_id, tasks)
        here = tuple(task for task in tasks if task.id in lane.positions)
        if len(set(lane.positions.values())) == len(lane.positions):
            return Restored(stage, here)
        spread = await self._stages.sort_tasks(board_id, stage_id, by="position", direction="ASC")
        news = merged(here, spread.records, without=_NO_TASK)
        moved = await self._reorder(board_id, lane.after(spread.records), order)
        return Restored(stage, merged(news, moved, without=_NO_TASK))

    async def _reorder(
        self, board_id: int, lane: Lane, order: Sequence[int]
    ) -> tuple[TaskRecord, ...]:
        """Move tasks until those of `order` stand in it; returns every task that changed."""
        wanted = [task_id for task_id in dict.fromkeys(order) if task_id in lane.positions]
        kept = _longest_in_order(lane.order(), wanted)
        news: tuple[TaskRecord, ...] = ()
        previous: int | None = None
        for task_id in wanted:
            if task_id not in kept:
                others = [one for one in lane.order() if one != task_id]
                index = 1 if previous is None else others.index(previous) + 2
                positions = [(one, lane.positions[one]) for one in others]
                moved = await self._placing.place(
                    board_id, task_id, lane.stage_id, index, positions
                )
                lane = lane.after([*moved.news, moved.task])
                news = merged(news, [*moved.news, moved.task], without=_NO_TASK)
            previous = task_id
        return news


def _longest_in_order(present: Sequence[int], wanted: Sequence[int]) -> set[int]:
    """The most tasks that can stay where they are: the longest run of `present` in the new order.

    It keeps, for every length, the run that ends earliest in the new order.
    """
    rank = {task_id: number for number, task_id in enumerate(wanted)}
    ends: list[int] = []
    before: dict[int, int | None] = {}
    for task_id in present:
        if task_id not in rank:
            continue
        length = bisect_left([rank[end] for end in ends], rank[task_id])
        before[task_id] = ends[length - 1] if length else None
        ends[length : length + 1] = [task_id]
    kept: set[int] = set()
    last = ends[-1] if ends else None
    while last is not None:
        kept.add(last)
        last = before[last]
    return kept
