"""Operations that create, copy, archive, restore and delete tasks.

Creating a task is never sent twice blindly: after a lost response the board is searched for a new
task that equals it. Archiving and deleting keep the task, so that it can be restored or recreated.
"""

from abc import ABC
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import ClassVar, Self

from tui.client.errors import ApiError
from tui.model.board import BoardView, Place, TaskPlace
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId, StageId, TaskId
from tui.model.task import Priority, Status, Task
from tui.record import record
from tui.store.documents.shapes import Document, object_in
from tui.store.operations.base import (
    Baseline,
    Finding,
    Nothing,
    Operation,
    Reply,
    Subject,
    operation,
    rows_with,
)
from tui.store.operations.creation import Absorbed, Creation
from tui.store.operations.fields.field import stamp
from tui.store.operations.ids import About, new_local_id
from tui.store.operations.moving import MoveTask, from_the_end
from tui.store.operations.subtask_moves import MoveSubtask
from tui.store.operations.subtasks import DeleteSubtask, restored_fields
from tui.store.reading import fetch_set_aside, first_newer, index_among, is_archived, same_text
from tui.store.remote import Remote
from tui.text.clean import line, quoted


@record
class NewTask(Creation, ABC):
    """A new task in a stage, empty or as a copy."""

    board_id: BoardId
    task_id: About[TaskId]
    stage_id: StageId
    title: str

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("stage", self.stage_id)})

    def without_made(self, view: BoardView, newest_id: int) -> BoardView:
        lane = ((task.id, task.title) for task in view.in_stage(self.stage_id))
        new = first_newer(lane, self.title, newest_id)
        return view if new is None else view.without_task(new)

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        # An equal task in another stage leaves it unclear.
        finding = await Creation.already_done(self, remote, baseline)
        if finding.done is False:  # or somebody has archived it already
            set_aside = await fetch_set_aside(remote, self.board_id, baseline.newest_id)
            finding = self.find_created(set_aside, baseline)
        documents = (part.document or {} for part in finding.reply.parts)
        is_here = all(document.get("stage_id") == self.stage_id for document in documents)
        return finding if is_here else Finding(done=None)

    def is_mine(self, task: Document) -> bool:
        return same_text(task.get("title"), self.title)

    def may_be_taken_for(self, other: Operation) -> bool:
        return isinstance(other, NewTask) and same_text(other.title, self.title)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        task = self.apply(view).task(self.task_id)
        return () if task is None else (DeleteTask(task, Place()),)


@operation("create-task")
@record
class CreateTask(NewTask):
    """Create a task at the end of a stage."""

    absorbs: ClassVar[Absorbed] = {"title": {"title": str}, "priority": {"priority": Priority}}

    priority: Priority = Priority.LOW

    @classmethod
    def new(
        cls, board_id: int, stage_id: int, title: str, priority: Priority = Priority.LOW
    ) -> Self:
        return cls(board_id, new_local_id(), stage_id, title, priority)

    def apply(self, view: BoardView) -> BoardView:
        if view.task(self.task_id) is not None:
            return view
        ids = (self.task_id, self.board_id, self.stage_id)
        task = Task(*ids, line(self.title), priority=self.priority)
        return view.with_task_at(task, self.stage_id, view.end_of(self.stage_id))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        ids = (self.board_id, self.stage_id)
        return self.reply_created(await remote.create_task(*ids, self.title, self.priority.value))

    def fits(self, reply: Document, truth: BoardView) -> bool:
        others = truth.in_stage(self.stage_id).without({int(reply["id"])})
        return index_among(others, reply) == len(others)

    def describe(self) -> str:
        return f"Add {quoted(line(self.title))}"


@operation("delete-task")
@record
class DeleteTask(Operation):
    """Delete a task permanently.

    Undoing it creates a new task with what was on the card: title, description, priority, dates,
    status, labels and people, at its old place. The rest is lost, and the user is told.
    """

    hides_task: ClassVar[bool] = True
    removes_subject: ClassVar[bool] = True

    task: About[Task]
    place: TaskPlace

    @property
    def leaves(self) -> frozenset[Subject]:
        return rows_with(self.task)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        await remote.delete_task(self.board_id, self.task.id)
        return self.reply_about(None)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        task, where = view.task(self.task.id), view.place_of(self.task.id)
        if task is not None and where is not None:
            stage_id, place = where
        elif self.task.archived_at is not None and view.stage(self.task.stage_id) is not None:
            task, stage_id, place = self.task, self.task.stage_id or 0, Place()
        elif detail is not None and detail.place_of(self.task.id) is not None:
            return DeleteSubtask.on(detail, self.task).inverse(view, detail)
        else:
            return ()
        bare = Task(task.id, self.board_id, stage_id, task.title, priority=task.priority)
        created = CreateTask(self.board_id, task.id, stage_id, task.title, task.priority)
        steps = (created, *from_the_end(bare, stage_id, place), *restored_fields(bare, task))
        at = task.archived_at
        return steps if at is None else (*steps, ArchiveTask.on(task, place, at=at))

    def lost_when_undone(self) -> str:
        counts = {
            "attachments": self.task.attachments_count,
            "subtasks": self.task.subtasks_total,
            "comments": self.task.comments_count,
        }
        lost = ", ".join(words for words, count in counts.items() if count)
        missing = f"{lost} and its history" if lost else "its history"
        return f"{quoted(self.task.title)} was added again, without {missing}."

    def describe(self) -> str:
        return f"Delete {quoted(self.task.title)}"


@operation("archive-task")
@record
class ArchiveTask(Operation):
    """Archive a task; `archived_at` is a wall-clock time."""

    hides_task: ClassVar[bool] = True

    task: About[Task]
    place: TaskPlace
    archived_at: datetime

    @classmethod
    def on(cls, task: Task, place: Place, *, at: datetime | None = None) -> Self:
        """Archive `task`, which is at `place`; now, if no time is given."""
        moment = at or datetime.now().astimezone().replace(tzinfo=None, microsecond=0)
        return cls(task, place, moment)

    @property
    def leaves(self) -> frozenset[Subject]:
        return rows_with(self.task)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        ids = (self.board_id, self.task.id)
        return self.reply_about(await remote.set_task(*ids, "archived_at", stamp(self.archived_at)))

    def is_done(self, now: Document | None, baseline: Baseline) -> bool:
        return now is not None and is_archived(now)

    def merged_with(self, later: Operation) -> Operation | None:
        # Restoring is still sent, as it moves the task to the top.
        stage_id = self.task.stage_id
        if isinstance(later, RestoreTask) and stage_id is not None:
            to_top = MoveTask.on(self.task, stage_id, Place())
            return replace(to_top, from_place=self.place, closes=False)
        return later if isinstance(later, ArchiveTask) else None

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        task, where = view.task(self.task.id), view.place_of(self.task.id)
        if task is not None and where is not None:
            return (RestoreTask(task), MoveTask.on(task, *where))
        if detail is not None and (where := detail.place_of(self.task.id)):
            subtask = detail.find(self.task.id) or self.task
            return (RestoreTask(subtask), MoveSubtask.on(detail, subtask, *where))
        return ()

    def describe(self) -> str:
        return f"Archive {quoted(self.task.title)}"


@operation("restore-task")
@record
class RestoreTask(Operation):
    """Restore an archived task, to the top of its stage, as services do."""

    task: About[Task]

    @classmethod
    def on(cls, task: Task) -> Self:
        return cls(replace(task, archived_at=None))

    @property
    def refers(self) -> frozenset[int]:
        stage = set() if self.task.stage_id is None else {self.task.stage_id}
        return frozenset({self.board_id, self.task.id} | stage)

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("stage", self.task.stage_id or 0)})

    def apply(self, view: BoardView) -> BoardView:
        stage_id = self.task.stage_id
        if stage_id is None or view.task(self.task.id) is not None:
            return view
        return view.with_task_at(self.task, stage_id, Place())

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        is_ours = self.task.parent_id == detail.task.id and detail.find(self.task.id) is None
        if not is_ours or not detail.groups:
            return detail
        return detail.with_subtask_at(self.task, detail.groups[0].id, Place())

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        ids = (self.board_id, self.task.id)
        return self.reply_about(await remote.set_task(*ids, "archived_at", None))

    def fits(self, reply: Document, truth: BoardView) -> bool:
        others = truth.in_stage(self.task.stage_id or 0).without({self.task.id})
        return self.task.stage_id is None or index_among(others, reply) == 0

    def is_done(self, now: Document | None, baseline: Baseline) -> bool:
        return now is not None and not is_archived(now)

    def merged_with(self, later: Operation) -> Operation | None:
        if isinstance(later, ArchiveTask):
            return Nothing(self.board_id)
        return later if isinstance(later, RestoreTask) else None

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        if view.task(self.task.id) is not None:
            return ()
        return (ArchiveTask.on(self.task, Place()),)

    def describe(self) -> str:
        return f"Restore {quoted(self.task.title)}"


@record
class CloneParts:
    """What is copied beside title, description and dates."""

    people: bool = True
    labels: bool = True
    subtasks: bool = True
    comments: bool = False


@operation("clone-task")
@record
class CloneTask(NewTask):
    """Copy `source` into a stage under a title; `task_id` is the copy, a local id."""

    source: Task
    parts: CloneParts

    @classmethod
    def of(
        cls,
        task: Task,
        *,
        stage_id: int | None = None,
        title: str = "",
        parts: CloneParts | None = None,
    ) -> Self:
        """Copy `task`, by default into its own stage under its own title. Needs a stage."""
        target = task.stage_id if stage_id is None else stage_id
        if target is None:
            raise LookupError("a subtask is copied among subtasks")
        ids = (task.board_id, new_local_id())
        return cls(*ids, target, title or task.title, task, parts or CloneParts())

    @property
    def copy(self) -> Task:
        return replace(
            self.source,
            id=self.task_id,
            stage_id=None,
            title=line(self.title),
            status=Status.OPEN,
            archived_at=None,
            created_at=None,
            updated_at=None,
            labels=self.source.labels if self.parts.labels else (),
            assignees=self.source.assignees if self.parts.people else (),
            comments_count=self.source.comments_count if self.parts.comments else 0,
            subtasks_done=0,
            subtasks_total=self.source.subtasks_total if self.parts.subtasks else 0,
            attachments_count=0,
            is_template=False,
        )

    def apply(self, view: BoardView) -> BoardView:
        if view.task(self.task_id) is not None:
            return view
        lane = [task.id for task in view.in_stage(self.stage_id)]
        above = self.source.id if self.source.id in lane else (lane[-1] if lane else None)
        return view.with_task_at(self.copy, self.stage_id, Place(above=above))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        parts = self.parts
        wanted = {
            "assignee": parts.people,
            "label": parts.labels,
            "subtask": parts.subtasks,
            "comment": parts.comments,
        }
        names = frozenset(name for name, is_wanted in wanted.items() if is_wanted)
        ids = (self.board_id, self.source.id, self.stage_id)
        copied = await remote.clone_task(*ids, self.title, names)
        if object_in(copied.get("meta")).get("is_template") == "yes":
            # Some services copy that too; the copy is there whether it can be changed or not.
            with suppress(ApiError):
                new = (self.board_id, int(copied["id"]))
                copied = {**copied, **await remote.set_task(*new, "is_template", "no")}
        return self.reply_created(copied)

    def describe(self) -> str:
        if same_text(self.title, self.source.title):
            return f"Duplicate {quoted(self.source.title)}"
        return f"Duplicate {quoted(self.source.title)} as {quoted(line(self.title))}"
