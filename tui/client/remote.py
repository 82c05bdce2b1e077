"""`RemoteService`: the client behind the store's protocol, returning documents.

Differences between services are handled in the resources. Importing it takes long, so the store is
handed an instance.
"""

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from tui.client.answers import Changed, Page, to_documents
from tui.client.client import Client
from tui.client.documents import Document, DocumentPage
from tui.client.errors import NotFound
from tui.client.records.base import Part, Record

P = ParamSpec("P")
R = TypeVar("R", bound=Part)
Q = TypeVar("Q", bound=Record)


class RemoteService:
    """`tui.store.remote.Remote` on a client, which its owner closes.

    A method of a resource that only needs its result converted is an attribute.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self.keeps_replies = client.keeps_replies
        self.offers = client.service.offers
        self._take_boards(client)
        self._take_people(client)
        self._take_tasks(client)
        self._take_what_tasks_have(client)
        self._take_lists(client)

    def _take_boards(self, client: Client) -> None:
        boards, stages = client.boards, client.stages
        self.boards = _documents(boards.every)
        self.board = _document(boards.get)
        self.changes_since = boards.changes
        self.wait_for_change = boards.wait_for_change
        self.create_board = _document(boards.create)
        self.duplicate_board = _document(boards.duplicate)
        self.update_board = _document(boards.update)
        self.archive_board = _document(boards.archive)
        self.restore_board = _document(boards.restore)
        self.delete_board = boards.delete
        self.create_stage = _documents(stages.create)
        self.update_stage = _document(stages.update)
        self.set_stage_setting = _document(stages.set_setting)
        self.set_stage_color = _document(stages.set_color)
        self.reposition_stages = _done(stages.reposition)
        self.archive_stage = _done(stages.archive)
        self.restore_stage = _document(stages.restore)
        self.archived_stages = _documents(stages.archived)
        self.sort_tasks = _documents(client.tasks.sort)
        self.archive_tasks = _documents(stages.archive_tasks)

    def _take_people(self, client: Client) -> None:
        self.members = _documents(client.boards.users)
        self.assignees = _documents(client.people.assignees)
        self.set_role = _documents(client.people.set_role)
        self.everybody = _documents(client.people.everybody)
        self.search_users = _documents(client.people.search)
        self.users = _documents(client.people.list)
        self.sync_roles = client.people.sync_roles
        self.remove_user = client.people.remove_from_board

    def _take_tasks(self, client: Client) -> None:
        tasks = client.tasks
        self.tasks = tasks.documents
        self.archived_tasks = tasks.archived
        self.task = _document(tasks.get)
        self.activities = _page(tasks.activities)
        self.create_task = _document(tasks.create)
        self.assign = _document(client.task_properties.assign)
        self.watch = _document(client.task_properties.watch)
        self.move_task = _document(client.task_moves.move)
        self.move_task_to_board = _document(client.task_moves.move_to_end_of_board)
        self.clone_task = _document(tasks.clone)
        self.delete_task = tasks.delete
        self.subtask_groups = _documents(client.subtasks.list)
        self.create_subtask_group = _document(client.subtasks.create_group)
        self.delete_subtask_group = client.subtasks.delete_group
        self.create_subtask = _document(client.subtasks.create)
        self.move_subtasks = _done(client.subtasks.move)
        self.place_subtask = _documents(client.subtasks.reposition)
        self.clone_subtask = _document(client.subtasks.clone)
        self.delete_subtask = client.subtasks.delete
        self.task_to_subtask = _document(client.subtasks.convert)
        self.subtask_to_task = _document(client.subtasks.move_to_board)

    def _take_what_tasks_have(self, client: Client) -> None:
        self.comments = _page(client.comments.page)
        self.create_comment = _document(client.comments.create)
        self.update_comment = _document(client.comments.update)
        self.delete_comment = client.comments.delete
        self.upload_image = _document(client.comments.upload_image)
        self.picture = client.fetch
        self.labels = _documents(client.labels.list)
        self.create_label = _document(client.labels.create)
        self.update_label = _document(client.labels.update)
        self.delete_label = client.labels.delete
        self.used_labels = _documents(client.labels.used)
        self.fields = _documents(client.fields.list)
        self.create_field = _document(client.fields.create)
        self.update_field = _document(client.fields.update)
        self.reposition_field = client.fields.reposition
        self.delete_field = client.fields.delete
        self.field_values = _documents(client.fields.values)
        self.set_field_value = _done(client.fields.set_value)

    def _take_lists(self, client: Client) -> None:
        self.activity_page = _page(client.boards.activities)
        self.post_to_webhook = client.webhooks.post
        self.folders = _documents(client.folders.list)
        self.create_folder = _document(client.folders.create)
        self.rename_folder = _document(client.folders.rename)
        self.delete_folder = client.folders.delete
        self.add_to_folder = client.folders.add_boards
        self.remove_from_folder = client.folders.remove_board

    async def list_version(self) -> str:
        """Always empty: no endpoint reports it."""
        return ""

    async def board_activities(self, board_id: int) -> list[Document]:
        """The latest activities of a board."""
        return (await self.activity_page(board_id)).documents

    async def newest_activity(self, board_id: int) -> int:
        """The id of the newest activity of a board; 0 if there is none."""
        latest = await self._client.boards.activities(board_id, per_page=1)
        return max((activity.id for activity in latest.records), default=0)

    async def set_task(self, board_id: int, task_id: int, name: str, value: object) -> Document:
        """Set one property of a task; the reply for a subtask may include its `parent`."""
        changed = await self._client.task_properties.set(board_id, task_id, name, value)
        told = {task.id: task for task in changed.others}
        parent = told.get(changed.task.parent_id or 0)
        more = {} if parent is None else {"parent": parent.document()}
        return {**changed.task.document(), **more}

    async def webhooks(self) -> tuple[list[Document], list[Document]]:
        """All webhooks, and the fields of a task that they accept."""
        listing = await self._client.webhooks.list()
        return await to_documents(listing.webhooks), await to_documents(listing.fields)

    async def create_webhook(self, name: str, board_id: int, stage_id: int) -> int | None:
        """Create a webhook; returns its id, if reported."""
        return (await self._client.webhooks.create(name, board_id, stage_id)).webhook_id

    async def delete_webhook(self, webhook_id: int) -> None:
        """Delete a webhook, if it still exists."""
        with suppress(NotFound):
            await self._client.webhooks.delete(webhook_id)

    async def order_tasks(
        self, board_id: int, stage_id: int, order: Sequence[int]
    ) -> list[Document]:
        """Put tasks of a stage in an order; returns the positions of all its tasks."""
        lane = await self._client.stages.order_tasks(board_id, stage_id, order)
        return [
            {"id": one, "board_id": board_id, "stage_id": stage_id, "position": position}
            for one, position in lane.positions.items()
        ]

    async def rename_subtask_group(
        self, board_id: int, task_id: int, group_id: int, title: str
    ) -> Document:
        """Rename a group; the reply may lack its subtasks."""
        group = await self._client.subtasks.rename_group(board_id, task_id, group_id, title)
        return {name: value for name, value in group.document().items() if name != "subtasks"}

    async def add_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        """Put a label on a task; returns the task's labels."""
        await self._client.labels.attach(board_id, task_id, label_id)
        return await to_documents(await self._client.labels.of_task(board_id, task_id))

    async def remove_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        """Take a label off a task; returns the task's labels."""
        await self._client.labels.detach(board_id, task_id, label_id)
        return await to_documents(await self._client.labels.of_task(board_id, task_id))


def _document(
    ask: Callable[P, Awaitable[Part | Changed]],
) -> Callable[P, Coroutine[Any, Any, Document]]:
    async def asked(*args: P.args, **kwargs: P.kwargs) -> Document:
        told = await ask(*args, **kwargs)
        return (told.task if isinstance(told, Changed) else told).document()

    return asked


def _documents(
    ask: Callable[P, Awaitable[Sequence[R]]],
) -> Callable[P, Coroutine[Any, Any, list[Document]]]:
    async def asked(*args: P.args, **kwargs: P.kwargs) -> list[Document]:
        return await to_documents(await ask(*args, **kwargs))

    return asked


def _page(
    ask: Callable[P, Awaitable[Page[Q]]],
) -> Callable[P, Coroutine[Any, Any, DocumentPage]]:
    async def asked(*args: P.args, **kwargs: P.kwargs) -> DocumentPage:
        page = await ask(*args, **kwargs)
        return DocumentPage(await to_documents(page.records), page.is_last, page.total)

    return asked


def _done(ask: Callable[P, Awaitable[object]]) -> Callable[P, Coroutine[Any, Any, None]]:
    async def asked(*args: P.args, **kwargs: P.kwargs) -> None:
        await ask(*args, **kwargs)

    return asked
