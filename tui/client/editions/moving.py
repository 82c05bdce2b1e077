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

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tui.client.capabilities import Feature
from tui.client.client import Client
from tui.client.documents import Document
from tui.client.editions.probing import ensure
from tui.client.errors import ApiError, ServerFault
from tui.client.lanes import StageLane
from tui.client.resources.tasks import Position

SMALLEST_GAP = 0.02
"""With two decimals, there is no position left in a smaller gap."""
_SAME = 1e-9
_NEARBY = 32
"""How many tasks on each side define a place, so that a move takes as long in a long stage."""


@dataclass(frozen=True, slots=True)
class TaskSpot:
    """A place for a task: the tasks `above` it and those `below`, top to bottom.

    Only nearby tasks are listed; `further_up` counts those of the stage above them.
    """

    task_id: int
    above: tuple[int, ...]
    below: tuple[int, ...]
    further_up: int = 0

    @classmethod
    def at(cls, task_id: int, index: int, others: Sequence[int], further_up: int = 0) -> "TaskSpot":
        """The place at `index` among the others, from 1; one past the end is the end."""
        cut = min(max(index, 1), len(others) + 1) - 1
        return cls(task_id, tuple(others[:cut]), tuple(others[cut:]), further_up)

    def index_in(self, lane: StageLane) -> int:
        """The index to send, from 1 among the other tasks in the lane."""
        others = lane.others(self.task_id)
        upper, lower = self._neighbours(lane)
        if upper is not None:
            return others.index(upper) + 2
        if lower is not None:
            return others.index(lower) + 1
        # All neighbours are gone. A number past the end would put the task on top.
        return min(self.further_up + len(self.above), len(others)) + 1

    def is_right(self, lane: StageLane) -> bool | None:
        """Whether the task is between its neighbours; None if their positions may be stale.

        If the neighbours were moved past each other meanwhile, the right side of one is enough.
        """
        if self.task_id not in lane.positions:
            return False
        own_key = lane.key(self.task_id)
        upper, lower = self._neighbours(lane)
        is_below_upper = upper is None or lane.key(upper) < own_key
        is_above_lower = lower is None or own_key < lane.key(lower)
        if is_below_upper and is_above_lower:
            return True
        # A wrong order counts only by positions of the last response.
        if not {upper, lower} - {None} <= lane.fresh:
            return None
        crossed = upper is not None and lower is not None and lane.key(upper) > lane.key(lower)
        return crossed and (is_below_upper or is_above_lower)

    def is_cramped(self, lane: StageLane) -> bool:
        """Whether there is no free position at this place."""
        upper, lower = self._neighbours(lane)
        # Below the last task there is always room: services add 1 to its position.
        if lower is None:
            return self.is_tied(lane)
        # Services put a task on top at half the first position, as if there were one at 0.
        floor = 0.0 if upper is None else lane.positions[upper]
        return lane.positions[lower] - floor < SMALLEST_GAP

    def is_tied(self, lane: StageLane) -> bool:
        """Whether the task shares the position of a neighbour, so that their order is undefined."""
        own_position = lane.positions.get(self.task_id)
        around = [lane.positions[other] for other in self._neighbours(lane) if other is not None]
        return own_position is not None and any(
            abs(own_position - other) < _SAME for other in around
        )

    def _neighbours(self, lane: StageLane) -> tuple[int | None, int | None]:
        upper = next((other for other in reversed(self.above) if other in lane.positions), None)
        lower = next((other for other in self.below if other in lane.positions), None)
        return upper, lower


class _Outcome(NamedTuple):
    """The result of a move: the task, its stage, and whether the place is right."""

    task: Document
    lane: StageLane
    is_right: bool


class _Move(NamedTuple):
    """One move to one stage, which is on another board with `new_board_id`."""

    board_id: int
    task_id: int
    stage_id: int
    new_board_id: int | None = None


class CheckedMoves(Client):
    """Moves tasks, and corrects a wrong result."""

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
        """Move a task; `others` are fetched if they do not reach up to `index`.

        Raises `NotOffered`, before anything is sent, for another board if the service is not known
        to move tasks there; `ServerFault` if the task is not moved.
        """
        if index < 1:
            raise ValueError("a place in a stage is counted from 1")
        if new_board_id == board_id:
            new_board_id = None
        # Without this feature a service answers 500, and the task is lost from both boards.
        if new_board_id is not None:
            await ensure(self, Feature.BOARD_MOVES)
        move = _Move(board_id, task_id, stage_id, new_board_id)
        if index <= len(others) + 1:
            start = max(0, index - 1 - _NEARBY)
            nearby = others[start : index - 1 + _NEARBY]
            spot = TaskSpot.at(task_id, index - start, [other for other, _ in nearby], start)
            lane = StageLane(stage_id, dict(nearby), is_whole=len(nearby) == len(others))
            return (await self._carry_out(move, spot, lane, index)).task
        lane, _ = await self._read_lane(move)
        spot = TaskSpot.at(task_id, index, lane.others(task_id))
        return (await self._carry_out(move, spot, lane, spot.index_in(lane))).task

    async def move_task_to_board(
        self, board_id: int, task_id: int, to_board_id: int, stage_id: int
    ) -> Document:
        """Move a task to the end of a stage of another board, below all the tasks there."""
        lane = StageLane.of(stage_id, await self.tasks(to_board_id))
        others = [(other, lane.positions[other]) for other in lane.order()]
        return await self.move_task(
            board_id, task_id, stage_id, len(others) + 1, others, new_board_id=to_board_id
        )

    async def restore_stage(
        self, board_id: int, stage_id: int, order: Sequence[int] = ()
    ) -> Document:
        """Restore an archived stage, with its tasks in `order`: services put all at position 0.

        Missing tasks are ignored. Raises `ServerFault` if a task is not moved.
        """
        stage = await super().restore_stage(board_id, stage_id)
        if order:
            lane = StageLane.of(stage_id, await self.tasks(board_id))
            if lane.is_tied:
                await self._reorder(board_id, lane, order)
        return stage

    async def _reorder(self, board_id: int, lane: StageLane, order: Sequence[int]) -> StageLane:
        # Between tasks with the same position moves do nothing.
        if lane.is_tied:
            lane = await self._spread(board_id, lane)
        return await super()._reorder(board_id, lane, order)

    async def _move_within(
        self, board_id: int, task_id: int, index: int, lane: StageLane
    ) -> StageLane:
        move = _Move(board_id, task_id, lane.stage_id)
        spot = TaskSpot.at(task_id, index, lane.others(task_id))
        return (await self._carry_out(move, spot, lane, index)).lane

    async def _carry_out(
        self, move: _Move, spot: TaskSpot, lane: StageLane, index: int
    ) -> _Outcome:
        # The task may be on the other board already after the first attempt, so it is read there.
        outcome = await self._attempt(move, spot, lane, index)
        settled = _Move(move.new_board_id or move.board_id, move.task_id, move.stage_id)
        # Others may have moved tasks meanwhile, so a fresh index is tried before new positions.
        if not outcome.is_right and not spot.is_cramped(outcome.lane):
            outcome = await self._attempt_again(settled, spot, outcome.lane)
        # A tie may be in the right order by its ids, but the next moves there would do nothing.
        if not outcome.is_right or spot.is_tied(outcome.lane):
            lane = await self._spread(settled.board_id, outcome.lane)
            outcome = await self._attempt_again(settled, spot, lane)
        if not outcome.is_right:
            is_there = move.task_id in outcome.lane.positions
            order = outcome.lane.order()[:100]
            raise ServerFault(
                "The service reported the move, but the task is in another place.",
                hint="It is in the right stage, at another place; move it again."
                if is_there
                else "Nothing is lost; reload the board to see where it is.",
                details=f"task {move.task_id} in stage {move.stage_id}: the order is {order}",
            )
        return outcome

    async def _attempt(self, move: _Move, spot: TaskSpot, lane: StageLane, index: int) -> _Outcome:
        # The board is read only if the response leaves the result open. An error after which the
        # task is in the right place is ignored.
        try:
            changed = await self._move(
                move.board_id, move.task_id, move.stage_id, index, move.new_board_id
            )
        except ApiError as error:
            if error.status is None or not error.may_have_happened:
                raise
            lane, task = await self._read_lane(move)
            if task is None or not spot.is_right(lane):
                raise
            return _Outcome(task, lane, is_right=True)
        lane = lane.after([*changed.others, changed.task])
        is_right = spot.is_right(lane)
        has_place = changed.task.keys() >= {"position", "stage_id"}
        if has_place and move.new_board_id is None and is_right is not None:
            return _Outcome(changed.task, lane, is_right)
        lane, task = await self._read_lane(move)
        return _Outcome(task or changed.task, lane, bool(spot.is_right(lane)))

    async def _attempt_again(self, move: _Move, spot: TaskSpot, lane: StageLane) -> _Outcome:
        # By an index among the current tasks. Reading a lane that may be stale may also show that
        # the first attempt succeeded after all.
        if not lane.is_fresh:
            lane, task = await self._read_lane(move)
            if task is not None and spot.is_right(lane):
                return _Outcome(task, lane, is_right=True)
        return await self._attempt(move, spot, lane, spot.index_in(lane))

    async def _read_lane(self, move: _Move) -> tuple[StageLane, Document | None]:
        # The current lane, and the task if it is in it.
        tasks = await self.tasks(move.new_board_id or move.board_id)
        lane = StageLane.of(move.stage_id, tasks)
        matches = (task for task in tasks if task["id"] == move.task_id in lane.positions)
        return lane, next(matches, None)

    async def _spread(self, board_id: int, lane: StageLane) -> StageLane:
        # Spreads the positions of the stage's tasks, keeping their order. The board is read if the
        # response lacks some of them.
        tasks = await self.sort_tasks(board_id, lane.stage_id, by="position", direction="ASC")
        if lane.is_whole and lane.positions.keys() <= {task["id"] for task in tasks}:
            return lane.after(tasks)
        return StageLane.of(lane.stage_id, await self.tasks(board_id))
