"""Operations on subtasks and their groups: create, copy, delete.

A subtask is a task in a group of another task: its title, status, dates, people and labels are
changed by the same operations as those of cards.
"""

from dataclasses import replace
from typing import ClassVar, Self

from tui.client.errors import ApiError
from tui.model.board import BoardView, Place, TaskPlace
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.ids import BoardId, GroupId, TaskId
from tui.model.task import Status, Task
from tui.record import record
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    Baseline,
    Finding,
    Operation,
    Reply,
    ReplyPart,
    Subject,
    operation,
)
from tui.store.operations.creation import Absorbed, Creation
from tui.store.operations.ids import About, Former, new_local_id
from tui.store.operations.setters import (
    add_blocker,
    add_label,
    set_assignees,
    set_description,
    set_due,
    set_priority,
    set_start,
    set_status,
)
from tui.store.operations.subtask_moves import fetch_group, from_group_end, in_group
from tui.store.reading import first_newer, same_text
from tui.store.remote import Remote
from tui.text.clean import counted, line, quoted

_HALF_A_PLACE = 0.5


@operation("create-subtask")
@record
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

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("task", self.task_id)})

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        if detail.task.id != self.task_id or detail.find(self.subtask_id) is not None:
            return detail
        place = Place() if self.on_top else detail.end_of(self.group_id)
        return detail.with_subtask_at(self._subtask, self.group_id, place)

    @property
    def _subtask(self) -> Task:
        ids = (self.subtask_id, self.board_id, None)
        return Task(*ids, line(self.title), parent_id=self.task_id)

    def without_made_in_detail(self, detail: TaskDetail, newest_id: int) -> TaskDetail:
        group = detail.group(self.group_id)
        if group is None:
            return detail
        subtasks = ((subtask.id, subtask.title) for subtask in group.subtasks)
        subtask_id = first_newer(subtasks, self.title, newest_id)
        return detail if subtask_id is None else detail.without_subtask(subtask_id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        ids = (self.board_id, self.task_id, self.group_id)
        subtask = await remote.create_subtask(*ids, self.title, on_top=self.on_top)
        reply = self.reply_created(in_group(subtask, self.task_id, self.group_id))
        return await self._with_others(reply, remote)

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        finding = await Creation.already_done(self, remote, baseline)
        if finding.done:
            return Finding(True, await self._with_others(finding.reply, remote))
        return finding

    async def reply_again(self, remote: Remote) -> Reply:
        return await self._with_others(await Creation.reply_again(self, remote), remote)

    async def _with_others(self, reply: Reply, remote: Remote) -> Reply:
        # Others may have moved down for it, so their positions are fetched.
        if not self.on_top:
            return reply
        try:
            group = await fetch_group(remote, self.board_id, self.task_id, self.group_id) or []
        except ApiError:  # it is created: raising would send it again
            return reply._replace(parts=tuple(map(_above_others, reply.parts)))
        own_ids = {part.id for part in reply.parts}
        below = (sibling for sibling in group if sibling["id"] not in own_ids)
        sibling_parts = (
            ReplyPart("task", sibling["id"], sibling, self.task_id) for sibling in below
        )
        return reply._replace(parts=(*reply.parts, *sibling_parts))

    def is_mine(self, subtask: Document) -> bool:
        return same_text(subtask.get("title"), self.title)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        return (DeleteSubtask(self._subtask, self.group_id, Place()),)

    def describe(self) -> str:
        return f"Add the subtask {quoted(line(self.title))}"


def _above_others(part: ReplyPart) -> ReplyPart:
    # Services that number the subtasks anew give it the position that the first one had. Above
    # that it stays where it is drawn, until the group is fetched.
    if part.document is None or "position" not in part.document:
        return part
    position = float(part.document["position"] or 0.0) - _HALF_A_PLACE
    return part._replace(document={**part.document, "position": position})


@operation("delete-subtask")
@record
class DeleteSubtask(Operation):
    """Delete a subtask permanently, which is in a group at a place.

    Undoing it creates a new one with the visible fields, at its place.
    """

    hides_task: ClassVar[bool] = True
    removes_subject: ClassVar[bool] = True

    subtask: About[Task]
    group_id: Former[GroupId]
    place: Former[TaskPlace]

    @classmethod
    def on(cls, detail: TaskDetail, subtask: Task) -> Self:
        """Delete a subtask of an opened task. Raises `LookupError` if it is not one."""
        where = detail.place_of(subtask.id)
        if where is None:
            raise LookupError(subtask.id)
        return cls(subtask, *where)

    @property
    def task_id(self) -> int | None:
        return self.subtask.parent_id

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        await remote.delete_subtask(self.board_id, self.subtask.id)
        return self.reply_about(None)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        subtask, group_id, place = self.subtask, self.group_id, self.place
        if detail is not None and (where := detail.place_of(subtask.id)):
            subtask, (group_id, place) = detail.find(subtask.id) or subtask, where
        if subtask.parent_id is None:
            return ()
        return recreated_subtask(subtask, subtask.parent_id, group_id, place)

    def lost_when_undone(self) -> str:
        lost = "comments and history" if self.subtask.comments_count else "its history"
        return f"{quoted(self.subtask.title)} was added again, without {lost}."

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
    recreated = CreateSubtask(*ids, group_id, subtask.title)
    moved = from_group_end(bare, parent_id, group_id, place)
    return (recreated, *moved, *restored_fields(bare, subtask))


def restored_fields(bare: Task, task: Task) -> tuple[Operation, ...]:
    """Sets the fields of `task` that the recreated task `bare` lacks."""
    steps: list[Operation] = [
        set_description(bare, task.description),
        *(add_blocker(bare, blocker) for blocker in task.blockers),
        set_priority(bare, task.priority),
        set_start(bare, task.started_at),
        # The status comes after the due date, which reopens a closed task in some editions.
        set_due(bare, task.due_at),
        set_status(bare, task.status),
        *(add_label(bare, label) for label in task.labels),
        set_assignees(bare, task.assignees),
    ]
    return tuple(step for step in steps if not step.changes_nothing)


@operation("create-group")
@record
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

    def without_made_in_detail(self, detail: TaskDetail, newest_id: int) -> TaskDetail:
        groups = ((group.id, group.title) for group in detail.groups or ())
        group_id = first_newer(groups, self.title, newest_id)
        return detail if group_id is None else detail.without_group(group_id)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        group = await remote.create_subtask_group(self.board_id, self.task_id, self.title)
        return self.reply_created(group)

    def is_mine(self, group: Document) -> bool:
        return same_text(group.get("value"), self.title)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        group = SubtaskGroup(self.group_id, line(self.title))
        return (DeleteGroup(self.board_id, self.task_id, group),)

    def describe(self) -> str:
        return f"Add the group {quoted(SubtaskGroup(self.group_id, line(self.title)).in_words)}"


@operation("delete-group")
@record
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

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        group = (detail and detail.group(self.group.id)) or self.group
        steps: list[Operation] = [CreateGroup(self.board_id, self.task_id, group.id, group.title)]
        for subtask in group.subtasks:
            steps += recreated_subtask(subtask, self.task_id, group.id)
        return tuple(steps)

    def lost_when_undone(self) -> str:
        if not self.group.subtasks:
            return ""
        return (
            f"The group {quoted(self.group.in_words)} was added again with its subtasks, "
            "without their comments and history."
        )

    def describe(self) -> str:
        count = len(self.group.subtasks)
        subtasks = f" with {counted(count, 'subtask')}" if count else ""
        return f"Delete the group {quoted(self.group.in_words)}{subtasks}"


_SUFFIX = " (cloned)"


@operation("clone-subtask")
@record
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
        where = detail.place_of(subtask.id)
        if where is None:
            raise LookupError(subtask.id)
        return cls(subtask.board_id, detail.task.id, new_local_id(), subtask, where[0])

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("task", self.task_id)})

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
        where = detail.place_of(self.source.id)
        group_id = self.group_id if where is None else where[0]
        return detail.with_subtask_at(self._copy, group_id, Place(above=self.source.id))

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        subtask = await remote.clone_subtask(self.board_id, self.source.id)
        return self.reply_created(in_group(subtask, self.task_id, self.group_id))

    def is_mine(self, subtask: Document) -> bool:
        return same_text(subtask.get("title"), self._copy.title)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        copy = replace(self._copy, parent_id=self.task_id)
        return (DeleteSubtask(copy, self.group_id, Place(above=self.source.id)),)

    def describe(self) -> str:
        return f"Duplicate the subtask {quoted(self.source.title)}"
