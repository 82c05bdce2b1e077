"""What screens may ask of the store about opened tasks.

The rule it keeps: what is known is told at once; whatever is asked for behind the scenes is told
by `DetailChanged` when it has come.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

from tui.model.detail import TaskDetail


class KeptPicture(NamedTuple):
    """A picture that was kept: its name and type, its size in words, and where its bytes are."""

    name: str
    content_type: str
    size: str
    path: Path


class DetailStore(Protocol):
    """Opened tasks, with what is around them, and the pictures in them."""

    def detail(self, task_id: int) -> TaskDetail | None:
        """An opened task with pending changes applied; None if it was not opened lately."""
        ...

    async def open_task(self, board_id: int, task_id: int) -> None:
        """Show what is known of a task, and ask for the rest behind the scenes."""
        ...

    def close_task(self) -> None:
        """No task is looked at any more."""
        ...

    async def refresh_task(self, task_id: int) -> None:
        """Ask for an opened task now; problems are told by the board's status."""
        ...

    async def older_comments(self, task_id: int) -> None:
        """Ask for the comments before those that are known. Raises `CallboardError`."""
        ...

    async def older_activities(self, task_id: int) -> None:
        """Ask for what was done, or what was done before that. Raises `CallboardError`."""
        ...

    async def description_source(self, task_id: int) -> str:
        """The description of a task or subtask as it is stored, to start an edit from."""
        ...

    async def comment_source(self, task_id: int, comment_id: int) -> str:
        """The text of a comment or reply as it was typed, to start an edit from."""
        ...

    def unread_comments(self, task_id: int) -> frozenset[int]:
        """The comments and replies of others that the person has not seen yet."""
        ...

    async def comments_seen(self, task_id: int) -> None:
        """The person has looked at all comments of a task that are known here."""
        ...

    async def keep_picture(self, path: Path) -> KeptPicture:
        """Keep a picture until the service has it, for `UploadImage` and a comment that shows it.

        Raises `CallboardError` for what cannot be read, is no picture, or is too large.
        """
        ...

    async def picture(
        self, task_id: int, image_id: int, progress: Callable[[int, int | None], None] | None = None
    ) -> bytes:
        """The bytes of a picture in a comment, from here or from the service.

        `progress` hears of bytes so far and in all, if that is known. Raises `CallboardError`.
        """
        ...
