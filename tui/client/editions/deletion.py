"""Deletions whose results are read back."""

import re
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

from tui.client.capabilities import Feature
from tui.client.client import Client
from tui.client.documents import Document
from tui.client.endpoints import Endpoint
from tui.client.errors import (
    ApiError,
    NotAllowed,
    NotFound,
    NotOffered,
    Refused,
    ServerFault,
    UnexpectedAnswer,
    WrongCredentials,
)
from tui.client.service import not_offered

_MAY_MEAN_GONE = (NotAllowed, Refused, ServerFault, UnexpectedAnswer)
"""Errors with which services refuse to show what no longer exists."""
_LACKS_A_PART = re.compile(r"\bclass\b.{1,200}?\bnot found", re.IGNORECASE)
"""The error of an edition that lacks a module needed for every deletion."""
_NOT_ABOUT_THE_THING = (NotOffered, WrongCredentials)
"""Errors that say nothing about the thing to delete."""


async def delete_once(
    deleting: Awaitable[object],
    is_gone: Callable[[], Awaitable[bool]],
    *,
    is_checked: bool = True,
    hint: str = "Nothing else was changed.",
) -> None:
    """Delete, and decide by what is read afterwards rather than by the response.

    It succeeds if the thing no longer exists, whatever the response, and fails if it still exists.
    A success is believed unless it `is_checked`.
    """
    try:
        await deleting
    except ApiError as error:
        # Without a response the caller decides, by `may_have_happened`.
        if error.status is None or isinstance(error, _NOT_ABOUT_THE_THING):
            raise
        # If reading fails as well, the first error is the one to show.
        with suppress(ApiError):
            if await is_gone():
                return
        raise
    if is_checked and not await is_gone():
        raise ServerFault(
            "The service reported the deletion, but the item still exists.",
            hint=hint,
            details="read back after a deletion that was called a success",
        )


async def is_not_found(
    reading: Awaitable[object], is_unlisted: Callable[[], Awaitable[bool]] | None = None
) -> bool:
    """Whether a thing does not exist; if the service refuses to show it, `is_unlisted` decides."""
    try:
        await reading
    except NotFound:
        return True
    except _MAY_MEAN_GONE as error:
        if is_unlisted is None or error.is_passing:
            raise
        return await is_unlisted()
    return False


async def is_unlisted(listing: Awaitable[Iterable[Document]], document_id: int) -> bool:
    """Whether a document is not in a list."""
    return all(document["id"] != document_id for document in await listing)


class CheckedDeletions(Client):
    """Deletes boards, tasks, labels, fields and groups of subtasks; reads back what is left."""

    async def delete_board(self, board_id: int) -> None:
        await delete_once(
            self.service.ask(Endpoint.DELETE_BOARD, board_id),
            lambda: is_not_found(
                self.board(board_id), lambda: is_unlisted(self.boards(), board_id)
            ),
        )

    async def delete_task(self, board_id: int, task_id: int) -> None:
        """Raises `NotOffered` if the service lacks a module that it needs for every deletion."""
        self.service.require(Feature.TASK_DELETION)
        try:
            await delete_once(
                self.service.ask(Endpoint.DELETE_TASK, board_id, task_id),
                # Not `self.task`, which looks for a refused task among the subtasks of its parent.
                lambda: is_not_found(
                    Client.task(self, board_id, task_id),
                    lambda: is_unlisted(self.tasks(board_id), task_id),
                ),
            )
        except ApiError as error:
            # With error details switched off, the same fault is a generic 500 without a class name.
            if not _LACKS_A_PART.search(error.details):
                raise
            self.service.learn_features({Feature.TASK_DELETION: False})
            raise not_offered(Feature.TASK_DELETION) from error

    async def delete_label(self, board_id: int, label_id: int) -> None:
        await delete_once(
            self.service.ask(Endpoint.DELETE_LABEL, board_id, label_id),
            lambda: is_unlisted(self.labels(board_id), label_id),
        )

    async def _detach_label(self, board_id: int, task_id: int, label_id: int) -> None:
        await delete_once(
            self.service.ask(Endpoint.DETACH_LABEL, board_id, task_id, label_id),
            lambda: is_unlisted(self.labels_of(board_id, task_id), label_id),
        )

    async def delete_field(self, board_id: int, field_id: int) -> None:
        await delete_once(
            self.service.ask(Endpoint.DELETE_FIELD, board_id, field_id),
            lambda: is_unlisted(self.fields(board_id), field_id),
        )

    async def delete_subtask_group(self, board_id: int, task_id: int, group_id: int) -> None:
        async def is_gone() -> bool:
            try:
                return await is_unlisted(self.subtask_groups(board_id, task_id), group_id)
            except NotFound:
                return True

        body = {"group_id": group_id}
        await delete_once(
            self.service.ask(Endpoint.DELETE_SUBTASK_GROUP, board_id, task_id, body=body),
            is_gone,
            is_checked=False,
        )

    async def delete_subtask(self, board_id: int, subtask_id: int) -> None:
        await delete_once(
            self.service.ask(Endpoint.DELETE_SUBTASK, board_id, subtask_id),
            lambda: is_not_found(Client.task(self, board_id, subtask_id)),
            is_checked=False,
        )
