"""The tasks of a board (section 4.3)."""

import re
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing
from typing import Literal

from tui.client.answers import Changed, Page, read_listing, to_documents
from tui.client.capabilities import Feature
from tui.client.documents import BytesListener, Document, TasksArrived, break_circles
from tui.client.endpoints import Endpoint
from tui.client.errors import ApiError, Refused, ServerFault
from tui.client.http.bodies import without_none
from tui.client.records.tasks import ActivityRecord, TaskRecord
from tui.client.resources.deletion import delete_once, is_not_found, is_unlisted
from tui.client.resources.subtasks import Subtasks, read_task
from tui.client.service import Service, not_offered
from tui.runtime.slices import Slicer

_PER_PAGE = 50
_ARCHIVED_LISTED = "archived-tasks"
"""How a service announces that it lists archived tasks."""
_CLONED_PARTS = ("assignee", "subtask", "label", "attachment", "comment")
_LACKS_A_PART = re.compile(r"\bclass\b.{1,200}?\bnot found", re.IGNORECASE)
"""The error of an edition that lacks a module needed for every deletion."""

Rows = list[Document]  # `list` is a method below


class Tasks:
    """Tasks.

    `TaskProperties` sets their properties, `TaskMoves` moves them.
    """

    def __init__(self, service: Service, subtasks: Subtasks) -> None:
        self._service = service
        self._subtasks = subtasks

    async def stream(
        self, board_id: int, *, progress: BytesListener | None = None, archived: bool = False
    ) -> AsyncGenerator[Sequence[TaskRecord], None]:
        """The active tasks in the active stages of a board, without subtasks, as they arrive (4.3).

        With `archived`, the archived ones where the service lists them.

        They are unordered: sort by position and id. The list may be large, 3,000 tasks are 7 MB: it
        is yielded in parts of some dozens, read in slices of a few milliseconds, and never in
        memory as a whole. `progress` is called with bytes.

        Errors may also come in the middle: the tasks before that are no complete list. Close it
        (`contextlib.aclosing`) if it is not read to the end.
        """
        query = {"archived": "yes"} if archived else None
        service, slicer = self._service, Slicer()
        stream = service.session.stream(
            Endpoint.LIST_TASKS.at(board_id), "tasks", query=query, progress=progress
        )
        async with aclosing(stream) as slices:
            async for rows in slices:
                yield await read_listing(rows, TaskRecord, slicer, site=service.site)

    async def list(self, board_id: int) -> Sequence[TaskRecord]:
        """All tasks of `stream` (4.3)."""
        records: list[TaskRecord] = []
        async with aclosing(self.stream(board_id)) as listings:
            async for listing in listings:
                records.extend(listing)
        return records

    async def documents(
        self, board_id: int, arrived: TasksArrived | None = None, *, archived: bool = False
    ) -> Rows:
        """All tasks of `stream` as documents; `arrived` is called as they arrive.

        Records are converted as they arrive, since freeing thousands in one step delays key
        presses.
        """
        documents: Rows = []
        received = 0

        def count(so_far: int, _total: int | None) -> None:
            nonlocal received
            received = so_far

        async with aclosing(self.stream(board_id, progress=count, archived=archived)) as listings:
            async for listing in listings:
                made = await to_documents(listing)
                documents += made
                if arrived is not None:
                    arrived(made, received)
        break_circles(documents)
        return documents

    async def archived(self, board_id: int) -> Rows:
        """The archived tasks of a board as documents, last archived first, without subtasks.

        Only services that announce it list them. Raises `NotOffered`.
        """
        if self._service.offers(Feature.ARCHIVED_TASKS) is None:
            is_there = await self._service.announces(_ARCHIVED_LISTED)
            self._service.learn_features({Feature.ARCHIVED_TASKS: is_there})
        self._service.require(Feature.ARCHIVED_TASKS)
        documents = await self.documents(board_id, archived=True)
        return [document for document in documents if document.get("archived_at")]

    async def get(self, board_id: int, task_id: int) -> TaskRecord:
        """One task, archived ones too, with assignees and labels (4.3).

        If the service refuses a subtask, it is searched in the list of its parent, if known.
        """
        try:
            return await read_task(self._service, board_id, task_id)
        except (Refused, ServerFault) as error:
            subtask = None if error.is_passing else await self._subtasks.find(board_id, task_id)
            if subtask is None:
                raise
            return subtask

    async def create(
        self,
        board_id: int,
        stage_id: int,
        title: str,
        priority: str | None = None,
        *,
        crm_contact_id: int | None = None,
        is_template: bool = False,
    ) -> Changed:
        """Create a task at the end of a stage; `priority` is `low`, `medium` or `high` (4.3)."""
        task = without_none(
            title=title,
            board_id=board_id,
            stage_id=stage_id,
            priority=priority,
            crm_contact_id=crm_contact_id,
            is_template="yes" if is_template else None,
        )
        answer = await self._service.ask(Endpoint.CREATE_TASK, board_id, body={"task": task})
        return await answer.changed()

    async def sort(
        self, board_id: int, stage_id: int, *, by: str, direction: str = "ASC"
    ) -> Sequence[TaskRecord]:
        """Sort the tasks of a stage permanently; `priority` ascending puts high first (4.2).

        `by` is priority, due_at, position, created_at or title, `direction` is ASC or DESC. Returns
        the tasks that changed. Sorting by `position` spreads the positions.
        """
        body = {"order": by, "orderBy": direction}
        answer = await self._service.ask(Endpoint.SORT_STAGE_TASKS, board_id, stage_id, body=body)
        return await answer.listing(TaskRecord, "updatedTasks")

    async def clone(
        self, board_id: int, task_id: int, stage_id: int, title: str, parts: Collection[str] = ()
    ) -> Changed:
        """Copy a task into a stage under a new title (4.3).

        `parts` to copy are assignee, subtask, label, attachment and comment.
        """
        body: dict[str, object] = {"title": title, "stage_id": stage_id}
        body |= {part: part in parts for part in _CLONED_PARTS}
        answer = await self._service.ask(Endpoint.CLONE_TASK, board_id, task_id, body=body)
        return await answer.changed()

    async def delete(self, board_id: int, task_id: int) -> None:
        """Delete a task permanently (4.3).

        Raises `NotOffered` if the service lacks a module that it needs for every deletion.
        """
        self._service.require(Feature.TASK_DELETION)
        try:
            await delete_once(
                self._service.ask(Endpoint.DELETE_TASK, board_id, task_id),
                lambda: is_not_found(
                    read_task(self._service, board_id, task_id),
                    lambda: is_unlisted(self.list(board_id), task_id),
                ),
                is_trusted=self._service.is_trusted,
            )
        except ApiError as error:
            if not _LACKS_A_PART.search(error.details):
                raise
            self._service.learn_features({Feature.TASK_DELETION: False})
            raise not_offered(Feature.TASK_DELETION) from error

    async def activities(
        self,
        board_id: int,
        task_id: int,
        page: int = 1,
        *,
        order: Literal["newest", "oldest"] = "newest",
        per_page: int = _PER_PAGE,
    ) -> Page[ActivityRecord]:
        """A page of a task's activities; pages count from 1 (4.3)."""
        query = {"filter": order, "per_page": str(per_page), "page": str(page)}
        answer = await self._service.ask(
            Endpoint.LIST_TASK_ACTIVITIES, board_id, task_id, query=query
        )
        return await answer.page(ActivityRecord, "activities", page)
