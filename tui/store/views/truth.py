"""The service's last word on one board, whole and in memory.

The rule it keeps: it holds nothing that is still on its way, and its view is always in order: by
position, then by id.
"""

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import replace

from tui.model.board import BoardView
from tui.model.task import Task


def _order(task: Task) -> tuple[float, int]:
    return (task.position, task.id)


class Truth:
    """A view that follows the service, a task at a time.

    `frame` is the board with its stages; `newest_id` is the highest id ever seen on the board.
    """

    def __init__(self, frame: BoardView, newest_id: int = 0) -> None:
        self._by_id: dict[int, Task] = {}
        self._lanes: dict[int, Sequence[Task]] = {}
        self._frame = frame
        self.newest_id = newest_id
        self._view: BoardView | None = None

    @property
    def board_id(self) -> int:
        """The id of the board."""
        return self._frame.board.id

    @property
    def view(self) -> BoardView:
        """The board as the service last said it."""
        if self._view is None:
            self._lanes = {stage_id: tuple(lane) for stage_id, lane in self._lanes.items()}
            lanes = {stage.id: tuple(self._lanes.get(stage.id, ())) for stage in self._frame.stages}
            self._view = replace(self._frame, tasks=lanes)
        return self._view

    def task(self, task_id: int) -> Task | None:
        """The active task with this id, if the board has it."""
        return self._by_id.get(task_id)

    def append(self, task: Task) -> None:
        """Take a task that comes after all those of its stage; for loading a board in order.

        One that comes again was moved while the board was being loaded: the later word counts.
        """
        self.drop(task.id)
        if task.stage_id is not None:
            lane = self._lanes.get(task.stage_id)
            if not isinstance(lane, list):
                lane = self._lanes[task.stage_id] = list(lane or ())
            lane.append(task)
            self._by_id[task.id] = task
            self._view = None

    def reframe(self, frame: BoardView) -> bool:
        """Take over a board and its stages as they are now; says whether anything changed."""
        if frame == self._frame:
            return False
        self._frame = frame
        self._view = None
        return True

    def put(self, task: Task) -> bool:
        """Take over a task as it is now; says whether anything changed."""
        self.newest_id = max(self.newest_id, task.id)
        if task.archived_at is not None or task.stage_id is None or task.parent_id is not None:
            return self.drop(task.id)
        if self._by_id.get(task.id) == task:
            return False
        self.drop(task.id)
        lane = list(self._lanes.get(task.stage_id, ()))
        insort(lane, task, key=_order)
        self._by_id[task.id] = task
        self._lanes[task.stage_id] = tuple(lane)
        self._view = None
        return True

    def drop(self, task_id: int) -> bool:
        """Take a task off the board; says whether it was there."""
        task = self._by_id.pop(task_id, None)
        if task is None or task.stage_id is None:
            return False
        lane = self._lanes[task.stage_id]
        index = bisect_left(lane, _order(task), key=_order)
        self._lanes[task.stage_id] = (*lane[:index], *lane[index + 1 :])
        self._view = None
        return True
