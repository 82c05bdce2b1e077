"""Operations on subtasks and their groups: create, move, copy, delete.

A subtask is a task in a group of another task: its title, status, dates, people and labels are
changed by the same operations as those of cards. A place in a group becomes an index only when it
is sent, and the resulting order is checked.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from tui.client.errors import ApiError, NotFound, Refused
from tui.model.board import BoardView, Place, TaskPlace
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.ids import BoardId, GroupId, TaskId
from tui.model.task import Status, Task
from tui.store.documents.flat import group_of
from tui.store.documents.shapes import Document
from tui.store.operations.base import Baseline, Finding, Operation, Reply, ReplyPart, operation
from tui.store.operations.creation import Absorbed, Creation
from tui.store.operations.ids import About, Former, new_local_id
from tui.store.operations.labels import AddLabel
from tui.store.operations.people import SetAssignees
from tui.store.operations.setters import (
    set_description,
    set_due,
    set_priority,
    set_start,
    set_status,
)
from tui.store.reading import fetch_current, first_newer, ids_in_order, same_text
from tui.store.remote import Remote
from tui.text.clean import counted, line, quoted


@operation("create-subtask")
@dataclass(frozen=True, slots=True)
class CreateSubtask(Creation):
    """Create a subtask at the top or end of a group; `task_id` is the parent."""

    absorbs: ClassVar[Absorbed] = {"title": {"title": str}}

    board_id: BoardId
    task_id: TaskId
    subtask_id: About[TaskId]
    group_id: GroupId
    title: str
    on_top: bool = False

    @classmethod
    def new(cls, task: Task, group: SubtaskGroup, title: str, *, on_top: bool = False) -> Self:
        return cls(task.board_id, task.id, new_local_id(), group.id, title, on_top)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        if detail.task.id != self.task_id or detail.find(self.subtask_id) is not None:
            return detail
        group = detail.group(self.group_id)
        if group is None:
            return detail
        ids = [subtask.id for subtask in group.subtasks]
        place = Place() if self.on_top or not ids else Place(above=ids[-1])
        return detail.with_subtask_at(self._subtask, self.group_id, place)

    @property
    def _subtask(self) -> Task:
        ids = (self.subtask_id, self.board_id, None)
        return Task(*ids, line(self.title), parent_id=self.task_id)

    def without_made_in_detail(self, detail: TaskDetail, newest_id: int) -> TaskDetail:
        group = detail.group(self.group_id)
        if group is None:
            return detail
        subtasks = ((one.id, one.title) for one in group.subtasks)
        made = first_newer(subtasks, self.title, newest_id)
        return detail if made is None else detail.without_subtask(made)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Send it; if others moved down for it, fetch their positions, if that is possible."""
        subtask = await remote.create_subtask(
            self.board_id, self.task_id, self.group_id, self.title, on_top=self.on_top
        )
        subtask = in_group(subtask, self.task_id, self.group_id)
        if not self.on_top:
            return self.reply_created(subtask)
        line: list[Document] = []
        with suppress(ApiError):  # it is created: raising would send it again
            line = await fetch_group(remote, self.board_id, self.task_id, self.group_id) or []
        below = (one for one in line if one["id"] != int(subtask["id"]))
        return self.reply_created(
            subtask, *(ReplyPart("task", one["id"], one, self.task_id) for one in below)
        )

    def is_mine(self, subtask: Document) -> bool:
        return same_text(subtask.get("title"), self.title)

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        return (DeleteSubtask(self._subtask, self.group_id, Place()),)

    def describe(self) -> str:
        return f"Add the subtask {quoted(line(self.title))}"


@operation("delete-subtask")
@dataclass(frozen=True, slots=True)
class DeleteSubtask(Operation):
    """Delete a subtask permanently, which is in a group at a place.

    Undoing it creates a new one with the visible fields, at its place.
    """

    removes_subject: ClassVar[bool] = True

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
        return self.subtask.parent_id

    def on_task(self, task: Task) -> None:
        return None

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        await remote.delete_subtask(self.board_id, self.subtask.id)
        return self.reply_about(None)

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        subtask, group_id, place = self.subtask, self.group_id, self.place
        if detail is not None and (found := detail.place_of(subtask.id)):
            subtask, (group_id, place) = detail.find(subtask.id) or subtask, found
        if subtask.parent_id is None:
            return ()
        return recreated_subtask(subtask, subtask.parent_id, group_id, place)

    def lost_when_undone(self) -> str:
        lost = "comments and history" if self.subtask.comments_count else "its history"
        return f"{quoted(self.subtask.title)} was made again, without {lost}."

    def describe(self) -> str:
        return f"Delete the subtask {quoted(self.subtask.title)}"


def recreated_subtask(
    subtask: Task, parent_id: int, group_id: int, place: Place | None = None
) -> tuple[Operation, ...]:
    """Recreates a deleted subtask, under its old id, with its fields.

    Without a place it becomes the last of its group.
    """
    bare = Task(subtask.id, subtask.board_id, None, subtask.title, parent_id=parent_id)
    ids = (subtask.board_id, parent_id, subtask.id)
    again = CreateSubtask(*ids, group_id, subtask.title)
    moved = from_group_end(bare, parent_id, group_id, place)
    return (again, *moved, *restored_fields(bare, subtask))


def from_group_end(
    subtask: Task, parent_id: int, group_id: int | None, place: Place | None
) -> tuple[Operation, ...]:
    """Moves a subtask from the end of its group to a place in it."""
    if group_id is None or place is None or place.below is None:
        return ()
    ids = (subtask.board_id, parent_id, subtask.id)
    return (MoveSubtask(*ids, subtask.title, group_id, place, group_id),)


def restored_fields(bare: Task, task: Task) -> tuple[Operation, ...]:
    """Sets the fields of `task` that the recreated task `bare` lacks."""
    steps: list[Operation] = [
        set_description(bare, task.description),
        set_priority(bare, task.priority),
        set_start(bare, task.started_at),
        set_due(bare, task.due_at),
        set_status(bare, task.status),
        *(AddLabel.on(bare, label) for label in task.labels),
        SetAssignees.on(bare, task.assignees),
    ]
    return tuple(step for step in steps if not step.changes_nothing)


def in_group(subtask: Document, parent_id: int, group_id: int) -> Document:
    """A subtask from a reply, with its parent and group, which the reply may lack."""
    meta = subtask.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    return {
        **subtask,
        "parent_id": parent_id,
        "meta": {"subtask_group_id": group_id, **meta},
    }


async def fetch_group(
    remote: Remote, board_id: int, task_id: int, group_id: int
) -> list[Document] | None:
    """The current subtasks of a group; None if it no longer exists."""
    group = await fetch_current(remote, "subtask_group", group_id, board_id, task_id)
    if group is None:
        return None
    return [in_group(one, task_id, group_id) for one in group.get("subtasks") or ()]


@operation("create-group")
@dataclass(frozen=True, slots=True)
class CreateGroup(Creation):
    """Add a group of subtasks to a task; `group_id` is a local id."""

    absorbs: ClassVar[Absorbed] = {"title": {"title": str}}

    board_id: BoardId
    task_id: TaskId
    group_id: About[GroupId]
    title: str

    @classmethod
    def new(cls, task: Task, title: str) -> Self:
        return cls(task.board_id, task.id, new_local_id(), title)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        if detail.task.id != self.task_id or detail.group(self.group_id) is not None:
            return detail
        return detail.with_group(SubtaskGroup(self.group_id, line(self.title)))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        group = await remote.create_subtask_group(self.board_id, self.task_id, self.title)
        return self.reply_created(group)

    def is_mine(self, group: Document) -> bool:
        return same_text(group.get("value"), self.title)

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        group = SubtaskGroup(self.group_id, line(self.title))
        return (DeleteGroup(self.board_id, self.task_id, group),)

    def describe(self) -> str:
        return f"Add the group {quoted(line(self.title))}"


@operation("delete-group")
@dataclass(frozen=True, slots=True)
class DeleteGroup(Operation):
    """Delete a group with its subtasks."""

    removes_subject: ClassVar[bool] = True
    discards_edits: ClassVar[bool] = True

    board_id: BoardId
    task_id: TaskId
    group: About[SubtaskGroup]

    @classmethod
    def on(cls, task: Task, group: SubtaskGroup) -> Self:
        return cls(task.board_id, task.id, group)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        return detail.without_group(self.group.id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        await remote.delete_subtask_group(self.board_id, self.task_id, self.group.id)
        return self.reply_about(None)

    def reply_about(self, now: Document | None) -> Reply:
        """Includes the subtasks of a deleted group."""
        gone = self.group.subtasks if now is None else ()
        subtasks = (ReplyPart("task", one.id, None, self.task_id) for one in gone)
        return Reply(parts=(*Operation.reply_about(self, now).parts, *subtasks))

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        group = None if detail is None else detail.group(self.group.id)
        group = group or self.group
        steps: list[Operation] = [CreateGroup(self.board_id, self.task_id, group.id, group.title)]
        for subtask in group.subtasks:
            steps += recreated_subtask(subtask, self.task_id, group.id)
        return tuple(steps)

    def lost_when_undone(self) -> str:
        """What belongs to subtasks and cannot be recreated; nothing for an empty group."""
        if not self.group.subtasks:
            return ""
        return (
            f"The group {quoted(self.group.title)} was made again with its subtasks, "
            "without their comments and history."
        )

    def describe(self) -> str:
        count = len(self.group.subtasks)
        subtasks = f" with {counted(count, 'subtask')}" if count else ""
        return f"Delete the group {quoted(self.group.title)}{subtasks}"


_SUFFIX = " (cloned)"


@operation("move-subtask")
@dataclass(frozen=True, slots=True)
class MoveSubtask(Operation):
    """Move a subtask to a place in a group; `task_id` is the parent, `name` its own title.

    `from_group_id` is where it was when the move was submitted; `group_title` is for descriptions
    and may be empty.
    """

    board_id: BoardId
    task_id: TaskId
    subtask_id: About[TaskId]
    name: str
    group_id: GroupId
    place: TaskPlace
    from_group_id: Former[GroupId | None] = None
    group_title: str = ""

    @classmethod
    def on(cls, detail: TaskDetail, subtask: Task, group_id: int, place: Place) -> Self:
        found, group = detail.place_of(subtask.id), detail.group(group_id)
        return cls(
            subtask.board_id,
            detail.task.id,
            subtask.id,
            subtask.title,
            group_id,
            place,
            found[0] if found else None,
            group.title if group else "",
        )

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        subtask = detail.find(self.subtask_id)
        if subtask is None or detail.place_of(self.subtask_id) is None:
            return detail
        return detail.with_subtask_at(subtask, self.group_id, self.place)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Fetch the order of the group, send the index of the place in it, and check the result."""
        line = await self._line(remote)
        others = [one for one in ids_in_order(line) if one != self.subtask_id]
        index = self.place.index_in(others) + 1
        changed = await remote.place_subtask(self.board_id, self.subtask_id, self.group_id, index)
        by_id = {one["id"]: one for one in line}
        for subtask in changed:
            by_id[subtask["id"]] = {**by_id.get(subtask["id"], {}), **subtask}
        line = [one for one in by_id.values() if group_of(one) == self.group_id]
        if not self._is_in_place(line):
            line = await self._line(remote)
        if not self._is_in_place(line):
            raise Refused("The service did not move the subtask there.")
        return self._told(line)

    async def _line(self, remote: Remote) -> list[Document]:
        line = await fetch_group(remote, self.board_id, self.task_id, self.group_id)
        if line is None:
            raise NotFound("The group is not there any more.")
        return line

    def _is_in_place(self, line: Iterable[Document]) -> bool:
        return self.place.holds(self.subtask_id, ids_in_order(line))

    def _told(self, line: Iterable[Document]) -> Reply:
        return Reply(parts=tuple(ReplyPart("task", one["id"], one, self.task_id) for one in line))

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        try:
            line = await self._line(remote)
        except NotFound:
            return Finding(done=False)
        return Finding(self._is_in_place(line), self._told(line))

    def merged_with(self, later: Operation) -> Operation | None:
        if isinstance(later, MoveSubtask):
            return replace(later, from_group_id=self.from_group_id)
        return later if isinstance(later, DeleteSubtask) else None

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        found = None if detail is None else detail.place_of(self.subtask_id)
        if found is None or detail is None:
            return ()
        group_id, place = found
        group = detail.group(group_id)
        return (
            replace(
                self,
                group_id=group_id,
                place=place,
                from_group_id=self.group_id,
                group_title=group.title if group else "",
            ),
        )

    def describe(self) -> str:
        if self.from_group_id == self.group_id or not self.group_title:
            return f"Move the subtask {quoted(self.name)}"
        return f"Move the subtask {quoted(self.name)} to {quoted(self.group_title)}"


@operation("clone-subtask")
@dataclass(frozen=True, slots=True)
class CloneSubtask(Creation):
    """Copy a subtask, below itself; `subtask_id` is the copy, a local id, `source` the original."""

    board_id: BoardId
    task_id: TaskId
    subtask_id: About[TaskId]
    source: Task
    group_id: GroupId

    @classmethod
    def on(cls, detail: TaskDetail, subtask: Task) -> Self:
        """Copy a subtask of an opened task. Raises `LookupError` if it is not one."""
        found = detail.place_of(subtask.id)
        if found is None:
            raise LookupError(subtask.id)
        return cls(subtask.board_id, detail.task.id, new_local_id(), subtask, found[0])

    @property
    def _copy(self) -> Task:
        return replace(
            self.source,
            id=self.subtask_id,
            title=self.source.title + _SUFFIX,
            status=Status.OPEN,
            comments_count=0,
            created_at=None,
            updated_at=None,
        )

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        if detail.task.id != self.task_id or detail.find(self.subtask_id) is not None:
            return detail
        found = detail.place_of(self.source.id)
        group_id = self.group_id if found is None else found[0]
        return detail.with_subtask_at(self._copy, group_id, Place(above=self.source.id))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        subtask = await remote.clone_subtask(self.board_id, self.source.id)
        return self.reply_created(in_group(subtask, self.task_id, self.group_id))

    def is_mine(self, subtask: Document) -> bool:
        return same_text(subtask.get("title"), self._copy.title)

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        copy = replace(self._copy, parent_id=self.task_id)
        return (DeleteSubtask(copy, self.group_id, Place(above=self.source.id)),)

    def describe(self) -> str:
        return f"Copy the subtask {quoted(self.source.title)}"
