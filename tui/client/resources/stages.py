"""The stages of a board (section 4.2)."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence

from tui.client.answers import Page, gather
from tui.client.capabilities import StageBody
from tui.client.endpoints import Endpoint
from tui.client.errors import NotStored
from tui.client.http.bodies import without_none
from tui.client.records.boards import StageRecord
from tui.client.records.tasks import TaskRecord
from tui.client.resources.boards import Boards
from tui.client.resources.task_moves import Lane, TaskMoves, spread
from tui.client.resources.tasks import Tasks
from tui.client.service import Form, Service

_PER_PAGE = 100


class Stages:
    """Stages of boards."""

    def __init__(self, service: Service, boards: Boards, tasks: Tasks, moves: TaskMoves) -> None:
        self._service = service
        self._boards = boards
        self._tasks = tasks
        self._moves = moves

    async def create(
        self, board_id: int, title: str, status: str | None = None, *, position: float | None = None
    ) -> Sequence[StageRecord]:
        """Add a stage, by default at the end; `status` is what its tasks become (4.2).

        Returns every stage reported as changed, with the new one.
        """
        body = without_none(title=title, position=position, status=status)
        answer = await self._service.ask(Endpoint.CREATE_STAGE, board_id, body=body)
        return await answer.listing(StageRecord, "updatedStages")

    async def update(
        self,
        board_id: int,
        stage_id: int,
        title: str,
        settings: Mapping[str, object] | None = None,
        color: str | None = None,
    ) -> StageRecord:
        """Change a stage's title and, unless None, its settings (4.2) and its colour.

        Deployed services expect different bodies and paths. Raises `Refused`.
        """
        return await self._update(board_id, stage_id, title, settings, color)

    async def _update(
        self,
        board_id: int,
        stage_id: int,
        title: str,
        settings: Mapping[str, object] | None = None,
        color: str | None = None,
        *,
        is_stored: Callable[[StageRecord], bool] = lambda _: True,
    ) -> StageRecord:
        flat = without_none(title=title, settings=settings, bg_color=color)

        async def send(form: Form) -> StageRecord:
            if form["stage_body"] is StageBody.PROPERTY:
                for name, value in flat.items():
                    stage = await self._set_property(board_id, stage_id, name, value)
            else:
                body = flat if form["stage_body"] is StageBody.FLAT else {"stage": _nested(flat)}
                answer = await self._service.ask(
                    Endpoint.UPDATE_STAGE, board_id, stage_id, body=body
                )
                stage = answer.record(StageRecord, "data", "updatedStage", "stage")
            if not self._service.is_trusted and not is_stored(stage):
                raise _not_stored(stage)
            return stage

        async def look() -> StageRecord | None:
            stage = await self._stage(board_id, stage_id)
            if stage is None or stage.title != title:
                return None
            has = (_plain(getattr(stage, name)) == _plain(flat[name]) for name in flat)
            return stage if all(has) else None

        bodies = list(StageBody)
        if not title.strip():
            bodies = [self._service.capabilities.stage_body or StageBody.FLAT]
        forms = [{"stage_body": body} for body in bodies]
        return await self._service.in_accepted_form(forms, send, look)

    async def set_setting(
        self, board_id: int, stage_id: int, title: str, name: str, value: object
    ) -> StageRecord:
        """Set one of a stage's settings; the others stay (4.2).

        Raises `NotStored` if the service does not store it.
        """
        stage = await self._stage(board_id, stage_id)
        settings = {**(stage.settings if stage else {}), name: value}
        return await self._update(
            board_id,
            stage_id,
            title,
            settings,
            is_stored=lambda stage: _plain(stage.settings.get(name)) == _plain(value),
        )

    async def set_color(self, board_id: int, stage_id: int, title: str, color: str) -> StageRecord:
        """Set a stage's colour, hex; empty for none.

        Raises `NotStored` if the service does not store it.
        """
        return await self._update(
            board_id,
            stage_id,
            title,
            color=color,
            is_stored=lambda stage: _plain(stage.bg_color) == _plain(color),
        )

    async def archive(self, board_id: int, stage_id: int) -> StageRecord:
        """Archive a stage; its position becomes 0 (4.2)."""
        answer = await self._service.ask(Endpoint.ARCHIVE_STAGE, board_id, stage_id)
        return answer.record(StageRecord, "updatedStage")

    async def restore(self, board_id: int, stage_id: int, order: Sequence[int] = ()) -> StageRecord:
        """Restore an archived stage, with its tasks in `order` (4.2).

        Deployed services restore all tasks at position 0; only then their order is changed.

        `order` are the ids of its tasks from top to bottom; missing tasks are ignored. Raises
        `ServerFault` if a task is not moved.
        """
        answer = await self._service.ask(Endpoint.RESTORE_STAGE, board_id, stage_id)
        stage = answer.record(StageRecord, "updatedStage")
        if order and not self._service.is_trusted:
            lane = await self._lane(board_id, stage_id)
            if lane.is_tied:
                await self._reorder(board_id, lane, order)
        return stage

    async def order_tasks(self, board_id: int, stage_id: int, order: Sequence[int]) -> Lane:
        """Move as few tasks as possible until those of `order` stand in it; returns the stage.

        Tasks that are not there are ignored. Raises `ServerFault` if a task is not moved.
        """
        return await self._reorder(board_id, await self._lane(board_id, stage_id), order)

    async def reposition(self, board_id: int, stage_ids: Sequence[int]) -> Sequence[StageRecord]:
        """Put all stages of a board into the given order (4.2)."""
        body = {"list": list(stage_ids)}
        answer = await self._service.ask(Endpoint.REPOSITION_STAGES, board_id, body=body)
        return await answer.listing(StageRecord, "updatedStages")

    async def archive_tasks(self, board_id: int, stage_id: int) -> Sequence[TaskRecord]:
        """Archive every task of a stage; returns the tasks that changed (4.2)."""
        answer = await self._service.ask(Endpoint.ARCHIVE_STAGE_TASKS, board_id, stage_id)
        return await answer.listing(TaskRecord, "updatedTasks")

    async def archived(self, board_id: int) -> Sequence[StageRecord]:
        """All archived stages of a board (4.2)."""

        async def fetch(number: int) -> Page[StageRecord]:
            query = {"per_page": str(_PER_PAGE), "page": str(number)}
            answer = await self._service.ask(Endpoint.LIST_ARCHIVED_STAGES, board_id, query=query)
            return await answer.page(StageRecord, "stages", number)

        return await gather(fetch)

    async def _set_property(
        self, board_id: int, stage_id: int, name: str, value: object
    ) -> StageRecord:
        """Set one property, as deployed services do; an unknown one may change nothing."""
        body = {"property": name, "value": value}
        answer = await self._service.ask(
            Endpoint.UPDATE_STAGE_PROPERTY, board_id, stage_id, body=body
        )
        return answer.record(StageRecord, "stage", "updatedStage", "data")

    async def _stage(self, board_id: int, stage_id: int) -> StageRecord | None:
        stages = (await self._boards.get(board_id)).stages
        return next((stage for stage in stages if stage.id == stage_id), None)

    async def _lane(self, board_id: int, stage_id: int) -> Lane:
        return Lane.of(stage_id, await self._tasks.list(board_id))

    async def _reorder(self, board_id: int, lane: Lane, order: Sequence[int]) -> Lane:
        if lane.is_tied:
            lane = await spread(self._tasks, board_id, lane)
        wanted = [task_id for task_id in dict.fromkeys(order) if task_id in lane.positions]
        kept = _longest_in_order(lane.order(), wanted)
        previous: int | None = None
        for task_id in wanted:
            if task_id not in kept:
                lane = await self._moves.move_below(board_id, task_id, previous, lane)
            previous = task_id
        return lane


def _nested(flat: Mapping[str, object]) -> dict[str, object]:
    """A body with the name that deployed services have for the colour."""
    return {"cover_bg" if name == "bg_color" else name: value for name, value in flat.items()}


def _plain(value: object) -> object:
    """A value in a form that ignores how services write it: numbers in digits, none, yes."""
    if isinstance(value, list | tuple):
        return sorted(map(str, value))
    return str(value or "").casefold()


def _not_stored(stage: StageRecord) -> NotStored:
    return NotStored(
        "The service reported the change of the stage, but did not store it.",
        hint="Its edition may not offer it.",
        details=f"stage {stage.id}: {stage.bg_color}, {stage.settings}",
    )


def _longest_in_order(present: Sequence[int], wanted: Sequence[int]) -> set[int]:
    """The most tasks that can stay: the longest subsequence of `present` in the new order.

    It keeps, for every length, the subsequence that ends earliest in the new order.
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
