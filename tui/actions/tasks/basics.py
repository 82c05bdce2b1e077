"""Actions on the title, status and priority of the selected tasks."""

from tui.actions.action import Action
from tui.actions.tasks.context import TaskContext, named
from tui.model.task import Priority, Status
from tui.store import operations as change


class EditTitle(Action[TaskContext]):
    """Edits the title of the first selected task in place."""

    id, keys, label, hint = "task.edit-title", "e", "Edit title", "title"
    changes_board = True

    async def run(self, on: TaskContext) -> None:
        if tasks := on.need_tasks():
            on.edit_title(tasks[0])


class Close(Action[TaskContext]):
    """Closes the selected tasks; reopens them if all are closed."""

    id, keys, label, hint = "task.close", "x", "Close or reopen task", "close"
    changes_board = True

    async def run(self, on: TaskContext) -> None:
        tasks = on.need_tasks()
        status = Status.OPEN if all(task.is_closed for task in tasks) else Status.CLOSED
        changed = [task for task in tasks if task.status is not status]
        done = "reopened" if status is Status.OPEN else "closed"
        if changed:
            operations = [change.set_status(task, status) for task in changed]
            await on.change(operations, f"{done} {named(changed)}")


class SetPriority(Action[TaskContext]):
    """Asks for a priority and sets it on the selected tasks."""

    id, keys, label = "task.priority", "p", "Set priority"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        from tui.dialogs.choose import Choice, ChooseDialog

        tasks = on.need_tasks()
        if not tasks:
            return
        choices = [Choice(each[0], each.capitalize(), each) for each in ("high", "medium", "low")]
        title = f"Priority of {named(tasks)}"
        answer = await on.ask(ChooseDialog(title, choices, tasks[0].priority.value))
        if answer is None:
            return
        priority = Priority(answer)
        changed = [
            change.set_priority(task, priority) for task in tasks if task.priority != priority
        ]
        if changed:
            await on.change(changed, f"priority {answer}: {named(tasks)}")
