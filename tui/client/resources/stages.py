"""The stages of a board (section 4.2)."""

from bisect import bisect_left
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from tui.client.capabilities import StageBody
from tui.client.endpoints import Endpoint
from tui.client.records import StageRecord, TaskRecord
from tui.client.records.values import as_integer, as_object, as_rows
from tui.client.resources.answers import (
    Listing,
    Page,
    every_page,
    gather,
    merged,
    read_listing,
    read_page,
)
from tui.client.resources.boards import Boards
from tui.client.resources.task_moves import Lane, TaskMoves
from tui.client.resources.tasks import Tasks
from tui.client.service import Service, member, record

_PER_PAGE = 100

_NO_TASK = 0


@dataclass(frozen=True, slots=True)
class Restored:
    """A stage that is back, and the tasks that changed with it, as far as the service told."""

    stage: StageRecord
    news: tuple[TaskRecord, ...] = ()


class Stages:
    """The columns of a board. Every method may raise `ApiError`."""

    def __init__(self, service: Service, boards: Boards, tasks: Tasks, moves: TaskMoves) -> None:
        self._service = service
        self._boards = boards
        self._tasks = tasks
        self._moves = moves

    async def create(
        self, board_id: int, title: str, status: str | None = None, *, position: float | None = None
    ) -> Listing[StageRecord]:
        """Add a stage, by default at the end; `status` is what its tasks become (4.2).

        Returns every stage the service says has changed, the new one among them. Raises `Refused`.
        """
        route = Endpoint.CREATE_STAGE.at(board_id=board_id)
        body: dict[str, object] = {"title": title}
        if position is not None:
            body["position"] = position
        if status is not None:
            body["status"] = status
        answer = await self._service.ask(route, body=body)
        return await read_listing(member(route, answer, "updatedStages"), StageRecord)

    async def update(
        self,
        board_id: int,
        stage_id: int,
        title: str,
        settings: Mapping[str, object] | None = None,
    ) -> StageRecord:
        """Change a stage's title and, unless None, its settings (4.2).

        Deployed services want another body or another path. Raises `Refused` (the first refusal,
        where every body is refused), `NotThere`, `NotAllowed`.
        """

        async def by_property() -> StageRecord:
            stage = await self._set_property(board_id, stage_id, "title", title)
            if settings is None:
                return stage
            return await self._set_property(board_id, stage_id, "settings", dict(settings))

        flat = {"title": title} if settings is None else {"title": title, "settings": settings}
        ways: dict[StageBody, Callable[[], Awaitable[StageRecord]]] = {
            StageBody.FLAT: lambda: self._update(board_id, stage_id, flat),
            StageBody.NESTED: lambda: self._update(board_id, stage_id, {"stage": flat}),
            StageBody.PROPERTY: by_property,
        }
        is_meant = self._service.is_trusted or not title.strip()
        return await self._service.first_accepted(
            ways,
            self._service.capabilities.stage_body,
            lambda body: self._service.learn(stage_body=body),
            is_final=lambda refusal: is_meant or refusal.may_have_happened,
        )

    async def set_task_status(
        self, board_id: int, stage_id: int, title: str, status: str
    ) -> StageRecord:
        """Say what tasks become that are moved into a stage; its other settings stay (4.2)."""
        board = await self._boards.get(board_id)
        found = (stage.settings for stage in board.stages if stage.id == stage_id)
        settings = {**next(found, {}), "default_task_status": status}
        return await self.update(board_id, stage_id, title, settings)

    async def archive(self, board_id: int, stage_id: int) -> StageRecord:
        """Archive a stage; its position becomes 0 (4.2). Raises `NotThere`, `NotAllowed`."""
        route = Endpoint.ARCHIVE_STAGE.at(board_id=board_id, stage_id=stage_id)
        return record(route, await self._service.ask(route), StageRecord, "updatedStage")

    async def restore(
        self, board_id: int, stage_id: int, order: Sequence[int] | None = None
    ) -> Restored:
        """Bring an archived stage back, and its tasks into `order` where that was lost (4.2).

        Deployed services restore the tasks all at position 0. No more tasks are moved than have to.

        `order` are the ids of its tasks from top to bottom; tasks that are gone do no harm. Raises
        `ServerFault` if a task does not go to its place, `NotThere`, `NotAllowed`.
        """
        stage = await self._restore(board_id, stage_id)
        if self._service.is_trusted or not order:
            return Restored(stage)
        tasks = (await self._tasks.list(board_id)).records
        lane = Lane.of(stage_id, tasks)
        here = tuple(task for task in tasks if task.id in lane.positions)
        if len(set(lane.positions.values())) == len(lane.positions):
            return Restored(stage, here)
        spread = await self._tasks.sort(board_id, stage_id, by="position", direction="ASC")
        news = merged(here, spread.records, without=_NO_TASK)
        moved = await self._reorder(board_id, lane.after(spread.records), order)
        return Restored(stage, merged(news, moved, without=_NO_TASK))

    async def reposition(self, board_id: int, stage_ids: Sequence[int]) -> Listing[StageRecord]:
        """Put all stages of a board into the given order (4.2). Raises `Refused`, `NotAllowed`."""
        route = Endpoint.REPOSITION_STAGES.at(board_id=board_id)
        answer = await self._service.ask(route, body={"list": list(stage_ids)})
        return await read_listing(member(route, answer, "updatedStages"), StageRecord)

    async def archive_tasks(self, board_id: int, stage_id: int) -> Listing[TaskRecord]:
        """Archive every task of a stage; returns the tasks that changed (4.2)."""
        route = Endpoint.ARCHIVE_STAGE_TASKS.at(board_id=board_id, stage_id=stage_id)
        answer = await self._service.ask(route)
        return await read_listing(member(route, answer, "updatedTasks"), TaskRecord)

    def archived_pages(
        self, board_id: int, *, per_page: int = _PER_PAGE
    ) -> AsyncIterator[Page[StageRecord]]:
        """The pages of archived stages (4.2)."""
        route = Endpoint.LIST_ARCHIVED_STAGES.at(board_id=board_id)

        async def fetch(number: int) -> Page[StageRecord]:
            query = {"per_page": str(per_page), "page": str(number)}
            envelope = member(route, await self._service.ask(route, query=query), "stages")
            return await read_page(envelope, StageRecord, number=number)

        return every_page(fetch)

    async def archived(self, board_id: int) -> Listing[StageRecord]:
        """All archived stages of a board (4.2)."""
        return await gather(self.archived_pages(board_id))

    async def available_positions(self, board_id: int, stage_id: int) -> tuple[int, ...]:
        """The places a task can be moved to in a stage, counted from 1 (4.2)."""
        route = Endpoint.LIST_AVAILABLE_POSITIONS.at(board_id=board_id, stage_id=stage_id)
        answer = await self._service.ask(route)
        deployed = answer.get("availablePositions")
        rows = deployed or as_object(answer.get("data")).get("available_positions")
        places = (as_integer(row) for row in as_rows(rows))
        return tuple(place for place in places if place is not None)

    async def _restore(self, board_id: int, stage_id: int) -> StageRecord:
        route = Endpoint.RESTORE_STAGE.at(board_id=board_id, stage_id=stage_id)
        return record(route, await self._service.ask(route), StageRecord, "updatedStage")

    async def _update(
        self, board_id: int, stage_id: int, body: Mapping[str, object]
    ) -> StageRecord:
        route = Endpoint.UPDATE_STAGE.at(board_id=board_id, stage_id=stage_id)
        answer = await self._service.ask(route, body=body)
        return record(route, answer, StageRecord, "data", "updatedStage", "stage")

    async def _set_property(
        self, board_id: int, stage_id: int, name: str, value: object
    ) -> StageRecord:
        """Set one property, as `title` or `status`, where deployed services can.

        An unknown property may be answered with an unchanged stage.
        """
        route = Endpoint.UPDATE_STAGE_PROPERTY.at(board_id=board_id, stage_id=stage_id)
        answer = await self._service.ask(route, body={"property": name, "value": value})
        return record(route, answer, StageRecord, "stage", "updatedStage", "data")

    async def _reorder(
        self, board_id: int, lane: Lane, order: Sequence[int]
    ) -> tuple[TaskRecord, ...]:
        """Move tasks until those of `order` stand in it; returns every task that changed."""
        wanted = [task_id for task_id in dict.fromkeys(order) if task_id in lane.positions]
        kept = _longest_in_order(lane.order(), wanted)
        news: tuple[TaskRecord, ...] = ()
        previous: int | None = None
        for task_id in wanted:
            if task_id not in kept:
                others = [one for one in lane.order() if one != task_id]
                index = 1 if previous is None else others.index(previous) + 2
                positions = [(one, lane.positions[one]) for one in others]
                moved = await self._moves.move(board_id, task_id, lane.stage_id, index, positions)
                lane = lane.after([*moved.news, moved.task])
                news = merged(news, [*moved.news, moved.task], without=_NO_TASK)
            previous = task_id
        return news


def _longest_in_order(present: Sequence[int], wanted: Sequence[int]) -> set[int]:
    """The most tasks that can stay where they are: the longest run of `present` in the new order.

    It keeps, for every length, the run that ends earliest in the new order.
    """
    rank = {task_id: number for number, task_id in enumerate(wanted)}
    ends: list[int] = []
    before: dict[int, int | None] = {}
    for task_id in present:
        if task_id not in rank:
            continue
        length = bisect_left([rank[end] for end in ends], rank[task_id])
        before[task_id] = ends[length - 1] if length else None
        ends[length : length + 1] = [task_id]
    kept: set[int] = set()
    last = ends[-1] if ends else None
    while last is not None:
        kept.add(last)
        last = before[last]
    return kept
