"""A board while many changes are drawn on it, one after the other.

The rule it keeps: a view is a value, and every change makes a new one; that is dear when hundreds
of changes wait on a board of thousands of tasks. An easel is a view that is drawn upon in place:
nobody but the projection sees it, and what comes of it is a view again.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Self

from tui.model.board import BoardView, Place
from tui.model.task import Status, Task


class Easel(BoardView):
    """A view whose methods change it and return it; what is replaced whole makes a new one."""

    __slots__ = ("_cards", "_order", "_where")

    _order: dict[int, list[int]]
    _cards: dict[int, Task]
    _where: dict[int, int]

    @classmethod
    def of(cls, view: BoardView) -> Self:
        """An easel with a view on it."""
        return cls(**{field.name: getattr(view, field.name) for field in fields(view)})

    def view(self) -> BoardView:
        """What is on it now, as a view."""
        return BoardView(**{field.name: getattr(self, field.name) for field in fields(self)})

    @property
    def tasks(self) -> Mapping[int, tuple[Task, ...]]:
        """The tasks of each stage, in order."""
        return {stage_id: self.in_stage(stage_id) for stage_id in self._order}

    @tasks.setter
    def tasks(self, lanes: Mapping[int, tuple[Task, ...]]) -> None:
        order = {stage_id: [task.id for task in lane] for stage_id, lane in lanes.items()}
        object.__setattr__(self, "_order", order)
        object.__setattr__(
            self, "_cards", {task.id: task for lane in lanes.values() for task in lane}
        )
        object.__setattr__(
            self, "_where", {one: stage_id for stage_id, ids in order.items() for one in ids}
        )

    def in_stage(self, stage_id: int) -> tuple[Task, ...]:
        """The active tasks of a stage, in order."""
        return tuple(map(self._cards.__getitem__, self._order.get(stage_id, ())))

    def task(self, task_id: int) -> Task | None:
        """The active task with this id, if the board has it."""
        return self._cards.get(task_id)

    def place_of(self, task_id: int) -> tuple[int, Place] | None:
        """The stage of a task and its place there, told by its present neighbours."""
        stage_id = self._where.get(task_id)
        if stage_id is None:
            return None
        ids = self._order[stage_id]
        index = ids.index(task_id)
        above = ids[index - 1] if index else None
        return stage_id, Place(above, ids[index + 1] if index + 1 < len(ids) else None)

    def with_task(self, task: Task) -> "Easel":
        """The easel with a task's new values, where it stands; unchanged if it is not there."""
        if task.id in self._cards and self._where[task.id] == task.stage_id:
            self._cards[task.id] = task
        return self

    def without_task(self, task_id: int) -> "Easel":
        """The easel without a task."""
        stage_id = self._where.pop(task_id, None)
        if stage_id is not None:
            self._order[stage_id].remove(task_id)
            del self._cards[task_id]
        return self

    def with_task_at(self, task: Task, stage_id: int, place: Place) -> "Easel":
        """The easel with a task put into a stage at a place; see `BoardView.with_task_at`."""
        stage = self.stage(stage_id)
        if stage is None:
            return self
        self.without_task(task.id)
        closes = stage.default_status is Status.CLOSED and task.stage_id != stage_id
        status = Status.CLOSED if closes else task.status
        ids = self._order.setdefault(stage_id, [])
        ids.insert(place.index_in(ids), task.id)
        self._cards[task.id] = replace(task, stage_id=stage_id, status=status)
        self._where[task.id] = stage_id
        return self
