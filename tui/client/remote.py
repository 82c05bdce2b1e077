"""What the store asks of a service, answered by the resources, as documents.

Here records become documents; what is done differently at different services is in the resources.
It is dear to import, and the store never does: it is handed one.
"""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from tui.client.answers import Changed, Listing, Page
from tui.client.client import Client
from tui.client.documents import Document, DocumentPage
from tui.client.records import Part, Record

P = ParamSpec("P")
R = TypeVar("R", bound=Part)
Q = TypeVar("Q", bound=Record)

_PER_PAGE = 50


class RemoteService:
    """`tui.store.remote.Remote` on a client, which stays its owner's to close.

    Where a method of a resource is what the store asks for, but for the form of its result, it is
    named here and nothing more.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self.keeps_replies = client.keeps_replies
        self.offers = client.service.offers

        boards, stages = client.boards, client.stages
        self.boards = _documents(boards.every)
        self.board = _document(boards.get)
        self.news = boards.changes
        self.create_board = _document(boards.create)
        self.update_board = _document(boards.update)
        self.archive_board = _document(boards.archive)
        self.restore_board = _document(boards.restore)
        self.delete_board = boards.delete
        self.create_stage = _documents(stages.create)
        self.update_stage = _document(stages.update)
        self.set_stage_status = _document(stages.set_task_status)
        self.reposition_stages = _done(stages.reposition)
        self.archive_stage = _done(stages.archive)
        self.restore_stage = _document(stages.restore)

        tasks, subtasks = client.tasks, client.subtasks
        self.tasks = tasks.documents
        self.task = _document(tasks.get)
        self.create_task = _task(tasks.create)
        self.assign = _task(client.task_properties.assign)
        self.watch = _task(client.task_properties.watch)
        self.move_task = _task(client.task_moves.move)
        self.move_task_to_board = _task(client.task_moves.move_to_end_of_board)
        self.clone_task = _task(tasks.clone)
        self.delete_task = tasks.delete
        self.subtask_groups = _documents(subtasks.list)
        self.create_subtask_group = _document(subtasks.create_group)
        self.delete_subtask_group = subtasks.delete_group
        self.create_subtask = _document(subtasks.create)
        self.place_subtask = _documents(subtasks.reposition)
        self.clone_subtask = _document(subtasks.clone)
        self.delete_subtask = subtasks.delete
        self.task_to_subtask = _document(subtasks.convert)
        self.subtask_to_task = _document(subtasks.move_to_board)

        labels, fields, comments = client.labels, client.fields, client.comments
        self.create_comment = _document(comments.create)
        self.update_comment = _document(comments.update)
        self.delete_comment = comments.delete
        self.upload_image = _document(comments.upload_image)
        self.picture = client.fetch
        self.labels = _documents(labels.list)
        self.create_label = _document(labels.create)
        self.update_label = _document(labels.update)
        self.delete_label = labels.delete
        self.field_values = _documents(fields.values)
        self.set_field_value = _done(fields.set_value)

    async def list_version(self) -> str:
        """Not told: no endpoint says it."""
        return ""

    async def board_activities(self, board_id: int) -> list[Document]:
        """What was done on a board lately: one page."""
        latest = await self._client.boards.activities(board_id, per_page=_PER_PAGE)
        return await latest.documents()

    async def newest_activity(self, board_id: int) -> int:
        """The id of what was done last on a board; 0 if nothing was."""
        latest = await self._client.boards.activities(board_id, per_page=1)
        return max((activity.id for activity in latest.records), default=0)

    async def set_task(self, board_id: int, task_id: int, name: str, value: object) -> Document:
        """Set one property of a task; that of a subtask comes with the `parent`, if it is told."""
        changed = await self._client.task_properties.set(board_id, task_id, name, value)
        told = {task.id: task for task in changed.news}
        parent = told.get(changed.task.parent_id or 0)
        more = {} if parent is None else {"parent": parent.document()}
        return {**changed.task.document(), **more}

    async def activities(self, board_id: int, task_id: int, page: int) -> DocumentPage:
        """A page of what was done to a task."""
        ask = self._client.tasks.activities
        return await _page(await ask(board_id, task_id, page, per_page=_PER_PAGE))

    async def rename_subtask_group(
        self, board_id: int, task_id: int, group_id: int, title: str
    ) -> Document:
        """Rename a group; a reply without subtasks says nothing of them."""
        group = await self._client.subtasks.rename_group(board_id, task_id, group_id, title)
        return {name: value for name, value in group.document().items() if name != "subtasks"}

    async def comments(self, board_id: int, task_id: int, page: int) -> DocumentPage:
        """A page of comments."""
        ask = self._client.comments.page
        return await _page(await ask(board_id, task_id, page, per_page=_PER_PAGE))

    async def add_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        """Put a label on a task; returns what the task has then."""
        await self._client.labels.attach(board_id, task_id, label_id)
        return await (await self._client.labels.of_task(board_id, task_id)).documents()

    async def remove_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        """Take a label off a task; returns what the task has then."""
        await self._client.labels.detach(board_id, task_id, label_id)
        return await (await self._client.labels.of_task(board_id, task_id)).documents()


async def _page(page: Page[Q]) -> DocumentPage:
    return DocumentPage(await page.documents(), page.is_last, page.total)


def _document(
    ask: Callable[P, Awaitable[Part]],
) -> Callable[P, Coroutine[Any, Any, Document]]:
    """`ask`, with the record it returns as a document."""

    async def asked(*args: P.args, **kwargs: P.kwargs) -> Document:
        return (await ask(*args, **kwargs)).document()

    return asked


def _task(
    ask: Callable[P, Awaitable[Changed]],
) -> Callable[P, Coroutine[Any, Any, Document]]:
    """`ask`, with the task that was changed as a document."""

    async def asked(*args: P.args, **kwargs: P.kwargs) -> Document:
        return (await ask(*args, **kwargs)).task.document()

    return asked


def _documents(
    ask: Callable[P, Awaitable[Listing[R]]],
) -> Callable[P, Coroutine[Any, Any, list[Document]]]:
    """`ask`, with the records it returns as documents."""

    async def asked(*args: P.args, **kwargs: P.kwargs) -> list[Document]:
        return await (await ask(*args, **kwargs)).documents()

    return asked


def _done(ask: Callable[P, Awaitable[object]]) -> Callable[P, Coroutine[Any, Any, None]]:
    """`ask`, for what it does alone."""

    async def asked(*args: P.args, **kwargs: P.kwargs) -> None:
        await ask(*args, **kwargs)

    return asked
