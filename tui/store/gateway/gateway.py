"""The service as the store asks for it, on top of the client.

The rule it keeps: this is the only module of the store that knows the client, and so the only one
that is dear to import; it turns records into documents and decides nothing else. What services do
differently from each other is the dialect's.
"""

from collections.abc import Iterable, Sequence
from contextlib import aclosing

from tui.client.capabilities import Feature
from tui.client.documents import BoardNews, break_circles
from tui.client.progress import Progress
from tui.client.records import Record
from tui.store.gateway.activities import GatewayActivities
from tui.store.gateway.details import GatewayDetails
from tui.store.remote import Document, TasksArrived


class Gateway(GatewayDetails, GatewayActivities):
    """`tui.store.remote.Remote` on a client; the client stays its owner's to close."""

    async def keeps_replies(self) -> bool:
        """Whether a request that is sent again under its key is not carried out again."""
        return await self._client.keeps_replies()

    def offers(self, feature: Feature) -> bool | None:
        """Whether the service offers a feature; None if that is not known."""
        return self._dialect.features.offers(feature)

    async def boards(self) -> list[Document]:
        """Every board the user can see, active and archived (4.1).

        A service that knows no archived list answers with the active ones twice.
        """
        active = await self._dialect.boards()
        archived = await self._dialect.boards(archived=True)
        by_id = {board.id: board.document() for board in (*archived.records, *active.records)}
        return [by_id[board_id] for board_id in sorted(by_id, reverse=True)]

    async def board(self, board_id: int) -> Document:
        """One board with `stages`, `labels` and `users`, and `synced_at` where there is one."""
        return (await self._client.boards.get(board_id)).document()

    async def tasks(self, board_id: int, arrived: TasksArrived | None = None) -> list[Document]:
        """The active tasks of a board, with `labels` and `assignees` (4.3).

        Records become documents as they come: thousands let go of at once hold up a key.
        """
        documents: list[Document] = []
        received = 0

        def count(progress: Progress) -> None:
            nonlocal received
            received = progress.received

        async with aclosing(self._client.tasks.stream(board_id, progress=count)) as listings:
            async for listing in listings:
                made = await self._dialect.documents(listing.records)
                documents += made
                if arrived is not None:
                    arrived(made, received)
        break_circles(documents)
        return documents

    async def task(self, board_id: int, task_id: int) -> Document:
        """One task, also when archived (4.3), without the board and the stage that come with it."""
        return self._task(await self._dialect.reading.get(board_id, task_id))

    async def news(self, board_id: int, since: str) -> BoardNews | None:
        """What changed on a board since a time the service gave; None if it cannot tell."""
        changes = await self._dialect.changes(board_id, since)
        if changes is None:
            return None
        tasks = self._tasks(changes.tasks)
        break_circles(tasks)
        board = None if changes.board is None else changes.board.document()
        is_whole = board is not None and "stages" in board
        return BoardNews(
            changes.synced_at or "",
            changes.has_changes,
            changes.must_reload,
            changes.is_complete,
            tasks,
            changes.deleted_task_ids,
            changes.has_deleted_tasks,
            board if is_whole else None,
            {
                "stages": _documents(changes.stages),
                "labels": _documents(changes.labels),
                "board": [] if board is None or is_whole else [board],
            },
            changes.is_board_outdated,
        )

    async def newest_activity(self, board_id: int) -> int:
        """The id of what was done last on a board (4.1)."""
        async for page in self._client.boards.activities(board_id, per_page=1):
            return max((activity.id for activity in page.records), default=0)
        return 0

    async def create_board(self, title: str, description: str, board_type: str) -> Document:
        """Make a board; it comes with the service's default stages (4.1)."""
        board = await self._client.boards.create(title, board_type, description=description)
        return board.document()

    async def update_board(self, board_id: int, title: str, description: str | None) -> Document:
        """Change a board's title and description; None leaves the description (4.1)."""
        board = await self._client.boards.update(board_id, title=title, description=description)
        return board.document()

    async def archive_board(self, board_id: int) -> Document:
        """Archive a board (4.1)."""
        return (await self._client.boards.archive(board_id)).document()

    async def restore_board(self, board_id: int) -> Document:
        """Bring an archived board back (4.1)."""
        return (await self._client.boards.restore(board_id)).document()

    async def delete_board(self, board_id: int) -> None:
        """Delete a board for good (4.1)."""
        await self._dialect.delete_board(board_id)

    async def create_stage(self, board_id: int, title: str, status: str) -> list[Document]:
        """Add a stage at the end of a board (4.2)."""
        stages = await self._client.stages.create(board_id, title, status=status)
        return _documents(stages.records)

    async def update_stage(self, board_id: int, stage_id: int, title: str) -> Document:
        """Rename a stage (4.2)."""
        return (await self._dialect.update_stage(board_id, stage_id, title=title)).document()

    async def archive_stage(self, board_id: int, stage_id: int) -> None:
        """Archive a stage (4.2)."""
        await self._client.stages.archive(board_id, stage_id)

    async def reposition_stages(self, board_id: int, stage_ids: list[int]) -> None:
        """Put the stages of a board into this order (4.2)."""
        await self._client.stages.reposition(board_id, stage_ids)

    async def create_task(
        self, board_id: int, stage_id: int, title: str, priority: str
    ) -> Document:
        """Make a task at the end of a stage (4.3)."""
        answer = await self._client.tasks.create(board_id, stage_id, title, priority=priority)
        return self._task(answer.task)

    async def set_task(self, board_id: int, task_id: int, name: str, value: object) -> Document:
        """Set one property of a task, as the service understands it (4.3).

        That of a subtask comes with the `parent` it changes the counts of, where that is told.
        """
        changed = await self._dialect.set_property(board_id, task_id, name, value)
        task = self._task(changed.task)
        told = (one for one in changed.news if one.id == task.get("parent_id"))
        parent = next(told, None)
        return task if parent is None else {**task, "parent": self._task(parent)}

    async def move_task(
        self,
        board_id: int,
        task_id: int,
        stage_id: int,
        index: int,
        others: Sequence[tuple[int, float]] = (),
    ) -> Document:
        """Move a task to a stage, `index` counting from 1 among the `others` there (4.3)."""
        placed = await self._dialect.place_task(board_id, task_id, stage_id, index, others)
        return self._task(placed.task)

    async def delete_task(self, board_id: int, task_id: int) -> None:
        """Delete a task for good; one that is gone already is a success (4.3)."""
        await self._dialect.delete_task(board_id, task_id)


def _documents(records: Iterable[Record]) -> list[Document]:
    return [record.document() for record in records]
