"""Taking a label off a board for good.

The rule it keeps: every card loses it. Taking that back makes the label again and puts it on the
cards that had it, as far as they are on the board.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from tui.model.board import BoardView
from tui.model.detail import TaskDetail
from tui.model.ids import BoardId
from tui.model.task import Label, Task
from tui.store import operations as change
from tui.store.operations.base import Finding, Footing, Operation, Reply, operation
from tui.store.operations.comparing import gone
from tui.store.operations.edit import TEXT_COLOR
from tui.store.operations.edit_fields import label_in_words
from tui.store.operations.ids import About, Former
from tui.store.operations.labels import AddLabel
from tui.store.operations.looking import label_as_it_is
from tui.store.remote import Remote


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
        """The board without the label, on any card either."""
        return view.without_label(self.label.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it."""
        del truth
        await remote.delete_label(self.board_id, self.label.id)
        return gone("label", self.label.id)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the label is gone."""
        del footing
        now = await label_as_it_is(remote, self.board_id, self.label.id)
        return Finding(True, gone("label", self.label.id)) if now is None else Finding(done=False)

    def merged_with(self, later: Operation) -> Operation | None:
        """Deleting twice is deleting once."""
        return later if isinstance(later, DeleteLabel) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Make it again, and put it on the cards that had it."""
        del detail
        label = before.label(self.label.id)
        if label is None:
            return ()
        again = change.CreateLabel(
            self.board_id, label.id, label.title, label.color, self.text_color
        )
        bare = (replace(task, labels=()) for task in _tasks_with(before, label.id))
        return (again, *(AddLabel.on(task, label) for task in bare))

    def lost_when_undone(self) -> str:
        """Cards that are not on the board lose it for good."""
        return (
            f"The label {label_in_words(self.label)} was made again; "
            "archived cards and subtasks that had it have not got it back."
        )

    def describe(self) -> str:
        """The label and how many cards lose it."""
        count = len(self.tasks)
        cards = f", which {count} card{'' if count == 1 else 's'} had" if count else ""
        return f"Delete the label {label_in_words(self.label)}{cards}"


def _tasks_with(view: BoardView, label_id: int) -> tuple[Task, ...]:
    return tuple(
        task for task in view.all_tasks() if any(label.id == label_id for label in task.labels)
    )
