"""Operations on a board's labels: create and delete; `edit` changes them and puts them on tasks.

Undoing the deletion of a label creates it again and puts it on the tasks that had it, as far as
they are still on the board.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar, Self

from tui.model.board import BoardView
from tui.model.colors import free_color, text_color
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId, LabelId
from tui.model.task import Label, Task
from tui.record import record
from tui.store.documents.shapes import Document
from tui.store.operations.base import Operation, Reply, operation
from tui.store.operations.creation import Absorbed, Creation
from tui.store.operations.ids import About, Former, new_local_id
from tui.store.operations.setters import add_label
from tui.store.reading import first_newer, same_text
from tui.store.remote import Remote
from tui.text.clean import counted, line

TEXT_COLOR = "#ffffff"
"""The default text colour of labels."""


@operation("create-label")
@record
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
        present = ((label.id, label.title) for label in view.labels)
        label_id = first_newer(present, self.title, newest_id)
        return view if label_id is None else view.without_label(label_id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        look = (self.title, self.color, self.text_color)
        return self.reply_created(await remote.create_label(self.board_id, *look))

    def is_mine(self, label: Document) -> bool:
        color = str(label.get("bg_color") or "")
        is_ours = color.casefold() == self.color.casefold()
        return is_ours and same_text(label.get("title"), self.title)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
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
@record
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

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        label = view.label(self.label.id)
        if label is None:
            return ()
        recreated = CreateLabel(self.board_id, label.id, label.title, label.color, self.text_color)
        # Without labels: the edits are then based on tasks that do not have this one.
        bare = (replace(task, labels=()) for task in _tasks_with(view, label.id))
        return (recreated, *(add_label(task, label) for task in bare))

    def lost_when_undone(self) -> str:
        return (
            f"The label {self.label.in_words} was added again, "
            "but not to archived cards and subtasks."
        )

    def describe(self) -> str:
        count = len(self.tasks)
        cards = f", which {counted(count, 'card')} had" if count else ""
        return f"Delete the label {self.label.in_words}{cards}"


def _tasks_with(view: BoardView, label_id: int) -> tuple[Task, ...]:
    tasks = view.all_tasks()
    return tuple(task for task in tasks if any(label.id == label_id for label in task.labels))
