"""Opened tasks, with what is around them: the part of the store that shows these.

The rule it keeps: what is known is shown at once, and asked for behind the scenes.
"""

from collections.abc import Callable
from pathlib import Path

from tui.model.detail import TaskDetail
from tui.store.calls.present_ids import PresentIds
from tui.store.detail_protocol import KeptPicture
from tui.store.pictures.uploads import Uploads


class TaskCalls(PresentIds):
    """Opened tasks, and the pictures that wait for them."""

    _uploads: Uploads

    def detail(self, task_id: int) -> TaskDetail | None:
        """An opened task with pending changes applied; None if it was not opened lately."""
        return self._parts.details.detail(task_id)

    async def open_task(self, board_id: int, task_id: int) -> None:
        """Show what is known of a task, and ask for the rest behind the scenes."""
        await self._parts.details.open_task(self._current(board_id), task_id)

    def close_task(self) -> None:
        """No task is looked at any more."""
        self._parts.details.close_task()

    async def keep_picture(self, path: Path) -> KeptPicture:
        """Keep a picture until the service has it, for `UploadImage` and a comment that shows it.

        Raises `CallboardError` for what cannot be read, is no picture, or is too large.
        """
        return await self._parts.disk.run(self._uploads.keep_file, path)

    async def refresh_task(self, task_id: int) -> None:
        """Ask for an opened task now; problems are told by the board's status."""
        await self._parts.details.refresh(task_id)

    async def older_comments(self, task_id: int) -> None:
        """Ask for the comments before those that are known. Raises `CallboardError`."""
        await self._parts.details.older_comments(task_id)

    async def older_activities(self, task_id: int) -> None:
        """Ask for what was done, or what was done before that. Raises `CallboardError`."""
        await self._parts.details.older_activities(task_id)

    async def description_source(self, task_id: int) -> str:
        """The description of a task or subtask as it is stored, to start an edit from."""
        return await self._parts.sources.description(self._current(task_id))

    async def comment_source(self, task_id: int, comment_id: int) -> str:
        """The text of a comment or reply as it was typed, to start an edit from."""
        ids = self._current(task_id), self._current(comment_id)
        return await self._parts.sources.comment(*ids)

    def unread_comments(self, task_id: int) -> frozenset[int]:
        """The comments and replies of others that the person has not seen yet."""
        detail = self.detail(task_id)
        return frozenset() if detail is None else self._parts.unread.of(detail)

    async def comments_seen(self, task_id: int) -> None:
        """The person has looked at all comments of a task that are known here."""
        detail = self.detail(task_id)
        if detail is not None and await self._parts.unread.seen(detail):
            self._parts.details.tell_again(detail.task.id)

    async def picture(
        self, task_id: int, image_id: int, progress: Callable[[int, int | None], None] | None = None
    ) -> bytes:
        """The bytes of a picture in a comment, from here or from the service.

        `progress` hears of bytes so far and in all, if that is known. Raises `CallboardError`.
        """
        return await self._parts.pictures.content(self._current(task_id), image_id, progress)
