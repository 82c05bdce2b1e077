"""Copying a task: asks what of it is copied, and offers only what the service can copy."""

from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from tui.model.detail import Part
from tui.model.task import Task
from tui.screens.actions.task_actions import TaskActions, named
from tui.store import operations as change
from tui.text.clean import quoted


class CloningActions(TaskActions):
    """A screen on which tasks are copied."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "C", "clone", "Copy", id="task.clone", show=False,
            tooltip="Copy the task, with what belongs to it",
        ),
    ]  # fmt: skip

    @work(exclusive=True, group="dialog")
    async def action_clone(self) -> None:
        """Ask what of the chosen tasks is copied and where to, and copy them."""
        from tui.dialogs.clone import CloneDialog

        tasks, view = self.need_tasks(), self.view
        if not tasks or view is None or not self.are_on_board(tasks, "copied"):
            return
        wanted = await self.app.push_screen_wait(
            CloneDialog(
                f"Copy {named(tasks)}",
                tasks,
                view.stages,
                no_subtasks=self._why_no_subtasks(tasks),
            )
        )
        tasks = self.as_now(tasks) if wanted is not None else ()
        if wanted is None or not tasks:
            return
        stage = view.stage(wanted.stage_id)
        stage_id = None if stage is None else self.called(stage.id)
        parts = change.CloneParts(
            people="people" in wanted.parts,
            labels="labels" in wanted.parts,
            subtasks="subtasks" in wanted.parts,
            comments="comments" in wanted.parts,
        )
        copies = [
            change.CloneTask.of(task, stage_id=stage_id, title=wanted.title, parts=parts)
            for task in tasks
        ]
        where = "" if stage is None else f" to {quoted(stage.title)}"
        if await self.submit(copies, f"copied {named(tasks)}{where}"):
            self.tasks_changed()

    def are_on_board(self, tasks: Sequence[Task], done: str) -> bool:
        """Whether all of the tasks stand on the board; else it is said why nothing is `done`."""
        if any(task.parent_id is not None for task in tasks):
            self.say(f"a subtask is {done} in its list of subtasks", hint="space lifts, C copies")
        elif any(task.archived_at is not None for task in tasks):
            self.say(f"an archived task is not {done}", hint="A restores it")
        else:
            return True
        return False

    def _why_no_subtasks(self, tasks: Sequence[Task]) -> str:
        """Why the service copies no subtasks; empty if it may, or if that is not known."""
        details = (self.store.detail(task.id) for task in tasks)
        reasons = (detail.why.get(Part.SUBTASKS, "") for detail in details if detail is not None)
        return next(filter(None, reasons), "")
