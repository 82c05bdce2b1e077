"""Copying a task, and moving one to another board.

A copy is made by the service, so that whatever it knows of the task can be in it. A move to another
board is offered only by some editions; others would lose the task, so it is refused before anything
is sent.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from tui.model.board import BoardView, Place
from tui.model.detail import TaskDetail
from tui.model.fields.row import RowKey, TaskField
from tui.model.ids import BoardId, StageId, TaskId
from tui.model.task import Status, Task
from tui.store import operations as change
from tui.store.documents.shapes import Document
from tui.store.operations.base import Finding, Footing, Nothing, Operation, Reply, operation
from tui.store.operations.comparing import first_new, found_new, made, same_words
from tui.store.operations.creating import DeleteTask
from tui.store.operations.edit import Edit, set_status
from tui.store.operations.edit_fields import Target, found_in, spelt
from tui.store.operations.ids import About, Creates, new_local_id
from tui.store.operations.reading import task_as_it_is, task_reply
from tui.store.operations.wording import quoted
from tui.store.remote import Remote
from tui.text.clean import line


@dataclass(frozen=True, slots=True)
class CloneParts:
    """What of a task is copied beside its own words and dates."""

    people: bool = True
    labels: bool = True
    subtasks: bool = True
    comments: bool = False


@operation("clone-task")
@dataclass(frozen=True, slots=True)
class CloneTask(Operation):
    """Copy `source` into a stage under a title; `task_id` is the copy, a local id."""

    board_id: BoardId
    task_id: Creates[TaskId]
    source: Task
    stage_id: StageId
    title: str
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
        return cls(*ids, task, target, title or task.title, parts or CloneParts())

    @property
    def copy(self) -> Task:
        """The copy as it will look."""
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
        )

    def apply(self, view: BoardView) -> BoardView:
        """The board with the copy below the task, or at the end of another stage."""
        if view.task(self.task_id) is not None:
            return view
        lane = [task.id for task in view.in_stage(self.stage_id)]
        above = self.source.id if self.source.id in lane else (lane[-1] if lane else None)
        return view.with_task_at(self.copy, self.stage_id, Place(above=above))

    def without_made(self, view: BoardView, newest_id: int) -> BoardView:
        """The board without the task that was made."""
        lane = ((task.id, task.title) for task in view.in_stage(self.stage_id))
        made = first_new(lane, self.title, newest_id)
        return view if made is None else view.without_task(made)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it."""
        del truth
        parts = self.parts
        wanted = {
            "assignee": parts.people,
            "label": parts.labels,
            "subtask": parts.subtasks,
            "comment": parts.comments,
        }
        task = await remote.clone_task(
            self.board_id,
            self.source.id,
            self.stage_id,
            self.title,
            frozenset(name for name, is_wanted in wanted.items() if is_wanted),
        )
        return made("task", task)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Search the board for exactly one new task with the copy's title in its stage."""
        twins = [one for one in await remote.tasks(self.board_id) if self._looks_like_ours(one)]
        finding = found_new("task", twins, self._looks_like_ours, footing.newest_id)
        is_here = all(news.document and self._is_here(news.document) for news in finding.reply.news)
        return finding if is_here else Finding(done=None)

    def _looks_like_ours(self, task: Document) -> bool:
        return same_words(task.get("title"), self.title)

    def _is_here(self, task: Document) -> bool:
        return task.get("stage_id") == self.stage_id

    def merged_with(self, later: Operation) -> Operation | None:
        """A copy that was never made need not be deleted."""
        return Nothing(self.board_id) if isinstance(later, DeleteTask) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Delete the copy."""
        del detail
        task = self.apply(before).task(self.task_id)
        return () if task is None else (DeleteTask.on(task, Place()),)

    def describe(self) -> str:
        """The task's title, and the copy's if it is another."""
        if same_words(self.title, self.source.title):
            return f"Copy {quoted(self.source.title)}"
        return f"Copy {quoted(self.source.title)} as {quoted(line(self.title))}"


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

    @classmethod
    def on(
        cls,
        task: Task,
        to_board_id: int,
        to_stage_id: int,
        board_title: str,
        *,
        closes: bool = False,
    ) -> Self:
        """Take `task` to another board."""
        return cls(task, to_board_id, to_stage_id, board_title, closes)

    @property
    def row(self) -> RowKey:
        return TaskField.STAGE, 0

    def apply(self, view: BoardView) -> BoardView:
        """The board without the task; the other board with it."""
        if view.board.id == self.to_board_id:
            lane = view.in_stage(self.to_stage_id)
            end = Place(above=lane[-1].id if lane else None)
            task = replace(self.task, board_id=self.to_board_id, labels=(), stage_id=None)
            return view.with_task_at(task, self.to_stage_id, end)
        return view.without_task(self.task.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it; the task is on the other board then."""
        del truth
        return task_reply(
            await remote.move_task_to_board(
                self.board_id, self.task.id, self.to_board_id, self.to_stage_id
            )
        )

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the task is on the other board."""
        del footing
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
            MoveTaskToBoard(there, self.board_id, stage_id, before.board.title)
        ]
        if place.below is not None:
            steps.append(change.MoveTask.on(bare, stage_id, place))
        origin = before.stage(stage_id)
        closes = self.closes or (origin is not None and origin.default_status is Status.CLOSED)
        if closes and not task.is_closed:
            reopened = set_status(task, Status.OPEN)
            steps.append(replace(reopened, base=(Status.CLOSED.value,)))
        steps += [change.AddLabel.on(bare, label) for label in task.labels]
        if task.assignees:
            steps.append(change.SetAssignees.on(bare, task.assignees))
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
        """The task and the board."""
        return f"Move {quoted(self.task.title)} to the board {quoted(self.board_title)}"
