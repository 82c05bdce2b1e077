"""Making and deleting tasks.

The rule it keeps: making a task is the one change that must never be sent twice blindly. After a
lost reply the board is searched for a task that was not known before and looks like ours.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from tui.model.board import BoardView, Place
from tui.model.task import Priority, Status, Task
from tui.store.operations.base import Finding, Footing, Operation
from tui.store.operations.moving import MoveTask, renamed_place
from tui.store.operations.reading import task_as_it_is
from tui.store.operations.setting import SetDescription, SetDue, SetStatus
from tui.store.operations.wording import quoted
from tui.store.remote import Document, Remote
from tui.text.clean import line


def new_local_id() -> int:
    """An id for a task the service does not know yet: negative and random."""
    return -1 - secrets.randbits(52)


@dataclass(frozen=True, slots=True)
class CreateTask:
    """Make a task at the end of a stage."""

    board_id: int
    task_id: int
    stage_id: int
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

    async def deliver(self, remote: Remote, truth: BoardView) -> Document | None:
        """Send it; `truth` does not matter here."""
        del truth
        return await remote.create_task(
            self.board_id, self.stage_id, self.title, self.priority.value
        )

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
            return Finding(done=True, task=here[0])
        return Finding(done=None if twins else False)

    def _is_called_like(self, task: Document) -> bool:
        return line(str(task.get("title") or "")).split() == line(self.title).split()

    def inverse(self, before: BoardView) -> tuple[Operation, ...]:
        """Delete it."""
        task = self.apply(before).task(self.task_id)
        if task is None:
            return ()
        return (DeleteTask.on(task, Place()),)

    def describe(self) -> str:
        """The new task's title."""
        return f"Add {quoted(line(self.title))}"

    def renamed(self, ids: Mapping[int, int]) -> Self:
        """The same change under the task's new id."""
        return replace(self, task_id=ids.get(self.task_id, self.task_id))


@dataclass(frozen=True, slots=True)
class DeleteTask:
    """Delete a task for good.

    Taking it back makes a new task with what a person typed: title, description, priority, date
    and status at its old place; comments, labels and people of the old one are gone.
    """

    task: Task
    place: Place

    @classmethod
    def on(cls, task: Task, place: Place) -> Self:
        """Delete `task`, which stands at `place`."""
        return cls(task, place)

    @property
    def board_id(self) -> int:
        """The board of the task."""
        return self.task.board_id

    @property
    def task_id(self) -> int:
        """The task."""
        return self.task.id

    def apply(self, view: BoardView) -> BoardView:
        """The board without the task."""
        return view.without_task(self.task_id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Document | None:
        """Send it; nothing comes back."""
        del truth
        await remote.delete_task(self.board_id, self.task_id)
        return None

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the task is gone."""
        del footing
        now = await task_as_it_is(remote, self.board_id, self.task_id)
        return Finding(done=now is None, task=now)

    def inverse(self, before: BoardView) -> tuple[Operation, ...]:
        """Make it again, put it back to its place and set what was set."""
        task, found = before.task(self.task_id), before.place_of(self.task_id)
        if task is None or found is None:
            return ()
        stage_id, place = found
        created = CreateTask(self.board_id, task.id, stage_id, task.title, task.priority)
        steps: list[Operation] = [created]
        if place.below is not None:
            steps.append(MoveTask.on(task, stage_id, place))
        if task.description:
            steps.append(SetDescription.on(task, task.description))
        if task.due_at is not None:
            steps.append(SetDue.on(task, task.due_at))
        if task.status is not Status.OPEN:
            steps.append(SetStatus.on(task, task.status))
        return tuple(steps)

    def describe(self) -> str:
        """The task's title."""
        return f"Delete {quoted(self.task.title)}"

    def renamed(self, ids: Mapping[int, int]) -> Self:
        """The same change with the task and its neighbours by their new ids."""
        task = replace(self.task, id=ids.get(self.task_id, self.task_id))
        return replace(self, task=task, place=renamed_place(self.place, ids))
