"""Lifted cards: picked up and moved on the screen, not yet dropped.

Moving a lifted card changes only this value; dropping it submits moves. Rows count the shown cards
of a stage, without the lifted ones; places refer to the whole stage, including cards hidden by a
filter.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from itertools import accumulate, islice
from typing import overload

from tui.model.board import BoardView, Place
from tui.model.lane import Lane, lane_of
from tui.model.moving.cursor import Cursor, find
from tui.model.task import Task
from tui.record import record


class RowKind(Enum):
    """How a row is drawn.

    A card, the outline left by a lifted card, its ghost at the target, or an empty gap.
    """

    CARD = auto()
    OUTLINE = auto()
    GHOST = auto()
    GAP = auto()


@record
class StageRow:
    """One row of a column, and how it is drawn."""

    task: Task
    kind: RowKind = RowKind.CARD


@record
class StageRows(Sequence[StageRow]):
    """The rows of a column, created on access: a column may have many thousands.

    It is the lane with `lane[start:end]` replaced by the `inserted` rows; tasks of the lane whose
    ids are in `outlined` are drawn as outlines.
    """

    lane: Lane
    outlined: frozenset[int] = frozenset()
    start: int = 0
    end: int = 0
    inserted: tuple[StageRow, ...] = ()

    def __len__(self) -> int:
        return len(self.lane) - (self.end - self.start) + len(self.inserted)

    @overload
    def __getitem__(self, index: int) -> StageRow: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[StageRow, ...]: ...
    def __getitem__(self, index: int | slice) -> StageRow | tuple[StageRow, ...]:
        if isinstance(index, slice):
            return tuple(self[row] for row in range(*index.indices(len(self))))
        if index < 0:
            raise IndexError(index)
        behind = index - self.start
        if 0 <= behind < len(self.inserted):
            return self.inserted[behind]
        task = self.lane[index if behind < 0 else behind - len(self.inserted) + self.end]
        return StageRow(task, RowKind.OUTLINE if task.id in self.outlined else RowKind.CARD)


@record
class Lift:
    """Lifted tasks over a stage, in board order, and their origin.

    `lane_id` is the swimlane that they were lifted from; None without lanes.
    """

    tasks: tuple[Task, ...]
    home_stage_id: int
    home_row: int
    stage_id: int
    row: int
    lane_id: int | None = None

    @property
    def task_ids(self) -> tuple[int, ...]:
        """The ids of the lifted tasks."""
        return tuple(task.id for task in self.tasks)

    def renamed(self, ids: Mapping[int, int]) -> "Lift":
        """The same with ids replaced."""
        tasks = (
            replace(
                task,
                id=ids.get(task.id, task.id),
                stage_id=ids.get(task.stage_id or 0) or task.stage_id,
            )
            for task in self.tasks
        )
        return replace(
            self,
            tasks=tuple(tasks),
            home_stage_id=ids.get(self.home_stage_id, self.home_stage_id),
            stage_id=ids.get(self.stage_id, self.stage_id),
            lane_id=ids.get(self.lane_id or 0, self.lane_id),
        )


def lift(shown: BoardView, task_ids: Collection[int], at: int) -> Lift | None:
    """Lift tasks to where the task `at` is; None if it is not on the board.

    They are in the order of the board.
    """
    tasks = shown.among(set(task_ids))
    home, start = find(shown, tasks[0].id if tasks else None), find(shown, at)
    return None if home is None or start is None else lift_at(shown, tasks, home, start)


def lift_at(
    shown: BoardView,
    tasks: tuple[Task, ...],
    home: Cursor,
    start: Cursor,
    lane_id: int | None = None,
) -> Lift:
    """Lift tasks, of which the first is at `home`, to the card at `start`, from a swimlane."""
    ids = {task.id for task in tasks}
    places = *_whereabouts(shown, ids, home), *_whereabouts(shown, ids, start)
    return Lift(tasks, *places, lane_id)


def _whereabouts(shown: BoardView, ids: set[int], cursor: Cursor) -> tuple[int, int]:
    """The stage of a card, and the number of cards above it that are not lifted."""
    stage = shown.stages[cursor.stage]
    lane = shown.in_stage(stage.id)
    own_id = lane[cursor.row].id
    lifted = [task.id for task in lane.among(ids | {own_id})]
    return stage.id, cursor.row - lifted.index(own_id)


def others(lifted: Lift, shown: BoardView, stage_id: int) -> Lane:
    """The shown tasks of a stage without the lifted ones."""
    return shown.in_stage(stage_id).without(set(lifted.task_ids))


def to_row(lifted: Lift, shown: BoardView, row: int) -> Lift:
    """Move to a row of the stage; past an end means the end."""
    last = len(others(lifted, shown, lifted.stage_id))
    return replace(lifted, row=max(0, min(row, last)))


def to_stage(lifted: Lift, shown: BoardView, index: int, row: int | None = None) -> Lift:
    """Move to the stage with this index, keeping the row unless one is given."""
    if not shown.stages:
        return lifted
    stage = shown.stages[max(0, min(index, len(shown.stages) - 1))]
    over = replace(lifted, stage_id=stage.id)
    return to_row(over, shown, lifted.row if row is None else row)


def to_drawn_row(lifted: Lift, shown: BoardView, index: int, drawn: int) -> Lift:
    """Move to the stage with this index, where the first ghost is drawn in this row.

    Next to where the cards come from it is drawn a row below, as their outlines stay there.
    """
    over = to_stage(lifted, shown, index)
    lane = shown.in_stage(over.stage_id)
    rows = sorted(row for row in map(lane.row_of, lifted.task_ids) if row is not None)
    above = [row - at for at, row in enumerate(rows)]  # so many others are above each outline
    place = max(0, drawn - len(above))
    while place + bisect_left(above, place) < drawn:
        place += 1
    return to_row(over, shown, place)


def step(lifted: Lift, shown: BoardView, by: int) -> Lift:
    """Move by so many places, up if negative, from each stage to the next."""
    ids = [stage.id for stage in shown.stages]
    # One place more than cards in each stage: that below the last one.
    sizes = (len(others(lifted, shown, stage_id)) + 1 for stage_id in ids)
    starts = list(accumulate(sizes, initial=0))
    current = starts[ids.index(lifted.stage_id)] + lifted.row
    target = max(0, min(current + by, starts[-1] - 1))
    index = bisect_right(starts, target) - 1
    return to_stage(lifted, shown, index, target - starts[index])


def to_end(lifted: Lift, shown: BoardView, *, last: bool) -> Lift:
    """Move to the first or last place."""
    index = len(shown.stages) - 1 if last else 0
    row = len(others(lifted, shown, shown.stages[index].id)) if last else 0
    return to_stage(lifted, shown, index, row)


def settle(lifted: Lift, shown: BoardView) -> Lift | None:
    """The same lift over a changed board; None if one of its tasks is gone.

    The ghost stays between its neighbours as far as they are still there. On a board that is still
    loading no task is gone: it may be among those that are not read yet.
    """
    present = {task.id: task for task in shown.among(set(lifted.task_ids))}
    is_gone = shown.complete and any(task.id not in present for task in lifted.tasks)
    if is_gone or not shown.stages:
        return None
    if shown.stage(lifted.stage_id) is None:
        lifted = replace(lifted, stage_id=shown.stages[0].id, row=0)
    tasks = tuple(present.get(task.id, task) for task in lifted.tasks)
    return to_row(replace(lifted, tasks=tasks), shown, lifted.row)


def kept_between(
    lifted: Lift, previous: BoardView, current: BoardView, ids: Mapping[int, int]
) -> Lift | None:
    """Settle on a changed board, keeping the ghost below the same card.

    `ids` maps local ids to those of the service.
    """
    lane = others(lifted, previous, lifted.stage_id)
    above = lane[lifted.row - 1].id if 0 < lifted.row <= len(lane) else None
    lifted = lifted.renamed(ids)
    settled = settle(lifted, current)
    if settled is None or above is None or settled.stage_id != lifted.stage_id:
        return settled
    lane_ids = others(settled, current, settled.stage_id).ids
    above = ids.get(above, above)
    return replace(settled, row=lane_ids.index(above) + 1) if above in lane_ids else settled


def place(lifted: Lift, shown: BoardView) -> Place:
    """The place below the lifted tasks, given by the shown neighbours."""
    lane = others(lifted, shown, lifted.stage_id)
    above = lane[lifted.row - 1].id if lifted.row else None
    below = lane[lifted.row].id if lifted.row < len(lane) else None
    return Place(above, below)


def hidden_between(lifted: Lift, shown: BoardView, stage: Lane) -> int:
    """The number of filtered-out cards of a stage between the neighbours of the place."""
    spot, ids = place(lifted, shown), stage.ids
    start = ids.index(spot.above) + 1 if spot.above in ids else 0
    end = ids.index(spot.below) if spot.below in ids else len(ids)
    between = {task.id for task in islice(stage, start, end)}
    return len(between - {task.id for task in shown.among(between)})


def is_at_home(lifted: Lift, shown: BoardView, stage: Sequence[Task]) -> bool:
    """Whether the lifted tasks are in this stage already, in order between their neighbours."""
    spot = place(lifted, shown)
    ids = [id_ for id_ in (spot.above, *lifted.task_ids, spot.below) if id_ is not None]
    rows = [row for row in map(lane_of(stage).row_of, ids) if row is not None]
    return len(rows) == len(ids) and rows == sorted(rows)


def places(lifted: Lift, shown: BoardView) -> tuple[tuple[Task, Place], ...]:
    """Each lifted task with its place, so that together they keep their order."""
    spot = place(lifted, shown)
    placed = []
    above = spot.above
    for task in lifted.tasks:
        placed.append((task, Place(above, spot.below)))
        above = task.id
    return tuple(placed)


def rows(lifted: Lift | None, shown: BoardView, stage_id: int) -> StageRows:
    """The rows of a column: its cards, outlines, and ghosts of lifted cards.

    Outlines next to the ghosts are left out, since there the card has not moved.
    """
    lane = shown.in_stage(stage_id)
    if lifted is None:
        return StageRows(lane)
    ids = frozenset(lifted.task_ids)
    if lifted.stage_id != stage_id:
        return StageRows(lane, ids)
    staying = others(lifted, shown, stage_id)
    row = min(lifted.row, len(staying))
    start = lane.ids.index(staying[row - 1].id) + 1 if row else 0
    end = start
    while end < len(lane) and lane[end].id in ids:
        end += 1
    while start and lane[start - 1].id in ids:
        start -= 1
    ghosts = tuple(StageRow(task, RowKind.GHOST) for task in lifted.tasks)
    return StageRows(lane, ids, start, end, ghosts)
