"""Operations on all tasks of a stage: sort them, put them in an order, archive and restore them."""

from abc import ABC
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from typing import Any, Self

from tui.client.errors import NotFound
from tui.model.board import BoardView, Stage
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId, StageId, TaskId
from tui.model.task import Priority, Task
from tui.record import record
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    Baseline,
    Finding,
    Nothing,
    Operation,
    Reply,
    ReplyPart,
    Subject,
    operation,
)
from tui.store.operations.ids import About, Former
from tui.store.reading import ids_in_order
from tui.store.remote import Remote
from tui.text.clean import counted, quoted


class SortBy(StrEnum):
    """What the tasks of a stage are sorted by, as services call it."""

    TITLE = "title"
    CREATED = "created_at"
    DUE = "due_at"
    PRIORITY = "priority"
    POSITION = "position"

    @property
    def in_words(self) -> str:
        """The sort key in words."""
        return _DATES.get(self, self.value)


_DATES = {SortBy.CREATED: "creation date", SortBy.DUE: "due date"}
_KEYS: dict[SortBy, Callable[[Task], Any]] = {
    SortBy.TITLE: lambda task: task.title.casefold(),
    SortBy.CREATED: lambda task: task.created_at,
    SortBy.DUE: lambda task: task.due_at,
    SortBy.PRIORITY: lambda task: -list(Priority).index(task.priority),
}


@record
class TasksOfStage(Operation, ABC):
    """Changes many tasks of a stage at once; `name` is its title.

    Its result depends on every earlier change of a task.
    """

    board_id: BoardId
    stage_id: About[StageId]
    name: str

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("stage", self.stage_id)})

    def depends_on(self, earlier: Operation) -> bool:
        return earlier.subject.kind == "task" or Operation.depends_on(self, earlier)

    def conflicts_with(self, other: Operation) -> bool:
        return other.subject.kind == "task" or Operation.conflicts_with(self, other)

    def _with_lane(self, view: BoardView, lane: Iterable[Task]) -> BoardView:
        if view.stage(self.stage_id) is None:
            return view
        return replace(view, tasks={**view.tasks, self.stage_id: tuple(lane)})

    def _parts(self, documents: Iterable[Document]) -> tuple[ReplyPart, ...]:
        return tuple(
            ReplyPart("task", int(task["id"]), {key: task[key] for key in task if key != "stage"})
            for task in documents
            if task.get("stage_id") == self.stage_id and task.get("parent_id") is None
        )

    async def _active(self, remote: Remote) -> list[int]:
        tasks = await remote.tasks(self.board_id)
        return ids_in_order(task for task in tasks if task.get("stage_id") == self.stage_id)


@operation("sort-stage")
@record
class SortStage(TasksOfStage):
    """Sort the tasks of a stage for good; `old_order` is the one when it was submitted.

    High priority comes first, and tasks without a due date last in both directions; equal ones
    keep their order. Sorting by position ascending only numbers them afresh.
    """

    by: SortBy
    descending: bool = False
    old_order: Former[tuple[TaskId, ...]] = ()

    @classmethod
    def on(cls, stage: Stage, by: SortBy, *, descending: bool = False) -> Self:
        return cls(stage.board_id, stage.id, stage.title, by, descending)

    def apply(self, view: BoardView) -> BoardView:
        return self._with_lane(view, self._sorted(view.in_stage(self.stage_id)))

    def _sorted(self, lane: Sequence[Task]) -> Sequence[Task]:
        if self.by is SortBy.POSITION:
            return tuple(lane)[::-1] if self.descending else lane
        key = _KEYS[self.by]
        keyed = [task for task in lane if key(task) is not None]
        unkeyed = [task for task in lane if key(task) is None]
        # `reverse` keeps the order of equal ones too; reversing the result would not.
        return sorted(keyed, key=key, reverse=self.descending) + unkeyed

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        order, ids = "DESC" if self.descending else "ASC", (self.board_id, self.stage_id)
        tasks = await remote.sort_tasks(*ids, by=self.by.value, direction=order)
        return Reply(parts=self._parts(tasks))

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        # Only reversing the order twice does harm; everything else is sent again.
        if self.by is not SortBy.POSITION or not self.descending:
            return Finding(done=False)
        now = [task_id for task_id in await self._active(remote) if task_id in self.old_order]
        previous = [task_id for task_id in self.old_order if task_id in now]
        if now == previous:
            return Finding(done=False)
        return Finding(done=True if now == previous[::-1] else None)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        order = _ids(view.in_stage(self.stage_id))
        if not order or (self.by is SortBy.POSITION and not self.descending):
            return ()
        return (OrderTasks(self.board_id, self.stage_id, self.name, order),)

    def named(self, view: BoardView, detail: TaskDetail | None = None) -> Self:
        return replace(self, old_order=_ids(view.in_stage(self.stage_id)))

    def describe(self) -> str:
        how = ", descending" if self.descending else ""
        return f"Sort the stage {quoted(self.name)} by {self.by.in_words}{how}"


@operation("order-tasks")
@record
class OrderTasks(TasksOfStage):
    """Put tasks of a stage in an order; others stay where they are."""

    order: Former[tuple[TaskId, ...]]

    def apply(self, view: BoardView) -> BoardView:
        return self._with_lane(view, _in_order(view.in_stage(self.stage_id), self.order))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        tasks = await remote.order_tasks(self.board_id, self.stage_id, self.order)
        return Reply(parts=self._parts(tasks))

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        now = [task_id for task_id in await self._active(remote) if task_id in self.order]
        return Finding(done=now == [task_id for task_id in self.order if task_id in now])

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        return (replace(self, order=_ids(view.in_stage(self.stage_id))),)

    def describe(self) -> str:
        return f"Restore the order of the stage {quoted(self.name)}"


@operation("archive-tasks")
@record
class ArchiveTasks(TasksOfStage):
    """Archive all active tasks of a stage; `tasks` are those it had when it was submitted."""

    tasks: Former[tuple[Task, ...]]

    @classmethod
    def on(cls, view: BoardView, stage: Stage) -> Self:
        return cls(stage.board_id, stage.id, stage.title, tuple(view.in_stage(stage.id)))

    def apply(self, view: BoardView) -> BoardView:
        return self._with_lane(view, ())

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        return Reply(parts=self._parts(await remote.archive_tasks(self.board_id, self.stage_id)))

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        now = await self._active(remote)
        return Finding(done=not any(task.id in now for task in self.tasks))

    def merged_with(self, later: Operation) -> Operation | None:
        return Nothing(self.board_id) if isinstance(later, RestoreTasks) else None

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        tasks = tuple(view.in_stage(self.stage_id))
        return (RestoreTasks(self.board_id, self.stage_id, self.name, tasks),) if tasks else ()

    def named(self, view: BoardView, detail: TaskDetail | None = None) -> Self:
        return replace(self, tasks=tuple(view.in_stage(self.stage_id)))

    def describe(self) -> str:
        return f"Archive {counted(len(self.tasks), 'card')} of the stage {quoted(self.name)}"


@operation("restore-tasks")
@record
class RestoreTasks(TasksOfStage):
    """Restore archived tasks of a stage, in their order; those deleted since are left out."""

    tasks: Former[tuple[Task, ...]]

    def apply(self, view: BoardView) -> BoardView:
        present = {task.id for task in view.all_tasks()}
        back = (task for task in self.tasks if task.id not in present)
        lane = (*back, *view.in_stage(self.stage_id))
        return self._with_lane(view, _in_order(lane, _ids(self.tasks)))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        # From the last to the first, as each goes to the top.
        active = set(await self._active(remote))
        restored = []
        for task in reversed(self.tasks):
            if task.id not in active and task.id > 0:
                with suppress(NotFound):
                    ids = (self.board_id, task.id)
                    restored.append(await remote.set_task(*ids, "archived_at", None))
        order = _ids(task for task in self.tasks if task.id > 0)
        ordered = await remote.order_tasks(self.board_id, self.stage_id, order)
        return Reply(parts=self._parts([*restored, *ordered]))

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        # Sending it again restores only what is still archived.
        order = [task.id for task in self.tasks if task.id > 0]
        now = [task_id for task_id in await self._active(remote) if task_id in order]
        return Finding(done=now == order)

    def merged_with(self, later: Operation) -> Operation | None:
        return Nothing(self.board_id) if isinstance(later, ArchiveTasks) else None

    def describe(self) -> str:
        count = counted(len(self.tasks), "card")
        return f"Restore {count} of the stage {quoted(self.name)}"


def _ids(tasks: Iterable[Task]) -> tuple[int, ...]:
    return tuple(task.id for task in tasks)


def _in_order(lane: Sequence[Task], order: Sequence[int]) -> list[Task]:
    # Tasks that `order` does not name keep their places.
    rank = {task_id: number for number, task_id in enumerate(order)}
    named = sorted((task for task in lane if task.id in rank), key=lambda task: rank[task.id])
    remaining = iter(named)
    return [next(remaining) if task.id in rank else task for task in lane]
