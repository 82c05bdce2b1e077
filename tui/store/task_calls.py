"""Opened tasks, with what is around them: the part of the store that shows these.

The rule it keeps: what is known is shown at once, and asked for behind the scenes.
"""

from pathlib import Path

from tui.model.detail import TaskDetail
from tui.store.present_ids import PresentIds
from tui.store.uploads import KeptPicture, Uploads


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
