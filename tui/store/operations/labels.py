"""Putting labels on tasks and taking them off.

The rule it keeps: labels are a set, so nobody is ever in the way: putting on what is on already, or
taking off what is not there, is done. Put on and taken off again before it was sent is nothing.
"""

from abc import ABC
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from tui.model.board import BoardView
from tui.model.detail import TaskDetail, find_task
from tui.model.fields.row import RowKey, TaskField
from tui.model.ids import BoardId, TaskId
from tui.model.task import Label, Task
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    AlreadySo,
    Clear,
    Finding,
    Footing,
    News,
    Operation,
    Reply,
    Verdict,
    operation,
)
from tui.store.operations.edit_fields import label_in_words
from tui.store.operations.reading import task_as_it_is, task_found, task_reply
from tui.store.operations.wording import quoted
from tui.store.remote import Remote


@dataclass(frozen=True, slots=True)
class LabelOnTask(Operation, ABC):
    """One label on one task; `was_on` is whether it was there before, None if not known."""

    is_on: ClassVar[bool]

    board_id: BoardId
    task_id: TaskId
    name: str
    label: Label
    was_on: bool | None = field(default=None, kw_only=True)

    @classmethod
    def on(cls, task: Task, label: Label) -> Self:
        """Change whether `task` has `label`."""
        was_on = any(one.id == label.id for one in task.labels)
        return cls(task.board_id, task.id, task.title, label, was_on=was_on)

    @property
    def row(self) -> RowKey:
        return TaskField.LABELS, 0

    @property
    def keeps_base(self) -> bool:
        """Whether it is known if the label was there."""
        return self.was_on is not None

    @property
    def changes_nothing(self) -> bool:
        """Whether the label is, or is not, there already."""
        return self.was_on is self.is_on

    def apply(self, view: BoardView) -> BoardView:
        """The board with the card's labels; a label that was changed meanwhile as it is now."""
        task = view.task(self.task_id)
        if task is None:
            return view
        return view.with_task(self._on_task(task, view.label(self.label.id) or self.label))

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task, or its subtask, with the labels."""
        task = detail.find(self.task_id)
        return detail if task is None else detail.with_task(self._on_task(task, self.label))

    def _on_task(self, task: Task, label: Label) -> Task:
        if any(one.id == label.id for one in task.labels) is self.is_on:
            return task
        others = tuple(one for one in task.labels if one.id != label.id)
        return replace(task, labels=(*others, label) if self.is_on else others)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it, and take over the labels the task has after it."""
        del truth
        ids = (self.board_id, self.task_id, self.label.id)
        labels = await (remote.add_label(*ids) if self.is_on else remote.remove_label(*ids))
        return Reply(news=(News("task", self.task_id, {"id": self.task_id, "labels": labels}),))

    async def look(self, remote: Remote) -> Document | None:
        """The task as it is now."""
        return await task_as_it_is(remote, self.board_id, self.task_id)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Read whether the label is there; sending it again does no harm."""
        del footing
        now = await self.look(remote)
        return task_found(now is not None and self._is_so(now), self.task_id, now)

    def _is_so(self, now: Document) -> bool:
        labels = now.get("labels") or ()
        return any(label.get("id") == self.label.id for label in labels) is self.is_on

    def check(self, now: Document) -> Verdict:
        """Done, or to be sent."""
        return AlreadySo(task_reply(now)) if self._is_so(now) else Clear()

    def merged_with(self, later: Operation) -> Operation | None:
        """The later one, if it is about the same label."""
        if not isinstance(later, LabelOnTask) or later.label.id != self.label.id:
            return None
        return replace(later, was_on=self.was_on)

    def touches(self, other: Operation) -> bool:
        """Whether the other is about the same label on this task, or makes one of the two."""
        if isinstance(other, LabelOnTask):
            return other.task_id == self.task_id and other.label.id == self.label.id
        return Operation.touches(self, other)

    def _is_on_before(self, before: BoardView, detail: TaskDetail | None) -> bool | None:
        task = find_task(before, detail, self.task_id)
        return None if task is None else any(one.id == self.label.id for one in task.labels)


@operation("add-label")
@dataclass(frozen=True, slots=True)
class AddLabel(LabelOnTask):
    """Put a label on a task."""

    is_on: ClassVar[bool] = True

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Take it off, unless it was there already."""
        if self._is_on_before(before, detail) is not False:
            return ()
        return (RemoveLabel(self.board_id, self.task_id, self.name, self.label, was_on=True),)

    def describe(self) -> str:
        """The label and the task."""
        return f"Label {quoted(self.name)} with {label_in_words(self.label)}"


@operation("remove-label")
@dataclass(frozen=True, slots=True)
class RemoveLabel(LabelOnTask):
    """Take a label off a task."""

    is_on: ClassVar[bool] = False

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Put it on again, if it was there."""
        if self._is_on_before(before, detail) is not True:
            return ()
        return (AddLabel(self.board_id, self.task_id, self.name, self.label, was_on=False),)

    def describe(self) -> str:
        """The label and the task."""
        return f"Take the label {label_in_words(self.label)} off {quoted(self.name)}"
