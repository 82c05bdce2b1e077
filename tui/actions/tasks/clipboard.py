"""Actions that copy something of the selected tasks to the clipboard of the terminal."""

from collections.abc import Sequence

from tui.actions.old import Action
from tui.actions.tasks.context import TaskContext, named
from tui.model.task import Task
from tui.model.work.branch import branch_of
from tui.text.clean import counted


class CopyTitle(Action[TaskContext]):
    """Copies the numbers and titles of the selected tasks, one a line."""

    id, keys, label = "task.copy-title", "y y", "Copy number and title"

    async def run(self, on: TaskContext) -> None:
        tasks = on.need_tasks()
        if tasks:
            _copy(on, [_titled(task) for task in tasks])


class CopyLink(Action[TaskContext]):
    """Copies the addresses of the selected tasks, one a line."""

    id, keys, label = "task.copy-link", "y u", "Copy link"

    async def run(self, on: TaskContext) -> None:
        pattern = on.context.card_url
        if not pattern:
            hint = "card_url of the profile says it in the settings"
            on.say("not copied: the web address of cards is not known", hint=hint)
        elif tasks := _sent(on):
            _copy(on, [_link(pattern, task) for task in tasks])


class CopyBranch(Action[TaskContext]):
    """Copies the name of a git branch for the first selected task."""

    id, keys, label = "task.copy-branch", "y b", "Copy name of git branch"

    async def run(self, on: TaskContext) -> None:
        if tasks := _sent(on)[:1]:
            _copy(on, [branch_of(tasks[0], on.context.settings.branch_name)])


def _sent(on: TaskContext) -> tuple[Task, ...]:
    """The selected tasks, if all of them have numbers; else say so."""
    tasks = on.need_tasks()
    local = [task for task in tasks if task.is_local]
    if local:
        on.say(
            f"not copied: {named(local)} has no number until it is sent",
            hint="{go.waiting:g u} shows why",
        )
    return () if local else tasks


def _copy(on: TaskContext, texts: Sequence[str]) -> None:
    on.host.app.copy_to_clipboard("\n".join(texts))
    on.say(f"copied {texts[0]}" if len(texts) == 1 else f"copied {counted(len(texts), 'line')}")


def _titled(task: Task) -> str:
    return task.title if task.is_local else f"#{task.id} {task.title}"


def _link(pattern: str, task: Task) -> str:
    return pattern.replace("{id}", str(task.id)).replace("{board}", str(task.board_id))


COPY_ACTIONS: tuple[Action[TaskContext], ...] = (CopyTitle(), CopyLink(), CopyBranch())
