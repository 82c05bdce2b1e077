"""One board in memory: the service's state, complete and ordered, without pending changes."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from tui.model.board import BoardView
from tui.model.lane import Lane
from tui.model.task import Task
from tui.store.cache.observer import ChangedTask
from tui.store.documents.assemble import Assembler
from tui.store.documents.shapes import FirstPaint

_MANY = 1_024
"""Tasks that are merged into the lane of a stage in one step, which takes some milliseconds."""


class Truth:
    """The service's state of a board, updated task by task; ordered by position, then id.

    `frame` is the board with its stages; `newest_id` is the highest task id ever seen on it.
    """

    def __init__(
        self, frame: BoardView, newest_id: int = 0, lanes: Mapping[int, Lane] = MappingProxyType({})
    ) -> None:
        self._lanes = defaultdict(Lane, lanes)
        self._left: defaultdict[int, set[int]] = defaultdict(set)
        """The ids of tasks that the lane of a stage still has."""
        self._arrived: defaultdict[int, dict[int, Task]] = defaultdict(dict)
        """The tasks that it does not have yet, by id."""
        self._frame = frame
        self.newest_id = newest_id
        self._view: BoardView | None = None

    @cached_property
    def _stages(self) -> dict[int, int]:
        """The stage of each task by its id."""
        return {task_id: stage_id for stage_id, lane in self._lanes.items() for task_id in lane.ids}

    @property
    def view(self) -> BoardView:
        """The board without pending changes."""
        if self._view is None:
            self._put_in_order()
            stage_ids = [stage.id for stage in self._frame.stages]
            lanes = {stage_id: self._lanes[stage_id] for stage_id in stage_ids}
            self._view = replace(self._frame, tasks=lanes)
        return self._view

    def _put_in_order(self) -> None:
        # Removals first: a task that changed within its stage is in both, once as the lane has it
        # and once as it is now.
        for stage_id, ids in self._left.items():
            self._lanes[stage_id] = self._lanes[stage_id].without(ids)
        for stage_id, tasks in self._arrived.items():
            self._lanes[stage_id] = self._lanes[stage_id].merged(tasks.values())
        self._left.clear()
        self._arrived.clear()

    def task(self, task_id: int) -> Task | None:
        """The active task with this id, if the board has it."""
        stage_id = self._stages.get(task_id)
        if stage_id is None:
            return None
        return self._arrived[stage_id].get(task_id) or self._lanes[stage_id].task(task_id)

    def reframe(self, frame: BoardView) -> bool:
        """Replace the board and its stages; returns whether anything changed."""
        if frame == self._frame:
            return False
        self._frame = frame
        self._view = None
        return True

    def put(self, task: Task) -> bool:
        """Add or replace a task; returns whether anything changed."""
        if task.board_id != self._frame.board.id:
            return self.drop(task.id)
        # Archived tasks count too: after a lost reply, only higher ids may be what was created.
        self.newest_id = max(self.newest_id, task.id)
        if task.archived_at is not None or task.stage_id is None or task.parent_id is not None:
            return self.drop(task.id)
        if self.task(task.id) == task:
            return False
        self.drop(task.id)
        self._stages[task.id] = task.stage_id
        self._arrived[task.stage_id][task.id] = task
        self._view = None
        # In steps while tasks come in, so that the next `view` has little left to do at once.
        if len(self._arrived[task.stage_id]) >= _MANY:
            self._put_in_order()
        return True

    def drop(self, task_id: int) -> bool:
        """Remove a task; returns whether it was there."""
        stage_id = self._stages.pop(task_id, None)
        if stage_id is None:
            return False
        if self._arrived[stage_id].pop(task_id, None) is None:
            self._left[stage_id].add(task_id)
        self._view = None
        return True


class MergeResult(NamedTuple):
    """What a fetched list of tasks changed: whether the board looks different, and which tasks.

    It `is_outdated` if some of the tasks were written after the list was requested.
    """

    looks_different: bool = False
    changed: tuple[ChangedTask, ...] = ()
    is_outdated: bool = False


@dataclass(slots=True, repr=False, eq=False)
class BoardState:
    """What is in memory of one board.

    `preview` is the first paint, used until the `truth` is loaded. `touched` are the tasks changed
    by replies since a reload began, for which its response is older. `frame_replies` counts the
    replies that changed the board, its stages, labels or fields: a response is older than one that
    came after its request, and `asked_at_frame` is that number when a reload began. `revision` is
    the cache revision of the truth, or of the preview before that, `asked_at_revision` the one when
    a reload began: other programs write to the cache too. `view` is what is drawn, which `took` so
    many seconds; it `is_behind` if an accepted change has not been drawn again.
    """

    preview: BoardView | None = None
    truth: Truth | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    touched: set[int] = field(default_factory=set)
    frame_replies: int = 0
    asked_at_frame: int = 0
    revision: int = 0
    asked_at_revision: int = 0
    view: BoardView | None = None
    is_behind: bool = False
    took: float = 0.0


def preview_of(first: FirstPaint, assembler: Assembler) -> BoardView:
    """A board with the first tasks of each stage."""
    truth = Truth(assembler.empty_view(first.board))
    for task in first.tasks:
        truth.put(task)
    return replace(truth.view, complete=False, totals=first.totals)
