"""Operations on stages, and on all tasks of one.

A stage is created, set up, reordered, archived and restored. An archived one takes its tasks off
the board, and services may lose their order; so archiving and restoring keep the stage with its
tasks. The tasks of a stage are sorted, put in an order, archived and restored.
"""

from abc import ABC
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from typing import Any, ClassVar, Self

from tui.client.errors import NotFound, NotStored
from tui.model.board import BoardView, Place, Stage, StagePlace
from tui.model.detail import TaskDetail
from tui.model.fields.plain import STAGE_SETTINGS
from tui.model.ids import BoardId, StageId, TaskId
from tui.model.task import Priority, Status, Task
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
from tui.store.operations.creation import Absorbed, Creation
from tui.store.operations.ids import About, Former, new_local_id
from tui.store.reading import first_newer, ids_in_order, is_archived, same_text
from tui.store.remote import Remote
from tui.text.clean import counted, line, quoted


@operation("create-stage")
@record
class CreateStage(Creation):
    """Add a stage at the end of a board; `status` is what tasks moved into it become.

    With `unless_there` it stands for the stage of this title, as a service may have made it with a
    new board; that gets the `status`, and one is added only if there is none.
    """

    absorbs: ClassVar[Absorbed] = {"title": {"title": str}, "status": {"status": Status}}

    board_id: BoardId
    stage_id: About[StageId]
    title: str
    status: Status = Status.OPEN
    unless_there: bool = False

    @classmethod
    def new(
        cls, board_id: int, title: str, status: Status = Status.OPEN, *, unless_there: bool = False
    ) -> Self:
        return cls(board_id, new_local_id(), title, status, unless_there)

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("board", self.board_id)})

    def apply(self, view: BoardView) -> BoardView:
        if view.stage(self.stage_id) is not None:
            return view
        for stage in view.stages if self.unless_there else ():
            if same_text(stage.title, self.title) and not view.in_stage(stage.id):
                view = view.without_stage(stage.id)
        last = view.stages[-1].position if view.stages else 0.0
        ids = (self.stage_id, self.board_id)
        return view.with_stage(Stage(*ids, line(self.title), last + 1.0, self.status))

    def without_made(self, view: BoardView, newest_id: int) -> BoardView:
        present = ((stage.id, stage.title) for stage in view.stages)
        stage_id = first_newer(present, self.title, newest_id)
        return view if stage_id is None else view.without_stage(stage_id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        if self.unless_there and (stage := await self._present(remote)):
            setting = STAGE_SETTINGS["status"]
            if setting.read(stage) != self.status:
                await remote.set_stage_setting(
                    self.board_id, stage["id"], self.title, setting.member, self.status
                )
                stage = await self._present(remote) or stage
            return self.reply_created(stage)
        known_ids = {stage.id for stage in truth.stages}
        stages = await remote.create_stage(self.board_id, self.title, self.status)
        # The reply lists stages that existed before, so the new one has to be picked out.
        created = self._created(stages, known_ids)
        if created is None:
            # A success is not repeated, so what it made has to be found now.
            board = await remote.board(self.board_id)
            created = self._created(board.get("stages") or (), known_ids)
        if created is None:
            raise NotStored("The service reported a new stage, but the board does not have it.")
        return self.reply_created(created)

    def _created(self, stages: Iterable[Document], known: Collection[int]) -> Document | None:
        """The stage that was not there before; the title, which services change, may differ."""
        new = [
            stage
            for stage in stages
            if self.is_mine(stage) or not (stage["id"] in known or is_archived(stage))
        ]
        return max(
            new,
            key=lambda stage: (stage["id"] not in known, self.is_mine(stage), stage["id"]),
            default=None,
        )

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        if self.unless_there:  # sending it again is harmless
            return Finding(done=False)
        return await Creation.already_done(self, remote, baseline)

    async def _present(self, remote: Remote) -> Document | None:
        stages = (await remote.board(self.board_id)).get("stages") or ()
        matches = (stage for stage in stages if self.is_mine(stage) and not is_archived(stage))
        return next(matches, None)

    def is_mine(self, stage: Document) -> bool:
        return same_text(stage.get("title"), self.title)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        return (ArchiveStage.on(self.apply(view), self.stage_id),)

    def describe(self) -> str:
        return f"Add the stage {quoted(line(self.title))}"


@operation("archive-stage")
@record
class ArchiveStage(Operation):
    """Archive a stage with its tasks."""

    removes_subject: ClassVar[bool] = True

    stage: About[Stage]
    tasks: Former[tuple[Task, ...]]
    place: Former[StagePlace]

    @classmethod
    def on(cls, view: BoardView, stage_id: int) -> Self:
        """Archive a stage of a board. Raises `LookupError` if the board does not have it."""
        stage = view.stage(stage_id)
        if stage is None:
            raise LookupError(stage_id)
        return cls(stage, tuple(view.in_stage(stage_id)), view.stage_place_of(stage_id) or Place())

    def apply(self, view: BoardView) -> BoardView:
        return view.without_stage(self.stage.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        await remote.archive_stage(self.board_id, self.stage.id)
        return self.reply_about(None)

    def is_done(self, now: Document | None, baseline: Baseline) -> bool:
        return now is None or is_archived(now)

    def merged_with(self, later: Operation) -> Operation | None:
        # Archiving and restoring moves it to the end: a place without neighbours.
        if not isinstance(later, RestoreStage):
            return None
        last = Place(above=self.stage.id)
        return MoveStage(self.board_id, self.stage.id, self.stage.title, last)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        stage, place = view.stage(self.stage.id), view.stage_place_of(self.stage.id)
        if stage is None or place is None:
            return ()
        back = RestoreStage(stage, tuple(view.in_stage(stage.id)))
        if place.below is None:
            return (back,)
        return (back, MoveStage(stage.board_id, stage.id, stage.title, place))

    def describe(self) -> str:
        count = len(self.tasks)
        tasks = f" with {counted(count, 'card')}" if count else ""
        return f"Archive the stage {quoted(self.stage.title)}{tasks}"


@operation("restore-stage")
@record
class RestoreStage(Operation):
    """Restore an archived stage, as the last one, with its tasks in their order."""

    stage: About[Stage]
    tasks: Former[tuple[Task, ...]] = ()

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("board", self.board_id)})

    def apply(self, view: BoardView) -> BoardView:
        if view.stage(self.stage.id) is not None:
            return view
        elsewhere = {task.id for task in view.all_tasks()}
        lane = tuple(task for task in self.tasks if task.id not in elsewhere)
        view = view.with_stage(self.stage)
        return replace(view, tasks={**view.tasks, self.stage.id: lane})

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        # Some services restore all tasks with one position: the client puts the order back then.
        order = [task.id for task in self.tasks if task.id > 0]
        return self.reply_about(await remote.restore_stage(self.board_id, self.stage.id, order))

    def is_done(self, now: Document | None, baseline: Baseline) -> bool:
        return now is not None and not is_archived(now)

    def merged_with(self, later: Operation) -> Operation | None:
        return Nothing(self.board_id) if isinstance(later, ArchiveStage) else None

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        if view.stage(self.stage.id) is not None:
            return ()
        return (ArchiveStage.on(self.apply(view), self.stage.id),)

    def describe(self) -> str:
        return f"Restore the stage {quoted(self.stage.title)}"


@operation("move-stage")
@record
class MoveStage(Operation):
    """Move a stage to a place among the others; `name` is its title."""

    board_id: BoardId
    stage_id: About[StageId]
    name: str
    place: StagePlace

    @classmethod
    def on(cls, stage: Stage, place: Place) -> Self:
        return cls(stage.board_id, stage.id, stage.title, place)

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("board", self.board_id)})

    def apply(self, view: BoardView) -> BoardView:
        stage = view.stage(self.stage_id)
        return view if stage is None else view.with_stage(stage, self.place)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        # The whole order is sent, applied to the stages as the service has them now.
        order = [stage.id for stage in self.apply(truth).stages]
        await remote.reposition_stages(self.board_id, order)
        return Reply(parts=_positions(self.board_id, order))

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        # Sending it again is harmless.
        board: Document = await remote.board(self.board_id)
        order = ids_in_order(board.get("stages") or ())
        if self.stage_id not in order:
            return Finding(done=False)
        is_there = self.place.holds(self.stage_id, order)
        return Finding(is_there, Reply(parts=_positions(self.board_id, order)))

    def merged_with(self, later: Operation) -> Operation | None:
        return later if isinstance(later, MoveStage) else None

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        place = view.stage_place_of(self.stage_id)
        return () if place is None else (replace(self, place=place),)

    def describe(self) -> str:
        return f"Move the stage {quoted(self.name)}"


def _positions(board_id: int, order: list[int]) -> tuple[ReplyPart, ...]:
    return tuple(
        ReplyPart("stage", id_, {"id": id_, "board_id": board_id, "position": float(number)})
        for number, id_ in enumerate(order, start=1)
    )


def new_stage_at(
    board_id: int, title: str, place: Place, status: Status = Status.OPEN
) -> tuple[Operation, ...]:
    """Add a stage at a place among the others."""
    created = CreateStage.new(board_id, title, status)
    if place.below is None:
        return (created,)
    return (created, MoveStage(board_id, created.stage_id, line(title), place))


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
