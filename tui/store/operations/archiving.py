"""Archiving a task and bringing it back.

The rule it keeps: an archived task leaves the board but is not lost, so both changes hold the
task as it was seen.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from tui.model.board import BoardView, Place, TaskPlace
from tui.model.detail import TaskDetail
from tui.model.task import Task
from tui.store.operations.base import Finding, Footing, Nothing, Operation, Reply, operation
from tui.store.operations.ids import About
from tui.store.operations.moving import MoveTask
from tui.store.operations.reading import is_archived, task_as_it_is, task_found, task_reply
from tui.store.operations.subtask_moves import MoveSubtask
from tui.store.operations.wording import quoted
from tui.store.remote import Remote


@operation("archive-task")
@dataclass(frozen=True, slots=True)
class ArchiveTask(Operation):
    """Take a task off the board; `archived_at` is a wall-clock time."""

    task: About[Task]
    place: TaskPlace
    archived_at: datetime

    @classmethod
    def on(cls, task: Task, place: Place, *, at: datetime | None = None) -> Self:
        """Archive `task`, which stands at `place`; now, if no time is given."""
        moment = at or datetime.now().astimezone().replace(tzinfo=None, microsecond=0)
        return cls(task, place, moment)

    def apply(self, view: BoardView) -> BoardView:
        """The board without the task."""
        return view.without_task(self.task.id)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task without it, where it is a subtask."""
        if detail.place_of(self.task.id) is None:
            return detail
        return detail.without_subtask(self.task.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send the time; services that keep their own time take it as a yes."""
        del truth
        moment = self.archived_at.isoformat(sep=" ", timespec="seconds")
        return task_reply(await remote.set_task(self.board_id, self.task.id, "archived_at", moment))

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the task is archived."""
        del footing
        now = await task_as_it_is(remote, self.board_id, self.task.id)
        return task_found(now is not None and is_archived(now), self.task.id, now)

    def merged_with(self, later: Operation) -> Operation | None:
        """Archiving twice is once; bringing it back is what moves it to the top of its stage."""
        stage_id = self.task.stage_id
        if isinstance(later, RestoreTask) and stage_id is not None:
            to_top = MoveTask.on(self.task, stage_id, Place())
            return replace(to_top, from_place=self.place, closes=False)
        return later if isinstance(later, ArchiveTask) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Bring it back and put it to its place, on the board or among the subtasks."""
        task, found = before.task(self.task.id), before.place_of(self.task.id)
        if task is None or found is None:
            return self._back_among_subtasks(detail)
        stage_id, place = found
        return (RestoreTask(task), MoveTask.on(task, stage_id, place))

    def _back_among_subtasks(self, detail: TaskDetail | None) -> tuple[Operation, ...]:
        subtask = None if detail is None else detail.find(self.task.id)
        found = None if detail is None else detail.place_of(self.task.id)
        if detail is None or subtask is None or found is None:
            return ()
        group_id, place = found
        return (RestoreTask(subtask), MoveSubtask.on(detail, subtask, group_id, place))

    def describe(self) -> str:
        """The task's title."""
        return f"Archive {quoted(self.task.title)}"


@operation("restore-task")
@dataclass(frozen=True, slots=True)
class RestoreTask(Operation):
    """Bring an archived task back, to the top of its stage, as services do."""

    task: About[Task]

    @classmethod
    def on(cls, task: Task) -> Self:
        """Bring `task` back."""
        return cls(replace(task, archived_at=None))

    @property
    def refers(self) -> frozenset[int]:
        """The task and its stage."""
        stage = set() if self.task.stage_id is None else {self.task.stage_id}
        return frozenset({self.board_id, self.task.id} | stage)

    def apply(self, view: BoardView) -> BoardView:
        """The board with the task at the top of its stage."""
        stage_id = self.task.stage_id
        if stage_id is None or view.task(self.task.id) is not None:
            return view
        return view.with_task_at(self.task, stage_id, Place())

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task with it at the top of its first group, where it is a subtask."""
        is_ours = self.task.parent_id == detail.task.id and detail.find(self.task.id) is None
        if not is_ours or not detail.groups:
            return detail
        return detail.with_subtask_at(self.task, detail.groups[0].id, Place())

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send that there is no archive time."""
        del truth
        return task_reply(await remote.set_task(self.board_id, self.task.id, "archived_at", None))

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the task is not archived."""
        del footing
        now = await task_as_it_is(remote, self.board_id, self.task.id)
        return task_found(now is not None and not is_archived(now), self.task.id, now)

    def merged_with(self, later: Operation) -> Operation | None:
        """Archiving it again leaves it as it was; bringing it back twice is once."""
        if isinstance(later, ArchiveTask):
            return Nothing(self.board_id)
        return later if isinstance(later, RestoreTask) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Archive it again."""
        del detail
        if before.task(self.task.id) is not None:
            return ()
        return (ArchiveTask.on(self.task, Place()),)

    def describe(self) -> str:
        """The task's title."""
        return f"Bring {quoted(self.task.title)} back from the archive"
