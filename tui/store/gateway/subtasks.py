"""Subtasks and their groups, asked of the client (4.5)."""

from tui.client.errors import ApiError, NotThere
from tui.store.documents.shapes import Document
from tui.store.gateway.reading import GatewayReading


class GatewaySubtasks(GatewayReading):
    """The part of `tui.store.remote.Remote` that is about subtasks."""

    async def subtask_groups(self, board_id: int, task_id: int) -> list[Document]:
        """The groups of a task with their subtasks; those in none are in a group 0 (4.5).

        A service that knows no groups has the group 0 alone.
        """
        found = await self._dialect.reading.subtasks(board_id, task_id)
        groups = [
            {**group.document(), "subtasks": self._tasks(group.subtasks)} for group in found.groups
        ]
        if found.ungrouped or not found.are_grouped:
            loose = self._tasks(found.ungrouped)
            groups.append({"id": 0, "task_id": task_id, "value": "", "subtasks": loose})
        return groups

    async def create_subtask(
        self, board_id: int, task_id: int, group_id: int, title: str, *, on_top: bool
    ) -> Document:
        """Make a subtask at an end of a group (4.5)."""
        return self._task(
            await self._client.subtasks.create(
                board_id, task_id, group_id, title, add_to_top=on_top
            )
        )

    async def place_subtask(
        self, board_id: int, subtask_id: int, group_id: int, index: int
    ) -> list[Document]:
        """Put a subtask into a group, `index` counting from 1 among the others (4.5)."""
        changed = await self._client.subtasks.reposition(
            board_id, subtask_id, index, group_id=group_id or None
        )
        return self._tasks(changed.records)

    async def delete_subtask(self, board_id: int, subtask_id: int) -> None:
        """Delete a subtask; one that is already gone is a success (4.5)."""
        try:
            await self._client.subtasks.delete(board_id, subtask_id)
        except ApiError as error:
            if error.status is None or not await self._is_gone(board_id, subtask_id):
                raise

    async def _is_gone(self, board_id: int, task_id: int) -> bool:
        try:
            await self._client.tasks.get(board_id, task_id)
        except NotThere:
            return True
        except ApiError:
            return False
        return False

    async def clone_subtask(self, board_id: int, subtask_id: int) -> Document:
        """Copy a subtask, below itself (4.5)."""
        return self._task(await self._client.subtasks.clone(board_id, subtask_id))

    async def task_to_subtask(
        self, board_id: int, task_id: int, parent_id: int, group_id: int | None
    ) -> Document:
        """Make a task a subtask of another; returns the parent (4.5)."""
        parent = await self._client.subtasks.convert(
            board_id, task_id, parent_id, group_id=group_id or None
        )
        return self._task(parent)

    async def subtask_to_task(self, board_id: int, subtask_id: int, stage_id: int) -> Document:
        """Make a subtask a task at the end of a stage (4.5)."""
        answer = await self._client.subtasks.move_to_board(board_id, subtask_id, stage_id)
        return self._task(answer.subtask)

    async def create_subtask_group(self, board_id: int, task_id: int, title: str) -> Document:
        """Give a task another group (4.5)."""
        return (await self._client.subtasks.create_group(board_id, task_id, title)).document()

    async def rename_subtask_group(
        self, board_id: int, task_id: int, group_id: int, title: str
    ) -> Document:
        """Rename a group (4.5); a reply without subtasks says nothing of them."""
        group = await self._client.subtasks.rename_group(board_id, task_id, group_id, title)
        return {name: value for name, value in group.document().items() if name != "subtasks"}

    async def delete_subtask_group(self, board_id: int, task_id: int, group_id: int) -> None:
        """Delete a group with its subtasks; one that is already gone is a success (4.5)."""
        try:
            await self._client.subtasks.delete_group(board_id, task_id, group_id)
        except NotThere:
            return
        except ApiError as error:
            if error.status is None or error.is_passing:
                raise
            groups = (await self._client.subtasks.list(board_id, task_id)).groups
            if any(group.id == group_id for group in groups):
                raise
