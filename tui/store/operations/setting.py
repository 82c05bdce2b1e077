"""The properties of a task that its card shows, each set by an operation of its own."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar, Self

from tui.model.task import Priority, Status, Task
from tui.store.documents.html_lines import words_of
from tui.store.documents.threeway import both_html, merge_html
from tui.store.operations.base import (
    Merged,
    Operation,
    Verdict,
)
from tui.store.operations.task_setting import TaskSetting, comparable_stamp, stamp
from tui.store.operations.wording import quoted
from tui.store.remote import Document
from tui.text.clean import line, text


@dataclass(frozen=True, slots=True)
class SetTitle(TaskSetting):
    """Rename a task."""

    property_name: ClassVar[str] = "title"
    field_name: ClassVar[str] = "title"

    title: str

    @classmethod
    def on(cls, task: Task, title: str) -> Self:
        """Give `task` a new title."""
        return cls(task.board_id, task.id, task.title, title, base=task.title)

    @property
    def sent(self) -> str:
        """The title as typed."""
        return self.title

    def on_task(self, task: Task) -> Task:
        """The task with its new title, clean for the terminal."""
        return replace(task, title=line(self.title))

    def restoring(self, task: Task) -> Operation:
        """The title it has."""
        return SetTitle(task.board_id, task.id, self.title, task.title, base=self.title)

    def draft(self, now: Document) -> str | None:
        """The title as typed; theirs is short enough to be seen beside it."""
        del now
        return self.title

    def with_text(self, text: str) -> Self:
        """The title as a person put it together, on one line."""
        return replace(self, title=" ".join(text.split()) or self.title)

    def describe(self) -> str:
        """Both titles, the new one last."""
        return f"Rename {quoted(self.name)} to {quoted(line(self.title))}"


@dataclass(frozen=True, slots=True)
class SetStatus(TaskSetting):
    """Close or reopen a task."""

    property_name: ClassVar[str] = "status"
    field_name: ClassVar[str] = "status"

    status: Status

    @classmethod
    def on(cls, task: Task, status: Status) -> Self:
        """Make `task` open or closed."""
        return cls(task.board_id, task.id, task.title, status, base=task.status.value)

    @property
    def sent(self) -> str:
        """The status by its word."""
        return self.status.value

    def on_task(self, task: Task) -> Task:
        """The task, open or closed."""
        return replace(task, status=self.status)

    def restoring(self, task: Task) -> Operation:
        """The status it has."""
        return SetStatus(task.board_id, task.id, task.title, task.status, base=self.sent)

    def describe(self) -> str:
        """Close or reopen."""
        return f"{'Close' if self.status is Status.CLOSED else 'Reopen'} {quoted(self.name)}"


@dataclass(frozen=True, slots=True)
class SetPriority(TaskSetting):
    """Say how urgent a task is."""

    property_name: ClassVar[str] = "priority"
    field_name: ClassVar[str] = "priority"

    priority: Priority

    @classmethod
    def on(cls, task: Task, priority: Priority) -> Self:
        """Give `task` a priority."""
        return cls(task.board_id, task.id, task.title, priority, base=task.priority.value)

    @property
    def sent(self) -> str:
        """The priority by its word."""
        return self.priority.value

    def on_task(self, task: Task) -> Task:
        """The task with its new priority."""
        return replace(task, priority=self.priority)

    def restoring(self, task: Task) -> Operation:
        """The priority it has."""
        return SetPriority(task.board_id, task.id, task.title, task.priority, base=self.sent)

    def describe(self) -> str:
        """The task and its new priority."""
        return f"Set the priority of {quoted(self.name)} to {self.priority.value}"


@dataclass(frozen=True, slots=True)
class SetDue(TaskSetting):
    """Set or clear when a task is due, a wall-clock time without a zone."""

    property_name: ClassVar[str] = "due_at"
    field_name: ClassVar[str] = "due date"

    due_at: datetime | None

    @classmethod
    def on(cls, task: Task, due_at: datetime | None) -> Self:
        """Say when `task` is due; None for no date."""
        return cls(task.board_id, task.id, task.title, due_at, base=stamp(task.due_at) or "")

    @property
    def sent(self) -> str | None:
        """`YYYY-MM-DD HH:MM:SS`, or None."""
        return stamp(self.due_at)

    def on_task(self, task: Task) -> Task:
        """The task with its new date."""
        return replace(task, due_at=self.due_at)

    def restoring(self, task: Task) -> Operation:
        """The date it has."""
        return SetDue(task.board_id, task.id, task.title, task.due_at, base=self.sent or "")

    def describe(self) -> str:
        """The task and its new date."""
        if self.due_at is None:
            return f"Clear the due date of {quoted(self.name)}"
        return f"Set the due date of {quoted(self.name)} to {self.due_at:%Y-%m-%d %H:%M}"

    @staticmethod
    def comparable(value: object) -> str:
        """The date and time to the second, "" for none."""
        return comparable_stamp(value)

    @staticmethod
    def in_words(value: object) -> str:
        """The date and time to the minute, or “none”."""
        return comparable_stamp(value)[: len("YYYY-MM-DD HH:MM")] or "none"


@dataclass(frozen=True, slots=True)
class SetDescription(TaskSetting):
    """Replace a task's description, HTML as the service keeps it."""

    property_name: ClassVar[str] = "description"
    field_name: ClassVar[str] = "description"

    description: str

    @classmethod
    def on(cls, task: Task, description: str) -> Self:
        """Give `task` a description."""
        return cls(task.board_id, task.id, task.title, description, base=task.description)

    @property
    def sent(self) -> str:
        """The description as written."""
        return self.description

    def on_task(self, task: Task) -> Task:
        """The task with its new description."""
        return replace(task, description=text(self.description))

    def restoring(self, task: Task) -> Operation:
        """The description it has."""
        return SetDescription(
            task.board_id, task.id, task.title, task.description, base=self.description
        )

    def differing(self, now: Document) -> Verdict:
        """Both texts together where they changed different lines; else ask."""
        theirs = text(str(now.get(self.property_name) or ""))
        merged = merge_html(base=text(self.base or ""), mine=self.description, theirs=theirs)
        if merged is None:
            return TaskSetting.differing(self, now)
        return Merged(replace(self, description=merged, base=theirs))

    def draft(self, now: Document) -> str | None:
        """Both descriptions, line by line, ours first where they meet."""
        theirs = text(str(now.get(self.property_name) or ""))
        return both_html(base=text(self.base or ""), mine=self.description, theirs=theirs)

    def with_text(self, text: str) -> Self:
        """The description as a person put it together."""
        return replace(self, description=text)

    def describe(self) -> str:
        """The task alone: a description is too long to be told."""
        return f"Change the description of {quoted(self.name)}"

    @staticmethod
    def in_words(value: object) -> str:
        """The text without its tags."""
        return words_of(str(value or "")) or "none"
