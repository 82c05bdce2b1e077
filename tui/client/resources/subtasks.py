"""Subtasks, and the groups they are in (section 4.5)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tui.client.endpoints import Endpoint, Route
from tui.client.errors import NotThere
from tui.client.records import SubtaskGroupRecord, TaskRecord
from tui.client.records.values import as_rows
from tui.client.resources.answers import Listing, read_listing, read_task
from tui.client.resources.deletion import delete_once
from tui.client.service import Service, member, record


@dataclass(frozen=True, slots=True)
class SubtaskGroups:
    """The subtasks of a task: in groups, or in none where a service knows no groups."""

    groups: list[SubtaskGroupRecord] = field(default_factory=list)
    ungrouped: list[TaskRecord] = field(default_factory=list)
    skipped: tuple[str, ...] = ()
    are_grouped: bool = True

    def all(self) -> Sequence[TaskRecord]:
        """The subtasks of all groups and of none."""
        return [one for group in self.groups for one in group.subtasks] + self.ungrouped


@dataclass(frozen=True, slots=True)
class SubtaskAnswer:
    """A subtask as it is after a call, or was before its deletion, and the others that changed."""

    subtask: TaskRecord
    changed_subtasks: list[TaskRecord] = field(default_factory=list)
    skipped: tuple[str, ...] = ()


class Subtasks:
    """Tasks inside a task. Every method may raise `ApiError`.

    Raises `NotOffered` everywhere where the service's edition has no subtasks.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._parents: dict[int, int] = {}
        """Below which task each subtask was listed."""

    async def list(self, board_id: int, task_id: int) -> SubtaskGroups:
        """The subtasks of a task by group; order them by position and id (4.5).

        Raises `NotThere`, `NotAllowed`.
        """
        route = Endpoint.LIST_SUBTASKS.at(board_id=board_id, task_id=task_id)
        answer = await self._service.ask(route)
        name = "subtaskGroups" if "subtaskGroups" in answer else "data"
        rows = as_rows(member(route, answer, name))
        groups = [row for row in rows if not _is_task(row)]
        ungrouped = await read_listing([row for row in rows if _is_task(row)], TaskRecord)
        grouped = await read_listing(groups, SubtaskGroupRecord)
        listed = SubtaskGroups(
            grouped.records,
            ungrouped.records,
            grouped.skipped + ungrouped.skipped,
            are_grouped=bool(groups) or name != "data",
        )
        self._parents.update((subtask.id, task_id) for subtask in listed.all())
        return listed

    async def find(self, board_id: int, subtask_id: int) -> TaskRecord | None:
        """A subtask, looked for in the list of its parent if it was seen there before."""
        parent_id = self._parents.get(subtask_id)
        if parent_id is None:
            return None
        listed = await self.list(board_id, parent_id)
        return next((one for one in listed.all() if one.id == subtask_id), None)

    async def create(
        self,
        board_id: int,
        task_id: int,
        group_id: int,
        title: str,
        *,
        due_at: str | None = None,
        on_top: bool = False,
    ) -> TaskRecord:
        """Add a subtask at the end, or the top, of a group of a task (4.5).

        `due_at` is a time of the site's wall, `YYYY-MM-DD HH:MM:SS`. Raises `Refused`, `NotThere`,
        `NotAllowed`. Never repeat it blindly.
        """
        route = Endpoint.CREATE_SUBTASK.at(board_id=board_id, task_id=task_id)
        body: dict[str, object] = {"title": title, "group_id": group_id, "add_to_top": on_top}
        if due_at is not None:
            body["due_at"] = due_at
        return record(route, await self._service.ask(route, body=body), TaskRecord, "subtask")

    async def create_group(self, board_id: int, task_id: int, title: str) -> SubtaskGroupRecord:
        """Give a task another group of subtasks (4.5). Raises `Refused`, `NotThere`."""
        route = Endpoint.CREATE_SUBTASK_GROUP.at(board_id=board_id, task_id=task_id)
        answer = await self._service.ask(route, body={"title": title})
        return record(route, answer, SubtaskGroupRecord, "subtaskGroup")

    async def rename_group(
        self, board_id: int, task_id: int, group_id: int, title: str
    ) -> SubtaskGroupRecord:
        """Rename a group of subtasks (4.5). Raises `Refused`, `NotThere`, `NotAllowed`."""
        route = Endpoint.UPDATE_SUBTASK_GROUP.at(board_id=board_id, task_id=task_id)
        answer = await self._service.ask(route, body={"group_id": group_id, "title": title})
        return record(route, answer, SubtaskGroupRecord, "subtaskGroup")

    async def delete_group(self, board_id: int, task_id: int, group_id: int) -> None:
        """Delete a group with all its subtasks; one that is gone is a success (4.5)."""

        async def is_gone() -> bool:
            try:
                groups = (await self.list(board_id, task_id)).groups
            except NotThere:
                return True
            return all(group.id != group_id for group in groups)

        await delete_once(
            lambda: self._delete_group(board_id, task_id, group_id), is_gone, is_trusted=True
        )

    async def delete(self, board_id: int, subtask_id: int) -> None:
        """Delete a subtask; one that is gone is a success (4.5)."""

        async def is_gone() -> bool:
            try:
                await read_task(self._service, board_id, subtask_id)
            except NotThere:
                return True
            return False

        await delete_once(lambda: self._delete(board_id, subtask_id), is_gone, is_trusted=True)

    async def move(
        self, board_id: int, task_id: int, group_id: int, subtask_ids: Sequence[int]
    ) -> Listing[TaskRecord]:
        """Move subtasks of a task to the end of another of its groups, in this order (4.5).

        Returns those the service tells of, mostly the first alone. Raises `ValueError` for no
        subtasks, `Refused`, `NotThere`, `NotAllowed`.
        """
        if not subtask_ids:
            raise ValueError("no subtask to move")
        route = Endpoint.MOVE_SUBTASKS.at(board_id=board_id, task_id=task_id)
        one_or_more = list(subtask_ids) if len(subtask_ids) > 1 else subtask_ids[0]
        answer = await self._service.ask(
            route, body={"group_id": group_id, "subtask_id": one_or_more}
        )
        moved = answer.get("subtasks") or member(route, answer, "subtask")
        rows = [moved] if isinstance(moved, dict) and "id" in moved else moved
        return await read_listing(rows, TaskRecord)

    async def reposition(
        self, board_id: int, subtask_id: int, position: int, *, group_id: int | None = None
    ) -> Listing[TaskRecord]:
        """Put a subtask at a place, counted from 1, of its own or of another group (4.5).

        Returns the subtasks that changed. Raises `ValueError` for a place below 1, `Refused`,
        `NotThere`, `NotAllowed`.
        """
        if position < 1:
            raise ValueError("a place in a group is counted from 1")
        route = Endpoint.REPOSITION_SUBTASK.at(board_id=board_id, subtask_id=subtask_id)
        body = {"newPosition": position}
        if group_id:
            body["newSubtasksGroupId"] = group_id
        answer = await self._service.ask(route, body=body)
        return await read_listing(member(route, answer, "changedSubtasks"), TaskRecord)

    async def convert(
        self,
        board_id: int,
        task_id: int,
        parent_id: int,
        group_id: int | None = None,
        *,
        assignee_id: int | None = None,
    ) -> TaskRecord:
        """Make a task a subtask of `parent_id`; returns the parent (4.5).

        Without a group, or with 0, it goes into a default group, which is made where it is missing.
        Raises `Refused`, `NotThere`, `NotAllowed`, `Conflict`.
        """
        route = Endpoint.CONVERT_TO_SUBTASK.at(board_id=board_id, task_id=task_id)
        body = {"parent_id": parent_id}
        if assignee_id is not None:
            body["assigneeId"] = assignee_id
        if group_id:
            body["subtaskGroupId"] = group_id
        return record(route, await self._service.ask(route, body=body), TaskRecord, "parentTask")

    async def move_to_board(self, board_id: int, subtask_id: int, stage_id: int) -> SubtaskAnswer:
        """Make a subtask a task of its own in a stage (4.5). Raises `Refused`, `NotThere`."""
        route = Endpoint.MOVE_SUBTASK_TO_BOARD.at(board_id=board_id, task_id=subtask_id)
        answer = await self._service.ask(route, body={"stage_id": stage_id})
        return await self._subtask_answer(route, answer, "moveSubtask")

    async def clone(self, board_id: int, subtask_id: int) -> TaskRecord:
        """Copy a subtask to the place after it; its title gets `(cloned)` (4.5).

        Raises `NotThere`, `NotAllowed`. Never repeat it blindly.
        """
        route = Endpoint.CLONE_SUBTASK.at(board_id=board_id, task_id=subtask_id)
        return record(route, await self._service.ask(route), TaskRecord, "subtask")

    async def _delete_group(self, board_id: int, task_id: int, group_id: int) -> None:
        route = Endpoint.DELETE_SUBTASK_GROUP.at(board_id=board_id, task_id=task_id)
        await self._service.ask(route, body={"group_id": group_id})

    async def _delete(self, board_id: int, subtask_id: int) -> SubtaskAnswer:
        route = Endpoint.DELETE_SUBTASK.at(board_id=board_id, task_id=subtask_id)
        return await self._subtask_answer(route, await self._service.ask(route), "deletedSubtask")

    async def _subtask_answer(
        self, route: Route, answer: dict[str, Any], name: str
    ) -> SubtaskAnswer:
        subtask = record(route, answer, TaskRecord, name)
        changed = await read_listing(answer.get("changedSubtasks"), TaskRecord)
        return SubtaskAnswer(subtask, changed.records, changed.skipped)


def _is_task(row: object) -> bool:
    """Whether an element of the listing is a subtask itself, as services without groups have it."""
    return isinstance(row, dict) and "subtasks" not in row and "parent_id" in row
