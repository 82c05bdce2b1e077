"""Operations that move a task: within its stage, to another, to another board, or below a task.

A place is defined by the tasks above and below, and becomes an index only when it is sent, by the
service's current order.

If two people move the same task to different stages, that is a conflict: a pending move knows the
stage it started from, and finds the task in a third one. A changed order, or a move to the same
stage, is no conflict. A task that somebody archived, deleted or moved to another board stays there,
and the move is refused.

A move to another board is offered only by some editions; others would lose the task, so it is
refused before anything is sent. A task that has subtasks cannot become one; the service refuses it.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar, Self

from tui.client.errors import ApiError, NotOffered, WrongCredentials
from tui.model.board import BoardView, Place, Stage, TaskPlace
from tui.model.detail import SubtaskGroup, TaskDetail, TaskField
from tui.model.ids import BoardId, GroupId, StageId, TaskId
from tui.model.task import Status, Task
from tui.record import record
from tui.store.documents.flat import group_of
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    AlreadyApplied,
    Baseline,
    Conflicting,
    FieldDifference,
    Finding,
    Operation,
    Reply,
    ReplyPart,
    Subject,
    Verdict,
    operation,
    rows_with,
)
from tui.store.operations.edit import Edit
from tui.store.operations.fields.field import EditTarget, spelt, within
from tui.store.operations.fields.tasks import value_in
from tui.store.operations.ids import About, Former
from tui.store.operations.setters import set_status
from tui.store.operations.subtask_moves import from_group_end
from tui.store.operations.subtasks import restored_fields
from tui.store.reading import fetch_all, fetch_current, fetch_task, ids_in_order, index_among
from tui.store.remote import Remote
from tui.text.clean import line, quoted

_NOT_ABOUT_THE_TASK = (NotOffered, WrongCredentials)
_GROUP_TO_BE = 0
"""Stands for the default group of a task that has none yet."""


@operation("move-task")
@record
class MoveTask(Operation):
    """Move a task to a place in a stage.

    `from_stage_id` and `from_place` are where it was when the move was submitted; `stage_title` and
    `from_title` are for descriptions and may be empty; `closes` says whether the stage closes the
    task, None if not known.
    """

    shown_as: ClassVar[TaskField | None] = TaskField.STAGE
    can_be_placed_anew: ClassVar[bool] = True

    board_id: BoardId
    task_id: TaskId
    name: str
    stage_id: StageId
    place: TaskPlace
    from_stage_id: Former[StageId | None] = None
    stage_title: str = ""
    from_place: Former[TaskPlace | None] = None
    closes: bool | None = None
    from_title: str = ""

    @classmethod
    def on(cls, task: Task, stage_id: int, place: Place, *, stage_title: str = "") -> Self:
        return cls(task.board_id, task.id, task.title, stage_id, place, task.stage_id, stage_title)

    @property
    def keeps_base(self) -> bool:
        return self.from_stage_id is not None

    @property
    def changes_nothing(self) -> bool:
        return self.stage_id == self.from_stage_id and self.place == self.from_place

    @property
    def arranges(self) -> frozenset[Subject]:
        stages = (self.stage_id, self.from_stage_id or self.stage_id)
        return frozenset(Subject("stage", stage_id) for stage_id in stages)

    def may_overtake(self, older: Operation) -> bool:
        # Services put a new card at the end of its stage: moves to below it have to wait for it.
        if self.arranges.isdisjoint(older.arranges):
            return True
        is_above = older.subject == Subject("task", self.place.above or 0)
        return not is_above and (older.can_be_placed_anew or older.creates is not None)

    def apply(self, view: BoardView) -> BoardView:
        task = view.task(self.task_id)
        return view if task is None else view.with_task_at(task, self.stage_id, self.place)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        # The index counts from 1 among the other active tasks.
        others = truth.in_stage(self.stage_id).without({self.task_id})
        index = self.place.index_in(others.ids) + 1
        return self.reply_about(
            await remote.move_task(
                self.board_id, self.task_id, self.stage_id, index, others.positions
            )
        )

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        # Sending a move within a stage again is harmless, so an unclear order counts as not done.
        # In a third stage, it is compared again before it is sent.
        now = await self.fetch(remote)
        if now is None:
            return Finding(False, self.reply_about(None))
        stage_before = baseline.document.get("stage_id") if baseline.document else None
        stage_now = now.get("stage_id")
        done: bool | None = stage_now == self.stage_id
        if done and stage_before == self.stage_id:
            done = await self._is_in_place(remote)
        elif not done and stage_now != stage_before and not self.keeps_base:
            done = None
        return Finding(done, self.reply_about(now))

    async def _is_in_place(self, remote: Remote) -> bool:
        tasks = await remote.tasks(self.board_id)
        lane = (task for task in tasks if task.get("stage_id") == self.stage_id)
        return self.place.holds(self.task_id, ids_in_order(lane))

    def fits(self, reply: Document, truth: BoardView) -> bool:
        others = truth.in_stage(self.stage_id).without({self.task_id})
        return index_among(others, reply) == self.place.index_in(others.ids)

    def check(self, now: Document) -> Verdict:
        stage_now = now.get("stage_id")
        if stage_now in (None, self.from_stage_id):
            return self
        if stage_now == self.stage_id:
            return AlreadyApplied()
        target = _stage_in_words(self.stage_title, closes=bool(self.closes))
        return Conflicting((FieldDifference("stage", target, _stage_of(now), self.from_title),))

    def rebased_on(self, now: Document) -> Self:
        stage_now = now.get("stage_id")
        if stage_now in (None, self.from_stage_id):
            return self
        return replace(self, from_stage_id=stage_now, from_title="", from_place=None)

    def without_base(self) -> Self:
        return replace(self, from_place=None)

    def sets_the_same(self, later: Operation) -> bool:
        return isinstance(later, MoveTask)

    def without(self, earlier: Operation) -> Operation:
        return _begun_as(self, earlier) if isinstance(earlier, MoveTask) else self

    def merged_with(self, later: Operation) -> Operation | None:
        # A stage that closes tasks changes the status on the way, so a task that was in one has to
        # be moved there again.
        if not isinstance(later, MoveTask):
            return None
        stays = self.stage_id == later.stage_id
        returns_to_be_closed = later.stage_id == self.from_stage_id and later.closes is not False
        if not stays and (self.closes is not False or returns_to_be_closed):
            return None
        closes = self.closes if stays else later.closes
        return replace(_begun_as(later, self), closes=closes)

    def depends_on(self, earlier: Operation) -> bool:
        # Only neighbours matter, the task itself does not.
        if isinstance(earlier, Edit) and earlier.target.kind == "task":
            return False
        return earlier.subject.id in self.refers

    def conflicts_with(self, other: Operation) -> bool:
        # An edit conflicts only by its status.
        if isinstance(other, Edit) and other.target.kind == "task":
            return other.conflicts_with(self)
        return Operation.conflicts_with(self, other)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        task = view.task(self.task_id)
        where = view.place_of(self.task_id)
        if task is None or where is None:
            return ()
        stage_id, place = where
        origin, target = view.stage(stage_id), view.stage(self.stage_id)
        back = replace(
            self,
            stage_id=stage_id,
            place=place,
            from_stage_id=self.stage_id,
            from_place=self.place,
            stage_title=origin.title if origin else "",
            closes=None,
            from_title=target.title if target else "",
        )
        return (back, *reopened(task, by=[origin, target] if origin is not target else ()))

    def named(self, view: BoardView, detail: TaskDetail | None = None) -> Self:
        stage, task = view.stage(self.stage_id), view.task(self.task_id)
        where = view.place_of(self.task_id)
        if stage is None or task is None or where is None:
            return self
        origin = view.stage(where[0])
        # Services close a card when it enters such a stage, not when it moves within.
        closes = stage.default_status is Status.CLOSED and where[0] != self.stage_id
        return replace(
            self,
            stage_title=self.stage_title or stage.title,
            from_stage_id=where[0],
            from_place=where[1],
            closes=closes and not task.is_closed,
            from_title=origin.title if origin else "",
        )

    def describe(self) -> str:
        if self.from_stage_id == self.stage_id:
            return f"Move {quoted(self.name)} within its stage"
        target = quoted(self.stage_title) if self.stage_title else "another stage"
        return f"Move {quoted(self.name)} to {target}"


def from_the_end(task: Task, stage_id: int, place: Place) -> tuple[Operation, ...]:
    """Moves a task from the end of a stage to a place in it."""
    return () if place.below is None else (MoveTask.on(task, stage_id, place),)


def reopened(
    task: Task, *, by: Iterable[Stage | None], is_closed: bool = False
) -> tuple[Operation, ...]:
    """Reopens an open task if one of the stages that it went through closed it."""
    is_closed = is_closed or any(stage and stage.default_status is Status.CLOSED for stage in by)
    # Moving out of a stage that closes cards does not reopen them.
    if task.is_closed or not is_closed:
        return ()
    return (set_status(replace(task, status=Status.CLOSED), Status.OPEN),)


def _begun_as(move: MoveTask, earlier: MoveTask) -> MoveTask:
    # Whether it closes the task is not known.
    return replace(
        move,
        from_stage_id=earlier.from_stage_id,
        from_title=earlier.from_title,
        from_place=earlier.from_place,
        closes=None,
    )


def _stage_of(task: Document) -> str:
    stage = within(task, "stage")
    closes = within(stage, "settings").get("default_task_status") == Status.CLOSED
    return _stage_in_words(line(str(stage.get("title") or "")), closes=closes)


def _stage_in_words(title: str, *, closes: bool) -> str:
    return f"{title or 'another stage'}{', which closes it' if closes else ''}"


@operation("move-task-to-board")
@record
class MoveTaskToBoard(Operation):
    """Move a task to the end of a stage of another board, whose title is `board_title`.

    Undoing it moves the task back to its place, with the labels, assignees and custom field values
    that the service may have removed. `closes` says whether the stage closes the task,
    `knows_values` whether its custom field values are known; if not, they are fetched before the
    task leaves (`with_values`).
    """

    shown_as: ClassVar[TaskField | None] = TaskField.STAGE

    task: About[Task]
    to_board_id: BoardId
    to_stage_id: StageId
    board_title: str
    closes: bool = False
    knows_values: bool = True

    @property
    def leaves(self) -> frozenset[Subject]:
        return rows_with(self.task)

    def apply(self, view: BoardView) -> BoardView:
        if view.board.id == self.to_board_id:
            # Labels belong to a board: services drop them on the way.
            task = replace(self.task, board_id=self.to_board_id, labels=(), stage_id=None)
            return view.with_task_at(task, self.to_stage_id, view.end_of(self.to_stage_id))
        return view.without_task(self.task.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        ids = (self.board_id, self.task.id, self.to_board_id, self.to_stage_id)
        return self.reply_about(await remote.move_task_to_board(*ids))

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        moved = await fetch_task(remote, self.to_board_id, self.task.id)
        if moved is not None and moved.get("board_id") == self.to_board_id:
            return Finding(True, self.reply_about(moved))
        # On neither board: an edition that cannot move between boards may have lost it, so that
        # only the user can decide.
        task = await self.fetch(remote)
        return Finding(done=False if task is not None else None)

    def named(self, view: BoardView, detail: TaskDetail | None = None) -> Self:
        # A move back is planned on its target board, and is not undone.
        knows = (
            view.board.id != self.board_id
            or not view.fields
            or (detail is not None and detail.values is not None)
        )
        return replace(self, knows_values=knows)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        task, where = view.task(self.task.id), view.place_of(self.task.id)
        if task is None or where is None:
            return ()
        stage_id, place = where
        moved = replace(task, board_id=self.to_board_id, stage_id=self.to_stage_id)
        bare = replace(task, labels=(), assignees=())
        steps: list[Operation] = [
            MoveTaskToBoard(moved, self.board_id, stage_id, view.board.title),
            *from_the_end(bare, stage_id, place),
            *reopened(task, by=[view.stage(stage_id)], is_closed=self.closes),
            *restored_fields(bare, task),
        ]
        values = () if detail is None or detail.task.id != task.id else detail.values or ()
        texts = ((value.field_id, spelt(value.value)) for value in values)
        return (*steps, *self._values_back(view, texts))

    async def with_values(
        self, remote: Remote, truth: BoardView
    ) -> tuple[Self, tuple[Operation, ...]]:
        """The same move, and the inverse that restores the fetched custom field values.

        Raises `tui.client.errors.ApiError`.
        """
        documents = await remote.field_values(self.board_id, self.task.id)
        texts = ((document.get("foreign_id"), value_in(document)) for document in documents)
        return replace(self, knows_values=True), self._values_back(truth, texts)

    def _values_back(
        self, view: BoardView, held: Iterable[tuple[int | None, str]]
    ) -> tuple[Operation, ...]:
        values = dict(held)
        target = EditTarget(self.task.board_id, self.task.title, self.task.id)
        return tuple(
            Edit(target, field, (values[field.id],), ("",))
            for field in view.fields
            if values.get(field.id)
        )

    def describe(self) -> str:
        return f"Move {quoted(self.task.title)} to the board {quoted(self.board_title)}"


@operation("convert-to-subtask")
@record
class ConvertToSubtask(Operation):
    """Make a task a subtask; without a `group_id` it goes into the parent's default group.

    `parent_name` is the parent's title.
    """

    hides_task: ClassVar[bool] = True

    task: About[Task]
    parent_id: TaskId
    parent_name: str
    group_id: GroupId | None = None

    @classmethod
    def on(cls, task: Task, parent: Task, group_id: int | None = None) -> Self:
        return cls(task, parent.id, parent.title, group_id)

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("task", self.parent_id)})

    @property
    def leaves(self) -> frozenset[Subject]:
        return rows_with(self.task)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        if detail.task.id == self.task.id:
            task = replace(detail.task, parent_id=self.parent_id, stage_id=None)
            return replace(detail, task=task)
        if detail.task.id != self.parent_id or detail.find(self.task.id) is not None:
            return detail
        group_id = self.group_id
        if group_id is None and detail.groups:
            group_id = detail.groups[0].id
        elif group_id is None:
            group_id = _GROUP_TO_BE
            detail = detail.with_group(SubtaskGroup(group_id, ""))
        return detail.with_subtask_at(self.task, group_id, detail.end_of(group_id))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        # The subtask is fetched, as the reply has the parent only.
        ids = (self.board_id, self.task.id, self.parent_id)
        parent = await remote.task_to_subtask(*ids, self.group_id)
        task = await self.fetch(remote)
        if task is None:
            task = {"id": self.task.id, "parent_id": self.parent_id, "stage_id": None}
        parts = [
            ReplyPart("task", self.task.id, task, self.parent_id),
            ReplyPart("task", self.parent_id, parent),
        ]
        if self.group_id is None:  # the service may have created the default one for this
            ids = (group_of(task), self.board_id, self.parent_id)
            group = await fetch_current(remote, "subtask_group", *ids)
            if group is not None:
                parts.append(ReplyPart("subtask_group", group_of(task), group, self.parent_id))
        return Reply(parts=tuple(parts))

    async def fetch(self, remote: Remote) -> Document | None:
        # Some editions cannot return a single subtask, so it is searched below its parent.
        try:
            return await Operation.fetch(self, remote)
        except ApiError as error:
            if error.status is None or error.is_passing or isinstance(error, _NOT_ABOUT_THE_TASK):
                raise
        async for subtask in fetch_all(remote, "task", self.board_id, self.parent_id):
            if subtask["id"] == self.task.id:
                return subtask
        return None

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        now = await self.fetch(remote)
        parent_id = None if now is None else now.get("parent_id") or None
        if parent_id == self.parent_id:
            subtask = ReplyPart("task", self.task.id, now, self.parent_id)
            return Finding(True, Reply(parts=(subtask,)))
        return Finding(False if parent_id is None else None, self.reply_about(now))

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        task, where = view.task(self.task.id), view.place_of(self.task.id)
        if task is None or where is None:
            return ()
        stage_id, place = where
        return (
            ConvertToTask(task, self.parent_id, stage_id, self.parent_name, self.group_id),
            *from_the_end(task, stage_id, place),
            *reopened(task, by=[view.stage(stage_id)]),
        )

    def describe(self) -> str:
        return f"Make {quoted(self.task.title)} a subtask of {quoted(self.parent_name)}"


@operation("convert-to-task")
@record
class ConvertToTask(Operation):
    """Make a subtask a task, at the end of a stage."""

    task: About[Task]
    parent_id: Former[TaskId]
    stage_id: StageId
    parent_name: str = ""
    group_id: Former[GroupId | None] = None
    place: Former[TaskPlace | None] = None

    @classmethod
    def on(cls, detail: TaskDetail, subtask: Task, stage_id: int) -> Self:
        group_id, place = detail.place_of(subtask.id) or (None, None)
        parent = detail.task
        return cls(subtask, parent.id, stage_id, parent.title, group_id, place)

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("stage", self.stage_id)})

    @property
    def leaves(self) -> frozenset[Subject]:
        return frozenset({Subject("task", self.parent_id)})

    def apply(self, view: BoardView) -> BoardView:
        if view.task(self.task.id) is not None:
            return view
        task = replace(self.task, parent_id=None, stage_id=None)
        return view.with_task_at(task, self.stage_id, view.end_of(self.stage_id))

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        if detail.task.id == self.task.id:
            task = replace(detail.task, parent_id=None, stage_id=self.stage_id)
            return replace(detail, task=task)
        return detail.without_subtask(self.task.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        task = await remote.subtask_to_task(self.board_id, self.task.id, self.stage_id)
        return self.reply_about({**task, "parent_id": None})

    def fits(self, reply: Document, truth: BoardView) -> bool:
        others = truth.in_stage(self.stage_id).without({self.task.id})
        return index_among(others, reply) == len(others)

    def is_done(self, now: Document | None, baseline: Baseline) -> bool:
        return now is not None and not now.get("parent_id")

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        group_id, place = self.group_id, self.place
        if detail is not None and (where := detail.place_of(self.task.id)):
            group_id, place = where
        task = replace(self.task, stage_id=self.stage_id, parent_id=None)
        return (
            ConvertToSubtask(task, self.parent_id, self.parent_name, group_id),
            *from_group_end(task, self.parent_id, group_id, place),
            *reopened(self.task, by=[view.stage(self.stage_id)]),
        )

    def describe(self) -> str:
        return f"Make the subtask {quoted(self.task.title)} a card"
