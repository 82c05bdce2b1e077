"""What the store asks of a service beyond boards and their cards.

The rule it keeps: the same as `tui.store.remote`: documents as the service said them. What an
edition does not offer raises `tui.client.errors.NotOffered` with the reason in words.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from tui.model.task import Person
from tui.store.documents.shapes import Document

BytesListener = Callable[[int, int | None], None]
"""Hears how many bytes went over the wire so far, and of how many; None while nobody knows."""


class DocumentPage(NamedTuple):
    """One page of a long list; `is_last` says that no page follows, `total` how long the list is.

    `total` is None where the service does not tell.
    """

    documents: list[Document]
    is_last: bool
    total: int | None = None


class RemoteDetails(Protocol):
    """The rest of a service. Every method may raise `tui.client.errors.ApiError`."""

    async def restore_stage(self, board_id: int, stage_id: int, order: Sequence[int]) -> Document:
        """Bring an archived stage back, its tasks in the order of these ids."""
        ...

    async def set_stage_status(
        self, board_id: int, stage_id: int, title: str, status: str
    ) -> Document:
        """Say what tasks become that are moved into a stage, `open` or `closed`."""
        ...

    async def assign(self, board_id: int, task_id: int, person_ids: Sequence[int]) -> Document:
        """Have exactly these people work on a task; returns the task."""
        ...

    async def watch(self, board_id: int, task_id: int, *, on: bool) -> Document:
        """Watch a task or stop it; returns the task."""
        ...

    async def clone_task(
        self, board_id: int, task_id: int, stage_id: int, title: str, parts: frozenset[str]
    ) -> Document:
        """Copy a task into a stage; `parts` are of assignee, subtask, label, comment."""
        ...

    async def move_task_to_board(
        self, board_id: int, task_id: int, to_board_id: int, stage_id: int
    ) -> Document:
        """Move a task to the end of a stage of another board; only where that is offered."""
        ...

    async def activities(self, board_id: int, task_id: int, page: int) -> DocumentPage:
        """A page of what was done to a task, newest first; pages count from 1."""
        ...

    async def subtask_groups(self, board_id: int, task_id: int) -> list[Document]:
        """The groups of a task, each with its `subtasks`."""
        ...

    async def create_subtask(
        self, board_id: int, task_id: int, group_id: int, title: str, *, on_top: bool
    ) -> Document:
        """Make a subtask at an end of a group."""
        ...

    async def place_subtask(
        self, board_id: int, subtask_id: int, group_id: int, index: int
    ) -> list[Document]:
        """Put a subtask into a group; `index` counts from 1 among the others there.

        Returns the subtasks whose positions changed.
        """
        ...

    async def delete_subtask(self, board_id: int, subtask_id: int) -> None:
        """Delete a subtask for good; one that is already gone is a success."""
        ...

    async def clone_subtask(self, board_id: int, subtask_id: int) -> Document:
        """Copy a subtask, below itself."""
        ...

    async def task_to_subtask(
        self, board_id: int, task_id: int, parent_id: int, group_id: int | None
    ) -> Document:
        """Make a task a subtask of another, in a group or the default one; returns the parent."""
        ...

    async def subtask_to_task(self, board_id: int, subtask_id: int, stage_id: int) -> Document:
        """Make a subtask a task at the end of a stage; returns it."""
        ...

    async def create_subtask_group(self, board_id: int, task_id: int, title: str) -> Document:
        """Give a task another group."""
        ...

    async def rename_subtask_group(
        self, board_id: int, task_id: int, group_id: int, title: str
    ) -> Document:
        """Rename a group."""
        ...

    async def delete_subtask_group(self, board_id: int, task_id: int, group_id: int) -> None:
        """Delete a group with its subtasks; one that is already gone is a success."""
        ...

    async def comments(self, board_id: int, task_id: int, page: int) -> DocumentPage:
        """A page of comments, latest first, each with `replies`; pages count from 1."""
        ...

    async def create_comment(
        self,
        board_id: int,
        task_id: int,
        text: str,
        *,
        parent_id: int | None,
        image_ids: Sequence[int],
        mentions: Sequence[Person],
    ) -> Document:
        """Add a comment, or a reply to the comment `parent_id`.

        `mentions` are people whom the text may name as `@login`.
        """
        ...

    async def update_comment(
        self,
        board_id: int,
        task_id: int,
        comment_id: int,
        text: str,
        *,
        image_ids: Sequence[int] | None,
        mentions: Sequence[Person],
    ) -> Document:
        """Change one's own comment; `image_ids` are all its images from now on, None as before."""
        ...

    async def delete_comment(
        self, board_id: int, task_id: int, comment_id: int, *, parent_id: int | None
    ) -> None:
        """Delete one's own comment; one that is already gone is a success."""
        ...

    async def upload_image(
        self,
        board_id: int,
        task_id: int,
        name: str,
        content: bytes,
        *,
        progress: BytesListener | None = None,
    ) -> Document:
        """Upload an image for a comment to come; `progress` hears of bytes sent and in all."""
        ...

    async def picture(self, url: str, progress: BytesListener | None) -> bytes:
        """What the address of an image leads to; `progress` hears of bytes so far and in all."""
        ...

    async def create_label(
        self, board_id: int, title: str, color: str, text_color: str
    ) -> Document:
        """Make a label; colours are hex."""
        ...

    async def update_label(
        self, board_id: int, label_id: int, title: str, color: str, text_color: str
    ) -> Document:
        """Change a label's title and colours."""
        ...

    async def delete_label(self, board_id: int, label_id: int) -> None:
        """Delete a label; one that is already gone is a success."""
        ...

    async def labels(self, board_id: int) -> list[Document]:
        """The labels of a board."""
        ...

    async def add_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        """Put a label on a task; returns all labels of the task."""
        ...

    async def remove_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        """Take a label off a task; returns all labels of the task."""
        ...

    async def field_values(self, board_id: int, task_id: int) -> list[Document]:
        """What a task has in the custom fields of its board."""
        ...

    async def set_field_value(
        self, board_id: int, task_id: int, field_id: int, value: str | bool
    ) -> None:
        """Set the value of a custom field; empty text clears it."""
        ...
