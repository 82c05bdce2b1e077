"""Operations that move one subtask to a place in a group, or several to the end of one.

A place becomes an index only when it is sent, and the resulting order is checked.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Self

from tui.client.errors import NotFound, Refused
from tui.model.board import BoardView, Place, TaskPlace
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.ids import BoardId, GroupId, TaskId
from tui.model.task import Task
from tui.record import record
from tui.store.documents.flat import group_of
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
from tui.store.operations.fields.field import within
from tui.store.operations.ids import About, Former
from tui.store.reading import fetch_current, ids_in_order
from tui.store.remote import Remote
from tui.text.clean import counted, quoted


def in_group(subtask: Document, parent_id: int, group_id: int) -> Document:
    """A subtask from a reply, with its parent and group, which the reply may lack."""
    meta = {"subtask_group_id": group_id, **within(subtask, "meta")}
    return {**subtask, "parent_id": parent_id, "meta": meta}


async def fetch_group(
    remote: Remote, board_id: int, task_id: int, group_id: int
) -> list[Document] | None:
    """The current subtasks of a group; None if it no longer exists."""
    group = await fetch_current(remote, "subtask_group", group_id, board_id, task_id)
    if group is None:
        return None
    return [in_group(subtask, task_id, group_id) for subtask in group.get("subtasks") or ()]


@record
class MoveIntoGroup(Operation, ABC):
    """Moves subtasks of the task `task_id` to a group."""

    board_id: BoardId
    task_id: TaskId
    group_id: GroupId

    @property
    def arranges(self) -> frozenset[Subject]:
        return frozenset({Subject("task", self.task_id)})

    @abstractmethod
    def is_in_place(self, group: Sequence[Document]) -> bool:
        """Whether the subtasks of the group are as wanted."""

    async def _current(self, remote: Remote) -> list[Document]:
        group = await fetch_group(remote, self.board_id, self.task_id, self.group_id)
        if group is None:
            raise NotFound("The group was deleted.")
        return group

    def _reply(self, group: Iterable[Document]) -> Reply:
        return Reply(parts=tuple(ReplyPart("task", doc["id"], doc, self.task_id) for doc in group))

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        group = await fetch_group(remote, self.board_id, self.task_id, self.group_id)
        if group is None:
            return Finding(done=False)
        return Finding(self.is_in_place(group), self._reply(group))


@operation("move-subtask")
@record
class MoveSubtask(MoveIntoGroup):
    """Move a subtask to a place in a group; `name` is its title.

    `from_group_id` is where it was when the move was submitted; `group_title` is for descriptions
    and may be empty.
    """

    subtask_id: About[TaskId]
    name: str
    place: TaskPlace
    from_group_id: Former[GroupId | None] = None
    group_title: str = ""

    @classmethod
    def on(cls, detail: TaskDetail, subtask: Task, group_id: int, place: Place) -> Self:
        origin, group = detail.place_of(subtask.id), detail.group(group_id)
        ids = (subtask.board_id, detail.task.id, group_id, subtask.id)
        where = (origin[0] if origin else None, group.title if group else "")
        return cls(*ids, subtask.title, place, *where)

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        subtask = detail.find(self.subtask_id)
        if subtask is None or detail.place_of(self.subtask_id) is None:
            return detail
        return detail.with_subtask_at(subtask, self.group_id, self.place)

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        group = await self._current(remote)
        sibling_ids = [
            sibling_id for sibling_id in ids_in_order(group) if sibling_id != self.subtask_id
        ]
        index = self.place.index_in(sibling_ids) + 1
        changed = await remote.place_subtask(self.board_id, self.subtask_id, self.group_id, index)
        by_id = {subtask["id"]: subtask for subtask in group}
        for subtask in changed:
            by_id[subtask["id"]] = {**by_id.get(subtask["id"], {}), **subtask}
        group = [subtask for subtask in by_id.values() if group_of(subtask) == self.group_id]
        # The reply may list only some of the subtasks that changed: the group is read before the
        # move counts as refused.
        if not self.is_in_place(group):
            group = await self._current(remote)
        if not self.is_in_place(group):
            raise Refused("The service did not move the subtask there.")
        return self._reply(group)

    def is_in_place(self, group: Sequence[Document]) -> bool:
        return self.place.holds(self.subtask_id, ids_in_order(group))

    def merged_with(self, later: Operation) -> Operation | None:
        if isinstance(later, MoveSubtask):
            return replace(later, from_group_id=self.from_group_id)
        return later if later.removes_subject else None

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        return _moved_back(detail, [self.subtask_id], self.group_id)

    def describe(self) -> str:
        if self.from_group_id == self.group_id or not self.group_title:
            return f"Move the subtask {quoted(self.name)}"
        group = SubtaskGroup(self.group_id, self.group_title).in_words
        return f"Move the subtask {quoted(self.name)} to {quoted(group)}"


def from_group_end(
    subtask: Task, parent_id: int, group_id: int | None, place: Place | None
) -> tuple[Operation, ...]:
    """Moves a subtask from the end of its group to a place in it."""
    if group_id is None or place is None or place.below is None:
        return ()
    ids = (subtask.board_id, parent_id, group_id, subtask.id)
    return (MoveSubtask(*ids, subtask.title, place, group_id),)


@operation("move-subtasks")
@record
class MoveSubtasks(MoveIntoGroup):
    """Move subtasks of a task from other groups to the end of a group, in this order.

    `group_title` is for descriptions and may be empty.
    """

    subtask_ids: tuple[TaskId, ...]
    group_title: str = ""

    @classmethod
    def on(cls, detail: TaskDetail, subtasks: Sequence[Task], group: SubtaskGroup) -> Self:
        ids = tuple(subtask.id for subtask in subtasks)
        return cls(detail.task.board_id, detail.task.id, group.id, ids, group.title)

    @property
    def shown_on(self) -> Sequence[Subject]:
        return [Subject("task", subtask_id) for subtask_id in self.subtask_ids]

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        if detail.task.id != self.task_id:
            return detail
        for subtask_id in self.subtask_ids:
            subtask = detail.find(subtask_id)
            if subtask is not None and detail.place_of(subtask_id) is not None:
                place = detail.without_subtask(subtask_id).end_of(self.group_id)
                detail = detail.with_subtask_at(subtask, self.group_id, place)
        return detail

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        moved = replace(self, subtask_ids=await self._move(remote))
        group = await self._current(remote)
        if not moved.is_in_place(group):
            for subtask_id in moved.subtask_ids:
                sibling_ids = [
                    sibling_id for sibling_id in ids_in_order(group) if sibling_id != subtask_id
                ]
                end = len(sibling_ids) + 1
                await remote.place_subtask(self.board_id, subtask_id, self.group_id, end)
                group = await self._current(remote)
        if not moved.is_in_place(group):
            raise Refused("The service did not move the subtasks there.")
        return self._reply(group)

    async def _move(self, remote: Remote) -> tuple[int, ...]:
        try:
            await remote.move_subtasks(self.board_id, self.task_id, self.group_id, self.subtask_ids)
        except NotFound:
            # One deleted subtask makes the service refuse all: the others are moved without it.
            groups = await remote.subtask_groups(self.board_id, self.task_id)
            present = {subtask["id"] for group in groups for subtask in group.get("subtasks") or ()}
            remaining_ids = tuple(id_ for id_ in self.subtask_ids if id_ in present)
            if not remaining_ids or remaining_ids == self.subtask_ids:
                raise
            await remote.move_subtasks(self.board_id, self.task_id, self.group_id, remaining_ids)
            return remaining_ids
        return self.subtask_ids

    def is_in_place(self, group: Sequence[Document]) -> bool:
        present = [id_ for id_ in ids_in_order(group) if id_ in self.subtask_ids]
        return present == list(self.subtask_ids)

    def inverse(self, view: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        return _moved_back(detail, self.subtask_ids, self.group_id)

    def describe(self) -> str:
        group = SubtaskGroup(self.group_id, self.group_title).in_words
        to = f" to {quoted(group)}" if group else ""
        return f"Move {counted(len(self.subtask_ids), 'subtask')}{to}"


def _moved_back(
    detail: TaskDetail | None, subtask_ids: Iterable[int], from_group_id: int
) -> tuple[Operation, ...]:
    if detail is None:
        return ()
    steps = []
    for subtask_id in subtask_ids:
        subtask, where = detail.find(subtask_id), detail.place_of(subtask_id)
        if subtask is not None and where is not None:
            move = MoveSubtask.on(detail, subtask, *where)
            steps.append(replace(move, from_group_id=from_group_id))
    return tuple(steps)
