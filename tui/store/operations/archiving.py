"""Archiving a task and bringing it back.

The rule it keeps: an archived task leaves the board but is not lost, so both changes hold the
task as it was seen.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from tui.model.board import BoardView, Place
from tui.model.task import Task
from tui.store.operations.base import Finding, Footing, Operation
from tui.store.operations.moving import MoveTask, renamed_place
from tui.store.operations.reading import is_archived, task_as_it_is
from tui.store.operations.wording import quoted
from tui.store.remote import Document, Remote


@dataclass(frozen=True, slots=True)
class ArchiveTask:
    """Take a task off the board; `archived_at` is a wall-clock time."""

    task: Task
    place: Place
    archived_at: datetime

    @classmethod
    def on(cls, task: Task, place: Place, *, at: datetime | None = None) -> Self:
        """Archive `task`, which stands at `place`; now, if no time is given."""
        moment = at or datetime.now().astimezone().replace(tzinfo=None, microsecond=0)
        return cls(task, place, moment)

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
        """Send the time; services that keep their own time take it as a yes."""
        del truth
        moment = self.archived_at.isoformat(sep=" ", timespec="seconds")
        return await remote.set_task(self.board_id, self.task_id, "archived_at", moment)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the task is archived."""
        del footing
        now = await task_as_it_is(remote, self.board_id, self.task_id)
        return Finding(done=now is not None and is_archived(now), task=now)

    def inverse(self, before: BoardView) -> tuple[Operation, ...]:
        """Bring it back and put it to its place."""
        task, found = before.task(self.task_id), before.place_of(self.task_id)
        if task is None or found is None:
            return ()
        stage_id, place = found
        return (RestoreTask(task), MoveTask.on(task, stage_id, place))

    def describe(self) -> str:
        """The task's title."""
        return f"Archive {quoted(self.task.title)}"

    def renamed(self, ids: Mapping[int, int]) -> Self:
        """The same change with the task and its neighbours by their new ids."""
        task = replace(self.task, id=ids.get(self.task_id, self.task_id))
        return replace(self, task=task, place=renamed_place(self.place, ids))


@dataclass(frozen=True, slots=True)
class RestoreTask:
    """Bring an archived task back, to the top of its stage, as services do."""

    task: Task

    @classmethod
    def on(cls, task: Task) -> Self:
        """Bring `task` back."""
        return cls(replace(task, archived_at=None))

    @property
    def board_id(self) -> int:
        """The board of the task."""
        return self.task.board_id

    @property
    def task_id(self) -> int:
        """The task."""
        return self.task.id

    def apply(self, view: BoardView) -> BoardView:
        """The board with the task at the top of its stage."""
        stage_id = self.task.stage_id
        if stage_id is None or view.task(self.task_id) is not None:
            return view
        return view.with_task_at(self.task, stage_id, Place())

    async def deliver(self, remote: Remote, truth: BoardView) -> Document | None:
        """Send that there is no archive time."""
        del truth
        return await remote.set_task(self.board_id, self.task_id, "archived_at", None)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the task is not archived."""
        del footing
        now = await task_as_it_is(remote, self.board_id, self.task_id)
        return Finding(done=now is not None and not is_archived(now), task=now)

    def inverse(self, before: BoardView) -> tuple[Operation, ...]:
        """Archive it again."""
        if before.task(self.task_id) is not None:
            return ()
        return (ArchiveTask.on(self.task, Place()),)

    def describe(self) -> str:
        """The task's title."""
        return f"Bring {quoted(self.task.title)} back from the archive"

    def renamed(self, ids: Mapping[int, int]) -> Self:
        """The same change on the task's new id."""
        task = replace(self.task, id=ids.get(self.task_id, self.task_id))
        return replace(self, task=task)
