"""Making subtasks and taking them away.

The rule it keeps: a subtask is a task in a group of another task: its title, status, dates, people
and labels are changed by the same operations as those of cards.
"""

from dataclasses import dataclass, replace
from typing import Self

from tui.model.board import BoardView, Place, TaskPlace
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.ids import BoardId, GroupId, TaskId
from tui.model.task import Priority, Status, Task
from tui.store import operations as change
from tui.store.documents.shapes import Document
from tui.store.operations.base import Finding, Footing, News, Nothing, Operation, Reply, operation
from tui.store.operations.comparing import first_new, found_new, made, same_words
from tui.store.operations.edit import (
    is_edit,
    set_description,
    set_due,
    set_priority,
    set_start,
    set_status,
)
from tui.store.operations.ids import About, Creates, Former, new_local_id
from tui.store.operations.looking import group_as_it_is, subtasks_as_they_are
from tui.store.operations.reading import task_as_it_is
from tui.store.operations.wording import quoted
from tui.store.remote import Remote
from tui.text.clean import line


@operation("create-subtask")
@dataclass(frozen=True, slots=True)
class CreateSubtask(Operation):
    """Make a subtask at an end of a group; `task_id` is the parent, `subtask_id` a local id."""

    board_id: BoardId
    task_id: TaskId
    subtask_id: Creates[TaskId]
    group_id: GroupId
    title: str
    on_top: bool = False

    @classmethod
    def new(cls, task: Task, group: SubtaskGroup, title: str, *, on_top: bool = False) -> Self:
        """A subtask of `task` that does not exist yet."""
        return cls(task.board_id, task.id, new_local_id(), group.id, title, on_top)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task with the subtask."""
        if detail.task.id != self.task_id or detail.find(self.subtask_id) is not None:
            return detail
        group = detail.group(self.group_id)
        if group is None:
            return detail
        ids = [subtask.id for subtask in group.subtasks]
        place = Place() if self.on_top or not ids else Place(above=ids[-1])
        subtask = Task(
            id=self.subtask_id,
            board_id=self.board_id,
            stage_id=None,
            title=line(self.title),
            parent_id=self.task_id,
        )
        return detail.with_subtask_at(subtask, self.group_id, place)

    def without_made_in_detail(self, detail: TaskDetail, newest_id: int) -> TaskDetail:
        """The opened task without the subtask that was made."""
        group = detail.group(self.group_id)
        if group is None:
            return detail
        subtasks = ((one.id, one.title) for one in group.subtasks)
        made = first_new(subtasks, self.title, newest_id)
        return detail if made is None else detail.without_subtask(made)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it, and where others had to make room, look where they are now."""
        del truth
        subtask = await remote.create_subtask(
            self.board_id, self.task_id, self.group_id, self.title, on_top=self.on_top
        )
        subtask = in_group(subtask, self.task_id, self.group_id)
        others = await self._others(remote, int(subtask["id"])) if self.on_top else ()
        return made("task", subtask, self.task_id, *others)

    async def _others(self, remote: Remote, own_id: int) -> tuple[News, ...]:
        """Those below a subtask that was put on top: they may have been numbered anew."""
        group = await group_as_it_is(remote, self.board_id, self.task_id, self.group_id) or {}
        return tuple(
            News("task", one["id"], in_group(one, self.task_id, self.group_id), self.task_id)
            for one in group.get("subtasks") or ()
            if one["id"] != own_id
        )

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Search the subtasks of the parent for exactly one new one with our title."""
        return found_new(
            "task",
            await subtasks_as_they_are(remote, self.board_id, self.task_id),
            lambda subtask: same_words(subtask.get("title"), self.title),
            footing.newest_id,
            task_id=self.task_id,
        )

    def merged_with(self, later: Operation) -> Operation | None:
        """A subtask that was never sent gets its last title at once, or is not made."""
        if is_edit(later, "title"):
            return replace(self, title=later.text)
        return Nothing(self.board_id) if isinstance(later, DeleteSubtask) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Delete it."""
        del before, detail
        subtask = Task(
            self.subtask_id, self.board_id, None, line(self.title), parent_id=self.task_id
        )
        return (DeleteSubtask(subtask, self.group_id, Place()),)

    def describe(self) -> str:
        """The new subtask's title."""
        return f"Add the subtask {quoted(line(self.title))}"


@operation("delete-subtask")
@dataclass(frozen=True, slots=True)
class DeleteSubtask(Operation):
    """Delete a subtask for good, which stands in a group at a place.

    Taking it back makes a new one with what could be seen of it, at its place.
    """

    subtask: About[Task]
    group_id: Former[GroupId]
    place: Former[TaskPlace]

    @classmethod
    def on(cls, detail: TaskDetail, subtask: Task) -> Self:
        """Delete a subtask of an opened task. Raises `LookupError` if it is not one."""
        found = detail.place_of(subtask.id)
        if found is None:
            raise LookupError(subtask.id)
        return cls(subtask, *found)

    @property
    def task_id(self) -> int | None:
        """The parent."""
        return self.subtask.parent_id

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        """The opened task without the subtask."""
        if detail.place_of(self.subtask.id) is None:
            return detail
        return detail.without_subtask(self.subtask.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it."""
        del truth
        await remote.delete_subtask(self.board_id, self.subtask.id)
        return self._gone()

    def _gone(self) -> Reply:
        return Reply(news=(News("task", self.subtask.id, None, self.task_id),))

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """It took effect if the subtask is gone."""
        del footing
        now = await task_as_it_is(remote, self.board_id, self.subtask.id)
        return Finding(True, self._gone()) if now is None else Finding(done=False)

    def merged_with(self, later: Operation) -> Operation | None:
        """Deleting twice is deleting once."""
        return later if isinstance(later, DeleteSubtask) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Make it again at its place, and set what was set."""
        del before
        subtask, group_id, place = self.subtask, self.group_id, self.place
        if detail is not None and (found := detail.place_of(subtask.id)):
            subtask, (group_id, place) = detail.find(subtask.id) or subtask, found
        if subtask.parent_id is None:
            return ()
        return made_again(subtask, subtask.parent_id, group_id, place)

    def lost_when_undone(self) -> str:
        """What hangs on a subtask and cannot be made again."""
        lost = "comments and history" if self.subtask.comments_count else "its history"
        return f"{quoted(self.subtask.title)} was made again, without {lost}."

    def describe(self) -> str:
        """The subtask's title."""
        return f"Delete the subtask {quoted(self.subtask.title)}"


def made_again(
    subtask: Task, parent_id: int, group_id: int, place: Place | None = None
) -> tuple[Operation, ...]:
    """What makes a subtask that was deleted, under the id it had, and sets what was set.

    Without a place it becomes the last of its group.
    """
    bare = Task(subtask.id, subtask.board_id, None, subtask.title, parent_id=parent_id)
    steps: list[Operation] = [
        CreateSubtask(subtask.board_id, parent_id, subtask.id, group_id, subtask.title)
    ]
    if place is not None and place.below is not None:
        ids = (subtask.board_id, parent_id, subtask.id)
        steps.append(change.MoveSubtask(*ids, subtask.title, group_id, place, group_id))
    if subtask.description:
        steps.append(set_description(bare, subtask.description))
    if subtask.priority is not Priority.LOW:
        steps.append(set_priority(bare, subtask.priority))
    if subtask.started_at is not None:
        steps.append(set_start(bare, subtask.started_at))
    if subtask.due_at is not None:
        steps.append(set_due(bare, subtask.due_at))
    if subtask.status is not Status.OPEN:
        steps.append(set_status(bare, subtask.status))
    steps += [change.AddLabel.on(bare, label) for label in subtask.labels]
    if subtask.assignees:
        steps.append(change.SetAssignees.on(bare, subtask.assignees))
    return tuple(steps)


def in_group(subtask: Document, parent_id: int, group_id: int) -> Document:
    """A subtask from a reply, which may not say where it stands, with its parent and group."""
    meta = subtask.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    return {
        **subtask,
        "parent_id": parent_id,
        "meta": {"subtask_group_id": group_id, **meta},
    }
