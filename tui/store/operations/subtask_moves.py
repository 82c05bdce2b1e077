"""Moving several subtasks to a group with one request."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from tui.client.errors import NotFound, Refused
from tui.model.board import BoardView, Place
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.ids import BoardId, GroupId, TaskId
from tui.model.task import Task
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
from tui.store.operations.subtasks import MoveSubtask, fetch_group
from tui.store.reading import ids_in_order
from tui.store.remote import Remote
from tui.text.clean import counted, quoted


@operation("move-subtasks")
@dataclass(frozen=True, slots=True)
class MoveSubtasks(Operation):
    """Move subtasks of a task from other groups to the end of a group, in this order.

    `group_title` is for descriptions and may be empty.
    """

    board_id: BoardId
    task_id: TaskId
    group_id: GroupId
    subtask_ids: tuple[TaskId, ...]
    group_title: str = ""

    @classmethod
    def on(cls, detail: TaskDetail, subtasks: Sequence[Task], group: SubtaskGroup) -> Self:
        ids = tuple(subtask.id for subtask in subtasks)
        return cls(detail.task.board_id, detail.task.id, group.id, ids, group.title)

    @property
    def shown_on(self) -> Sequence[Subject]:
        return [Subject("task", one) for one in self.subtask_ids]

    def apply_detail(self, detail: TaskDetail) -> TaskDetail:
        if detail.task.id != self.task_id:
            return detail
        for subtask_id in self.subtask_ids:
            subtask, group = detail.find(subtask_id), detail.group(self.group_id)
            if subtask is None or group is None or detail.place_of(subtask_id) is None:
                continue
            others = [one.id for one in group.subtasks if one.id != subtask_id]
            place = Place(above=others[-1] if others else None)
            detail = detail.with_subtask_at(subtask, self.group_id, place)
        return detail

    async def deliver(self, remote: Remote, truth: BoardView) -> Reply:
        """Move those that still exist, and put them in order if the service did not."""
        ids = await self._move(remote)
        line = await self._line(remote)
        if not _are_in_order(ids, line):
            for subtask_id in ids:
                others = [one for one in ids_in_order(line) if one != subtask_id]
                await remote.place_subtask(
                    self.board_id, subtask_id, self.group_id, len(others) + 1
                )
                line = await self._line(remote)
        if not _are_in_order(ids, line):
            raise Refused("The service did not move the subtasks there.")
        return self._told(line)

    async def _move(self, remote: Remote) -> Sequence[int]:
        """Send the request; returns the ids of the moved subtasks."""
        try:
            await remote.move_subtasks(self.board_id, self.task_id, self.group_id, self.subtask_ids)
        except NotFound:
            groups = await remote.subtask_groups(self.board_id, self.task_id)
            there = {one["id"] for group in groups for one in group.get("subtasks") or ()}
            left = tuple(one for one in self.subtask_ids if one in there)
            if not left or left == self.subtask_ids:
                raise
            await remote.move_subtasks(self.board_id, self.task_id, self.group_id, left)
            return left
        return self.subtask_ids

    async def _line(self, remote: Remote) -> list[Document]:
        line = await fetch_group(remote, self.board_id, self.task_id, self.group_id)
        if line is None:
            raise NotFound("The group is not there any more.")
        return line

    def _told(self, line: Sequence[Document]) -> Reply:
        return Reply(parts=tuple(ReplyPart("task", one["id"], one, self.task_id) for one in line))

    async def already_done(self, remote: Remote, baseline: Baseline) -> Finding:
        try:
            line = await self._line(remote)
        except NotFound:
            return Finding(done=False)
        return Finding(_are_in_order(self.subtask_ids, line), self._told(line))

    def inverse(self, before: BoardView, detail: TaskDetail | None = None) -> tuple[Operation, ...]:
        """Moves each back to its place."""
        if detail is None:
            return ()
        steps = []
        for subtask_id in self.subtask_ids:
            found, subtask = detail.place_of(subtask_id), detail.find(subtask_id)
            if found is not None and subtask is not None:
                group_id, place = found
                group = detail.group(group_id)
                title = group.title if group else ""
                ids = (self.board_id, self.task_id, subtask_id, subtask.title)
                steps.append(MoveSubtask(*ids, group_id, place, self.group_id, title))
        return tuple(steps)

    def describe(self) -> str:
        to = f" to {quoted(self.group_title)}" if self.group_title else ""
        return f"Move {counted(len(self.subtask_ids), 'subtask')}{to}"


def _are_in_order(ids: Sequence[int], line: Sequence[Document]) -> bool:
    """Whether a group holds these subtasks in this order, maybe with others in between."""
    return [one for one in ids_in_order(line) if one in ids] == list(ids)
