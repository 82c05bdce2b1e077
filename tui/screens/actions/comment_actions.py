"""Writing a comment on a task, wherever the task is shown, and opening its thread."""

from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from tui.model.detail import Part
from tui.screens.actions.task_actions import TaskActions
from tui.screens.navigation import ThreadRequested


class CommentActions(TaskActions):
    """A screen on which tasks can be commented on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "c", "comment", "comment", id="task.comment", show=False,
            tooltip="Write a comment on the task",
        ),
        Binding(
            "T", "thread", "Thread", id="task.thread", show=False,
            tooltip="Open what was said about the task",
        ),
    ]  # fmt: skip

    @work(exclusive=True, group="dialog")
    async def action_comment(self) -> None:
        """Write a comment on the first chosen task."""
        from tui.screens.actions.comment_writing import write_comment

        tasks = self.need_tasks()
        if not tasks:
            return
        detail = self.store.detail(tasks[0].id)
        if detail is not None and Part.COMMENTS in detail.why:
            self.say(detail.why[Part.COMMENTS])
            return
        await write_comment(self, tasks[0])

    def action_thread(self) -> None:
        """Open the thread of the first chosen task."""
        if tasks := self.need_tasks():
            self.post_message(ThreadRequested(self.board_id, tasks[0].id))
