"""Operations on a board's labels, and on the labels of tasks.

The labels of a task are a set, so these changes never conflict. Undoing the deletion of a label
creates it again and puts it on the tasks that had it, as far as they are still on the board.
"""

from abc import ABC
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from tui.model.board import BoardView
from tui.model.colors import free_color, text_color
from tui.model.detail import TaskDetail, TaskField, find_task
from tui.model.ids import BoardId, LabelId, TaskId
from tui.model.task import Label, Task
from tui.store.documents.shapes import Document
from tui.store.operations.base import AlreadyApplied, Baseline, Operation, Reply, Verdict, operation
from tui.store.operations.creation import Absorbed, Creation
from tui.store.operations.ids import About, Former, new_local_id
from tui.store.reading import first_newer, same_text
from tui.store.remote import Remote
from tui.text.clean import counted, line, quoted

TEXT_COLOR = "#ffffff"
"""The default text colour of labels."""


@dataclass(frozen=True, slots=True)
class LabelOnTask(Operation, ABC):
    """One label on one task; `was_on` is whether it was there before, None if not known."""

    shown_as: ClassVar[TaskField | None] = TaskField.LABELS
    is_on: ClassVar[bool]

    board_id: BoardId
    task_id: TaskId
    name: str
    label: Label
    was_on: bool | None = field(default=None, kw_only=True)

    @classmethod
    def on(cls, task: Task, label: Label) -> Self:
        ids = (task.board_id, task.id)
        return cls(*ids, task.title, label, was_on=_has(task, label.id))

    @property
    def keeps_base(self) -> bool:
        return self.was_on is not None

    @property
    def changes_nothing(self) -> bool:
        return self.was_on is self.is_on

    def apply(self, view: BoardView) -> BoardView:
        label = view.label(self.label.id)
        return Operation.apply(self if label is None else replace(self, label=label), view)

    def on_task(self, task: Task) -> Task:
        if _has(task, self.label.id) is self.is_on:
            return task
        others = tuple(one for one in task.labels if one.id != self.label.id)
        return replace(task, labels=(*others, self.label) if self.is_on else others)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it, and merge the resulting labels of the task."""
        ids = (self.board_id, self.task_id, self.label.id)
        labels = await (remote.add_label(*ids) if self.is_on else remote.remove_label(*ids))
        return self.reply_about({"id": self.task_id, "labels": labels})

    def is_done(self, now: Document | None, baseline: Baseline) -> bool:
        return now is not None and self._is_so(now)

    def _is_so(self, now: Document) -> bool:
        labels = now.get("labels") or ()
        return any(label.get("id") == self.label.id for label in labels) is self.is_on

    def check(self, now: Document) -> Verdict:
        return AlreadyApplied() if self._is_so(now) else self

    def merged_with(self, later: Operation) -> Operation | None:
        if not isinstance(later, LabelOnTask) or later.label.id != self.label.id:
            return None
        return replace(later, was_on=self.was_on)

    def conflicts_with(self, other: Operation) -> bool:
        """Whether the other is about the same label on this task, or creates one of the two."""
        if isinstance(other, LabelOnTask):
            return other.task_id == self.task_id and other.label.id == self.label.id
        return Operation.conflicts_with(self, other)

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        task = find_task(before, detail, self.task_id)
        if task is None or _has(task, self.label.id) is self.is_on:
            return ()
        opposite = RemoveLabel if self.is_on else AddLabel
        ids = (self.board_id, self.task_id)
        return (opposite(*ids, self.name, self.label, was_on=self.is_on),)


@operation("add-label")
@dataclass(frozen=True, slots=True)
class AddLabel(LabelOnTask):
    """Put a label on a task."""

    is_on: ClassVar[bool] = True

    def describe(self) -> str:
        return f"Label {quoted(self.name)} with {self.label.in_words}"


@operation("remove-label")
@dataclass(frozen=True, slots=True)
class RemoveLabel(LabelOnTask):
    """Take a label off a task."""

    is_on: ClassVar[bool] = False

    def describe(self) -> str:
        return f"Take the label {self.label.in_words} off {quoted(self.name)}"


@operation("create-label")
@dataclass(frozen=True, slots=True)
class CreateLabel(Creation):
    """Create a label on a board; colours are hex, `label_id` is a local id."""

    absorbs: ClassVar[Absorbed] = {"look": {"title": str, "color": str, "text_color": str}}

    board_id: BoardId
    label_id: About[LabelId]
    title: str
    color: str
    text_color: str = TEXT_COLOR

    @classmethod
    def new(cls, board_id: int, title: str, color: str) -> Self:
        return cls(board_id, new_local_id(), title, color, text_color(color))

    @property
    def label(self) -> Label:
        return Label(self.label_id, line(self.title), self.color)

    def apply(self, view: BoardView) -> BoardView:
        return view if view.label(self.label_id) is not None else view.with_label(self.label)

    def without_made(self, view: BoardView, newest_id: int) -> BoardView:
        present = ((one.id, one.title) for one in view.labels)
        made = first_newer(present, self.title, newest_id)
        return view if made is None else view.without_label(made)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        given = (self.title, self.color, self.text_color)
        return self.reply_created(await remote.create_label(self.board_id, *given))

    def is_mine(self, label: Document) -> bool:
        color = str(label.get("bg_color") or "")
        is_ours = color.casefold() == self.color.casefold()
        return is_ours and same_text(label.get("title"), self.title)

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        return (DeleteLabel(self.board_id, self.label, (), self.text_color),)

    def describe(self) -> str:
        return f"Add the label {self.label.in_words}"


def create_labels(
    board_id: int, titles: Iterable[str], present: Iterable[Label]
) -> list[CreateLabel]:
    """Create labels with these titles, each in a colour that is used least on the board."""
    labels, creations = list(present), list[CreateLabel]()
    for title in titles:
        creations.append(CreateLabel.new(board_id, title, free_color(labels)))
        labels.append(creations[-1].label)
    return creations


@operation("delete-label")
@dataclass(frozen=True, slots=True)
class DeleteLabel(Operation):
    """Delete a label from a board; `tasks` are those that had it."""

    removes_subject: ClassVar[bool] = True
    discards_edits: ClassVar[bool] = True

    board_id: BoardId
    label: About[Label]
    tasks: Former[tuple[Task, ...]] = ()
    text_color: str = TEXT_COLOR

    @classmethod
    def on(cls, view: BoardView, label: Label) -> Self:
        return cls(view.board.id, label, _tasks_with(view, label.id), text_color(label.color))

    def apply(self, view: BoardView) -> BoardView:
        return view.without_label(self.label.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        await remote.delete_label(self.board_id, self.label.id)
        return self.reply_about(None)

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        label = before.label(self.label.id)
        if label is None:
            return ()
        again = CreateLabel(self.board_id, label.id, label.title, label.color, self.text_color)
        bare = (replace(task, labels=()) for task in _tasks_with(before, label.id))
        return (again, *(AddLabel.on(task, label) for task in bare))

    def lost_when_undone(self) -> str:
        return (
            f"The label {self.label.in_words} was made again; "
            "archived cards and subtasks that had it have not got it back."
        )

    def describe(self) -> str:
        count = len(self.tasks)
        cards = f", which {counted(count, 'card')} had" if count else ""
        return f"Delete the label {self.label.in_words}{cards}"


def _has(task: Task, label_id: int) -> bool:
    return any(label.id == label_id for label in task.labels)


def _tasks_with(view: BoardView, label_id: int) -> tuple[Task, ...]:
    return tuple(task for task in view.all_tasks() if _has(task, label_id))
