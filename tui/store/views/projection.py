"""The projection: the service's state with pending operations applied.

Nothing is rolled back: an accepted or refused operation leaves the pending ones, and the view is
projected again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Self

from tui.model.board import BoardView, Place
from tui.model.detail import TaskDetail
from tui.model.task import Status, Task
from tui.store.operations.base import Operation
from tui.store.outbox.entry import Entry


class MutableBoard(BoardView):
    """A view whose methods change it in place; used inside a projection only.

    Copying a view of thousands of tasks for each of hundreds of operations would be too slow.
    """

    __slots__ = ("_cards", "_order", "_where")

    _order: dict[int, list[int]]
    _cards: dict[int, Task]
    _where: dict[int, int]

    @classmethod
    def of(cls, view: BoardView) -> Self:
        """A mutable copy of a view."""
        return cls(**{field.name: getattr(view, field.name) for field in fields(view)})

    def view(self) -> BoardView:
        """The current state as an immutable view."""
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

    def with_task(self, task: Task) -> "MutableBoard":
        """The board with a task's new values, where it stands; unchanged if it is not there."""
        if task.id in self._cards and self._where[task.id] == task.stage_id:
            self._cards[task.id] = task
        return self

    def without_task(self, task_id: int) -> "MutableBoard":
        """The board without a task."""
        stage_id = self._where.pop(task_id, None)
        if stage_id is not None:
            self._order[stage_id].remove(task_id)
            del self._cards[task_id]
        return self

    def with_task_at(self, task: Task, stage_id: int, place: Place) -> "MutableBoard":
        """The board with a task put into a stage at a place; see `BoardView.with_task_at`."""
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


_MANY = 8
"""From so many operations on, a mutable copy of a view costs less than a new view for each."""


def base_for(view: BoardView, operations: int) -> BoardView:
    """The view, or a mutable copy of it, to which so many operations are applied."""
    return MutableBoard.of(view) if operations >= _MANY else view


def project(view: BoardView, pending: Iterable[Operation]) -> BoardView:
    """Apply pending operations in order, to the truth or to what is drawn already."""
    operations = tuple(pending)
    drawn = base_for(view, len(operations))
    for operation in operations:
        drawn = operation.apply(drawn)
    drawn = drawn.view() if isinstance(drawn, MutableBoard) else drawn
    touched = view.pending.union(one.task_id for one in operations if one.task_id is not None)
    return drawn if touched == drawn.pending else drawn.with_pending(touched)


def without_made(truth: BoardView, entries: Iterable[Entry]) -> BoardView:
    """The board without what entries in flight may have created already.

    These things are drawn by their local ids; otherwise they would be there twice.
    """
    for entry in entries:
        if entry.is_outstanding and not entry.is_accepted:
            truth = entry.operation.without_made(truth, entry.newest_id)
    return truth


def drawn_with_new_ids(drawn: BoardView, renamed: Mapping[int, int]) -> BoardView:
    """A view with local ids replaced by assigned ones."""
    view = drawn
    for old, new in renamed.items():
        task, found = view.task(old), view.place_of(old)
        if task is not None and found is not None:
            stage_id, place = found
            view = view.without_task(old).with_task_at(replace(task, id=new), stage_id, place)
    return view.with_pending(renamed.get(one, one) for one in drawn.pending)


def projected(truth: TaskDetail, entries: Iterable[Entry]) -> TaskDetail:
    """An opened task with the pending operations applied, marked as pending where they show."""
    entries = tuple(entry for entry in entries if entry.is_drawn)
    for entry in entries:
        if entry.is_outstanding and not entry.is_accepted:
            truth = entry.operation.without_made_in_detail(truth, entry.newest_id)
    detail, touched = truth, set[tuple[str, int]]()
    for operation in (entry.operation for entry in entries):
        changed = operation.apply_detail(detail)
        if changed is not detail:
            touched.update(operation.shown_on)
        detail = changed
    return replace(detail, pending=frozenset(touched)) if touched else detail
