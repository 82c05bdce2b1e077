"""The labels a board offers.

The rule it keeps: a label that is changed is so on every card that has it.
"""

from dataclasses import dataclass, replace
from typing import Self

from tui.model.board import BoardView
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId, LabelId
from tui.model.task import Label
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    Finding,
    Footing,
    Nothing,
    Operation,
    Reply,
    operation,
)
from tui.store.operations.comparing import found_new, made, same_words
from tui.store.operations.edit import TEXT_COLOR, is_edit
from tui.store.operations.edit_fields import label_in_words
from tui.store.operations.ids import Creates, new_local_id
from tui.store.operations.label_deletion import DeleteLabel
from tui.store.remote import Remote
from tui.text.clean import line


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
        """The board with the label."""
        return view if view.label(self.label_id) is not None else view.with_label(self.label)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it."""
        del truth
        label = await remote.create_label(self.board_id, self.title, self.color, self.text_color)
        return made("label", {**label, "board_id": self.board_id})

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Search the board for exactly one new label with our title and colour."""
        return found_new(
            "label", await remote.labels(self.board_id), self._looks_like_ours, footing.newest_id
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
        """Delete it."""
        del before, detail
        return (DeleteLabel(self.board_id, self.label, (), self.text_color),)

    def describe(self) -> str:
        """The new label."""
        return f"Add the label {label_in_words(self.label)}"
