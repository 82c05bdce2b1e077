"""The stages of a board (section 4.2)."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Literal

from tui.client.endpoints import Endpoint
from tui.client.records import StageRecord, TaskRecord
from tui.client.records.values import as_integer, as_object, as_rows
from tui.client.resources.listing import Listing, Page, every_page, gather, read_listing, read_page
from tui.client.resources.resource import Resource, member

_PER_PAGE = 100

SortField = Literal["priority", "due_at", "position", "created_at", "title"]
Direction = Literal["ASC", "DESC"]


class Stages(Resource):
    """The columns of a board. Every method may raise `ApiError`."""

    async def create(
        self, board_id: int, title: str, *, position: float | None = None, status: str | None = None
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
        answer = await self._ask(route, body=body)
        return await read_listing(member(route, answer, "updatedStages"), StageRecord)

    async def update(
        self,
        board_id: int,
        stage_id: int,
        *,
        title: str,
        settings: Mapping[str, object] | None = None,
    ) -> StageRecord:
        """Change a stage's title and, unless None, its settings (4.2).

        Deployed services may refuse this body and want that of `update_nested`.
        Raises `Refused`, `NotThere`, `NotAllowed`.
        """
        return await self._update(board_id, stage_id, _stage_body(title, settings))

    async def update_nested(
        self,
        board_id: int,
        stage_id: int,
        *,
        title: str,
        settings: Mapping[str, object] | None = None,
    ) -> StageRecord:
        """As `update`, with the body inside `stage`, as deployed services want it.

        Raises `Refused`, `NotThere`, `NotAllowed`.
        """
        return await self._update(board_id, stage_id, {"stage": _stage_body(title, settings)})

    async def set_property(
        self, board_id: int, stage_id: int, name: str, value: object
    ) -> StageRecord:
        """Set one property of a stage, as `title` or `status`, where deployed services can.

        Not in the specification: raises `NotOffered` where there is no such endpoint; `Refused`,
        `NotThere`, `NotAllowed`. An unknown property may be answered with an unchanged stage.
        """
        route = Endpoint.UPDATE_STAGE_PROPERTY.at(board_id=board_id, stage_id=stage_id)
        answer = await self._ask(route, body={"property": name, "value": value})
        return self._one(route, answer, StageRecord, "stage", "updatedStage", "data")

    async def _update(
        self, board_id: int, stage_id: int, body: Mapping[str, object]
    ) -> StageRecord:
        route = Endpoint.UPDATE_STAGE.at(board_id=board_id, stage_id=stage_id)
        answer = await self._ask(route, body=body)
        return self._one(route, answer, StageRecord, "data", "updatedStage", "stage")

    async def archive(self, board_id: int, stage_id: int) -> StageRecord:
        """Archive a stage; its position becomes 0 (4.2). Raises `NotThere`, `NotAllowed`."""
        route = Endpoint.ARCHIVE_STAGE.at(board_id=board_id, stage_id=stage_id)
        return self._one(route, await self._ask(route), StageRecord, "updatedStage")

    async def restore(self, board_id: int, stage_id: int) -> StageRecord:
        """Bring an archived stage back, at a new position (4.2). Raises `NotThere`."""
        route = Endpoint.RESTORE_STAGE.at(board_id=board_id, stage_id=stage_id)
        return self._one(route, await self._ask(route), StageRecord, "updatedStage")

    async def reposition(self, board_id: int, stage_ids: Sequence[int]) -> Listing[StageRecord]:
        """Put all stages of a board into the given order (4.2). Raises `Refused`, `NotAllowed`."""
        route = Endpoint.REPOSITION_STAGES.at(board_id=board_id)
        answer = await self._ask(route, body={"list": list(stage_ids)})
        return await read_listing(member(route, answer, "updatedStages"), StageRecord)

    async def archive_tasks(self, board_id: int, stage_id: int) -> Listing[TaskRecord]:
        """Archive every task of a stage; returns the tasks that changed (4.2)."""
        route = Endpoint.ARCHIVE_STAGE_TASKS.at(board_id=board_id, stage_id=stage_id)
        answer = await self._ask(route)
        return await read_listing(member(route, answer, "updatedTasks"), TaskRecord)

    async def sort_tasks(
        self, board_id: int, stage_id: int, *, by: SortField, direction: Direction = "ASC"
    ) -> Listing[TaskRecord]:
        """Sort the tasks of a stage for good; `priority` ascending puts high first (4.2).

        Returns the tasks that changed. Sorting by `position` spreads the positions anew.
        """
        route = Endpoint.SORT_STAGE_TASKS.at(board_id=board_id, stage_id=stage_id)
        answer = await self._ask(route, body={"order": by, "orderBy": direction})
        return await read_listing(member(route, answer, "updatedTasks"), TaskRecord)

    def archived_pages(
        self, board_id: int, *, per_page: int = _PER_PAGE
    ) -> AsyncIterator[Page[StageRecord]]:
        """The pages of archived stages (4.2)."""
        route = Endpoint.LIST_ARCHIVED_STAGES.at(board_id=board_id)

        async def fetch(number: int) -> Page[StageRecord]:
            query = {"per_page": str(per_page), "page": str(number)}
            envelope = member(route, await self._ask(route, query=query), "stages")
            return await read_page(envelope, StageRecord, number=number)

        return every_page(fetch)

    async def archived(self, board_id: int) -> Listing[StageRecord]:
        """All archived stages of a board (4.2)."""
        return await gather(self.archived_pages(board_id))

    async def available_positions(self, board_id: int, stage_id: int) -> tuple[int, ...]:
        """The places a task can be moved to in a stage, counted from 1 (4.2)."""
        route = Endpoint.LIST_AVAILABLE_POSITIONS.at(board_id=board_id, stage_id=stage_id)
        answer = await self._ask(route)
        deployed = answer.get("availablePositions")
        rows = deployed or as_object(answer.get("data")).get("available_positions")
        places = (as_integer(row) for row in as_rows(rows))
        return tuple(place for place in places if place is not None)


def _stage_body(title: str, settings: Mapping[str, object] | None) -> dict[str, object]:
    return {"title": title} if settings is None else {"title": title, "settings": dict(settings)}
