"""The groups in which a task's subtasks stand.

The rule it keeps: a group goes with its subtasks. Taking that back makes the group and its subtasks
again, as far as they can be made again, and says what is lost.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from tui.model.board import BoardView
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.ids import BoardId, GroupId, TaskId
from tui.model.task import Task
from tui.store import operations as change
from tui.store.operations.base import (
    Finding,
    Footing,
    News,
    Nothing,
    Operation,
    Reply,
    operation,
)
from tui.store.operations.comparing import (
    found_new,
    gone,
    made,
    same_words,
)
from tui.store.operations.edit import is_edit
from tui.store.operations.ids import About, Creates, new_local_id
from tui.store.operations.looking import group_as_it_is, groups_as_they_are
from tui.store.operations.wording import quoted
from tui.store.remote import Remote
from tui.text.clean import line


@operation("create-group")
@dataclass(frozen=True, slots=True)
class CreateGroup(Operation):
    """Give a task another group of subtasks; `group_id` is a local id."""

    board_id: BoardId
    task_id: TaskId
    group_id: Creates[GroupId]
    title: str

    @classmethod
    def new(cls, task: Task, title: str) -> Self:
        """A group of `task` that does not exist yet."""
        return cls(task.board_id, task.id, new_local_id(), title)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task with the group as its last."""
        if detail.task.id != self.task_id or detail.group(self.group_id) is not None:
            return detail
        return detail.with_group(SubtaskGroup(self.group_id, line(self.title)))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it."""
        del truth
        group = await remote.create_subtask_group(self.board_id, self.task_id, self.title)
        return made("subtask_group", group, self.task_id)

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Search the task for exactly one new group with our title."""
        return found_new(
            "subtask_group",
            await groups_as_they_are(remote, self.board_id, self.task_id),
            lambda group: same_words(group.get("value"), self.title),
            footing.newest_id,
            task_id=self.task_id,
        )

    def merged_with(self, later: Operation) -> Operation | None:
        """A group that was never sent gets its last title at once, or is not made."""
        if is_edit(later, "title", "subtask_group"):
            return replace(self, title=later.text)
        return Nothing(self.board_id) if isinstance(later, DeleteGroup) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Delete it."""
        del before, detail
        group = SubtaskGroup(self.group_id, line(self.title))
        return (DeleteGroup(self.board_id, self.task_id, group),)

    def describe(self) -> str:
        """The new group's title."""
        return f"Add the group {quoted(line(self.title))}"


@operation("delete-group")
@dataclass(frozen=True, slots=True)
class DeleteGroup(Operation):
    """Delete a group with its subtasks, as they were seen."""

    makes_edits_needless: ClassVar[bool] = True

    board_id: BoardId
    task_id: TaskId
    group: About[SubtaskGroup]

    @classmethod
    def on(cls, task: Task, group: SubtaskGroup) -> Self:
        """Delete a group of `task`."""
        return cls(task.board_id, task.id, group)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task without the group and its subtasks."""
        if detail.group(self.group.id) is None:
            return detail
        return detail.without_group(self.group.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it."""
        del truth
        await remote.delete_subtask_group(self.board_id, self.task_id, self.group.id)
        return self._gone()

    def _gone(self) -> Reply:
        """The group and its subtasks are there no more."""
        subtasks = (News("task", one.id, None, self.task_id) for one in self.group.subtasks)
        group = gone("subtask_group", self.group.id, self.task_id)
        return Reply(news=(*group.news, *subtasks))

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the group is gone."""
        del footing
        now = await group_as_it_is(remote, self.board_id, self.task_id, self.group.id)
        return Finding(True, self._gone()) if now is None else Finding(done=False)

    def merged_with(self, later: Operation) -> Operation | None:
        """Deleting twice is deleting once."""
        return later if isinstance(later, DeleteGroup) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Make it again, with its subtasks one after another."""
        del before
        group = None if detail is None else detail.group(self.group.id)
        group = group or self.group
        steps: list[Operation] = [CreateGroup(self.board_id, self.task_id, group.id, group.title)]
        for subtask in group.subtasks:
            steps += change.made_again(subtask, self.task_id, group.id)
        return tuple(steps)

    def lost_when_undone(self) -> str:
        """What hangs on subtasks and cannot be made again; an empty group loses nothing."""
        if not self.group.subtasks:
            return ""
        return (
            f"The group {quoted(self.group.title)} was made again with its subtasks, "
            "without their comments and history."
        )

    def describe(self) -> str:
        """The group's title and how much goes with it."""
        count = len(self.group.subtasks)
        subtasks = f" with {count} subtask{'' if count == 1 else 's'}" if count else ""
        return f"Delete the group {quoted(self.group.title)}{subtasks}"
