"""Cloning tasks, with a dialog for the parts that are copied."""

from collections.abc import Sequence

from tui.actions.action import Action
from tui.actions.tasks.context import TaskContext, named
from tui.actions.tasks.moving import are_on_board
from tui.model.detail import Part
from tui.model.task import Task
from tui.store import operations as change
from tui.text.clean import quoted


class Copy(Action[TaskContext]):
    """Asks for the parts to copy and the stage, and clones the selected tasks."""

    id, keys, label = "task.clone", "C", "Clone task"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        from tui.dialogs.clone import CloneDialog

        tasks, view = on.need_tasks(), on.view
        if not tasks or view is None or not are_on_board(on, tasks, "copied"):
            return
        wanted = await on.ask(
            CloneDialog(
                f"Copy {named(tasks)}",
                tasks,
                view.stages,
                no_subtasks=_why_no_subtasks(on, tasks),
            )
        )
        tasks = on.as_now(tasks) if wanted is not None else ()
        if wanted is None or not tasks:
            return
        stage = view.stage(wanted.stage_id)
        stage_id = None if stage is None else on.called(stage.id)
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
        await on.change(copies, f"copied {named(tasks)}{where}")


def _why_no_subtasks(on: TaskContext, tasks: Sequence[Task]) -> str:
    """The reason why subtasks cannot be copied; empty if they can, or if that is not known."""
    details = (on.store.detail(task.id) for task in tasks)
    reasons = (detail.why.get(Part.SUBTASKS, "") for detail in details if detail is not None)
    return next(filter(None, reasons), "")
