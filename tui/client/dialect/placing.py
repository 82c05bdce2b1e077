"""Moving a task to a place, on services that put it elsewhere or leave it where it was.

Deployed services keep positions with two decimals and go halfway between two neighbours, so after
some moves to one place two tasks share a position, and from then on moving does nothing, silently.

The rule it keeps: the order that comes back is compared with the one that was asked for. A move
that came out otherwise is sent once more, into a stage that was spread anew if there was no room,
and one that does not come out at all is an error in words, never a success.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tui.client.capabilities import Feature
from tui.client.dialect.changed import Changed
from tui.client.dialect.features import Features
from tui.client.dialect.memory import Memory
from tui.client.dialect.placement import Lane, Spot, Verdict
from tui.client.errors import ApiError, ServerFault
from tui.client.records import TaskRecord
from tui.client.resources.resource import TaskAnswer
from tui.client.resources.stages import Stages
from tui.client.resources.tasks import Tasks

Position = tuple[int, float]
"""The id of a task, and its position as last heard of."""

_TOLD = {"position", "stage_id"}


class Placing:
    """Puts a task where it was asked to be put (4.3, move-task)."""

    def __init__(self, tasks: Tasks, stages: Stages, memory: Memory, features: Features) -> None:
        self._tasks = tasks
        self._stages = stages
        self._memory = memory
        self._features = features

    async def place(
        self,
        board_id: int,
        task_id: int,
        stage_id: int,
        index: int,
        others: Sequence[Position] = (),
        *,
        new_board_id: int | None = None,
    ) -> Changed:
        """Put a task at `index`, from 1 among `others`; one past their end is the end.

        `others` are the other active tasks of the stage in the wanted order, with their positions;
        where they do not reach up to `index`, the service is asked for them. `new_board_id` is the
        stage's board if it is another one. Raises `NotOffered`, before anything is sent, for
        another board where services are not known to move tasks there; `ServerFault` if the task
        does not go there; `Refused`, `NotThere`, `NotAllowed`, and `ValueError` for an index
        below 1.
        """
        if new_board_id == board_id:
            new_board_id = None
        if new_board_id is not None:
            await self._features.ensure(Feature.BOARD_MOVES)
        move = _Move(self._tasks, self._stages, board_id, task_id, stage_id, new_board_id)
        if self._memory.is_trusted:
            return Changed.by(await move.send(index))
        if index <= len(others) + 1:
            spot = Spot.at(task_id, index, [one for one, _ in others])
            return await move.carry_out(spot, Lane(stage_id, dict(others)), index)
        lane, _ = await move.read()
        spot = Spot.at(task_id, index, [one for one in lane.order() if one != task_id])
        return await move.carry_out(spot, lane, spot.index_in(lane))


@dataclass(frozen=True, slots=True)
class _Arrival:
    """Where a task came to stand: the task, its stage, and whether that is the right place."""

    changed: Changed
    lane: Lane
    is_right: bool

    @property
    def is_fresh(self) -> bool:
        """Whether every position in the stage is what the service said just now."""
        return self.lane.fresh == self.lane.positions.keys()


@dataclass(frozen=True, slots=True)
class _Move:
    """One task on its way to one stage, of another board if `new_board_id` says so."""

    tasks: Tasks
    stages: Stages
    board_id: int
    task_id: int
    stage_id: int
    new_board_id: int | None

    @property
    def target_board_id(self) -> int:
        """The board of the stage."""
        return self.new_board_id or self.board_id

    async def carry_out(self, spot: Spot, lane: Lane, index: int) -> Changed:
        """Move, compare, and mend what came out wrong.

        The task may be on the other board by then, so it is looked for there.
        """
        arrival = await self._attempt(spot, lane, index)
        settled = replace(self, board_id=self.target_board_id, new_board_id=None)
        if not arrival.is_right and not spot.is_cramped(arrival.lane):
            arrival = await settled.attempt_again(spot, arrival)
        if not arrival.is_right or spot.is_tied(arrival.lane):
            arrival = await settled.attempt_again(spot, await settled.spread(arrival))
        if not arrival.is_right:
            raise _not_moved(self.task_id, arrival.lane)
        return arrival.changed

    async def send(self, index: int) -> TaskAnswer:
        """Ask the service to move the task."""
        return await self.tasks.move(
            self.board_id, self.task_id, self.stage_id, index, new_board_id=self.new_board_id
        )

    async def read(self) -> tuple[Lane, TaskRecord | None]:
        """The stage as it is now, and the task if it stands there."""
        tasks = (await self.tasks.list(self.target_board_id)).records
        lane = Lane.of(self.stage_id, tasks)
        found = (task for task in tasks if task.id == self.task_id and task.id in lane.positions)
        return lane, next(found, None)

    async def attempt_again(self, spot: Spot, before: _Arrival) -> _Arrival:
        """Move once more, counting among the tasks that are there now; keep what was told."""
        lane = before.lane
        if not before.is_fresh:
            lane, task = await self.read()
            if task is not None and spot.verdict(lane) is Verdict.RIGHT:
                return _Arrival(before.changed.then(Changed(task)), lane, is_right=True)
        after = await self._attempt(spot, lane, spot.index_in(lane))
        return replace(after, changed=before.changed.then(after.changed))

    async def spread(self, before: _Arrival) -> _Arrival:
        """Give the tasks of the stage positions with room between them, in the same order."""
        sorted_tasks = await self.stages.sort_tasks(
            self.board_id, self.stage_id, by="position", direction="ASC"
        )
        lane = before.lane.after(sorted_tasks.records)
        return _Arrival(before.changed.and_news(sorted_tasks.records), lane, is_right=False)

    async def _attempt(self, spot: Spot, lane: Lane, index: int) -> _Arrival:
        """Move, and see where the task is then; the board is read only if that is left open.

        A fault that may have come after the move is no fault if the task stands where it should.
        """
        try:
            answer = await self.send(index)
        except ApiError as error:
            if error.status is None or not error.may_have_happened:
                raise
            lane, task = await self.read()
            if task is None or spot.verdict(lane) is not Verdict.RIGHT:
                raise
            return _Arrival(Changed(task), lane, is_right=True)
        changed = Changed.by(answer)
        lane = lane.after([*answer.updated_tasks, changed.task])
        verdict = spot.verdict(lane)
        is_told = changed.task.model_fields_set >= _TOLD
        if is_told and self.new_board_id is None and verdict is not Verdict.UNCLEAR:
            return _Arrival(changed, lane, is_right=verdict is Verdict.RIGHT)
        lane, task = await self.read()
        if task is not None:
            changed = changed.then(Changed(task))
        return _Arrival(changed, lane, is_right=spot.verdict(lane) is Verdict.RIGHT)


def _not_moved(task_id: int, lane: Lane) -> ServerFault:
    is_there = task_id in lane.positions
    return ServerFault(
        "The service said the task was moved, but it is not where it was to go.",
        hint="It is in the right stage, at another place; move it again."
        if is_there
        else "Nothing is lost; reload the board to see where it is.",
        details=f"task {task_id} in stage {lane.stage_id}: the order is {lane.order()[:100]}",
    )
