"""What the store asks of a service: the one protocol between store and client.

`tui.client.remote` meets it. Every method does what it says on any deployed service, and may raise
any `tui.client.errors.ApiError`; those named here are said about the request itself (section
numbers are the specification's). Results are documents: `tui.client.records.base` says what these
guarantee, and times on a task are on the person's wall. Where something of a task, comment or label
is deleted that is already gone, that is a success. What an edition does not offer raises
`NotOffered` with the reason in words.
"""

from collections.abc import Sequence
from typing import Protocol

from tui.client.capabilities import Feature
from tui.client.documents import BoardChanges, BytesListener, Document, DocumentPage, TasksArrived
from tui.model.task import Person

__all__ = ["BytesListener", "Document", "DocumentPage", "Remote", "TasksArrived"]


class Remote(Protocol):
    """A service, reached: boards, stages, tasks, subtasks, comments, images, labels, fields.

    `NotFound` and `NotAllowed` may come of every method with ids, `Refused` of every one that
    writes; they are not repeated below.
    """

    async def keeps_replies(self) -> bool:
        """Whether a request that is sent again under its key is not carried out again (5)."""
        ...

    def offers(self, feature: Feature) -> bool | None:
        """Whether the service offers a feature; None if that is not known."""
        ...

    async def list_version(self) -> str:
        """What is another text once the list of boards may differ; empty if that is not told."""
        ...

    async def boards(self) -> list[Document]:
        """Every board the user can see, active and archived, newest first (4.1)."""
        ...

    async def board(self, board_id: int) -> Document:
        """One board with `stages`, `labels`, `users`, and `synced_at` where it is told (4.1)."""
        ...

    async def changes_since(self, board_id: int, since: str) -> BoardChanges | None:
        """What changed on a board since a `synced_at`; None if the service cannot tell.

        `since` is empty if the service gave none. Not in the specification. Raises `ServerFault`
        where `since` is older than a day.
        """
        ...

    async def board_activities(self, board_id: int) -> list[Document]:
        """What was done on a board lately, newest first, each with its `user`: one page (4.1)."""
        ...

    async def newest_activity(self, board_id: int) -> int:
        """The id of what was done last on a board; 0 if nothing was (4.1)."""
        ...

    async def create_board(self, title: str, description: str, board_type: str) -> Document:
        """Make a board; it comes with the service's default stages (4.1)."""
        ...

    async def update_board(self, board_id: int, title: str, description: str | None) -> Document:
        """Change a board's title and description as HTML; None leaves the description (4.1)."""
        ...

    async def archive_board(self, board_id: int) -> Document:
        """Archive a board (4.1)."""
        ...

    async def restore_board(self, board_id: int) -> Document:
        """Bring an archived board back (4.1)."""
        ...

    async def delete_board(self, board_id: int) -> None:
        """Delete a board for good; one that is already gone is a success (4.1).

        Raises `ServerFault` if it is still there.
        """
        ...

    async def create_stage(self, board_id: int, title: str, status: str) -> list[Document]:
        """Add a stage at the end of a board; returns the stages that changed, it among them (4.2).

        `status` is what tasks become that are moved into it, `open` or `closed`.
        """
        ...

    async def update_stage(self, board_id: int, stage_id: int, title: str) -> Document:
        """Rename a stage (4.2)."""
        ...

    async def set_stage_status(
        self, board_id: int, stage_id: int, title: str, status: str
    ) -> Document:
        """Say what tasks become that are moved into a stage; its other settings stay (4.2)."""
        ...

    async def reposition_stages(self, board_id: int, stage_ids: list[int]) -> None:
        """Put the stages of a board into this order (4.2)."""
        ...

    async def archive_stage(self, board_id: int, stage_id: int) -> None:
        """Archive a stage (4.2)."""
        ...

    async def restore_stage(self, board_id: int, stage_id: int, order: Sequence[int]) -> Document:
        """Bring an archived stage back, its tasks in the order of these ids (4.2).

        Raises `ServerFault` if a task does not go to its place.
        """
        ...

    async def tasks(self, board_id: int, arrived: TasksArrived | None = None) -> list[Document]:
        """The active tasks of a board, in no particular order, with labels and assignees (4.3).

        `arrived` hears of them as they come. No task is a subtask of itself.
        """
        ...

    async def task(self, board_id: int, task_id: int) -> Document:
        """One task, also when archived, without the board and stage that come with it (4.3)."""
        ...

    async def activities(self, board_id: int, task_id: int, page: int) -> DocumentPage:
        """A page of what was done to a task, newest first; pages count from 1 (4.3)."""
        ...

    async def create_task(
        self, board_id: int, stage_id: int, title: str, priority: str
    ) -> Document:
        """Make a task at the end of a stage (4.3)."""
        ...

    async def set_task(self, board_id: int, task_id: int, name: str, value: object) -> Document:
        """Set one property of a task by its name in the interface (4.3).

        Dates are `YYYY-MM-DD HH:MM:SS` on the person's wall, None for none. A subtask may come
        with its `parent`, whose counts change with it. Raises `Refused`, before anything is sent,
        for a date that services cannot keep; `ServerFault` if another date is kept.
        """
        ...

    async def assign(self, board_id: int, task_id: int, person_ids: Sequence[int]) -> Document:
        """Make exactly these people the assignees of a task; returns the task (4.3).

        Raises `ServerFault`, which says who is assigned, if the service does something else.
        """
        ...

    async def watch(self, board_id: int, task_id: int, *, on: bool) -> Document:
        """Watch a task or stop it; returns the task (4.3).

        Raises `NotOffered` where the service has those watch who are assigned.
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
        """Move a task to a stage; `index` counts from 1 among the other active tasks there (4.3).

        `others` are the ids and positions of those, in order, as far as the caller knows them.
        Raises `ServerFault` if the task does not go there.
        """
        ...

    async def move_task_to_board(
        self, board_id: int, task_id: int, to_board_id: int, stage_id: int
    ) -> Document:
        """Move a task to the end of a stage of another board, where that is offered (4.3)."""
        ...

    async def clone_task(
        self, board_id: int, task_id: int, stage_id: int, title: str, parts: frozenset[str]
    ) -> Document:
        """Copy a task into a stage; `parts` are of assignee, subtask, label, comment (4.3)."""
        ...

    async def delete_task(self, board_id: int, task_id: int) -> None:
        """Delete a task for good (4.3). Raises `ServerFault` if it is still there."""
        ...

    async def subtask_groups(self, board_id: int, task_id: int) -> list[Document]:
        """The groups of a task, each with its `subtasks` (4.5).

        Subtasks in no group are in a group 0; a service without groups has that one alone.
        """
        ...

    async def create_subtask_group(self, board_id: int, task_id: int, title: str) -> Document:
        """Give a task another group (4.5)."""
        ...

    async def rename_subtask_group(
        self, board_id: int, task_id: int, group_id: int, title: str
    ) -> Document:
        """Rename a group; returns it without its subtasks (4.5)."""
        ...

    async def delete_subtask_group(self, board_id: int, task_id: int, group_id: int) -> None:
        """Delete a group with its subtasks; one that is already gone is a success (4.5)."""
        ...

    async def create_subtask(
        self, board_id: int, task_id: int, group_id: int, title: str, *, on_top: bool
    ) -> Document:
        """Make a subtask at an end of a group (4.5)."""
        ...

    async def place_subtask(
        self, board_id: int, subtask_id: int, group_id: int, index: int
    ) -> list[Document]:
        """Put a subtask into a group; `index` counts from 1 among the others there (4.5).

        Returns the subtasks whose positions changed.
        """
        ...

    async def clone_subtask(self, board_id: int, subtask_id: int) -> Document:
        """Copy a subtask, below itself (4.5)."""
        ...

    async def delete_subtask(self, board_id: int, subtask_id: int) -> None:
        """Delete a subtask for good; one that is already gone is a success (4.5)."""
        ...

    async def task_to_subtask(
        self, board_id: int, task_id: int, parent_id: int, group_id: int | None
    ) -> Document:
        """Make a task a subtask, in a group or the default one; returns the parent (4.5).

        Raises `Conflict`.
        """
        ...

    async def subtask_to_task(self, board_id: int, subtask_id: int, stage_id: int) -> Document:
        """Make a subtask a task at the end of a stage; returns it (4.5)."""
        ...

    async def comments(self, board_id: int, task_id: int, page: int) -> DocumentPage:
        """A page of comments, latest first, each with `replies`; pages count from 1 (4.4)."""
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
        """Add a comment, or a reply to the comment `parent_id` (4.4).

        `mentions` are people whom the text may name as `@login`. Raises `ServerFault` where the
        service stores the comment but does not list it.
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
        """Change one's own comment; `image_ids` are all its images, None as before (4.4)."""
        ...

    async def delete_comment(
        self, board_id: int, task_id: int, comment_id: int, *, parent_id: int | None
    ) -> None:
        """Delete one's own comment, or one's reply to `parent_id` (4.4).

        Raises `NotAllowed` or `ServerFault` for somebody else's, which stays.
        """
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
        """Upload an image for a comment to come; `progress` hears of bytes sent and in all (4.4).

        Raises `Refused` for what is no image, `TooLarge`.
        """
        ...

    async def picture(self, url: str, progress: BytesListener | None) -> bytes:
        """What the address of an image leads to; `progress` hears of bytes so far and in all (2.6).

        Raises `BadAddress` for what is not fetched, `UnexpectedAnswer` for what is too large or a page.
        """
        ...

    async def labels(self, board_id: int) -> list[Document]:
        """The labels of a board (4.6)."""
        ...

    async def create_label(
        self, board_id: int, title: str, color: str, text_color: str
    ) -> Document:
        """Make a label; colours are hex (4.6)."""
        ...

    async def update_label(
        self, board_id: int, label_id: int, title: str, color: str, text_color: str
    ) -> Document:
        """Change a label's title and colours (4.6)."""
        ...

    async def delete_label(self, board_id: int, label_id: int) -> None:
        """Delete a label; raises `ServerFault` if it is still there (4.6)."""
        ...

    async def add_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        """Put a label on a task; returns all labels of the task (4.6)."""
        ...

    async def remove_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        """Take a label off a task; returns all labels of the task (4.6)."""
        ...

    async def field_values(self, board_id: int, task_id: int) -> list[Document]:
        """What a task has in the custom fields of its board (4.7)."""
        ...

    async def set_field_value(
        self, board_id: int, task_id: int, field_id: int, value: str | bool
    ) -> None:
        """Set the value of a custom field; empty text clears it (4.7)."""
        ...
