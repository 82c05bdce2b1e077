"""The stages of a board (section 4.2)."""

from collections.abc import Mapping, Sequence

from tui.client.answers import gather
from tui.client.documents import Document, DocumentPage
from tui.client.endpoints import Endpoint
from tui.client.http.bodies import without_none
from tui.client.lanes import StageLane, longest_in_order
from tui.client.resources.boards import Boards
from tui.client.resources.tasks import Tasks
from tui.schema.boards import Stage
from tui.schema.tasks import Task

_PER_PAGE = 100


class Stages(Boards, Tasks):
    """Stages of boards, and the order of their tasks (section 4.2)."""

    async def create_stage(
        self, board_id: int, title: str, status: str | None = None, *, position: float | None = None
    ) -> list[Document]:
        """Add a stage, by default at the end; `status` is what its tasks become (4.2).

        Returns every stage reported as changed, with the new one.
        """
        body = without_none(title=title, position=position, status=status)
        answer = await self.service.ask(Endpoint.CREATE_STAGE, board_id, body=body)
        return await answer.documents(Stage, "updatedStages")

    async def update_stage(
        self,
        board_id: int,
        stage_id: int,
        title: str,
        settings: Mapping[str, object] | None = None,
        color: str | None = None,
    ) -> Document:
        """Change a stage's title and, unless None, its settings and its colour (4.2)."""
        body = without_none(title=title, settings=settings, bg_color=color)
        answer = await self.service.ask(Endpoint.UPDATE_STAGE, board_id, stage_id, body=body)
        return answer.document(Stage, "data", "updatedStage", "stage")

    async def set_stage_setting(
        self, board_id: int, stage_id: int, title: str, name: str, value: object
    ) -> Document:
        """Set one of a stage's settings; the others stay (4.2)."""
        stage = await self._stage(board_id, stage_id)
        settings = {**((stage or {}).get("settings") or {}), name: value}
        return await self.update_stage(board_id, stage_id, title, settings)

    async def set_stage_color(
        self, board_id: int, stage_id: int, title: str, color: str
    ) -> Document:
        """Set a stage's colour, hex; empty for none (4.2)."""
        return await self.update_stage(board_id, stage_id, title, color=color)

    async def archive_stage(self, board_id: int, stage_id: int) -> Document:
        """Archive a stage; its position becomes 0 (4.2)."""
        answer = await self.service.ask(Endpoint.ARCHIVE_STAGE, board_id, stage_id)
        return answer.document(Stage, "updatedStage")

    async def restore_stage(
        self, board_id: int, stage_id: int, order: Sequence[int] = ()
    ) -> Document:
        """Restore an archived stage with its tasks (4.2).

        `order` are the ids of its tasks from top to bottom, for services that lose it.
        """
        del order
        answer = await self.service.ask(Endpoint.RESTORE_STAGE, board_id, stage_id)
        return answer.document(Stage, "updatedStage")

    async def archived_stages(self, board_id: int) -> list[Document]:
        """All archived stages of a board (4.2)."""

        async def fetch(number: int) -> DocumentPage:
            query = {"per_page": str(_PER_PAGE), "page": str(number)}
            answer = await self.service.ask(Endpoint.LIST_ARCHIVED_STAGES, board_id, query=query)
            return await answer.page(Stage, "stages", number)

        return await gather(fetch)

    async def reposition_stages(self, board_id: int, stage_ids: Sequence[int]) -> list[Document]:
        """Put all stages of a board into the given order (4.2)."""
        body = {"list": list(stage_ids)}
        answer = await self.service.ask(Endpoint.REPOSITION_STAGES, board_id, body=body)
        return await answer.documents(Stage, "updatedStages")

    async def archive_tasks(self, board_id: int, stage_id: int) -> list[Document]:
        """Archive every task of a stage; returns the tasks that changed (4.2)."""
        answer = await self.service.ask(Endpoint.ARCHIVE_STAGE_TASKS, board_id, stage_id)
        return await answer.documents(Task, "updatedTasks")

    async def order_tasks(
        self, board_id: int, stage_id: int, order: Sequence[int]
    ) -> list[Document]:
        """Move as few tasks as possible until those of `order` stand in it.

        Tasks that are not there are ignored. Returns the ids and positions of the stage's tasks.
        """
        lane = StageLane.of(stage_id, await self.tasks(board_id))
        lane = await self._reorder(board_id, lane, order)
        return [
            {"id": task_id, "board_id": board_id, "stage_id": stage_id, "position": position}
            for task_id, position in lane.positions.items()
        ]

    async def _reorder(self, board_id: int, lane: StageLane, order: Sequence[int]) -> StageLane:
        wanted = [task_id for task_id in dict.fromkeys(order) if task_id in lane.positions]
        # The others move one by one below their predecessor, which is in place by then.
        in_order = longest_in_order(lane.order(), wanted)
        above: int | None = None
        for task_id in wanted:
            if task_id not in in_order:
                others = lane.others(task_id)
                index = 1 if above is None else others.index(above) + 2
                lane = await self._move_within(board_id, task_id, index, lane)
            above = task_id
        return lane

    async def _move_within(
        self, board_id: int, task_id: int, index: int, lane: StageLane
    ) -> StageLane:
        changed = await self._move(board_id, task_id, lane.stage_id, index, None)
        return lane.after([*changed.others, changed.task])

    async def _stage(self, board_id: int, stage_id: int) -> Document | None:
        stages = (await self.board(board_id)).get("stages", [])
        return next((stage for stage in stages if stage["id"] == stage_id), None)
