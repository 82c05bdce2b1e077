"""Moves tasks, correcting services that put them elsewhere or do not move them (4.3).

Deployed services store positions with two decimals and choose the middle between two neighbours, so
after some moves to one place two tasks share a position, and from then on moves silently do
nothing. So the resulting order is compared with the requested one. A move with another result is
sent once more, after spreading the stage's positions if there was no room; if it fails again an
error is raised.

The order of a stage is (position, id) of its active tasks. An index, counted from 1 among the other
tasks, is computed only when sending; the result is checked by the neighbours, so that concurrent
moves by other people are not taken for a failure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tui.client.answers import Changed
from tui.client.capabilities import Feature
from tui.client.endpoints import Endpoint
from tui.client.errors import ApiError, ServerFault
from tui.client.http.bodies import without_none
from tui.client.records.tasks import TaskRecord
from tui.client.records.values import as_integer, as_object, as_rows
from tui.client.resources.tasks import Tasks
from tui.client.service import Features, Service

Position = tuple[int, float]
"""The id of a task, and its last known position."""

SMALLEST_GAP = 0.02
"""With two decimals, there is no position left in a smaller gap."""
_SAME = 1e-9


class TaskMoves:
    """Moves tasks and checks the result."""

    def __init__(self, service: Service, tasks: Tasks, features: Features) -> None:
        self._service = service
        self._tasks = tasks
        self._features = features

    async def move(
        self,
        board_id: int,
        task_id: int,
        stage_id: int,
        index: int,
        others: Sequence[Position] = (),
        *,
        new_board_id: int | None = None,
    ) -> TaskRecord:
        """Move a task to `index`, from 1 among `others`; one past their end is the end.

        `others` are the other active tasks of the stage in the wanted order, with their positions;
        they are fetched if they do not reach up to `index`. `new_board_id` is the stage's board if
        it is another one. Raises `NotOffered`, before anything is sent, for another board if the
        service is not known to move tasks there; `ServerFault` if the task is not moved; `Refused`,
        `NotFound`, `NotAllowed`, and `ValueError` for an index below 1.
        """
        if index < 1:
            raise ValueError("a place in a stage is counted from 1")
        if new_board_id == board_id:
            new_board_id = None
        if new_board_id is not None:
            await self._features.ensure(Feature.BOARD_MOVES)
        task = _Move(self._service, self._tasks, board_id, task_id, stage_id, new_board_id)
        if self._service.is_trusted:
            return (await task.send_to(index)).task
        if index <= len(others) + 1:
            spot = Spot.at(task_id, index, [one for one, _ in others])
            return (await task.carry_out(spot, Lane(stage_id, dict(others)), index)).task
        lane, _ = await task.read()
        spot = Spot.at(task_id, index, lane.others(task_id))
        return (await task.carry_out(spot, lane, spot.index_in(lane))).task

    async def move_to_end_of_board(
        self, board_id: int, task_id: int, to_board_id: int, stage_id: int
    ) -> TaskRecord:
        """Move a task to the end of a stage of another board.

        A service that keeps to the specification is asked for the last position; the result of
        others is checked by all the tasks of the other board.
        """
        if self._service.is_trusted:
            last = max(await self.available_positions(to_board_id, stage_id), default=1)
            return await self.move(board_id, task_id, stage_id, last, new_board_id=to_board_id)
        tasks = await self._tasks.list(to_board_id)
        lane = Lane.of(stage_id, tasks)
        others = [(one, lane.positions[one]) for one in lane.order()]
        return await self.move(
            board_id, task_id, stage_id, len(others) + 1, others, new_board_id=to_board_id
        )

    async def available_positions(self, board_id: int, stage_id: int) -> tuple[int, ...]:
        """The positions available in a stage, counted from 1 (4.2)."""
        answer = await self._service.ask(Endpoint.LIST_AVAILABLE_POSITIONS, board_id, stage_id)
        deployed = answer.value.get("availablePositions")
        rows = deployed or as_object(answer.value.get("data")).get("available_positions")
        places = (as_integer(row) for row in as_rows(rows))
        return tuple(place for place in places if place is not None)

    async def move_below(
        self, board_id: int, task_id: int, upper_id: int | None, lane: "Lane"
    ) -> "Lane":
        """Move a task within its stage below another one, or to the top; returns the new lane."""
        others = lane.others(task_id)
        index = 1 if upper_id is None else others.index(upper_id) + 2
        move = _Move(self._service, self._tasks, board_id, task_id, lane.stage_id, None)
        return (await move.carry_out(Spot.at(task_id, index, others), lane, index)).lane


@dataclass(frozen=True, slots=True)
class Lane:
    """The known active tasks of a stage, with their positions.

    `fresh` are the ids whose positions are from the last response.
    """

    stage_id: int
    positions: dict[int, float]
    fresh: frozenset[int] = field(default_factory=frozenset)

    @classmethod
    def of(cls, stage_id: int, tasks: Iterable[TaskRecord]) -> "Lane":
        """The lane of a stage, given all the tasks of its board."""
        positions = {task.id: task.position for task in tasks if _stands_in(task, stage_id)}
        return cls(stage_id, positions, frozenset(positions))

    @property
    def is_tied(self) -> bool:
        """Whether two tasks have the same position."""
        return len(set(self.positions.values())) < len(self.positions)

    @property
    def is_fresh(self) -> bool:
        """Whether all positions are from the last response."""
        return self.fresh == self.positions.keys()

    def order(self) -> list[int]:
        """The ids from top to bottom."""
        return sorted(self.positions, key=self.key)

    def others(self, task_id: int) -> list[int]:
        """The ids from top to bottom, without one."""
        return [one for one in self.order() if one != task_id]

    def key(self, task_id: int) -> tuple[float, int]:
        """The sort key of a task."""
        return (self.positions[task_id], task_id)

    def after(self, tasks: Iterable[TaskRecord]) -> "Lane":
        """The lane updated with tasks, some of which may have left it."""
        positions, fresh = dict(self.positions), set(self.fresh)
        for task in tasks:
            if "position" not in task.model_fields_set:
                continue
            positions.pop(task.id, None)
            fresh.discard(task.id)
            if _stands_in(task, self.stage_id):
                positions[task.id] = task.position
                fresh.add(task.id)
        return replace(self, positions=positions, fresh=frozenset(fresh))


def _stands_in(task: TaskRecord, stage_id: int) -> bool:
    return task.stage_id == stage_id and task.archived_at is None and task.parent_id is None


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for a task: the tasks `above` it and those `below`, top to bottom."""

    task_id: int
    above: tuple[int, ...]
    below: tuple[int, ...]

    @classmethod
    def at(cls, task_id: int, index: int, others: Sequence[int]) -> "Spot":
        """The place at `index`, from 1; one past the end is the end."""
        cut = min(max(index, 1), len(others) + 1) - 1
        return cls(task_id, tuple(others[:cut]), tuple(others[cut:]))

    def index_in(self, lane: Lane) -> int:
        """The index to send, from 1 among the other tasks in the lane."""
        others = lane.others(self.task_id)
        upper, lower = self._neighbours(lane)
        if upper is not None:
            return others.index(upper) + 2
        if lower is not None:
            return others.index(lower) + 1
        return min(len(self.above), len(others)) + 1

    def is_right(self, lane: Lane) -> bool | None:
        """Whether the task is between its neighbours; None if their positions may be stale.

        If others moved one neighbour past the other, being next to one of them is enough.
        """
        if self.task_id not in lane.positions:
            return False
        mine = lane.key(self.task_id)
        upper, lower = self._neighbours(lane)
        is_below_upper = upper is None or lane.key(upper) < mine
        is_above_lower = lower is None or mine < lane.key(lower)
        if is_below_upper and is_above_lower:
            return True
        if not {upper, lower} - {None} <= lane.fresh:
            return None
        crossed = upper is not None and lower is not None and lane.key(upper) > lane.key(lower)
        return crossed and (is_below_upper or is_above_lower)

    def is_cramped(self, lane: Lane) -> bool:
        """Whether there is no free position at this place."""
        upper, lower = self._neighbours(lane)
        if lower is None:
            return self.is_tied(lane)
        floor = 0.0 if upper is None else lane.positions[upper]
        return lane.positions[lower] - floor < SMALLEST_GAP

    def is_tied(self, lane: Lane) -> bool:
        """Whether the task shares the position of a neighbour, so that their order is undefined."""
        mine = lane.positions.get(self.task_id)
        around = [lane.positions[one] for one in self._neighbours(lane) if one is not None]
        return mine is not None and any(abs(mine - one) < _SAME for one in around)

    def _neighbours(self, lane: Lane) -> tuple[int | None, int | None]:
        upper = next((one for one in reversed(self.above) if one in lane.positions), None)
        lower = next((one for one in self.below if one in lane.positions), None)
        return upper, lower


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The result of a move: the task, its stage, and whether the place is right."""

    task: TaskRecord
    lane: Lane
    is_right: bool


@dataclass(frozen=True, slots=True)
class _Move:
    """One move to one stage, which is on another board with `new_board_id`."""

    service: Service
    tasks: Tasks
    board_id: int
    task_id: int
    stage_id: int
    new_board_id: int | None

    async def carry_out(self, spot: Spot, lane: Lane, index: int) -> _Outcome:
        """Move, compare, and correct a wrong result.

        The task may be on the other board already, so it is read there.
        """
        outcome = await self.attempt(spot, lane, index)
        settled = replace(self, board_id=self.new_board_id or self.board_id, new_board_id=None)
        if not outcome.is_right and not spot.is_cramped(outcome.lane):
            outcome = await settled.attempt_again(spot, outcome.lane)
        if not outcome.is_right or spot.is_tied(outcome.lane):
            lane = await spread(self.tasks, settled.board_id, outcome.lane)
            outcome = await settled.attempt_again(spot, lane)
        if not outcome.is_right:
            raise _not_moved(self.task_id, outcome.lane)
        return outcome

    async def send_to(self, index: int) -> Changed:
        """Request a move; `index` counts from 1 among the *other* active tasks of that stage.

        To append send exactly their number plus 1.
        """
        body = without_none(newStageId=self.stage_id, newIndex=index, newBoardId=self.new_board_id)
        answer = await self.service.ask(Endpoint.MOVE_TASK, self.board_id, self.task_id, body=body)
        return await answer.changed()

    async def read(self) -> tuple[Lane, TaskRecord | None]:
        """The current lane, and the task if it is in it."""
        tasks = await self.tasks.list(self.new_board_id or self.board_id)
        lane = Lane.of(self.stage_id, tasks)
        found = (task for task in tasks if task.id == self.task_id and task.id in lane.positions)
        return lane, next(found, None)

    async def attempt_again(self, spot: Spot, lane: Lane) -> _Outcome:
        """Move once more, by an index among the current tasks."""
        if not lane.is_fresh:
            lane, task = await self.read()
            if task is not None and spot.is_right(lane):
                return _Outcome(task, lane, is_right=True)
        return await self.attempt(spot, lane, spot.index_in(lane))

    async def attempt(self, spot: Spot, lane: Lane, index: int) -> _Outcome:
        """Move, and find the result; the board is read only if the response leaves it open.

        An error after which the task is in the right place is ignored.
        """
        try:
            changed = await self.send_to(index)
        except ApiError as error:
            if error.status is None or not error.may_have_happened:
                raise
            lane, task = await self.read()
            if task is None or not spot.is_right(lane):
                raise
            return _Outcome(task, lane, is_right=True)
        lane = lane.after([*changed.others, changed.task])
        is_right = spot.is_right(lane)
        is_told = changed.task.model_fields_set >= {"position", "stage_id"}
        if is_told and self.new_board_id is None and is_right is not None:
            return _Outcome(changed.task, lane, is_right)
        lane, task = await self.read()
        return _Outcome(task or changed.task, lane, bool(spot.is_right(lane)))


async def spread(tasks: Tasks, board_id: int, lane: Lane) -> Lane:
    """Spread the positions of a stage's tasks, keeping their order.

    The board is read if the response lacks some of them.
    """
    told = await tasks.sort(board_id, lane.stage_id, by="position", direction="ASC")
    if lane.positions.keys() <= {task.id for task in told}:
        return lane.after(told)
    return Lane.of(lane.stage_id, await tasks.list(board_id))


def _not_moved(task_id: int, lane: Lane) -> ServerFault:
    is_there = task_id in lane.positions
    return ServerFault(
        "The service reported the move, but the task is in another place.",
        hint="It is in the right stage, at another place; move it again."
        if is_there
        else "Nothing is lost; reload the board to see where it is.",
        details=f"task {task_id} in stage {lane.stage_id}: the order is {lane.order()[:100]}",
    )
