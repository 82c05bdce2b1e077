"""Changes that set one property of a task.

The rule it keeps: setting is told by the value itself, so after a lost reply the value read back
decides: ours is done, the one known when it was sent is not, and a third one was set by somebody
else, so that nobody but a person can say whose should stay.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar, Self

from tui.model.board import BoardView
from tui.model.task import Priority, Status, Task
from tui.store.operations.base import Finding, Footing, Operation
from tui.store.operations.reading import is_no_date, task_as_it_is
from tui.store.operations.wording import quoted
from tui.store.remote import Document, Remote
from tui.text.clean import line

_LONGEST_DATE = len("YYYY-MM-DD HH:MM:SS")


@dataclass(frozen=True, slots=True)
class TaskSetting(ABC):
    """One property of one task, set to a value; `name` is what the task is called in words."""

    property_name: ClassVar[str]

    board_id: int
    task_id: int
    name: str

    @property
    @abstractmethod
    def sent(self) -> str | None:
        """The value as it is sent."""

    @abstractmethod
    def on_task(self, task: Task) -> Task:
        """The task with the value set."""

    @abstractmethod
    def restoring(self, task: Task) -> Operation:
        """The change that gives the property the value it has in `task`."""

    @abstractmethod
    def describe(self) -> str:
        """What it does, in words."""

    def apply(self, view: BoardView) -> BoardView:
        """The board with the task's new value."""
        task = view.task(self.task_id)
        return view if task is None else view.with_task(self.on_task(task))

    async def deliver(self, remote: Remote, truth: BoardView) -> Document | None:
        """Send the property; `truth` does not matter here."""
        del truth
        return await remote.set_task(self.board_id, self.task_id, self.property_name, self.sent)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Compare the value read back with ours and with the one known before."""
        now = await task_as_it_is(remote, self.board_id, self.task_id)
        if now is None:
            return Finding(done=False)
        present = self._comparable(now.get(self.property_name))
        if present == self._comparable(self.sent):
            return Finding(done=True, task=now)
        known = footing.task
        if known is not None and present == self._comparable(known.get(self.property_name)):
            return Finding(done=False, task=now)
        return Finding(done=None, task=now)

    def inverse(self, before: BoardView) -> tuple[Operation, ...]:
        """The same property with the value it had."""
        task = before.task(self.task_id)
        return () if task is None else (self.restoring(task),)

    def renamed(self, ids: Mapping[int, int]) -> Self:
        """The same change on the task's new id."""
        return replace(self, task_id=ids.get(self.task_id, self.task_id))

    @staticmethod
    def _comparable(value: object) -> str:
        return " ".join(line(str(value)).split()) if value is not None else ""


@dataclass(frozen=True, slots=True)
class SetTitle(TaskSetting):
    """Rename a task."""

    property_name: ClassVar[str] = "title"

    title: str

    @classmethod
    def on(cls, task: Task, title: str) -> Self:
        """Give `task` a new title."""
        return cls(task.board_id, task.id, task.title, title)

    @property
    def sent(self) -> str:
        """The title as typed."""
        return self.title

    def on_task(self, task: Task) -> Task:
        """The task with its new title, clean for the terminal."""
        return replace(task, title=line(self.title))

    def restoring(self, task: Task) -> Operation:
        """The title it has."""
        return SetTitle(task.board_id, task.id, self.title, task.title)

    def describe(self) -> str:
        """Both titles, the new one last."""
        return f"Rename {quoted(self.name)} to {quoted(line(self.title))}"


@dataclass(frozen=True, slots=True)
class SetStatus(TaskSetting):
    """Close or reopen a task."""

    property_name: ClassVar[str] = "status"

    status: Status

    @classmethod
    def on(cls, task: Task, status: Status) -> Self:
        """Make `task` open or closed."""
        return cls(task.board_id, task.id, task.title, status)

    @property
    def sent(self) -> str:
        """The status by its word."""
        return self.status.value

    def on_task(self, task: Task) -> Task:
        """The task, open or closed."""
        return replace(task, status=self.status)

    def restoring(self, task: Task) -> Operation:
        """The status it has."""
        return SetStatus(task.board_id, task.id, task.title, task.status)

    def describe(self) -> str:
        """Close or reopen."""
        return f"{'Close' if self.status is Status.CLOSED else 'Reopen'} {quoted(self.name)}"


@dataclass(frozen=True, slots=True)
class SetPriority(TaskSetting):
    """Say how urgent a task is."""

    property_name: ClassVar[str] = "priority"

    priority: Priority

    @classmethod
    def on(cls, task: Task, priority: Priority) -> Self:
        """Give `task` a priority."""
        return cls(task.board_id, task.id, task.title, priority)

    @property
    def sent(self) -> str:
        """The priority by its word."""
        return self.priority.value

    def on_task(self, task: Task) -> Task:
        """The task with its new priority."""
        return replace(task, priority=self.priority)

    def restoring(self, task: Task) -> Operation:
        """The priority it has."""
        return SetPriority(task.board_id, task.id, task.title, task.priority)

    def describe(self) -> str:
        """The task and its new priority."""
        return f"Set the priority of {quoted(self.name)} to {self.priority.value}"


@dataclass(frozen=True, slots=True)
class SetDue(TaskSetting):
    """Set or clear when a task is due, a wall-clock time without a zone."""

    property_name: ClassVar[str] = "due_at"

    due_at: datetime | None

    @classmethod
    def on(cls, task: Task, due_at: datetime | None) -> Self:
        """Say when `task` is due; None for no date."""
        return cls(task.board_id, task.id, task.title, due_at)

    @property
    def sent(self) -> str | None:
        """`YYYY-MM-DD HH:MM:SS`, or None."""
        if self.due_at is None:
            return None
        return self.due_at.isoformat(sep=" ", timespec="seconds")[:_LONGEST_DATE]

    def on_task(self, task: Task) -> Task:
        """The task with its new date."""
        return replace(task, due_at=self.due_at)

    def restoring(self, task: Task) -> Operation:
        """The date it has."""
        return SetDue(task.board_id, task.id, task.title, task.due_at)

    def describe(self) -> str:
        """The task and its new date."""
        if self.due_at is None:
            return f"Clear the due date of {quoted(self.name)}"
        return f"Set the due date of {quoted(self.name)} to {self.due_at:%Y-%m-%d %H:%M}"

    @staticmethod
    def _comparable(value: object) -> str:
        return "" if is_no_date(value) else str(value).replace("T", " ")[:_LONGEST_DATE]


@dataclass(frozen=True, slots=True)
class SetDescription(TaskSetting):
    """Replace a task's description, HTML as the service keeps it."""

    property_name: ClassVar[str] = "description"

    description: str

    @classmethod
    def on(cls, task: Task, description: str) -> Self:
        """Give `task` a description."""
        return cls(task.board_id, task.id, task.title, description)

    @property
    def sent(self) -> str:
        """The description as written."""
        return self.description

    def on_task(self, task: Task) -> Task:
        """The task with its new description."""
        return replace(task, description=self.description)

    def restoring(self, task: Task) -> Operation:
        """The description it has."""
        return SetDescription(task.board_id, task.id, task.title, task.description)

    def describe(self) -> str:
        """The task alone: a description is too long to be told."""
        return f"Change the description of {quoted(self.name)}"
