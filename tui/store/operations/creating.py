"""Making and deleting tasks.

The rule it keeps: making a task is the one change that must never be sent twice blindly. After a
lost reply the board is searched for a task that was not known before and looks like ours.
"""

from dataclasses import dataclass, replace
from typing import Self

from tui.model.board import BoardView, Place, TaskPlace
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId, StageId, TaskId
from tui.model.task import Priority, Status, Task
from tui.store import operations as change
from tui.store.operations.base import Finding, Footing, News, Nothing, Operation, Reply, operation
from tui.store.operations.comparing import first_new
from tui.store.operations.edit import is_edit, set_description, set_due, set_status
from tui.store.operations.ids import About, Creates, new_local_id
from tui.store.operations.moving import MoveTask
from tui.store.operations.reading import task_as_it_is, task_found
from tui.store.operations.wording import quoted
from tui.store.remote import Document, Remote
from tui.text.clean import line

__all__ = ["CreateTask", "DeleteTask", "new_local_id"]


@operation("create-task")
@dataclass(frozen=True, slots=True)
class CreateTask(Operation):
    """Make a task at the end of a stage."""

    board_id: BoardId
    task_id: Creates[TaskId]
    stage_id: StageId
    title: str
    priority: Priority = Priority.LOW

    @classmethod
    def new(
        cls, board_id: int, stage_id: int, title: str, priority: Priority = Priority.LOW
    ) -> Self:
        """A task that does not exist yet, under a local id of its own."""
        return cls(board_id, new_local_id(), stage_id, title, priority)

    def apply(self, view: BoardView) -> BoardView:
        """The board with the task at the end of its stage."""
        if view.task(self.task_id) is not None:
            return view
        task = Task(
            id=self.task_id,
            board_id=self.board_id,
            stage_id=self.stage_id,
            title=line(self.title),
            priority=self.priority,
        )
        lane = view.in_stage(self.stage_id)
        return view.with_task_at(task, self.stage_id, Place(above=lane[-1].id if lane else None))

    def without_made(self, view: BoardView, newest_id: int) -> BoardView:
        """The board without the task that was made."""
        lane = ((task.id, task.title) for task in view.in_stage(self.stage_id))
        made = first_new(lane, self.title, newest_id)
        return view if made is None else view.without_task(made)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it; `truth` does not matter here."""
        del truth
        made = await remote.create_task(
            self.board_id, self.stage_id, self.title, self.priority.value
        )
        return _made(made)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Search the board for exactly one new task with our title in our stage.

        None found is not done. Several, or one that is elsewhere, cannot be told.
        """
        twins = [
            task
            for task in await remote.tasks(self.board_id)
            if task["id"] > footing.newest_id and self._is_called_like(task)
        ]
        here = [task for task in twins if task.get("stage_id") == self.stage_id]
        if len(here) == 1 and len(twins) == 1:
            return Finding(done=True, reply=_made(here[0]))
        return Finding(done=None if twins else False)

    def _is_called_like(self, task: Document) -> bool:
        return line(str(task.get("title") or "")).split() == line(self.title).split()

    def merged_with(self, later: Operation) -> Operation | None:
        """The task with its later title or priority; nothing if it is deleted again."""
        if is_edit(later, "title"):
            return replace(self, title=later.text)
        if is_edit(later, "priority"):
            return replace(self, priority=Priority(later.text))
        return Nothing(self.board_id) if isinstance(later, DeleteTask) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Delete it."""
        del detail
        task = self.apply(before).task(self.task_id)
        if task is None:
            return ()
        return (DeleteTask.on(task, Place()),)

    def describe(self) -> str:
        """The new task's title."""
        return f"Add {quoted(line(self.title))}"


@operation("delete-task")
@dataclass(frozen=True, slots=True)
class DeleteTask(Operation):
    """Delete a task for good.

    Taking it back makes a new task with what was on the card: title, description, priority, date,
    status, labels and people, at its old place. The rest of the old one is gone, and that is said.
    """

    task: About[Task]
    place: TaskPlace

    @classmethod
    def on(cls, task: Task, place: Place) -> Self:
        """Delete `task`, which stands at `place`."""
        return cls(task, place)

    def apply(self, view: BoardView) -> BoardView:
        """The board without the task."""
        return view.without_task(self.task.id)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task without it, where it is a subtask."""
        if detail.place_of(self.task.id) is None:
            return detail
        return detail.without_subtask(self.task.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it; nothing comes back."""
        del truth
        await remote.delete_task(self.board_id, self.task.id)
        return Reply(news=(News("task", self.task.id, None),))

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the task is gone."""
        del footing
        now = await task_as_it_is(remote, self.board_id, self.task.id)
        return task_found(now is None, self.task.id, now)

    def merged_with(self, later: Operation) -> Operation | None:
        """Deleting twice is deleting once."""
        return later if isinstance(later, DeleteTask) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Make it again, put it back to its place and set what was set."""
        task, found = before.task(self.task.id), before.place_of(self.task.id)
        if task is None or found is None:
            return self._again_among_subtasks(before, detail)
        stage_id, place = found
        bare = replace(
            task,
            stage_id=stage_id,
            status=Status.OPEN,
            description="",
            due_at=None,
            labels=(),
            assignees=(),
        )
        created = CreateTask(self.board_id, task.id, stage_id, task.title, task.priority)
        steps: list[Operation] = [created]
        if place.below is not None:
            steps.append(MoveTask.on(bare, stage_id, place))
        if task.description:
            steps.append(set_description(bare, task.description))
        if task.due_at is not None:
            steps.append(set_due(bare, task.due_at))
        if task.status is not Status.OPEN:
            steps.append(set_status(bare, task.status))
        return (*steps, *self._people_and_labels(bare, task, detail))

    def _again_among_subtasks(
        self, before: BoardView, detail: TaskDetail | None
    ) -> tuple[Operation, ...]:
        if detail is None or detail.place_of(self.task.id) is None:
            return ()
        return change.DeleteSubtask.on(detail, self.task).inverse(before, detail)

    def _people_and_labels(
        self, bare: Task, task: Task, detail: TaskDetail | None
    ) -> tuple[Operation, ...]:
        del detail
        steps: list[Operation] = [change.AddLabel.on(bare, label) for label in task.labels]
        if task.assignees:
            steps.append(change.SetAssignees.on(bare, task.assignees))
        return tuple(steps)

    def lost_when_undone(self) -> str:
        """What hangs on a task and cannot be made again."""
        lost = ["its history"]
        if self.task.comments_count:
            lost.insert(0, "comments")
        if self.task.subtasks_total:
            lost.insert(0, "subtasks")
        if self.task.attachments_count:
            lost.insert(0, "attachments")
        what = lost[0] if len(lost) == 1 else f"{', '.join(lost[:-1])} and {lost[-1]}"
        return f"{quoted(self.task.title)} was made again, without {what}."

    def describe(self) -> str:
        """The task's title."""
        return f"Delete {quoted(self.task.title)}"


def _made(document: Document) -> Reply:
    made = int(document["id"])
    return Reply(made, (News("task", made, document),))
