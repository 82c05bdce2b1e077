"""Moving a task: within its stage, to another, to another board, below another task and out again.

A place is spoken of by the tasks above and below, and becomes a number only at the moment of
sending, against the service's present order.

Of two people who move the same task to different stages, neither wins unasked: a move that waited
knows the stage it started from, and one that finds the task in a third stage is a conflict. Where
others only changed the order, or moved it to the same stage, there is none. A task that somebody
archived, deleted or took to another board stays there, and the move is refused in words.

A move to another board is offered only by some editions; others would lose the task, so it is
refused before anything is sent. A task that has subtasks itself cannot become one; the service says
so.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from tui.client.errors import ApiError, NotOffered, WrongCredentials
from tui.model.board import BoardView, Place, TaskPlace
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.fields.rows import RowKey, TaskField
from tui.model.ids import BoardId, GroupId, StageId, TaskId
from tui.model.task import Status, Task
from tui.store.documents.flat import group_of
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    AlreadyApplied,
    Baseline,
    Conflicting,
    Difference,
    Finding,
    News,
    NoConflict,
    Operation,
    Reply,
    Verdict,
    operation,
)
from tui.store.operations.edit import Edit, set_status
from tui.store.operations.edit_fields import Target, found_in, spelt
from tui.store.operations.ids import About, Former
from tui.store.operations.reading import (
    group_as_it_is,
    is_archived,
    subtasks_as_they_are,
    task_as_it_is,
    task_found,
    task_reply,
)
from tui.store.operations.subtasks import MoveSubtask, set_again
from tui.store.remote import Remote
from tui.text.clean import line, quoted


@operation("move-task")
@dataclass(frozen=True, slots=True)
class MoveTask(Operation):
    """Put a task into a stage at a place.

    `from_stage_id` and `from_place` are where it was when the person asked; `stage_title` and
    `from_title` name the stages in words and may be empty; `closes` says whether the stage closes
    the task, None if that is not known.
    """

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
        """Move `task` to `stage_id`, between the neighbours of `place`."""
        return cls(task.board_id, task.id, task.title, stage_id, place, task.stage_id, stage_title)

    @property
    def row(self) -> RowKey:
        return TaskField.STAGE, 0

    @property
    def keeps_base(self) -> bool:
        return self.from_stage_id is not None

    @property
    def changes_nothing(self) -> bool:
        return self.stage_id == self.from_stage_id and self.place == self.from_place

    def apply(self, view: BoardView) -> BoardView:
        task = view.task(self.task_id)
        return view if task is None else view.with_task_at(task, self.stage_id, self.place)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send the number the place has now, from 1 among the other active tasks."""
        others = [
            (task.id, task.position)
            for task in truth.in_stage(self.stage_id)
            if task.id != self.task_id
        ]
        index = self.place.index_in([task_id for task_id, _ in others]) + 1
        return task_reply(
            await remote.move_task(self.board_id, self.task_id, self.stage_id, index, others)
        )

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        """Tell by the stage; within one stage, by the neighbours.

        Sending a move within a stage again does no harm, so that is what an unclear order means.
        In a third stage, it is compared again before it is sent.
        """
        now = await task_as_it_is(remote, self.board_id, self.task_id)
        if now is None:
            return task_found(False, self.task_id, None)
        stage_before = baseline.before.get("stage_id") if baseline.before else None
        stage_now = now.get("stage_id")
        done: bool | None = stage_now == self.stage_id
        if done and stage_before == self.stage_id:
            done = await self._is_in_place(remote)
        elif not done and stage_now != stage_before and not self.keeps_base:
            done = None
        return task_found(done, self.task_id, now)

    async def _is_in_place(self, remote: Remote) -> bool:
        lane = [
            (task.get("position") or 0.0, task["id"])
            for task in await remote.tasks(self.board_id)
            if task.get("stage_id") == self.stage_id and not is_archived(task)
        ]
        return self.place.holds(self.task_id, [task_id for _, task_id in sorted(lane)])

    def fits(self, reply: Document, truth: BoardView) -> bool:
        """Whether the position that came back means the place that was asked for.

        It does not if the service numbered the stage anew, or did not move the task at all.
        """
        others = [task for task in truth.in_stage(self.stage_id) if task.id != self.task_id]
        position = (float(reply.get("position") or 0.0), self.task_id)
        index = sum((task.position, task.id) < position for task in others)
        return index == self.place.index_in([task.id for task in others])

    async def fetch(self, remote: Remote) -> Document | None:
        return await task_as_it_is(remote, self.board_id, self.task_id)

    def check(self, now: Document) -> Verdict:
        """Compare the stage it comes from, the target, and the stage it is in now."""
        stage_now = now.get("stage_id")
        if stage_now in (None, self.from_stage_id):
            return NoConflict()
        if stage_now == self.stage_id:
            return AlreadyApplied(task_reply(now))
        mine = _stage_in_words(self.stage_title, closes=bool(self.closes))
        return Conflicting((Difference("stage", mine, _stage_of(now), self.from_title),))

    def rebased_on(self, now: Document) -> Self:
        stage_now = now.get("stage_id")
        if stage_now in (None, self.from_stage_id):
            return self
        return replace(self, from_stage_id=stage_now, from_title="", from_place=None)

    def without_base(self) -> Self:
        return replace(self, from_place=None)

    def sets_the_same(self, later: Operation) -> bool:
        """Whether the other moves the task as well."""
        return isinstance(later, MoveTask)

    def without(self, earlier: Operation) -> Operation:
        """The same move, from where the earlier one started."""
        return _begun_as(self, earlier) if isinstance(earlier, MoveTask) else self

    def merged_with(self, later: Operation) -> Operation | None:
        """The later move, come from where this one started.

        A stage that closes what is moved into it leaves its mark on the way, so that a task that
        was in one goes there again.
        """
        if not isinstance(later, MoveTask):
            return None
        stays = self.stage_id == later.stage_id
        returns_to_be_closed = later.stage_id == self.from_stage_id and later.closes is not False
        if not stays and (self.closes is not False or returns_to_be_closed):
            return None
        closes = self.closes if stays else later.closes
        return replace(_begun_as(later, self), closes=closes)

    def depends_on(self, earlier: Operation) -> bool:
        """Whether the other is of a neighbour; what the task itself is like does not matter."""
        if isinstance(earlier, Edit) and earlier.target.kind == "task":
            return False
        return earlier.subject.id in self.refers

    def conflicts_with(self, other: Operation) -> bool:
        """Whether they share a stage, a neighbour or the task; a setting only by its status."""
        if isinstance(other, Edit) and other.target.kind == "task":
            return other.conflicts_with(self)
        return Operation.conflicts_with(self, other)

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Back to where it was, and open or closed as it was."""
        task = before.task(self.task_id)
        found = before.place_of(self.task_id)
        if task is None or found is None:
            return ()
        stage_id, place = found
        origin, target = before.stage(stage_id), before.stage(self.stage_id)
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
        closed_on_the_way = stage_id != self.stage_id and any(
            stage is not None and stage.default_status is Status.CLOSED
            for stage in (origin, target)
        )
        if closed_on_the_way and not task.is_closed:
            return (back, _reopened(task))
        return (back,)

    def named(self, view: BoardView, detail: TaskDetail | None = None) -> Self:
        stage, task = view.stage(self.stage_id), view.task(self.task_id)
        found = view.place_of(self.task_id)
        if stage is None or task is None or found is None:
            return self
        origin = view.stage(found[0])
        closes = stage.default_status is Status.CLOSED and found[0] != self.stage_id
        return replace(
            self,
            stage_title=self.stage_title or stage.title,
            from_stage_id=found[0],
            from_place=found[1],
            closes=closes and not task.is_closed,
            from_title=origin.title if origin else "",
        )

    def describe(self) -> str:
        if self.from_stage_id == self.stage_id:
            return f"Move {quoted(self.name)} within its stage"
        target = quoted(self.stage_title) if self.stage_title else "another stage"
        return f"Move {quoted(self.name)} to {target}"


def from_the_end(task: Task, stage_id: int, place: Place) -> tuple[Operation, ...]:
    """What puts a task to a place that came to the end of the stage."""
    return () if place.below is None else (MoveTask.on(task, stage_id, place),)


def _begun_as(move: MoveTask, earlier: MoveTask) -> MoveTask:
    """A move that begins where an earlier one began; whether it closes the task is not known."""
    return replace(
        move,
        from_stage_id=earlier.from_stage_id,
        from_title=earlier.from_title,
        from_place=earlier.from_place,
        closes=None,
    )


def _stage_of(task: Document) -> str:
    """The stage a task is in, in words, if its document tells of it."""
    stage = task.get("stage") or {}
    closes = (stage.get("settings") or {}).get("default_task_status") == Status.CLOSED
    return _stage_in_words(line(str(stage.get("title") or "")), closes=closes)


def _stage_in_words(title: str, *, closes: bool) -> str:
    return f"{title or 'another stage'}{', which closes it' if closes else ''}"


@operation("move-task-to-board")
@dataclass(frozen=True, slots=True)
class MoveTaskToBoard(Operation):
    """Take a task to the end of a stage of another board, whose title is `board_title`.

    Undoing it is a move back from there, to its place, with the labels, the people and the values
    of custom fields that the service may have taken off. `closes` says whether the stage closes the
    task, `knows_values` whether it is known what its custom fields hold; where it is not, the
    service is asked before the task leaves (`with_values`).
    """

    task: About[Task]
    to_board_id: BoardId
    to_stage_id: StageId
    board_title: str
    closes: bool = False
    knows_values: bool = True

    @property
    def row(self) -> RowKey:
        return TaskField.STAGE, 0

    def apply(self, view: BoardView) -> BoardView:
        if view.board.id == self.to_board_id:
            task = replace(self.task, board_id=self.to_board_id, labels=(), stage_id=None)
            return view.with_task_at(task, self.to_stage_id, view.end_of(self.to_stage_id))
        return view.without_task(self.task.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it; the task is on the other board then."""
        return task_reply(
            await remote.move_task_to_board(
                self.board_id, self.task.id, self.to_board_id, self.to_stage_id
            )
        )

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        there = await task_as_it_is(remote, self.to_board_id, self.task.id)
        if there is not None and there.get("board_id") == self.to_board_id:
            return Finding(True, task_reply(there))
        here = await task_as_it_is(remote, self.board_id, self.task.id)
        return Finding(done=False if here is not None else None)

    def named(self, view: BoardView, detail: TaskDetail | None = None) -> Self:
        """The same move, knowing whether all that is undone with it is known.

        A move back is planned on the board that it goes to, and is not undone.
        """
        knows = (
            view.board.id != self.board_id
            or not view.fields
            or (detail is not None and detail.values is not None)
        )
        return replace(self, knows_values=knows)

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Back to where it was, with what it had there."""
        task, found = before.task(self.task.id), before.place_of(self.task.id)
        if task is None or found is None:
            return ()
        stage_id, place = found
        there = replace(task, board_id=self.to_board_id, stage_id=self.to_stage_id)
        bare = replace(task, labels=(), assignees=())
        steps: list[Operation] = [
            MoveTaskToBoard(there, self.board_id, stage_id, before.board.title),
            *from_the_end(bare, stage_id, place),
        ]
        origin = before.stage(stage_id)
        closes = self.closes or (origin is not None and origin.default_status is Status.CLOSED)
        if closes and not task.is_closed:
            steps.append(_reopened(task))
        steps += set_again(bare, task)
        values = () if detail is None or detail.task.id != task.id else detail.values or ()
        held = ((value.field_id, spelt(value.value)) for value in values)
        return (*steps, *self._values_back(before, held))

    async def with_values(
        self, remote: Remote, truth: BoardView
    ) -> tuple[Self, tuple[Operation, ...]]:
        """The same move, and what puts back the values that the service has, to be undone with it.

        Raises `tui.client.errors.ApiError`.
        """
        documents = await remote.field_values(self.board_id, self.task.id)
        held = ((one.get("foreign_id"), found_in(one)) for one in documents)
        return replace(self, knows_values=True), self._values_back(truth, held)

    def _values_back(
        self, view: BoardView, held: Iterable[tuple[int | None, str]]
    ) -> tuple[Operation, ...]:
        """What sets custom fields of the task to values, each by the id of its field."""
        values = dict(held)
        target = Target(self.task.board_id, self.task.title, self.task.id)
        return tuple(
            Edit(target, field, (values[field.id],), ("",))
            for field in view.fields
            if values.get(field.id)
        )

    def describe(self) -> str:
        return f"Move {quoted(self.task.title)} to the board {quoted(self.board_title)}"


_NOT_ABOUT_THE_TASK = (NotOffered, WrongCredentials)
_GROUP_TO_BE = 0
"""What stands for the default group of a task that has none yet."""


@operation("convert-to-subtask")
@dataclass(frozen=True, slots=True)
class ConvertToSubtask(Operation):
    """Make a task a subtask; without a `group_id` it goes into the parent's default group.

    `parent_name` is the parent's title.
    """

    task: About[Task]
    parent_id: TaskId
    parent_name: str
    group_id: GroupId | None = None

    @classmethod
    def on(cls, task: Task, parent: Task, group_id: int | None = None) -> Self:
        """Make `task` a subtask of `parent`."""
        return cls(task, parent.id, parent.title, group_id)

    def apply(self, view: BoardView) -> BoardView:
        return view.without_task(self.task.id)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        if detail.task.id == self.task.id:
            return replace(
                detail, task=replace(detail.task, parent_id=self.parent_id, stage_id=None)
            )
        if detail.task.id != self.parent_id or detail.groups is None:
            return detail
        if not detail.groups and self.group_id is None:
            detail = detail.with_group(SubtaskGroup(_GROUP_TO_BE, ""))
        groups = detail.groups or ()
        group = groups[0] if self.group_id is None else detail.group(self.group_id)
        if group is None or detail.find(self.task.id) is not None:
            return detail
        last = group.subtasks[-1].id if group.subtasks else None
        return detail.with_subtask_at(self.task, group.id, Place(above=last))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it, and read what became of the task: the reply tells of the parent alone."""
        parent = await remote.task_to_subtask(
            self.board_id, self.task.id, self.parent_id, self.group_id
        )
        task = await self._as_it_is(remote)
        if task is None:
            task = {"id": self.task.id, "parent_id": self.parent_id, "stage_id": None}
        return Reply(
            news=(
                News("task", self.task.id, task, self.parent_id),
                News("task", self.parent_id, parent),
                *await self._default_group(remote, task),
            )
        )

    async def _as_it_is(self, remote: Remote) -> Document | None:
        """The task as the service has it now; None if it is gone.

        Some editions answer no question about a subtask: it is looked for below its parent.
        """
        try:
            return await task_as_it_is(remote, self.board_id, self.task.id)
        except ApiError as error:
            if error.status is None or error.is_passing or isinstance(error, _NOT_ABOUT_THE_TASK):
                raise
        below = await subtasks_as_they_are(remote, self.board_id, self.parent_id)
        return next((one for one in below if one["id"] == self.task.id), None)

    async def _default_group(self, remote: Remote, task: Document) -> tuple[News, ...]:
        """The group it went into where none was named: the service may have made it for this."""
        if self.group_id is not None:
            return ()
        group_id = group_of(task)
        group = await group_as_it_is(remote, self.board_id, self.parent_id, group_id)
        if group is None:
            return ()
        return (News("subtask_group", group_id, group, self.parent_id),)

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        now = await self._as_it_is(remote)
        parent_id = None if now is None else now.get("parent_id") or None
        if parent_id == self.parent_id:
            return Finding(True, Reply(news=(News("task", self.task.id, now, self.parent_id),)))
        return task_found(False if parent_id is None else None, self.task.id, now)

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Make it a task again, at its old place, open or closed as it was."""
        task, found = before.task(self.task.id), before.place_of(self.task.id)
        if task is None or found is None:
            return ()
        stage_id, place = found
        return (
            ConvertToTask(task, self.parent_id, stage_id, self.parent_name, self.group_id),
            *from_the_end(task, stage_id, place),
            *_reopening(before, stage_id, task),
        )

    def describe(self) -> str:
        return f"Make {quoted(self.task.title)} a subtask of {quoted(self.parent_name)}"


@operation("convert-to-task")
@dataclass(frozen=True, slots=True)
class ConvertToTask(Operation):
    """Make a subtask a task of its own, at the end of a stage."""

    task: About[Task]
    parent_id: Former[TaskId]
    stage_id: StageId
    parent_name: str = ""
    group_id: Former[GroupId | None] = None
    place: Former[TaskPlace | None] = None

    @classmethod
    def on(cls, detail: TaskDetail, subtask: Task, stage_id: int) -> Self:
        """Make a subtask of an opened task a task in a stage."""
        group_id, place = detail.place_of(subtask.id) or (None, None)
        parent = detail.task
        return cls(subtask, parent.id, stage_id, parent.title, group_id, place)

    def apply(self, view: BoardView) -> BoardView:
        if view.task(self.task.id) is not None:
            return view
        task = replace(self.task, parent_id=None, stage_id=None)
        return view.with_task_at(task, self.stage_id, view.end_of(self.stage_id))

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        if detail.task.id == self.task.id:
            return replace(
                detail, task=replace(detail.task, parent_id=None, stage_id=self.stage_id)
            )
        return detail.without_subtask(self.task.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        task = await remote.subtask_to_task(self.board_id, self.task.id, self.stage_id)
        task = {**task, "parent_id": None}
        return Reply(news=(News("task", self.task.id, task),))

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        now = await task_as_it_is(remote, self.board_id, self.task.id)
        done = now is not None and not now.get("parent_id")
        return task_found(done, self.task.id, now)

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Make it a subtask again, at its old place, open or closed as it was."""
        group_id, place = self.group_id, self.place
        if detail is not None and (found := detail.place_of(self.task.id)):
            group_id, place = found
        steps: list[Operation] = [
            ConvertToSubtask(
                replace(self.task, stage_id=self.stage_id, parent_id=None),
                self.parent_id,
                self.parent_name,
                group_id,
            )
        ]
        if group_id is not None and place is not None and place.below is not None:
            ids = (self.board_id, self.parent_id, self.task.id)
            steps.append(MoveSubtask(*ids, self.task.title, group_id, place, group_id))
        return (*steps, *_reopening(before, self.stage_id, self.task))

    def describe(self) -> str:
        return f"Make the subtask {quoted(self.task.title)} a task of its own"


def _reopening(view: BoardView, stage_id: int, task: Task) -> tuple[Operation, ...]:
    """What opens a task again that the stage it came into has closed."""
    stage = view.stage(stage_id)
    if stage is None or stage.default_status is Status.OPEN or task.is_closed:
        return ()
    return (_reopened(task),)


def _reopened(task: Task) -> Operation:
    """What opens a task again that a stage has closed."""
    return set_status(replace(task, status=Status.CLOSED), Status.OPEN)
