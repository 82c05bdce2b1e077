"""The tasks of a board, their properties and moves (section 4.3)."""

from collections.abc import Collection, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Literal, NamedTuple

from tui.client.answers import Changed, incomplete, read_documents
from tui.client.documents import Document, DocumentPage, TasksArrived, break_circles
from tui.client.endpoints import Endpoint
from tui.client.errors import Refused
from tui.client.http.bodies import without_none
from tui.client.service import RemoteService
from tui.client.site_time import WALL_FORMAT
from tui.client.values import as_flag, as_integer, as_object, as_rows, as_wall_time
from tui.runtime.slices import Slicer
from tui.schema.tasks import Activity, Task
from tui.text.agent_marks import CLAIMED, progress_comment

LAST_YEAR = 2038
"""Services store later dates as no date."""
DATES = frozenset({"due_at", "started_at", "remind_at"})
_NEVER_SENT = frozenset({"type", "parent_id", "board_id", "last_completed_at"})
"""Properties that can make a task disappear, or that only the service sets."""
_PER_PAGE = 50
_CLONED_PARTS = ("assignee", "subtask", "label", "attachment", "comment")

Rows = list[Document]
Position = tuple[int, float]
"""The id of a task, and its last known position."""


class Claim(NamedTuple):
    """The state in which somebody saw a task that they claim, and what they make of it.

    The user, who is `person_id`, becomes an assignee. The task goes to the end of the stage, and
    gets the label, if there is one. An agent that acts for the user is named in a comment.
    """

    seen_stage_id: int
    seen_assignee_ids: Collection[int]
    seen_label_ids: Collection[int]
    stage_id: int
    person_id: int
    label_id: int | None = None
    agent: str = ""


class Tasks:
    """Tasks of boards (section 4.3)."""

    service: RemoteService

    async def tasks(
        self, board_id: int, arrived: TasksArrived | None = None, *, archived: bool = False
    ) -> Rows:
        """The active tasks in the active stages of a board, without subtasks (4.3).

        With `archived`, the archived ones where the service lists them. They are unordered: sort by
        position and id. The list may be large, 3,000 tasks are 7 MB: it is read in slices of a few
        milliseconds, never in memory as a whole, and `arrived` is called with each part of some
        dozens and the bytes received so far.
        """
        query = {"archived": "yes"} if archived else None
        documents: Rows = []
        received, is_empty = 0, True

        def count(so_far: int, _total: int | None) -> None:
            nonlocal received
            received = so_far

        slicer = Slicer()
        stream = self.service.session.stream(
            Endpoint.LIST_TASKS.at(board_id), "tasks", query=query, progress=count
        )
        async with aclosing(stream) as slices:
            async for rows in slices:
                part = await read_documents(rows, Task, slicer, site=self.service.site)
                documents += part
                is_empty = False
                if arrived is not None:
                    arrived(part, received)
        # A list of which nothing can be read must not look like an empty board.
        if not (documents or is_empty):
            raise incomplete(Endpoint.LIST_TASKS.at(board_id), "task that can be read")
        break_circles(documents)
        return documents

    async def archived_tasks(self, board_id: int) -> Rows:
        """The archived tasks of a board, last archived first, without subtasks."""
        tasks = await self.tasks(board_id, archived=True)
        return [task for task in tasks if task.get("archived_at")]

    async def task(self, board_id: int, task_id: int) -> Document:
        """One task, archived ones too, with assignees and labels (4.3)."""
        answer = await self.service.ask(Endpoint.GET_TASK, board_id, task_id)
        return answer.document(Task, "task")

    async def create_task(
        self,
        board_id: int,
        stage_id: int,
        title: str,
        priority: str | None = None,
        **fields: object,
    ) -> Document:
        """Create a task at the end of a stage; `fields` are others by their names (4.3).

        `priority` is `low`, `medium` or `high`.
        """
        places = {"board_id": board_id, "stage_id": stage_id}
        task = without_none(title=title, **places, priority=priority, **fields)
        answer = await self.service.ask(Endpoint.CREATE_TASK, board_id, body={"task": task})
        return (await answer.changed()).task

    async def sort_tasks(
        self, board_id: int, stage_id: int, *, by: str, direction: str = "ASC"
    ) -> Rows:
        """Sort the tasks of a stage permanently; `priority` ascending puts high first (4.2).

        `by` is priority, due_at, position, created_at or title, `direction` is ASC or DESC. Returns
        the tasks that changed. Sorting by `position` spreads the positions.
        """
        body = {"order": by, "orderBy": direction}
        answer = await self.service.ask(Endpoint.SORT_STAGE_TASKS, board_id, stage_id, body=body)
        return await answer.documents(Task, "updatedTasks")

    async def clone_task(
        self, board_id: int, task_id: int, stage_id: int, title: str, parts: Collection[str] = ()
    ) -> Document:
        """Copy a task into a stage under a new title (4.3).

        `parts` to copy are assignee, subtask, label, attachment and comment.
        """
        body: dict[str, object] = {"title": title, "stage_id": stage_id}
        body |= {part: part in parts for part in _CLONED_PARTS}
        answer = await self.service.ask(Endpoint.CLONE_TASK, board_id, task_id, body=body)
        return (await answer.changed()).task

    async def delete_task(self, board_id: int, task_id: int) -> None:
        """Delete a task permanently (4.3)."""
        await self.service.delete(Endpoint.DELETE_TASK, board_id, task_id)

    async def activities(
        self,
        board_id: int,
        task_id: int,
        page: int = 1,
        *,
        order: Literal["newest", "oldest"] = "newest",
        per_page: int = _PER_PAGE,
    ) -> DocumentPage:
        """A page of a task's activities; pages count from 1 (4.3)."""
        query = {"filter": order, "per_page": str(per_page), "page": str(page)}
        answer = await self.service.ask(
            Endpoint.LIST_TASK_ACTIVITIES, board_id, task_id, query=query
        )
        return await answer.page(Activity, "activities", page)

    async def set_task(self, board_id: int, task_id: int, name: str, value: object) -> Document:
        """Set a property by its name in the interface (4.3).

        Dates are `YYYY-MM-DD HH:MM:SS` on the user's clock, None or empty for none; assignees are
        user ids, `is_watching` is a boolean. The reply for a subtask may include its `parent`.

        Raises `ValueError` for properties that can make a task disappear; `Refused`, before
        anything is sent, for a year that services cannot store.
        """
        if name in _NEVER_SENT:
            raise ValueError(f"{name} is never set: there are other calls for that")
        if name == "assignees" and isinstance(value, Collection):
            return await self.assign(board_id, task_id, [*value])
        if name == "is_watching":
            return await self.watch(board_id, task_id, on=bool(as_flag(value)))
        if name in DATES:
            changed = await self._set_date(board_id, task_id, name, _date(value))
        else:
            changed = await self._put(board_id, task_id, name, value)
        parent_id = changed.task.get("parent_id")
        parents = [task for task in changed.others if parent_id and task["id"] == parent_id]
        return {**changed.task, "parent": parents[0]} if parents else changed.task

    async def assign(self, board_id: int, task_id: int, person_ids: Collection[int]) -> Document:
        """Make exactly these people the assignees of a task; returns the current task (4.3)."""
        people = list(dict.fromkeys(person_ids))
        return (await self._put(board_id, task_id, "assignees", people)).task

    async def watch(self, board_id: int, task_id: int, *, on: bool) -> Document:
        """Start or stop watching a task; returns the current task (4.3)."""
        return (await self._put(board_id, task_id, "is_watching", on)).task

    async def _set_date(
        self, board_id: int, task_id: int, name: str, when: datetime | None
    ) -> Changed:
        return await self._put(board_id, task_id, name, self._site_time(name, when))

    def _site_time(self, name: str, when: datetime | None) -> str | None:
        # A date on the user's clock as the service stores it.
        if when is None:
            return None
        wall = self.service.site.to_site(when)
        # Around New Year the two clocks may be in different years.
        if max(when.year, wall.year) > LAST_YEAR:
            raise Refused(
                f"The service cannot store a date in {when.year};"
                f" the last possible year is {LAST_YEAR}.",
                hint="Nothing was sent.",
                params={name: f"must be before {LAST_YEAR + 1}"},
            )
        return wall.strftime(WALL_FORMAT)

    async def _put(self, board_id: int, task_id: int, name: str, value: object) -> Changed:
        body = {"property": name, "value": value}
        answer = await self.service.ask(Endpoint.UPDATE_TASK, board_id, task_id, body=body)
        return await answer.changed()

    async def move_task(
        self,
        board_id: int,
        task_id: int,
        stage_id: int,
        index: int,
        others: Sequence[Position] = (),
        *,
        new_board_id: int | None = None,
    ) -> Document:
        """Move a task to `index`, from 1 among the other active tasks of a stage (4.3).

        One past their end is the end. `others` are these tasks in the wanted order, with their
        positions, as far as they are known. `new_board_id` is the stage's board if it is another
        one. Raises `ValueError` for an index below 1.
        """
        if index < 1:
            raise ValueError("a place in a stage is counted from 1")
        del others
        if new_board_id == board_id:
            new_board_id = None
        return (await self._move(board_id, task_id, stage_id, index, new_board_id)).task

    async def claim_task(self, board_id: int, task_id: int, claim: Claim) -> Document:
        """Take a task if it still is as it was seen; an addition to the specification.

        Raises `Conflict` if somebody else was faster; then nothing is changed.
        """
        return await self._claim(board_id, task_id, claim)

    async def _claim(self, board_id: int, task_id: int, claim: Claim) -> Document:
        body = without_none(
            stageId=claim.seen_stage_id,
            assignees=sorted(claim.seen_assignee_ids),
            labels=sorted(claim.seen_label_ids),
            newStageId=claim.stage_id,
            labelId=claim.label_id,
            comment=progress_comment(claim.agent, CLAIMED) if claim.agent else None,
        )
        answer = await self.service.ask(Endpoint.CLAIM_TASK, board_id, task_id, body=body)
        return (await answer.changed()).task

    async def move_task_to_board(
        self, board_id: int, task_id: int, to_board_id: int, stage_id: int
    ) -> Document:
        """Move a task to the end of a stage of another board (4.3)."""
        last = max(await self.available_positions(to_board_id, stage_id), default=1)
        return await self.move_task(board_id, task_id, stage_id, last, new_board_id=to_board_id)

    async def available_positions(self, board_id: int, stage_id: int) -> tuple[int, ...]:
        """The positions available in a stage, counted from 1 (4.2)."""
        answer = await self.service.ask(Endpoint.LIST_AVAILABLE_POSITIONS, board_id, stage_id)
        # Another name and place than in the specification.
        deployed = answer.value.get("availablePositions")
        rows = deployed or as_object(answer.value.get("data")).get("available_positions")
        places = (as_integer(row) for row in as_rows(rows))
        return tuple(place for place in places if place is not None)

    async def _move(
        self, board_id: int, task_id: int, stage_id: int, index: int, new_board_id: int | None
    ) -> Changed:
        body = without_none(newStageId=stage_id, newIndex=index, newBoardId=new_board_id)
        answer = await self.service.ask(Endpoint.MOVE_TASK, board_id, task_id, body=body)
        return await answer.changed()


def _date(value: object) -> datetime | None:
    if value is None or value == "":
        return None
    when = value if isinstance(value, datetime) else as_wall_time(value)
    if when is None:
        raise Refused(
            "This is not a date that can be sent.",
            hint="Nothing was sent.",
            params={"value": "must be a date such as 2026-12-01 17:00:00"},
        )
    return when.replace(tzinfo=None, microsecond=0)
