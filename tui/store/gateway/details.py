"""What stands around tasks, asked of the client.

The rule it keeps: the same as the gateway's: records become documents here and nothing else is
decided.
"""

from collections.abc import Sequence

from tui.store.documents.shapes import Document
from tui.store.gateway.comments import GatewayComments
from tui.store.gateway.reading import PER_PAGE, documents
from tui.store.gateway.subtasks import GatewaySubtasks
from tui.store.remote import DocumentPage


class GatewayDetails(GatewayComments, GatewaySubtasks):
    """`tui.store.remote.Remote` on a client."""

    async def restore_stage(self, board_id: int, stage_id: int, order: Sequence[int]) -> Document:
        """Bring an archived stage back, its tasks in the order of these ids (4.2)."""
        restored = await self._dialect.restore_stage(board_id, stage_id, order)
        return restored.stage.document()

    async def set_stage_status(
        self, board_id: int, stage_id: int, title: str, status: str
    ) -> Document:
        """Say what tasks become that are moved into a stage; its other settings stay (4.2)."""
        board = await self._client.boards.get(board_id)
        found = (stage.settings for stage in board.stages if stage.id == stage_id)
        settings = {**next(found, {}), "default_task_status": status}
        stage = await self._dialect.update_stage(board_id, stage_id, title=title, settings=settings)
        return stage.document()

    async def assign(self, board_id: int, task_id: int, person_ids: Sequence[int]) -> Document:
        """Have exactly these people work on a task (4.3)."""
        return self._task((await self._dialect.assign(board_id, task_id, person_ids)).task)

    async def watch(self, board_id: int, task_id: int, *, on: bool) -> Document:
        """Watch a task or stop it (4.3)."""
        return self._task((await self._dialect.watch(board_id, task_id, on)).task)

    async def clone_task(
        self, board_id: int, task_id: int, stage_id: int, title: str, parts: frozenset[str]
    ) -> Document:
        """Copy a task into a stage (4.3)."""
        answer = await self._client.tasks.clone(
            board_id,
            task_id,
            stage_id,
            title,
            assignees="assignee" in parts,
            subtasks="subtask" in parts,
            labels="label" in parts,
            comments="comment" in parts,
        )
        return self._task(answer.task)

    async def move_task_to_board(
        self, board_id: int, task_id: int, to_board_id: int, stage_id: int
    ) -> Document:
        """Move a task to the end of a stage of another board, where that is offered (4.3)."""
        tasks = (await self._client.tasks.list(to_board_id)).records
        lane = sorted((task.position, task.id) for task in tasks if task.stage_id == stage_id)
        others = [(other_id, position) for position, other_id in lane]
        placed = await self._dialect.place_task(
            board_id, task_id, stage_id, len(others) + 1, others, new_board_id=to_board_id
        )
        return self._task(placed.task)

    async def activities(self, board_id: int, task_id: int, page: int) -> DocumentPage:
        """A page of what was done to a task, newest first (4.3)."""
        pages = self._client.tasks.activities(board_id, task_id, per_page=PER_PAGE)
        return await self._page("activities", (board_id, task_id), page, pages)

    async def create_label(
        self, board_id: int, title: str, color: str, text_color: str
    ) -> Document:
        """Make a label (4.6)."""
        label = await self._client.labels.create(board_id, title, color=text_color, bg_color=color)
        return label.document()

    async def update_label(
        self, board_id: int, label_id: int, title: str, color: str, text_color: str
    ) -> Document:
        """Change a label's title and colours (4.6)."""
        label = await self._client.labels.update(
            board_id, label_id, title=title, color=text_color, bg_color=color
        )
        return label.document()

    async def delete_label(self, board_id: int, label_id: int) -> None:
        """Delete a label; one that is already gone is a success (4.6)."""
        await self._dialect.delete_label(board_id, label_id)

    async def labels(self, board_id: int) -> list[Document]:
        """The labels of a board (4.6)."""
        return documents((await self._client.labels.list(board_id)).records)

    async def add_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        """Put a label on a task; returns what the task has then (4.6)."""
        await self._client.labels.attach(board_id, task_id, label_id)
        return documents((await self._client.labels.of_task(board_id, task_id)).records)

    async def remove_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        """Take a label off a task; returns what the task has then (4.6)."""
        await self._dialect.detach_label(board_id, task_id, label_id)
        return documents((await self._client.labels.of_task(board_id, task_id)).records)

    async def field_values(self, board_id: int, task_id: int) -> list[Document]:
        """What a task has in the custom fields of its board (4.7)."""
        return documents((await self._client.fields.values(board_id, task_id)).records)

    async def set_field_value(
        self, board_id: int, task_id: int, field_id: int, value: str | bool
    ) -> None:
        """Set the value of a custom field; empty text clears it (4.7)."""
        await self._client.fields.set_value(board_id, task_id, field_id, value)
