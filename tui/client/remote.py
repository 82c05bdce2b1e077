"""What the store asks of a service, answered by the resources, as documents.

This is where records become documents, with times on the person's wall; what is done differently
at different services is in the resources. It is dear to import, and the store never does: it is
handed one.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from typing import Any, ParamSpec, TypeVar

from pydantic import ValidationError

from tui.client.client import Client
from tui.client.documents import BytesListener, Document, DocumentPage
from tui.client.http.bodies import Progress
from tui.client.records import CommentRecord, Part, Record, TaskRecord
from tui.client.resources.answers import Changed, Listing, Page, task_document
from tui.client.resources.mentions import Mentionable, mark_mentions

P = ParamSpec("P")
R = TypeVar("R", bound=Part)

_PER_PAGE = 50


class RemoteService:
    """`tui.store.remote.Remote` on a client, which stays its owner's to close.

    Where a method of a resource is what the store asks for, but for the form of its result, it is
    named here and nothing more.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._reading: dict[str, _Reading] = {}

        self.keeps_replies = client.keeps_replies
        self.offers = client.service.offers

        boards, stages = client.boards, client.stages
        self.boards = _documents(boards.every)
        self.board = _document(boards.get)
        self.news = boards.changes
        self.update_board = _document(boards.update)
        self.archive_board = _document(boards.archive)
        self.restore_board = _document(boards.restore)
        self.delete_board = boards.delete
        self.create_stage = _documents(stages.create)
        self.update_stage = _document(stages.update)
        self.set_stage_status = _document(stages.set_task_status)
        self.reposition_stages = _done(stages.reposition)
        self.archive_stage = _done(stages.archive)

        tasks, subtasks = client.tasks, client.subtasks
        self.tasks = tasks.documents
        self.task = self._task_of(tasks.get)
        self.create_task = self._task_of(tasks.create)
        self.assign = self._task_of(client.task_properties.assign)
        self.watch = self._task_of(client.task_properties.watch)
        self.move_task = self._task_of(client.task_moves.move)
        self.move_task_to_board = self._task_of(client.task_moves.move_to_end_of_board)
        self.clone_task = self._task_of(tasks.clone)
        self.delete_task = _done(tasks.delete)
        self.create_subtask_group = _document(subtasks.create_group)
        self.delete_subtask_group = subtasks.delete_group
        self.create_subtask = self._task_of(subtasks.create)
        self.clone_subtask = self._task_of(subtasks.clone)
        self.delete_subtask = subtasks.delete
        self.task_to_subtask = self._task_of(subtasks.convert)

        labels, fields = client.labels, client.fields
        self.delete_comment = client.comments.delete
        self.labels = _documents(labels.list)
        self.delete_label = labels.delete
        self.field_values = _documents(fields.values)
        self.set_field_value = _done(fields.set_value)

    async def list_version(self) -> str:
        """Not told: no endpoint says it."""
        return ""

    async def board_activities(self, board_id: int) -> list[Document]:
        """What was done on a board lately: one page."""
        latest = await self._client.boards.latest_activities(board_id, per_page=_PER_PAGE)
        return [activity.document() for activity in latest]

    async def newest_activity(self, board_id: int) -> int:
        """The id of what was done last on a board; 0 if nothing was."""
        latest = await self._client.boards.latest_activities(board_id, per_page=1)
        return max((activity.id for activity in latest), default=0)

    async def create_board(self, title: str, description: str, board_type: str) -> Document:
        """Make a board."""
        board = await self._client.boards.create(title, board_type, description=description)
        return board.document()

    async def restore_stage(self, board_id: int, stage_id: int, order: Sequence[int]) -> Document:
        """Bring an archived stage back; the store reads the board again for its tasks."""
        return (await self._client.stages.restore(board_id, stage_id, order)).stage.document()

    async def set_task(self, board_id: int, task_id: int, name: str, value: object) -> Document:
        """Set one property of a task; that of a subtask comes with the `parent`, if it is told."""
        changed = await self._client.task_properties.set(board_id, task_id, name, value)
        task = self._task(changed.task)
        told = (one for one in changed.news if one.id == task.get("parent_id"))
        parent = next(told, None)
        return task if parent is None else {**task, "parent": self._task(parent)}

    async def activities(self, board_id: int, task_id: int, page: int) -> DocumentPage:
        """A page of what was done to a task."""
        pages = self._client.tasks.activities(board_id, task_id, per_page=_PER_PAGE)
        return await self._page("activities", (board_id, task_id), page, pages)

    async def subtask_groups(self, board_id: int, task_id: int) -> list[Document]:
        """The groups of a task with their subtasks; those in none are in a group 0."""
        found = await self._client.subtasks.list(board_id, task_id)
        groups = [
            {**group.document(), "subtasks": self._tasks(group.subtasks)} for group in found.groups
        ]
        if found.ungrouped or not found.are_grouped:
            loose = self._tasks(found.ungrouped)
            groups.append({"id": 0, "task_id": task_id, "value": "", "subtasks": loose})
        return groups

    async def rename_subtask_group(
        self, board_id: int, task_id: int, group_id: int, title: str
    ) -> Document:
        """Rename a group; a reply without subtasks says nothing of them."""
        group = await self._client.subtasks.rename_group(board_id, task_id, group_id, title)
        return {name: value for name, value in group.document().items() if name != "subtasks"}

    async def place_subtask(
        self, board_id: int, subtask_id: int, group_id: int, index: int
    ) -> list[Document]:
        """Put a subtask into a group, where there are groups."""
        subtasks = self._client.subtasks
        changed = await subtasks.reposition(board_id, subtask_id, index, group_id=group_id)
        return self._tasks(changed.records)

    async def subtask_to_task(self, board_id: int, subtask_id: int, stage_id: int) -> Document:
        """Make a subtask a task."""
        answer = await self._client.subtasks.move_to_board(board_id, subtask_id, stage_id)
        return self._task(answer.subtask)

    async def comments(self, board_id: int, task_id: int, page: int) -> DocumentPage:
        """A page of comments."""
        pages = self._client.comments.pages(board_id, task_id, per_page=_PER_PAGE)
        return await self._page("comments", (board_id, task_id), page, pages)

    async def create_comment(
        self,
        board_id: int,
        task_id: int,
        text: str,
        *,
        parent_id: int | None,
        image_ids: Sequence[int],
        mentions: Sequence[Mentionable],
    ) -> Document:
        """Add a comment or a reply, with the mentions in it marked."""
        marked = mark_mentions(text, mentions)
        comment = await self._client.comments.create(
            board_id,
            task_id,
            marked.text,
            parent_id=parent_id,
            images=image_ids,
            mentions=marked.ids,
        )
        return self._comment(comment)

    async def update_comment(
        self,
        board_id: int,
        task_id: int,
        comment_id: int,
        text: str,
        *,
        image_ids: Sequence[int] | None,
        mentions: Sequence[Mentionable],
    ) -> Document:
        """Change one's own comment, with the mentions in it marked."""
        marked = mark_mentions(text, mentions)
        comment = await self._client.comments.update(
            board_id, task_id, comment_id, marked.text, images=image_ids, mentions=marked.ids
        )
        return self._comment(comment)

    async def upload_image(
        self,
        board_id: int,
        task_id: int,
        name: str,
        content: bytes,
        *,
        progress: BytesListener | None = None,
    ) -> Document:
        """Upload an image; `progress` hears of bytes sent."""

        def heard(so_far: Progress) -> None:
            if progress is not None:
                progress(so_far.sent, so_far.total)

        image = await self._client.images.upload(board_id, task_id, name, content, progress=heard)
        return image.document()

    async def picture(self, url: str, progress: BytesListener | None) -> bytes:
        """What the address of an image leads to; `progress` hears of bytes received."""

        def heard(so_far: Progress) -> None:
            if progress is not None:
                progress(so_far.received, so_far.total)

        return await self._client.fetch(url, progress=heard)

    async def create_label(
        self, board_id: int, title: str, color: str, text_color: str
    ) -> Document:
        """Make a label."""
        label = await self._client.labels.create(board_id, title, color=text_color, bg_color=color)
        return label.document()

    async def update_label(
        self, board_id: int, label_id: int, title: str, color: str, text_color: str
    ) -> Document:
        """Change a label's title and colours."""
        label = await self._client.labels.update(
            board_id, label_id, title=title, color=text_color, bg_color=color
        )
        return label.document()

    async def add_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        """Put a label on a task; returns what the task has then."""
        await self._client.labels.attach(board_id, task_id, label_id)
        return await (await self._client.labels.of_task(board_id, task_id)).documents()

    async def remove_label(self, board_id: int, task_id: int, label_id: int) -> list[Document]:
        """Take a label off a task; returns what the task has then."""
        await self._client.labels.detach(board_id, task_id, label_id)
        return await (await self._client.labels.of_task(board_id, task_id)).documents()

    def _task_of(
        self, ask: Callable[P, Awaitable[TaskRecord | Changed]]
    ) -> Callable[P, Coroutine[Any, Any, Document]]:
        """`ask`, with the task it returns as a document."""

        async def asked(*args: P.args, **kwargs: P.kwargs) -> Document:
            answer = await ask(*args, **kwargs)
            return self._task(answer.task if isinstance(answer, Changed) else answer)

        return asked

    def _task(self, task: TaskRecord) -> Document:
        return task_document(task, self._client.site)

    def _tasks(self, tasks: Sequence[TaskRecord]) -> list[Document]:
        return [self._task(task) for task in tasks]

    def _comment(self, comment: CommentRecord) -> Document:
        """A comment, with the task that comes with it as other tasks come, if one does."""
        document = comment.document()
        task = document.pop("task", None)
        try:
            return {**document, "task": self._task(TaskRecord.model_validate(task))}
        except ValidationError:
            return document

    async def _page(
        self, what: str, of: tuple[int, int], number: int, pages: AsyncIterator[Page[Any]]
    ) -> DocumentPage:
        """The page of this number, read on from the last one where that was the one before."""
        reading = self._reading.get(what)
        if reading is None or reading.of != of or reading.number != number - 1 or number == 1:
            reading = self._reading[what] = _Reading(of, pages)
        try:
            return await reading.read_to(number)
        except BaseException:
            del self._reading[what]
            raise


class _Reading:
    """A long list that is being read, and how many of its pages were."""

    def __init__(self, of: tuple[int, int], pages: AsyncIterator[Page[Record]]) -> None:
        self.of = of
        self.number = 0
        self._pages = pages

    async def read_to(self, number: int) -> DocumentPage:
        """The page of this number; an empty last one where there are fewer."""
        page: Page[Record] | None = None
        while self.number < number:
            page = await anext(self._pages, None)
            self.number += 1
        if page is None:
            return DocumentPage([], is_last=True)
        return DocumentPage(await page.documents(), number >= page.last_page, page.total)


def _document(
    ask: Callable[P, Awaitable[Part]],
) -> Callable[P, Coroutine[Any, Any, Document]]:
    """`ask`, with the record it returns as a document."""

    async def asked(*args: P.args, **kwargs: P.kwargs) -> Document:
        return (await ask(*args, **kwargs)).document()

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
