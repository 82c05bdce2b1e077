"""Blocking and unblocking the selected tasks: a label, and a comment with the reason."""

from collections.abc import Sequence
from datetime import UTC

from tui.actions.action import Action
from tui.actions.tasks.context import TaskContext, named
from tui.model.colors import COLORS
from tui.model.comment_text import named_in
from tui.model.detail import Part
from tui.model.task import Task
from tui.model.work.blocking import BLOCKED, as_comment, blocked_labels
from tui.store import operations as change
from tui.store.operations.base import Operation


class Block(Action[TaskContext]):
    """Asks for a reason and blocks the selected tasks; unblocks them if all are blocked."""

    id, keys, label = "task.block", "b", "Block with a reason, or unblock"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        tasks = on.need_tasks()
        free = [task for task in tasks if not blocked_labels(task.labels)]
        if free:
            await _block(on, free)
        elif tasks:
            labels = ((task, label) for task in tasks for label in blocked_labels(task.labels))
            removed = [change.RemoveLabel.on(task, label) for task, label in labels]
            await on.change(removed, f"unblocked {named(tasks)}")


async def _block(on: TaskContext, tasks: Sequence[Task]) -> None:
    """Ask for a reason, then add the label and the comment as one step."""
    from tui.dialogs.ask import AskDialog

    detail = on.store.detail(tasks[0].id)
    no_comments = detail.why.get(Part.COMMENTS, "") if detail is not None else ""
    hint = "why, or nothing for the label alone"
    asked = AskDialog(f"What blocks {named(tasks)}?", placeholder=hint)
    reason = "" if no_comments else await on.ask(asked)
    if reason is None:
        return
    reason, tasks, view = " ".join(reason.split()), on.as_now(tasks), on.view
    if view is None or not tasks:
        return
    operations: list[Operation] = []
    label = next(iter(blocked_labels(view.labels)), None)
    if label is None:
        created = change.CreateLabel.new(on.board_id, BLOCKED, COLORS["red"])
        operations, label = [created], created.label
    for task in tasks:
        operations.append(change.AddLabel.on(task, label))
        if reason:
            operations.append(_comment(on, task, as_comment(reason)))
    why = reason or no_comments
    await on.change(operations, f"blocked {named(tasks)}{f': {why}' if why else ''}")


def _comment(on: TaskContext, task: Task, text: str) -> Operation:
    at, mentions = on.now().astimezone(UTC), named_in(text, on.people)
    return change.CreateComment.new(task, text, author=on.me, at=at, mentions=mentions)
