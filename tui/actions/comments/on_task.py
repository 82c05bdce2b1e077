"""Actions that comment on a task or open its thread, for every screen with tasks."""

from tui.actions.action import Action
from tui.actions.tasks.context import TaskContext
from tui.model.detail import Part
from tui.navigation import ThreadRequested


class Comment(Action[TaskContext]):
    """Opens the editor for a comment on the first selected task."""

    id, keys, label = "task.comment", "c", "Write comment"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        from tui.actions.comments.writing import write_comment

        tasks = on.need_tasks()
        if not tasks:
            return
        detail = on.store.detail(tasks[0].id)
        if detail is not None and Part.COMMENTS in detail.why:
            on.say(detail.why[Part.COMMENTS])
            return
        await write_comment(on, tasks[0])


class OpenThread(Action[TaskContext]):
    """Opens the comments of the first selected task."""

    id, keys, label = "task.thread", "T", "Open comments"

    async def run(self, on: TaskContext) -> None:
        if tasks := on.need_tasks():
            on.host.post_message(ThreadRequested(on.board_id, tasks[0].id))
