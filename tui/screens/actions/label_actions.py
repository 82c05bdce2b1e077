"""The labels of tasks, and of their board.

What is toggled on the tasks is one step with the labels that are made for them; a label that is
changed or deleted is so on the whole board, and that is a step of its own.
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from tui.model.colors import color_name, free_color, text_color
from tui.model.task import Label, Task
from tui.screens.actions.task_actions import TaskActions, named
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import quoted


class LabelActions(TaskActions):
    """A screen on which tasks are labelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "t", "labels", "labels", id="task.labels", show=False,
            tooltip="Label it; make, change and delete labels",
        ),
    ]  # fmt: skip

    @work(exclusive=True, group="dialog")
    async def action_labels(self) -> None:
        """Ask for the labels of the chosen tasks, until they are taken or given up."""
        from tui.dialogs.pick.labels import PickLabels

        created: tuple[str, ...] = ()
        at = ""
        tasks = self.need_tasks()
        chosen = shared = _shared(tasks)
        while tasks and (view := self.view) is not None:
            picked = await self.app.push_screen_wait(
                PickLabels(f"Labels of {named(tasks)}", view, tasks, chosen, created=created, at=at)
            )
            if picked is None:
                return
            chosen, created, at = frozenset(map(int, picked.chosen)), picked.created, picked.at
            if not picked.verb:
                await self._label(tasks, chosen - shared, shared - chosen, created)
                return
            await self._change_label(self.called(int(at)), picked.verb)
            tasks, chosen, shared = self.as_now(tasks), self._ids_now(chosen), self._ids_now(shared)

    async def _label(
        self,
        tasks: Sequence[Task],
        added: Iterable[int],
        removed: Iterable[int],
        created: Sequence[str],
    ) -> None:
        """Put labels on tasks and take others off, as one step with the labels made for them."""
        view, tasks = self.view, self.as_now(tasks)
        if not tasks:
            return
        known = {label.id: label for label in view.labels} if view is not None else {}
        operations: list[Operation] = []
        put = [known[one] for one in self._ids_now(added) if one in known]
        for title in created:
            color = free_color((*known.values(), *put))
            made = change.CreateLabel.new(self.board_id, title, color, text_color(color))
            operations.append(made)
            put.append(made.label)
        gone = self._ids_now(removed)
        for task in tasks:
            on = {label.id for label in task.labels}
            operations += [change.AddLabel.on(task, one) for one in put if one.id not in on]
            operations += [
                change.RemoveLabel.on(task, one) for one in task.labels if one.id in gone
            ]
        if not operations:
            self.say("the labels stay as they are")
        elif await self.submit(operations, _told(tasks, put, gone)):
            self.tasks_changed()

    async def _change_label(self, label_id: int, verb: str) -> None:
        """Edit or delete a label, if the board still has it."""
        label = self.view.label(label_id) if self.view is not None else None
        if label is None:
            self.say("that label is gone: nothing was changed", error=True)
        elif verb == "edit":
            await self._edit_label(label)
        else:
            await self._delete_label(label)

    async def _edit_label(self, label: Label) -> None:
        """Ask for another title and colour of a label."""
        from tui.dialogs.pick.labels import LabelEditor

        looks = await self.app.push_screen_wait(LabelEditor(label))
        if looks is None:
            return
        operation = change.edit_label(
            self.board_id,
            label,
            title=looks.title,
            color=looks.color,
            text_color=text_color(looks.color),
        )
        if not operation.changes_nothing:
            await self.submit([operation], f"changed the label {_called(label)} on the whole board")

    async def _delete_label(self, label: Label) -> None:
        """Ask, then delete a label of the board."""
        from tui.dialogs.confirm import ConfirmDialog

        view = self.view
        if view is None:
            return
        operation = change.DeleteLabel.on(view, label)
        count = len(operation.tasks)
        loses = f"{count} card{' loses' if count == 1 else 's lose'} it." if count else ""
        asked = ConfirmDialog(
            f"Delete the label {_called(label)} from this board?",
            f"{loses or 'No card on the board has it.'} Archived cards lose it too.",
        )
        if await self.app.push_screen_wait(asked):
            await self.submit([operation], f"deleted the label {_called(label)}")

    def _ids_now(self, label_ids: Iterable[int]) -> frozenset[int]:
        """The ids that labels have now."""
        return frozenset(map(self.called, label_ids))


def _shared(tasks: Sequence[Task]) -> frozenset[int]:
    """The labels that all of the tasks have."""
    each = [frozenset(label.id for label in task.labels) for task in tasks]
    return frozenset.intersection(*each) if each else frozenset()


def _called(label: Label) -> str:
    """A label by its title, or by its colour where it has none."""
    return quoted(label.title) if label.title else color_name(label.color) or label.color


def _told(tasks: Sequence[Task], put: Sequence[Label], gone: Iterable[int]) -> str:
    """What was done, in words."""
    names = ", ".join(_called(label) for label in put)
    count = len(frozenset(gone))
    off = f"{count} label{'' if count == 1 else 's'} taken off" if count else ""
    return f"{' · '.join(filter(None, (names, off)))}: {named(tasks)}"
