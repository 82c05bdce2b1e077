"""The tasks of a board (section 4.3)."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Literal

from tui.client.endpoints import Endpoint
from tui.client.progress import ProgressListener
from tui.client.records import ActivityRecord, TaskRecord
from tui.client.resources.listing import Listing, Page, every_page, read_listing, read_page
from tui.client.resources.resource import Resource, TaskAnswer, member
from tui.runtime.slices import Slicer

_PER_PAGE = 100


class Tasks(Resource):
    """The cards of a board. Every method may raise `ApiError`."""

    async def stream(
        self, board_id: int, *, progress: ProgressListener | None = None
    ) -> AsyncGenerator[Listing[TaskRecord], None]:
        """The active tasks in the active stages of a board, without subtasks, as they arrive (4.3).

        The order means nothing: sort by position and id. The list may be large, 3,000 tasks are
        7 MB: it comes in listings of some dozens, read in slices of a few milliseconds, and never
        lies in memory whole. `progress` hears of bytes and records.

        Raises `NotThere`, `NotAllowed`, and any `ApiError` in the middle: what came before is no
        complete list then. Close it (`contextlib.aclosing`) if it is not read to its end.
        """
        route = Endpoint.LIST_TASKS.at(board_id=board_id)
        slicer, seen = Slicer(), 0
        async with aclosing(self._session.stream(route, "tasks", progress=progress)) as slices:
            async for rows in slices:
                yield await read_listing(rows, TaskRecord, slicer, first=seen + 1)
                seen += len(rows)

    async def list(
        self, board_id: int, *, progress: ProgressListener | None = None
    ) -> Listing[TaskRecord]:
        """All that `stream` tells, at once (4.3). Raises `NotThere`, `NotAllowed`."""
        records: list[TaskRecord] = []
        skipped: list[str] = []
        async with aclosing(self.stream(board_id, progress=progress)) as listings:
            async for listing in listings:
                records.extend(listing.records)
                skipped.extend(listing.skipped)
        return Listing(records, tuple(skipped))

    async def get(self, board_id: int, task_id: int) -> TaskRecord:
        """One task, archived ones too, with assignees, labels, board and stage (4.3).

        Raises `NotThere`, `NotAllowed`.
        """
        route = Endpoint.GET_TASK.at(board_id=board_id, task_id=task_id)
        return self._one(route, await self._ask(route), TaskRecord, "task")

    async def create(
        self,
        board_id: int,
        stage_id: int,
        title: str,
        *,
        priority: str | None = None,
        crm_contact_id: int | None = None,
        is_template: bool = False,
    ) -> TaskAnswer:
        """Make a task at the end of a stage; `priority` is `low`, `medium` or `high` (4.3).

        Raises `Refused`, `NotAllowed`. Never repeat it blindly: every repeat makes another task.
        """
        route = Endpoint.CREATE_TASK.at(board_id=board_id)
        task: dict[str, object] = {"title": title, "board_id": board_id, "stage_id": stage_id}
        if priority is not None:
            task["priority"] = priority
        if crm_contact_id is not None:
            task["crm_contact_id"] = crm_contact_id
        if is_template:
            task["is_template"] = "yes"
        return await self._task_answer(route, await self._ask(route, body={"task": task}))

    async def update(self, board_id: int, task_id: int, name: str, value: object) -> TaskAnswer:
        """Set one property of a task (4.3).

        `name` is one of title, description (HTML), status, priority, due_at, started_at
        (`YYYY-MM-DD HH:MM:SS`), assignees (user ids), crm_contact_id, is_watching, archived_at,
        reminder_type, remind_at, settings, is_template. Raises `Refused`, `NotThere`,
        `NotAllowed`.
        """
        route = Endpoint.UPDATE_TASK.at(board_id=board_id, task_id=task_id)
        answer = await self._ask(route, body={"property": name, "value": value})
        return await self._task_answer(route, answer)

    async def delete(self, board_id: int, task_id: int) -> Listing[TaskRecord]:
        """Delete a task for good; returns the tasks that changed with it (4.3).

        Deleting twice is an error, of a kind that differs between services: read the task to know.
        """
        route = Endpoint.DELETE_TASK.at(board_id=board_id, task_id=task_id)
        answer = await self._ask(route)
        return await read_listing(answer.get("updatedTasks"), TaskRecord)

    async def move(
        self,
        board_id: int,
        task_id: int,
        stage_id: int,
        index: int,
        *,
        new_board_id: int | None = None,
    ) -> TaskAnswer:
        """Move a task to a stage (4.3).

        `index` counts from 1 among the *other* active tasks of that stage; to append send exactly
        their number plus 1. Compare the position that comes back with what was wanted.
        Raises `ValueError` for an index below 1, `Refused`, `NotThere`, `NotAllowed`.
        """
        if index < 1:
            raise ValueError("a place in a stage is counted from 1")
        route = Endpoint.MOVE_TASK.at(board_id=board_id, task_id=task_id)
        body = {"newStageId": stage_id, "newIndex": index}
        if new_board_id is not None:
            body["newBoardId"] = new_board_id
        return await self._task_answer(route, await self._ask(route, body=body))

    async def clone(
        self,
        board_id: int,
        task_id: int,
        stage_id: int,
        title: str,
        *,
        assignees: bool = False,
        subtasks: bool = False,
        labels: bool = False,
        attachments: bool = False,
        comments: bool = False,
    ) -> TaskAnswer:
        """Copy a task into a stage under a new title, with what is said to be copied (4.3).

        Raises `Refused`, `NotThere`, `NotAllowed`.
        """
        route = Endpoint.CLONE_TASK.at(board_id=board_id, task_id=task_id)
        body = {
            "title": title,
            "stage_id": stage_id,
            "assignee": assignees,
            "subtask": subtasks,
            "label": labels,
            "attachment": attachments,
            "comment": comments,
        }
        return await self._task_answer(route, await self._ask(route, body=body))

    def activities(
        self,
        board_id: int,
        task_id: int,
        *,
        order: Literal["newest", "oldest"] = "newest",
        per_page: int = _PER_PAGE,
    ) -> AsyncIterator[Page[ActivityRecord]]:
        """What was done to a task, page by page (4.3)."""
        route = Endpoint.LIST_TASK_ACTIVITIES.at(board_id=board_id, task_id=task_id)

        async def fetch(number: int) -> Page[ActivityRecord]:
            query = {"filter": order, "per_page": str(per_page), "page": str(number)}
            envelope = member(route, await self._ask(route, query=query), "activities")
            return await read_page(envelope, ActivityRecord, number=number)

        return every_page(fetch)
