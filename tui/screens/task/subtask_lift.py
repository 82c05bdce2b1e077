"""Subtasks in the hand, on the screen of their task: said, dropped, and what waits meanwhile.

The rule it keeps: a drop is one move for each subtask, however far it went; dropping where it was
sends nothing.
"""

from textual import on

from tui.model.detail import TaskDetail
from tui.screens.actions.task_actions import TaskActions
from tui.screens.task.subtask_changes import moves, named
from tui.screens.task.subtask_words import moving_line
from tui.widgets.painted import Line
from tui.widgets.task.subtask_list import SubtaskList

_FREE = {"help", "back"}


class CarriesSubtasks(TaskActions):
    """A screen with a list of subtasks that can be carried."""

    subtasks: SubtaskList
    detail: TaskDetail | None

    @property
    def is_waiting(self) -> bool:
        """Whether a subtask is in the hand."""
        return self.subtasks.lift is not None or super().is_waiting

    def tasks_changed(self) -> None:
        """Take the marks off once their subtasks were changed."""
        super().tasks_changed()
        if self.subtasks.lift is None:
            self.subtasks.put_back()

    def why_not(self, key: str) -> str:
        """With a subtask in the hand, most keys wait."""
        if self.subtasks.lift is not None:
            return f"‘{key}’ waits: drop the subtask first, or put it back with esc"
        return super().why_not(key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """With a subtask in the hand, nothing but carrying and dropping works."""
        if self.subtasks.lift is not None and action not in _FREE:
            return False
        return super().check_action(action, parameters)

    def status_line(self) -> Line | None:
        """What is in the hand, or how many subtasks are marked."""
        lifted = self.subtasks.lift
        if lifted is not None:
            return moving_line(lifted, self.subtasks.lanes, self.size.width)
        if self.subtasks.marks:
            marked = f" {len(self.subtasks.marks)} marked"
            return ((marked, "hand"), ("  every action works on all · esc", "quiet"))
        return super().status_line()

    @on(SubtaskList.HandChanged)
    def say_hand(self, event: SubtaskList.HandChanged) -> None:
        """Say what is in the hand and where it would go."""
        self.hush()
        if event.lost:
            self.say("the subtask in your hand was taken away: nothing was moved", error=True)

    @on(SubtaskList.CursorMoved)
    def say_marked(self) -> None:
        """Say how many subtasks are marked."""
        self.show_status()

    @on(SubtaskList.NothingThere)
    def say_why_nothing(self, event: SubtaskList.NothingThere) -> None:
        """Say why a key did nothing."""
        self.say(event.why)

    @on(SubtaskList.DropRequested)
    async def move_subtasks(self, event: SubtaskList.DropRequested) -> None:
        """Move the subtasks to where they were dropped; nothing is sent if they are there."""
        if self.detail is None:
            return
        steps = moves(self.detail, event.lift)
        if not steps:
            self.say(f"{named(event.lift.tasks)} stays where it is")
            return
        self.subtasks.go_to_subtask(event.lift.tasks[0].id)
        if await self.submit(steps):
            self.tasks_changed()
