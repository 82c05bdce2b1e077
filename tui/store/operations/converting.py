"""Operations that turn a task into a subtask, and a subtask into a task.

A task that has subtasks cannot become one; the service refuses it.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from tui.client.errors import ApiError, NotOffered, WrongCredentials
from tui.model.board import BoardView, TaskPlace
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.ids import GroupId, StageId, TaskId
from tui.model.task import Task
from tui.store.documents.flat import group_of
from tui.store.documents.shapes import Document
from tui.store.operations.base import Baseline, Finding, Operation, Reply, ReplyPart, operation
from tui.store.operations.ids import About, Former
from tui.store.operations.moving import from_the_end, reopened
from tui.store.operations.subtask_moves import from_group_end
from tui.store.reading import fetch_all, fetch_current
from tui.store.remote import Remote
from tui.text.clean import quoted

_NOT_ABOUT_THE_TASK = (NotOffered, WrongCredentials)
_GROUP_TO_BE = 0
"""Stands for the default group of a task that has none yet."""


@operation("convert-to-subtask")
@dataclass(frozen=True, slots=True)
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

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        task, where = before.task(self.task.id), before.place_of(self.task.id)
        if task is None or where is None:
            return ()
        stage_id, place = where
        return (
            ConvertToTask(task, self.parent_id, stage_id, self.parent_name, self.group_id),
            *from_the_end(task, stage_id, place),
            *reopened(task, by=[before.stage(stage_id)]),
        )

    def describe(self) -> str:
        return f"Make {quoted(self.task.title)} a subtask of {quoted(self.parent_name)}"


@operation("convert-to-task")
@dataclass(frozen=True, slots=True)
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

    def is_done(self, now: Document | None, baseline: Baseline) -> bool:
        return now is not None and not now.get("parent_id")

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        group_id, place = self.group_id, self.place
        if detail is not None and (where := detail.place_of(self.task.id)):
            group_id, place = where
        task = replace(self.task, stage_id=self.stage_id, parent_id=None)
        return (
            ConvertToSubtask(task, self.parent_id, self.parent_name, group_id),
            *from_group_end(task, self.parent_id, group_id, place),
            *reopened(self.task, by=[before.stage(self.stage_id)]),
        )

    def describe(self) -> str:
        return f"Make the subtask {quoted(self.task.title)} a task of its own"
