"""The labels a board offers, and which tasks have them.

The labels of a task are a set, so nobody is ever in the way: putting on what is on already, or
taking off what is not there, is done. A label that is deleted goes from every card; taking that
back makes it again and puts it on the cards that had it, as far as they are on the board.
"""

from abc import ABC
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from tui.model.board import BoardView
from tui.model.detail import RowKey, TaskDetail, TaskField, find_task
from tui.model.ids import BoardId, LabelId, TaskId
from tui.model.task import Label, Task
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    AlreadyApplied,
    Baseline,
    Finding,
    News,
    NoConflict,
    Nothing,
    Operation,
    Reply,
    Verdict,
    operation,
)
from tui.store.operations.edit import TEXT_COLOR, is_edit
from tui.store.operations.ids import About, Creates, Former, new_local_id
from tui.store.operations.reading import (
    found_new,
    gone,
    label_as_it_is,
    made,
    same_words,
    task_as_it_is,
    task_found,
    task_reply,
)
from tui.store.remote import Remote
from tui.text.clean import line, quoted


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
        return self.was_on is not None

    @property
    def changes_nothing(self) -> bool:
        return self.was_on is self.is_on

    def apply(self, view: BoardView) -> BoardView:
        task = view.task(self.task_id)
        if task is None:
            return view
        return view.with_task(self._on_task(task, view.label(self.label.id) or self.label))

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        task = detail.find(self.task_id)
        return detail if task is None else detail.with_task(self._on_task(task, self.label))

    def _on_task(self, task: Task, label: Label) -> Task:
        if any(one.id == label.id for one in task.labels) is self.is_on:
            return task
        others = tuple(one for one in task.labels if one.id != label.id)
        return replace(task, labels=(*others, label) if self.is_on else others)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it, and take over the labels the task has after it."""
        ids = (self.board_id, self.task_id, self.label.id)
        labels = await (remote.add_label(*ids) if self.is_on else remote.remove_label(*ids))
        return Reply(news=(News("task", self.task_id, {"id": self.task_id, "labels": labels}),))

    async def fetch(self, remote: Remote) -> Document | None:
        return await task_as_it_is(remote, self.board_id, self.task_id)

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        """Read whether the label is there; sending it again does no harm."""
        now = await self.fetch(remote)
        return task_found(now is not None and self._is_so(now), self.task_id, now)

    def _is_so(self, now: Document) -> bool:
        labels = now.get("labels") or ()
        return any(label.get("id") == self.label.id for label in labels) is self.is_on

    def check(self, now: Document) -> Verdict:
        """Done, or to be sent."""
        return AlreadyApplied(task_reply(now)) if self._is_so(now) else NoConflict()

    def merged_with(self, later: Operation) -> Operation | None:
        """The later one, if it is about the same label."""
        if not isinstance(later, LabelOnTask) or later.label.id != self.label.id:
            return None
        return replace(later, was_on=self.was_on)

    def conflicts_with(self, other: Operation) -> bool:
        """Whether the other is about the same label on this task, or makes one of the two."""
        if isinstance(other, LabelOnTask):
            return other.task_id == self.task_id and other.label.id == self.label.id
        return Operation.conflicts_with(self, other)

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """The other way round, unless it was so already."""
        task = find_task(before, detail, self.task_id)
        if task is None or any(one.id == self.label.id for one in task.labels) is self.is_on:
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
class CreateLabel(Operation):
    """Offer a new label on a board; colours are hex, `label_id` is a local id."""

    board_id: BoardId
    label_id: Creates[LabelId]
    title: str
    color: str
    text_color: str = TEXT_COLOR

    @classmethod
    def new(cls, board_id: int, title: str, color: str, text_color: str = TEXT_COLOR) -> Self:
        """A label that does not exist yet, under a local id of its own."""
        return cls(board_id, new_local_id(), title, color, text_color)

    @property
    def label(self) -> Label:
        """The label as it will look, to be put on tasks."""
        return Label(self.label_id, line(self.title), self.color)

    def apply(self, view: BoardView) -> BoardView:
        return view if view.label(self.label_id) is not None else view.with_label(self.label)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        label = await remote.create_label(self.board_id, self.title, self.color, self.text_color)
        return made("label", {**label, "board_id": self.board_id})

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        """Search the board for exactly one new label with our title and colour."""
        return found_new(
            "label", await remote.labels(self.board_id), self._looks_like_ours, baseline.newest_id
        )

    def _looks_like_ours(self, label: Document) -> bool:
        color = str(label.get("bg_color") or "")
        is_ours = color.casefold() == self.color.casefold()
        return is_ours and same_words(label.get("title"), self.title)

    def merged_with(self, later: Operation) -> Operation | None:
        """A label that was never sent is made as it is in the end, or not at all."""
        if is_edit(later, "look", "label"):
            title, color, text_color = (one or "" for one in later.value)
            return replace(self, title=title, color=color, text_color=text_color)
        return Nothing(self.board_id) if isinstance(later, DeleteLabel) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        return (DeleteLabel(self.board_id, self.label, (), self.text_color),)

    def describe(self) -> str:
        return f"Add the label {self.label.in_words}"


@operation("delete-label")
@dataclass(frozen=True, slots=True)
class DeleteLabel(Operation):
    """Delete a label from a board; `tasks` are those that had it."""

    makes_edits_needless: ClassVar[bool] = True

    board_id: BoardId
    label: About[Label]
    tasks: Former[tuple[Task, ...]] = ()
    text_color: str = TEXT_COLOR

    @classmethod
    def on(cls, view: BoardView, label: Label) -> Self:
        """Delete a label of a board."""
        return cls(view.board.id, label, _tasks_with(view, label.id))

    def apply(self, view: BoardView) -> BoardView:
        return view.without_label(self.label.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        await remote.delete_label(self.board_id, self.label.id)
        return gone("label", self.label.id)

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        now = await label_as_it_is(remote, self.board_id, self.label.id)
        return Finding(True, gone("label", self.label.id)) if now is None else Finding(done=False)

    def merged_with(self, later: Operation) -> Operation | None:
        return later if isinstance(later, DeleteLabel) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Make it again, and put it on the cards that had it."""
        label = before.label(self.label.id)
        if label is None:
            return ()
        again = CreateLabel(self.board_id, label.id, label.title, label.color, self.text_color)
        bare = (replace(task, labels=()) for task in _tasks_with(before, label.id))
        return (again, *(AddLabel.on(task, label) for task in bare))

    def lost_when_undone(self) -> str:
        """Cards that are not on the board lose it for good."""
        return (
            f"The label {self.label.in_words} was made again; "
            "archived cards and subtasks that had it have not got it back."
        )

    def describe(self) -> str:
        count = len(self.tasks)
        cards = f", which {count} card{'' if count == 1 else 's'} had" if count else ""
        return f"Delete the label {self.label.in_words}{cards}"


def _tasks_with(view: BoardView, label_id: int) -> tuple[Task, ...]:
    return tuple(
        task for task in view.all_tasks() if any(label.id == label_id for label in task.labels)
    )
