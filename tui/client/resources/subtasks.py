"""Subtasks and their groups (section 4.5)."""

from collections.abc import Sequence

from tui.client.answers import read_listing
from tui.client.capabilities import Feature
from tui.client.endpoints import Endpoint
from tui.client.errors import NotFound
from tui.client.http.bodies import without_none
from tui.client.records.tasks import SubtaskGroupRecord, TaskRecord
from tui.client.records.values import as_rows
from tui.client.resources.deletion import delete_once, is_not_found, is_unlisted
from tui.client.service import Service

NO_GROUP = 0
"""The id that stands for no group."""


class Subtasks:
    """Subtasks.

    Raises `NotOffered` if the service's edition has no subtasks.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._parents: dict[int, int] = {}
        """Below which task each subtask was listed."""

    async def list(self, board_id: int, task_id: int) -> Sequence[SubtaskGroupRecord]:
        """The subtasks of a task by group; order them by position and id (4.5).

        Those without a group are in the group `NO_GROUP`, the last; a service without groups has
        only that one.
        """
        answer = await self._service.ask(Endpoint.LIST_SUBTASKS, board_id, task_id)
        has_groups = "subtaskGroups" in answer.value
        self._service.learn_features({Feature.SUBTASKS: True, Feature.SUBTASK_GROUPS: has_groups})
        name = "subtaskGroups" if has_groups else "data"
        rows = as_rows(answer.array(name))
        groups = [row for row in rows if not _is_task(row)]
        loose = [row for row in rows if _is_task(row)]
        listed = await read_listing(groups, SubtaskGroupRecord, site=answer.site)
        ungrouped = await read_listing(loose, TaskRecord, site=answer.site)
        if loose or (name == "data" and not groups):
            listed.append(_no_group(task_id, ungrouped))
        for group in listed:
            self._parents.update((subtask.id, task_id) for subtask in group.subtasks)
        return listed

    async def find(self, board_id: int, subtask_id: int) -> TaskRecord | None:
        """A subtask, searched in the list of its parent if that is known."""
        parent_id = self._parents.get(subtask_id)
        if parent_id is None:
            return None
        groups = await self.list(board_id, parent_id)
        subtasks = (one for group in groups for one in group.subtasks)
        return next((one for one in subtasks if one.id == subtask_id), None)

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

        `due_at` is a wall time of the site, `YYYY-MM-DD HH:MM:SS`.
        """
        body = without_none(title=title, group_id=group_id, add_to_top=on_top, due_at=due_at)
        answer = await self._service.ask(Endpoint.CREATE_SUBTASK, board_id, task_id, body=body)
        return answer.record(TaskRecord, "subtask")

    async def create_group(self, board_id: int, task_id: int, title: str) -> SubtaskGroupRecord:
        """Give a task another group of subtasks (4.5)."""
        body = {"title": title}
        answer = await self._service.ask(
            Endpoint.CREATE_SUBTASK_GROUP, board_id, task_id, body=body
        )
        return answer.record(SubtaskGroupRecord, "subtaskGroup")

    async def rename_group(
        self, board_id: int, task_id: int, group_id: int, title: str
    ) -> SubtaskGroupRecord:
        """Rename a group of subtasks (4.5)."""
        body = {"group_id": group_id, "title": title}
        answer = await self._service.ask(
            Endpoint.UPDATE_SUBTASK_GROUP, board_id, task_id, body=body
        )
        return answer.record(SubtaskGroupRecord, "subtaskGroup")

    async def delete_group(self, board_id: int, task_id: int, group_id: int) -> None:
        """Delete a group with all its subtasks (4.5)."""

        async def is_gone() -> bool:
            try:
                return await is_unlisted(self.list(board_id, task_id), group_id)
            except NotFound:
                return True

        body = {"group_id": group_id}
        await delete_once(
            self._service.ask(Endpoint.DELETE_SUBTASK_GROUP, board_id, task_id, body=body),
            is_gone,
            is_trusted=True,
        )

    async def delete(self, board_id: int, subtask_id: int) -> None:
        """Delete a subtask (4.5)."""
        await delete_once(
            self._service.ask(Endpoint.DELETE_SUBTASK, board_id, subtask_id),
            lambda: is_not_found(read_task(self._service, board_id, subtask_id)),
            is_trusted=True,
        )

    async def move(
        self, board_id: int, task_id: int, group_id: int, subtask_ids: Sequence[int]
    ) -> Sequence[TaskRecord]:
        """Move subtasks of a task to the end of another of its groups, in this order (4.5).

        Returns those in the response, mostly only the first. Raises `ValueError` for no subtasks.
        """
        if not subtask_ids:
            raise ValueError("no subtask to move")
        one_or_more = list(subtask_ids) if len(subtask_ids) > 1 else subtask_ids[0]
        body = {"group_id": group_id, "subtask_id": one_or_more}
        answer = await self._service.ask(Endpoint.MOVE_SUBTASKS, board_id, task_id, body=body)
        moved = answer.value.get("subtasks") or answer.array("subtask")
        rows = [moved] if isinstance(moved, dict) and "id" in moved else moved
        return await read_listing(rows, TaskRecord, site=answer.site)

    async def reposition(
        self, board_id: int, subtask_id: int, group_id: int, index: int
    ) -> Sequence[TaskRecord]:
        """Move a subtask to a position, counted from 1, of a group; `NO_GROUP` is its own.

        Returns the subtasks that changed (4.5). Raises `ValueError` for a position below 1.
        """
        if index < 1:
            raise ValueError("a place in a group is counted from 1")
        body = without_none(newPosition=index, newSubtasksGroupId=group_id or None)
        answer = await self._service.ask(
            Endpoint.REPOSITION_SUBTASK, board_id, subtask_id, body=body
        )
        return await answer.listing(TaskRecord, "changedSubtasks")

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

        Without a group, or with 0, it goes into a default group, which is created if missing.
        Raises `Conflict`.
        """
        body = without_none(
            parent_id=parent_id, assigneeId=assignee_id, subtaskGroupId=group_id or None
        )
        answer = await self._service.ask(Endpoint.CONVERT_TO_SUBTASK, board_id, task_id, body=body)
        return answer.record(TaskRecord, "parentTask")

    async def move_to_board(self, board_id: int, subtask_id: int, stage_id: int) -> TaskRecord:
        """Make a subtask a task in a stage (4.5)."""
        body = {"stage_id": stage_id}
        answer = await self._service.ask(
            Endpoint.MOVE_SUBTASK_TO_BOARD, board_id, subtask_id, body=body
        )
        return answer.record(TaskRecord, "moveSubtask")

    async def clone(self, board_id: int, subtask_id: int) -> TaskRecord:
        """Copy a subtask to the position after it; its title gets `(cloned)` (4.5)."""
        answer = await self._service.ask(Endpoint.CLONE_SUBTASK, board_id, subtask_id)
        return answer.record(TaskRecord, "subtask")


async def read_task(service: Service, board_id: int, task_id: int) -> TaskRecord:
    """A single task. Some services refuse this for a subtask: see `Tasks.get`."""
    answer = await service.ask(Endpoint.GET_TASK, board_id, task_id)
    return answer.record(TaskRecord, "task")


def _is_task(row: object) -> bool:
    """Whether an element of the list is a subtask itself, as on services without groups."""
    return isinstance(row, dict) and "subtasks" not in row and "parent_id" in row


def _no_group(task_id: int, subtasks: Sequence[TaskRecord]) -> SubtaskGroupRecord:
    told = {"id": NO_GROUP, "task_id": task_id, "value": "", "subtasks": [*subtasks]}
    return SubtaskGroupRecord.model_construct({*told}, **told)
