"""When a task begins."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar, Self

from tui.model.task import Task
from tui.store.operations.base import Operation
from tui.store.operations.task_setting import TaskSetting, comparable_stamp, stamp
from tui.store.operations.wording import quoted


@dataclass(frozen=True, slots=True)
class SetStart(TaskSetting):
    """Set or clear when a task begins, a wall-clock time without a zone."""

    property_name: ClassVar[str] = "started_at"
    field_name: ClassVar[str] = "start date"

    started_at: datetime | None

    @classmethod
    def on(cls, task: Task, started_at: datetime | None) -> Self:
        """Say when `task` begins; None for no date."""
        base = stamp(task.started_at) or ""
        return cls(task.board_id, task.id, task.title, started_at, base=base)

    @property
    def sent(self) -> str | None:
        """`YYYY-MM-DD HH:MM:SS`, or None."""
        return stamp(self.started_at)

    def on_task(self, task: Task) -> Task:
        """The task with its new date."""
        return replace(task, started_at=self.started_at)

    def restoring(self, task: Task) -> Operation:
        """The date it has."""
        return replace(self, name=task.title, started_at=task.started_at, base=self.sent or "")

    def describe(self) -> str:
        """The task and its new date."""
        if self.started_at is None:
            return f"Clear the start date of {quoted(self.name)}"
        return f"Set the start date of {quoted(self.name)} to {self.started_at:%Y-%m-%d %H:%M}"

    @staticmethod
    def comparable(value: object) -> str:
        """The date and time to the second, "" for none."""
        return comparable_stamp(value)

    @staticmethod
    def in_words(value: object) -> str:
        """The date and time to the minute, or “none”."""
        return comparable_stamp(value)[: len("YYYY-MM-DD HH:MM")] or "none"
