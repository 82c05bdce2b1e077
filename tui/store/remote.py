"""The protocol between the store and the client: everything the store requests from a service.

`tui.client.remote` implements it. Every method works the same on any deployed service, and may
raise any `tui.client.errors.ApiError`; only errors about the request itself are listed here
(section numbers are the specification's). Results are documents: `tui.client.records.base` has
their guarantees; wall times of tasks are the user's. Deleting something of a task, comment or label
that no longer exists succeeds. A feature that an edition lacks raises `NotOffered` with the reason
in words.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from tui.client.capabilities import Feature
from tui.client.documents import BoardChanges, BytesListener, Document, DocumentPage, TasksArrived
from tui.model.task import Person
from tui.store.remote_administration import Administration

__all__ = ["BytesListener", "Document", "DocumentPage", "Remote", "TasksArrived"]


class Remote(Administration, Protocol):
    """Boards, stages, tasks, subtasks, comments, images, labels and fields of a service.

    Every method with ids may raise `NotFound` and `NotAllowed`, every one that writes `Refused`;
    they are not repeated below.
    """

    async def keeps_replies(self) -> bool:
        """Whether the service supports idempotency keys (5)."""
        ...

    def offers(self, feature: Feature) -> bool | None:
        """Whether the service offers a feature; None if not known."""
        ...

    async def list_version(self) -> str:
        """A text that changes with the list of boards; empty if not reported."""
        ...

    async def boards(self) -> list[Document]:
        """Every board the user can see, active and archived, newest first (4.1)."""
        ...

    async def board(self, board_id: int) -> Document:
        """One board with `stages`, `labels`, `users`, and `synced_at` if reported (4.1)."""
        ...

    async def changes_since(self, board_id: int, since: str) -> BoardChanges | None:
        """The changes of a board since a `synced_at`; None if the service does not report them.

        `since` is empty if there was none. Not in the specification. Raises `ServerFault` if
        `since` is older than a day.
        """
        ...

    async def wait_for_change(self, board_id: int, since: str) -> bool:
        """Wait until a board has changed since a `synced_at`, for at most half a minute.

        Returns whether it has. Raises `NotOffered` if the service does not wait.
        """
        ...

    async def board_activities(self, board_id: int) -> list[Document]:
        """The latest activities of a board, newest first, each with its `user`: one page (4.1)."""
        ...

    async def activity_page(self, board_id: int, page: int) -> DocumentPage:
        """A page of a board's activities, newest first; pages count from 1 (4.1)."""
        ...

    async def newest_activity(self, board_id: int) -> int:
        """The id of a board's newest activity; 0 if there is none (4.1)."""
        ...

    async def create_board(
        self,
        title: str,
        description: str,
        board_type: str,
        *,
        currency: str | None = None,
        folder_id: int | None = None,
        stages: Sequence[Mapping[str, object]] | None = None,
    ) -> Document:
        """Create a board; it gets the service's default stages, or a roadmap `stages` (4.1)."""
        ...

    async def duplicate_board(
        self,
        board_id: int,
        title: str,
        *,
        with_tasks: bool,
        with_labels: bool,
        with_templates: bool,
    ) -> Document:
        """Copy a board with its stages under a new title (4.1)."""
        ...

    async def update_board(self, board_id: int, title: str, description: str | None) -> Document:
        """Change a board's title and, unless None, its description as HTML (4.1)."""
        ...

    async def archive_board(self, board_id: int) -> Document:
        """Archive a board (4.1)."""
        ...

    async def restore_board(self, board_id: int) -> Document:
        """Restore an archived board (4.1)."""
        ...

    async def delete_board(self, board_id: int) -> None:
        """Delete a board permanently; succeeds if it no longer exists (4.1).

        Raises `ServerFault` if it still exists.
        """
        ...

    async def create_stage(self, board_id: int, title: str, status: str) -> list[Document]:
        """Add a stage at the end of a board; returns the changed stages, with the new one (4.2).

        `status` is what tasks moved into it become, `open` or `closed`.
        """
        ...

    async def update_stage(self, board_id: int, stage_id: int, title: str) -> Document:
        """Rename a stage (4.2)."""
        ...

    async def set_stage_setting(
        self, board_id: int, stage_id: int, title: str, name: str, value: object
    ) -> Document:
        """Set one of a stage's settings (2.4); the others stay. `title` is the stage's (4.2).

        Raises `ServerFault` if the service does not store it.
        """
        ...

    async def set_stage_color(
        self, board_id: int, stage_id: int, title: str, color: str
    ) -> Document:
        """Set a stage's colour, hex, or none if it is empty; not in the specification.

        Raises `ServerFault` if the service does not store it.
        """
        ...

    async def sort_tasks(
        self, board_id: int, stage_id: int, *, by: str, direction: str
    ) -> list[Document]:
        """Sort a stage's tasks by a field, `ASC` or `DESC`; returns the changed ones (4.2)."""
        ...

    async def order_tasks(
        self, board_id: int, stage_id: int, order: Sequence[int]
    ) -> list[Document]:
        """Move tasks of a stage until those of `order` are in it; unknown ids are ignored.

        Returns the positions of all its tasks. Raises `ServerFault` if a task is not moved.
        """
        ...

    async def archive_tasks(self, board_id: int, stage_id: int) -> list[Document]:
        """Archive every task of a stage; returns the changed ones (4.2)."""
        ...

    async def archived_stages(self, board_id: int) -> list[Document]:
        """The archived stages of a board, last archived first (4.2)."""
        ...

    async def reposition_stages(self, board_id: int, stage_ids: list[int]) -> None:
        """Set the order of a board's stages (4.2)."""
        ...

    async def archive_stage(self, board_id: int, stage_id: int) -> None:
        """Archive a stage (4.2)."""
        ...

    async def restore_stage(self, board_id: int, stage_id: int, order: Sequence[int]) -> Document:
        """Restore an archived stage, with its tasks in the order of these ids (4.2).

        Raises `ServerFault` if a task is not moved.
        """
        ...

    async def tasks(self, board_id: int, arrived: TasksArrived | None = None) -> list[Document]:
        """The active tasks of a board, in no particular order, with labels and assignees (4.3).

        `arrived` is called with them as they arrive. No task is a subtask of itself.
        """
        ...

    async def archived_tasks(self, board_id: int) -> list[Document]:
        """The archived tasks of a board, last archived first; not in the specification.

        Raises `NotOffered` if the service has no such list.
        """
        ...

    async def task(self, board_id: int, task_id: int) -> Document:
        """One task, also when archived, without its board and stage (4.3)."""
        ...

    async def activities(self, board_id: int, task_id: int, page: int) -> DocumentPage:
        """A page of a task's activities, newest first; pages count from 1 (4.3)."""
        ...

    async def create_task(
        self, board_id: int, stage_id: int, title: str, priority: str
    ) -> Document:
        """Create a task at the end of a stage (4.3)."""
        ...

    async def set_task(self, board_id: int, task_id: int, name: str, value: object) -> Document:
        """Set one property of a task by its name in the interface (4.3).

        Dates are `YYYY-MM-DD HH:MM:SS` on the user's clock, None for none. The reply for a subtask
        may include its `parent`, whose counts change with it. Raises `Refused`, before anything is
        sent, for a date that services cannot store; `ServerFault` if another date is stored.
        """
        ...

    async def assign(self, board_id: int, task_id: int, person_ids: Sequence[int]) -> Document:
        """Make exactly these people the assignees of a task; returns the task (4.3).

        Raises `ServerFault` with the current assignees if the service does something else.
        """
        ...

    async def watch(self, board_id: int, task_id: int, *, on: bool) -> Document:
        """Start or stop watching a task; returns the task (4.3).

        Raises `NotOffered` if the service makes all assignees watch.
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

        `others` are the ids and positions of those, in order, as far as known. Raises `ServerFault`
        if the task is not moved.
        """
        ...

    async def move_task_to_board(
        self, board_id: int, task_id: int, to_board_id: int, stage_id: int
    ) -> Document:
        """Move a task to the end of a stage of another board, if offered (4.3)."""
        ...

    async def clone_task(
        self, board_id: int, task_id: int, stage_id: int, title: str, parts: frozenset[str]
    ) -> Document:
        """Copy a task into a stage; `parts` are of assignee, subtask, label, comment (4.3)."""
        ...

    async def delete_task(self, board_id: int, task_id: int) -> None:
        """Delete a task permanently (4.3). Raises `ServerFault` if it still exists."""
        ...

    async def subtask_groups(self, board_id: int, task_id: int) -> list[Document]:
        """The groups of a task, each with its `subtasks` (4.5).

        Subtasks without a group are in a group 0; a service without groups has only that one.
        """
        ...

    async def create_subtask_group(self, board_id: int, task_id: int, title: str) -> Document:
        """Add a group to a task (4.5)."""
        ...

    async def rename_subtask_group(
        self, board_id: int, task_id: int, group_id: int, title: str
    ) -> Document:
        """Rename a group; returns it without its subtasks (4.5)."""
        ...

    async def delete_subtask_group(self, board_id: int, task_id: int, group_id: int) -> None:
        """Delete a group with its subtasks; succeeds if it no longer exists (4.5)."""
        ...

    async def create_subtask(
        self, board_id: int, task_id: int, group_id: int, title: str, *, on_top: bool
    ) -> Document:
        """Create a subtask at the top or end of a group (4.5)."""
        ...

    async def place_subtask(
        self, board_id: int, subtask_id: int, group_id: int, index: int
    ) -> list[Document]:
        """Move a subtask into a group; `index` counts from 1 among the others there (4.5).

        Returns the subtasks whose positions changed.
        """
        ...

    async def move_subtasks(
        self, board_id: int, task_id: int, group_id: int, subtask_ids: Sequence[int]
    ) -> None:
        """Move subtasks of a task from other groups to the end of a group, in this order (4.5)."""
        ...

    async def clone_subtask(self, board_id: int, subtask_id: int) -> Document:
        """Copy a subtask, below itself (4.5)."""
        ...

    async def delete_subtask(self, board_id: int, subtask_id: int) -> None:
        """Delete a subtask permanently; succeeds if it no longer exists (4.5)."""
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

        `mentions` are people whom the text may name as `@login`. Raises `ServerFault` if the
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
        """Change one's own comment; `image_ids` are all its images, None keeps them (4.4)."""
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
        """Upload an image for a comment; `progress` is called with bytes sent and in all (4.4).

        Raises `Refused` for what is no image, `TooLarge`.
        """
        ...

    async def picture(self, url: str, progress: BytesListener | None) -> bytes:
        """Download an image; `progress` is called with bytes so far and in all (2.6).

        Raises `BadAddress` for an address that is not allowed, `UnexpectedAnswer` for what is too
        large or a page.
        """
        ...

    async def labels(self, board_id: int) -> list[Document]:
        """The labels of a board (4.6)."""
        ...

    async def create_label(
        self, board_id: int, title: str, color: str, text_color: str
    ) -> Document:
        """Create a label; colours are hex (4.6)."""
        ...

    async def update_label(
        self, board_id: int, label_id: int, title: str, color: str, text_color: str
    ) -> Document:
        """Change a label's title and colours (4.6)."""
        ...

    async def delete_label(self, board_id: int, label_id: int) -> None:
        """Delete a label; raises `ServerFault` if it still exists (4.6)."""
        ...

    async def add_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        """Put a label on a task; returns all labels of the task (4.6)."""
        ...

    async def remove_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        """Take a label off a task; returns all labels of the task (4.6)."""
        ...

    async def used_labels(self, board_id: int) -> list[Document]:
        """The labels that at least one task has, archived ones and subtasks too (4.6)."""
        ...

    async def fields(self, board_id: int) -> list[Document]:
        """The custom fields of a board (4.7)."""
        ...

    async def create_field(
        self, board_id: int, title: str, field_type: str, *, options: Sequence[str]
    ) -> Document:
        """Add a custom field at the end; `options` are those of a select (4.7)."""
        ...

    async def update_field(
        self, board_id: int, field_id: int, *, title: str, field_type: str, options: Sequence[str]
    ) -> Document:
        """Change a custom field; everything is replaced (4.7)."""
        ...

    async def reposition_field(self, board_id: int, field_id: int, index: int) -> None:
        """Move a custom field to an index, counted from 1, among all of the board (4.7)."""
        ...

    async def delete_field(self, board_id: int, field_id: int) -> None:
        """Delete a custom field with its values; succeeds if it no longer exists (4.7).

        Raises `ServerFault` if it still exists.
        """
        ...

    async def field_values(self, board_id: int, task_id: int) -> list[Document]:
        """The custom field values of a task (4.7)."""
        ...

    async def set_field_value(
        self, board_id: int, task_id: int, field_id: int, value: str | bool
    ) -> None:
        """Set the value of a custom field; empty text clears it (4.7)."""
        ...
