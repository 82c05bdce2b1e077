"""What the store asks of a service, and the shape of what it gets.

The rule it keeps: everything above the client speaks in *documents*: plain JSON objects as the
service said them, with ids made integers, decimals made numbers and empty arrays made objects
where an object is due. Unknown fields stay. Errors are those of `tui.client.errors`.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from tui.client.capabilities import Feature
from tui.store.documents.shapes import Document
from tui.store.polling import BoardNews
from tui.store.remote_activities import RemoteActivities
from tui.store.remote_details import RemoteDetails

__all__ = ["Document", "Remote"]

TasksArrived = Callable[[Sequence[Document], int], None]


class Remote(RemoteDetails, RemoteActivities, Protocol):
    """A service, reached. Every method may raise `tui.client.errors.ApiError`."""

    async def keeps_replies(self) -> bool:
        """Whether a request that is sent again under its key is not carried out again."""
        ...

    def offers(self, feature: Feature) -> bool | None:
        """Whether the service offers a feature; None if that is not known."""
        ...

    async def boards(self) -> list[Document]:
        """Every board the user can see, all pages."""
        ...

    async def board(self, board_id: int) -> Document:
        """One board with `stages`, `labels` and `users`."""
        ...

    async def tasks(self, board_id: int, arrived: TasksArrived | None = None) -> list[Document]:
        """The active tasks of a board, in no particular order, with `labels` and `assignees`.

        `arrived` hears of them as they come: the next tasks, and how many bytes came in all.
        """
        ...

    async def task(self, board_id: int, task_id: int) -> Document:
        """One task, also when archived."""
        ...

    async def news(self, board_id: int, since: str) -> BoardNews | None:
        """What changed on a board since a time the service gave; None if it cannot tell.

        `since` is empty if it gave none.
        """
        ...

    async def newest_activity(self, board_id: int) -> int:
        """The id of what was done last on a board; 0 if nothing was."""
        ...

    async def create_board(self, title: str, description: str, board_type: str) -> Document:
        """Make a board; it comes with the service's default stages."""
        ...

    async def update_board(self, board_id: int, title: str, description: str | None) -> Document:
        """Change a board's title and description; None leaves the description."""
        ...

    async def archive_board(self, board_id: int) -> Document:
        """Archive a board."""
        ...

    async def restore_board(self, board_id: int) -> Document:
        """Bring an archived board back."""
        ...

    async def delete_board(self, board_id: int) -> None:
        """Delete a board for good."""
        ...

    async def create_stage(self, board_id: int, title: str, status: str) -> list[Document]:
        """Add a stage at the end of a board; `status` is what its tasks become. Returns stages."""
        ...

    async def update_stage(self, board_id: int, stage_id: int, title: str) -> Document:
        """Rename a stage."""
        ...

    async def archive_stage(self, board_id: int, stage_id: int) -> None:
        """Archive a stage."""
        ...

    async def reposition_stages(self, board_id: int, stage_ids: list[int]) -> None:
        """Put the stages of a board into this order."""
        ...

    async def create_task(
        self, board_id: int, stage_id: int, title: str, priority: str
    ) -> Document:
        """Make a task at the end of a stage."""
        ...

    async def set_task(self, board_id: int, task_id: int, name: str, value: object) -> Document:
        """Set one property of a task: the PUT with `property` and `value`.

        A subtask may come with its `parent`, whose counts change with it.
        """
        ...

    async def move_task(
        self,
        board_id: int,
        task_id: int,
        stage_id: int,
        index: int,
        others: Sequence[tuple[int, float]] = (),
    ) -> Document:
        """Move a task to a stage; `index` counts from 1 among the other active tasks there.

        `others` are the ids and positions of those, in order, as far as the caller knows them.
        """
        ...

    async def delete_task(self, board_id: int, task_id: int) -> None:
        """Delete a task for good; one that is already gone is a success."""
        ...
