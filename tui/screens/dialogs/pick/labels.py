"""The labels of tasks, out of those of their board.

The rule it keeps: a label is told by its colour and in words, also where it has no title; what else
can be done with labels is done by keys that are shown, and what was toggled before is kept.
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from tui.model.board import BoardView
from tui.model.label_colors import color_name
from tui.model.task import Label, Task
from tui.screens.dialogs.pick.many import PickChoice, PickMany


class PickLabels(PickMany):
    """Asks which labels tasks have; `verb` “edit” or “delete” ask for that with the one `at`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+r", "want('edit')", "rename", id="labels.edit", priority=True,
            tooltip="Rename or recolour the label",
        ),
        Binding(
            "ctrl+x", "want('delete')", "delete", id="labels.delete", priority=True,
            tooltip="Delete the label from the board (asks)",
        ),
    ]  # fmt: skip

    def __init__(
        self,
        title: str,
        view: BoardView,
        tasks: Sequence[Task],
        chosen: Iterable[int],
        *,
        created: tuple[str, ...] = (),
        at: str = "",
    ) -> None:
        labels = {label.id: label for task in tasks for label in task.labels}
        labels = {label.id: label for label in view.labels} | labels
        super().__init__(
            title,
            [_choice(label, tasks) for label in labels.values()],
            frozenset(map(str, chosen)),
            create="label",
            created=created,
        )
        self.starts_at = at

    def keys_line(self) -> str:
        """What the keys do on the label of the cursor."""
        more = "\nctrl+r rename, recolour   ctrl+x delete" if self.at in self.choices else ""
        return super().keys_line() + more

    def action_want(self, verb: str) -> None:
        """Ask for something else with the label of the cursor."""
        if self.at in self.choices:
            self.dismiss(self.picked(verb, self.at))


def _choice(label: Label, tasks: Sequence[Task]) -> PickChoice:
    """How a label is offered: with the name of its colour, and on how many of the tasks it is."""
    on = sum(any(one.id == label.id for one in task.labels) for task in tasks)
    hints = (
        color_name(label.color) or label.color,
        f"on {on} of {len(tasks)}" if 0 < on < len(tasks) else "",
    )
    hint = " · ".join(filter(None, hints))
    return PickChoice(str(label.id), label.title or "(no title)", hint, label.color)
