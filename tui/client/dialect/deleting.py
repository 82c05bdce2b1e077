"""Deleting for good, on services that call a second deletion an error, and a failed one a success.

The rule it keeps: what is gone is a success, whatever the service called it, and what is still
there is an error, whatever the service called it. Reading back decides; where the service is
trusted, its word is enough.
"""

import re
from collections.abc import Awaitable, Callable

from tui.client.capabilities import Feature
from tui.client.dialect.commenting import Commenting
from tui.client.dialect.feature_learning import not_offered
from tui.client.dialect.memory import Memory
from tui.client.errors import (
    ApiError,
    Nonsense,
    NotAllowed,
    NotOffered,
    NotThere,
    Refused,
    ServerFault,
    WrongCredentials,
)
from tui.client.records import TaskRecord
from tui.client.resources.boards import Boards
from tui.client.resources.labels import Labels
from tui.client.resources.tasks import Tasks

_LACKS_A_PART = re.compile(r"\bclass\b.{1,200}?\bnot found", re.IGNORECASE)
"""How an edition fails that was made without something, whatever it is asked to delete."""
_NOT_ABOUT_THE_THING = (NotOffered, WrongCredentials)
_MAY_MEAN_GONE = (NotAllowed, Refused, ServerFault, Nonsense)


class Deleting:
    """Deletes tasks, comments, labels and boards."""

    def __init__(
        self,
        boards: Boards,
        tasks: Tasks,
        commenting: Commenting,
        labels: Labels,
        memory: Memory,
    ) -> None:
        self._boards = boards
        self._tasks = tasks
        self._commenting = commenting
        self._labels = labels
        self._memory = memory

    async def task(self, board_id: int, task_id: int) -> tuple[TaskRecord, ...]:
        """Delete a task; returns the others that changed with it (4.3).

        Raises `ServerFault` if it is still there, `NotAllowed`, and `NotOffered` where the service
        lacks a part that it needs for every deletion.
        """
        news: list[TaskRecord] = []

        async def delete() -> None:
            news.extend((await self._tasks.delete(board_id, task_id)).records)

        if self._memory.capabilities.offers(Feature.TASK_DELETION) is False:
            raise not_offered(Feature.TASK_DELETION)
        try:
            await self._delete(delete, lambda: self._task_is_gone(board_id, task_id))
        except ApiError as error:
            if not _LACKS_A_PART.search(error.details):
                raise
            self._memory.learn_features({Feature.TASK_DELETION: False})
            raise not_offered(Feature.TASK_DELETION) from error
        return tuple(task for task in news if task.id != task_id)

    async def comment(
        self, board_id: int, task_id: int, comment_id: int, *, parent_id: int | None = None
    ) -> None:
        """Delete the person's own comment or, with `parent_id`, a reply (4.4).

        Raises `NotAllowed` or `ServerFault` for somebody else's, which stays.
        """
        await self._delete(
            lambda: self._commenting.delete(board_id, comment_id, is_reply=parent_id is not None),
            lambda: self._comment_is_gone(board_id, task_id, comment_id, parent_id),
            hint="Only its author can delete a comment.",
        )

    async def label(self, board_id: int, label_id: int) -> None:
        """Delete a label of a board (4.6). Raises `ServerFault` if it is still there."""

        async def is_gone() -> bool:
            labels = (await self._labels.list(board_id)).records
            return all(label.id != label_id for label in labels)

        await self._delete(lambda: self._labels.delete(board_id, label_id), is_gone)

    async def task_label(self, board_id: int, task_id: int, label_id: int) -> None:
        """Take a label off a task (4.6). Raises `ServerFault` if it is still on it."""

        async def is_gone() -> bool:
            labels = (await self._labels.of_task(board_id, task_id)).records
            return all(label.id != label_id for label in labels)

        await self._delete(lambda: self._labels.detach(board_id, task_id, label_id), is_gone)

    async def board(self, board_id: int) -> None:
        """Delete a board (4.1). Raises `ServerFault` if it is still there, `NotAllowed`."""
        await self._delete(
            lambda: self._boards.delete(board_id), lambda: self._board_is_gone(board_id)
        )

    async def _delete(
        self,
        delete: Callable[[], Awaitable[None]],
        is_gone: Callable[[], Awaitable[bool]],
        *,
        hint: str = "",
    ) -> None:
        """Delete once, and believe what is read afterwards more than the answer."""
        try:
            await delete()
        except ApiError as error:
            if error.status is None or isinstance(error, _NOT_ABOUT_THE_THING):
                raise
            if not await _or_unknown(is_gone):
                raise
            return
        if not self._memory.is_trusted and not await is_gone():
            raise ServerFault(
                "The service said it was deleted, but it is still there.",
                hint=hint or "Nothing else was changed.",
                details="read back after a deletion that was called a success",
            )

    async def _task_is_gone(self, board_id: int, task_id: int) -> bool:
        """Whether there is no such task; a service may refuse to show one that is gone."""
        try:
            await self._tasks.get(board_id, task_id)
        except NotThere:
            return True
        except _MAY_MEAN_GONE as error:
            if error.is_passing:
                raise
            listed = (await self._tasks.list(board_id)).records
            return all(task.id != task_id for task in listed)
        return False

    async def _board_is_gone(self, board_id: int) -> bool:
        try:
            await self._boards.get(board_id)
        except NotThere:
            return True
        except _MAY_MEAN_GONE as error:
            if error.is_passing:
                raise
            for archived in (False, True):
                listed = (await self._boards.list(archived=archived)).records
                if any(board.id == board_id for board in listed):
                    return False
            return True
        return False

    async def _comment_is_gone(
        self, board_id: int, task_id: int, comment_id: int, parent_id: int | None
    ) -> bool:
        try:
            return not await self._commenting.is_listed(
                board_id, task_id, comment_id, parent_id=parent_id
            )
        except NotThere:
            return True


async def _or_unknown(is_gone: Callable[[], Awaitable[bool]]) -> bool:
    """Whether a thing is gone; no, if that cannot be read."""
    try:
        return await is_gone()
    except ApiError:
        return False
