"""Subtasks and their groups (section 4.5)."""

from collections.abc import Sequence

from tui.client.answers import read_documents
from tui.client.documents import Document
from tui.client.endpoints import Endpoint
from tui.client.http.bodies import without_none
from tui.client.service import RemoteService
from tui.schema.tasks import SubtaskGroup, Task

NO_GROUP = 0
"""The id that stands for no group."""


class Subtasks:
    """Subtasks and their groups, which only some editions have (section 4.5)."""

    service: RemoteService

    async def subtask_groups(self, board_id: int, task_id: int) -> list[Document]:
        """The subtasks of a task by group; order them by position and id (4.5)."""
        answer = await self.service.ask(Endpoint.LIST_SUBTASKS, board_id, task_id)
        return await answer.documents(SubtaskGroup, "subtaskGroups")

    async def create_subtask(
        self,
        board_id: int,
        task_id: int,
        group_id: int,
        title: str,
        *,
        due_at: str | None = None,
        on_top: bool = False,
    ) -> Document:
        """Add a subtask at the end, or the top, of a group of a task (4.5).

        `due_at` is a wall time of the site, `YYYY-MM-DD HH:MM:SS`.
        """
        body = without_none(title=title, group_id=group_id, add_to_top=on_top, due_at=due_at)
        answer = await self.service.ask(Endpoint.CREATE_SUBTASK, board_id, task_id, body=body)
        return answer.document(Task, "subtask")

    async def create_subtask_group(self, board_id: int, task_id: int, title: str) -> Document:
        """Give a task another group of subtasks (4.5)."""
        body = {"title": title}
        answer = await self.service.ask(Endpoint.CREATE_SUBTASK_GROUP, board_id, task_id, body=body)
        return answer.document(SubtaskGroup, "subtaskGroup")

    async def rename_subtask_group(
        self, board_id: int, task_id: int, group_id: int, title: str
    ) -> Document:
        """Rename a group of subtasks; the reply is without them (4.5)."""
        body = {"group_id": group_id, "title": title}
        answer = await self.service.ask(Endpoint.UPDATE_SUBTASK_GROUP, board_id, task_id, body=body)
        group = answer.document(SubtaskGroup, "subtaskGroup")
        group.pop("subtasks", None)
        return group

    async def delete_subtask_group(self, board_id: int, task_id: int, group_id: int) -> None:
        """Delete a group with all its subtasks (4.5)."""
        body = {"group_id": group_id}
        await self.service.delete(Endpoint.DELETE_SUBTASK_GROUP, board_id, task_id, body=body)

    async def delete_subtask(self, board_id: int, subtask_id: int) -> None:
        """Delete a subtask (4.5)."""
        await self.service.delete(Endpoint.DELETE_SUBTASK, board_id, subtask_id)

    async def move_subtasks(
        self, board_id: int, task_id: int, group_id: int, subtask_ids: Sequence[int]
    ) -> list[Document]:
        """Move subtasks of a task to the end of another of its groups, in this order (4.5).

        Returns those in the response, mostly only the first. Raises `ValueError` for no subtasks.
        """
        if not subtask_ids:
            raise ValueError("no subtask to move")
        one_or_more = list(subtask_ids) if len(subtask_ids) > 1 else subtask_ids[0]
        body = {"group_id": group_id, "subtask_id": one_or_more}
        answer = await self.service.ask(Endpoint.MOVE_SUBTASKS, board_id, task_id, body=body)
        moved = answer.value.get("subtasks") or answer.array("subtask")
        rows = [moved] if isinstance(moved, dict) and "id" in moved else moved
        return await read_documents(rows, Task, site=answer.site)

    async def place_subtask(
        self, board_id: int, subtask_id: int, group_id: int, index: int
    ) -> list[Document]:
        """Move a subtask to a position, counted from 1, of a group; `NO_GROUP` is its own.

        Returns the subtasks that changed (4.5). Raises `ValueError` for a position below 1.
        """
        if index < 1:
            raise ValueError("a place in a group is counted from 1")
        body = without_none(newPosition=index, newSubtasksGroupId=group_id or None)
        answer = await self.service.ask(
            Endpoint.REPOSITION_SUBTASK, board_id, subtask_id, body=body
        )
        return await answer.documents(Task, "changedSubtasks")

    async def task_to_subtask(
        self,
        board_id: int,
        task_id: int,
        parent_id: int,
        group_id: int | None = None,
        *,
        assignee_id: int | None = None,
    ) -> Document:
        """Make a task a subtask of `parent_id`; returns the parent (4.5).

        Without a group, or with 0, it goes into a default group, which is created if missing.
        Raises `Conflict`.
        """
        body = without_none(
            parent_id=parent_id, assigneeId=assignee_id, subtaskGroupId=group_id or None
        )
        answer = await self.service.ask(Endpoint.CONVERT_TO_SUBTASK, board_id, task_id, body=body)
        return answer.document(Task, "parentTask")

    async def subtask_to_task(self, board_id: int, subtask_id: int, stage_id: int) -> Document:
        """Make a subtask a task in a stage (4.5)."""
        body = {"stage_id": stage_id}
        answer = await self.service.ask(
            Endpoint.MOVE_SUBTASK_TO_BOARD, board_id, subtask_id, body=body
        )
        return answer.document(Task, "moveSubtask")

    async def clone_subtask(self, board_id: int, subtask_id: int) -> Document:
        """Copy a subtask to the position after it; its title gets `(cloned)` (4.5)."""
        answer = await self.service.ask(Endpoint.CLONE_SUBTASK, board_id, subtask_id)
        return answer.document(Task, "subtask")
