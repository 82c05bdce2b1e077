"""The cards of a board by stage and lane: cells, on which the cursor and lifted cards move.

Without lanes each stage is a cell, and `cells` is the board itself.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from tui.model.board import BoardView, Stage
from tui.model.moving import lift
from tui.model.moving.cursor import TITLE, Cursor, find
from tui.model.moving.lanes import Lanes, Swimlane
from tui.model.moving.lift import Lift
from tui.model.task import Task
from tui.record import record


@record
class Grid:
    """The shown cards of a board in cells.

    The stages of `cells` are the cells: those of the first stage from top to bottom, then those of
    the next. A card is in a cell of each of its lanes. Lanes without cards are left out; the cards
    of `folded` lanes are not drawn.
    """

    shown: BoardView
    cells: BoardView
    by: Lanes | None = None
    lanes: tuple[Swimlane, ...] = ()
    folded: frozenset[int] = frozenset()

    @property
    def depth(self) -> int:
        """How many cells a stage has."""
        return max(1, len(self.lanes))

    def place_of(self, cell: int) -> tuple[int, int]:
        """The index of the stage and of the lane of a cell, given by its index."""
        return divmod(cell, self.depth)

    def over(self, lifted: Lift) -> tuple[int, int]:
        """The index of the stage and of the lane that lifted cards are over."""
        ids = [cell.id for cell in self.cells.stages]
        return self.place_of(ids.index(lifted.stage_id) if lifted.stage_id in ids else 0)

    def stage_of(self, lifted: Lift) -> Stage:
        """The stage that lifted cards are over."""
        return self.shown.stages[self.over(lifted)[0]]

    def lane_of(self, lifted: Lift) -> Swimlane | None:
        """The lane that lifted cards are over; None without lanes."""
        return self.lanes[self.over(lifted)[1]] if self.lanes else None

    def lane_at(self, cursor: Cursor) -> Swimlane | None:
        """The lane of a cursor; None without lanes."""
        return self.lanes[cursor.stage % self.depth] if self.lanes else None

    def is_folded(self, lane: int) -> bool:
        """Whether the lane with this index is folded."""
        return bool(self.lanes) and self.lanes[lane].id in self.folded

    def task_ids(self, start: Cursor | None, end: Cursor) -> list[int]:
        """The ids of the tasks between two cards of a stage, with both, through all lanes.

        That of `end` alone if `start` is in another stage.
        """
        column, _ = self.place_of(end.stage)
        if start is None or self.place_of(start.stage)[0] != column:
            start = end
        first, last = sorted((at.stage % self.depth, at.row) for at in (start, end))
        return [
            task.id
            for lane, cell in enumerate(self._column(column).stages)
            for row, task in enumerate(self.cells.in_stage(cell.id))
            if first <= (lane, row) <= last
        ]

    def find(self, task_id: int | None, lane_id: int | None = None) -> Cursor | None:
        """The cursor on a task: in the lane with this id, else in one that is not folded."""
        spot = find(self.cells, task_id)
        if spot is None or not self.lanes:
            return spot
        column, _ = self.place_of(spot.stage)
        spots = [
            Cursor(column * self.depth + lane, row)
            for lane, cell in enumerate(self._column(column).stages)
            if (row := self.cells.in_stage(cell.id).row_of(task_id)) is not None
        ]
        lanes = [self.lanes[spot.stage % self.depth].id for spot in spots]
        ranks = [(lane != lane_id, lane in self.folded) for lane in lanes]
        return spots[ranks.index(min(ranks))]

    def next_among(
        self, task_ids: Collection[int], cursor: Cursor, direction: int
    ) -> Cursor | None:
        """The next of some tasks, column by column, wrapping around; each task once.

        None if none of them is shown except the one at the cursor.
        """
        current, start = cursor.task(self.cells), (cursor.stage, cursor.row)
        other_ids = set(task_ids) - ({current.id} if current is not None else set())
        places = sorted((spot.stage, spot.row) for spot in map(self.find, other_ids) if spot)
        if not places:
            return None
        if direction > 0:
            target = next((place for place in places if place > start), places[0])
        else:
            target = next((place for place in reversed(places) if place < start), places[-1])
        return Cursor(*target)

    def lift(self, task_ids: Collection[int], at: Cursor | None) -> Lift | None:
        """Lift tasks to the card at a cursor; None if they or that are not shown.

        They are in the order of the board.
        """
        tasks = self.shown.among(set(task_ids))
        if at is None or not tasks:
            return None
        lane = self.lane_at(at)
        lane_id = lane.id if lane is not None else None
        home = self.find(tasks[0].id, lane_id)
        return None if home is None else lift.lift_at(self.cells, tasks, home, at, lane_id)

    def why_not(self, lifted: Lift) -> str:
        """Why the lifted cards cannot get into the lane they are over; empty if they can."""
        lane = self.lane_of(lifted)
        if self.by is None or lane is None:
            return ""
        return next(filter(None, (self.by.why_not(task, lane.id) for task in lifted.tasks)), "")

    def step(self, cursor: Cursor, *, stages: int = 0, rows: int = 0) -> Cursor:
        """The cursor moved by stages in its lane, or by rows through the lanes of its stage.

        Only from the first card upwards it goes to the title.
        """
        column, lane = self.place_of(cursor.stage)
        if stages:
            cursor = self.at(cursor, column + stages)
            column, _ = self.place_of(cursor.stage)
        if not rows or not self.cells.stages:
            return cursor.on(self.cells)
        stops = self._stops(column)
        stop = TITLE
        if cursor.row != TITLE or lane:
            stop = sum(stops[:lane]) + max(0, min(cursor.row, stops[lane] - 1))
        # The title is reached only from the first card; a jump from further down stops there.
        return self._at_stop(column, max(stop + rows, min(stop, 1) - 1))

    def at(self, cursor: Cursor, column: int) -> Cursor:
        """The cursor in the same lane of the stage with this index, as far as there are stages."""
        column = max(0, min(column, len(self.shown.stages) - 1))
        return replace(cursor, stage=column * self.depth + cursor.stage % self.depth).on(self.cells)

    def end(self, cursor: Cursor, *, last: bool) -> Cursor:
        """The cursor on the first or last card of its stage."""
        if not self.cells.stages:
            return cursor
        column, _ = self.place_of(cursor.stage)
        return self._at_stop(column, sum(self._stops(column)) - 1 if last else 0)

    def kept(self, cursor: Cursor, previous: "Grid", ids: Mapping[int, int]) -> Cursor:
        """The cursor of the `previous` grid: in its stage, and on its task if that is still there.

        Else it is in its lane, if there is one. `ids` maps local ids to those of the service.
        """
        column, lane = previous.place_of(cursor.stage)
        if column < len(previous.shown.stages):
            stage_id = previous.shown.stages[column].id
            stages = [stage.id for stage in self.shown.stages]
            stage_id = ids.get(stage_id, stage_id)
            column = stages.index(stage_id) if stage_id in stages else column
        task, held = cursor.task(previous.cells), previous.lane_at(cursor)
        lane_id = ids.get(held.id, held.id) if held is not None else None
        spot = self.find(ids.get(task.id, task.id), lane_id) if task is not None else None
        if spot is not None and self.place_of(spot.stage)[0] == column:
            return spot
        column = max(0, min(column, len(self.shown.stages) - 1))
        # The title belongs to the stage: it is above the first lane.
        lane = 0 if cursor.row == TITLE else self._lane_like(previous, lane, ids)
        return Cursor(column * self.depth + lane, cursor.row).on(self.cells)

    def nearest_card(self, cursor: Cursor, folded: Collection[int]) -> Cursor | None:
        """The cursor on the nearest card that is drawn, in its stage if there is one.

        Columns further right go before those on the left. `folded` are the indices of the folded
        columns; None if no card is drawn.
        """
        column, lane = self.place_of(cursor.stage)
        cells = [
            (abs(at[0] - column), at[0] < column, abs(at[1] - lane), index)
            for index, cell in enumerate(self.cells.stages)
            if self.cells.in_stage(cell.id)
            and (at := self.place_of(index))[0] not in folded
            and not self.is_folded(at[1])
        ]
        if not cells:
            return None
        return Cursor(min(cells)[-1], max(0, cursor.row)).on(self.cells)

    def step_lift(self, lifted: Lift, *, stages: int = 0, rows: int = 0) -> Lift:
        """Move lifted cards by stages in their lane, or by rows through the lanes of the stage."""
        column, _ = self.over(lifted)
        if stages:
            return self.lift_at(lifted, column + stages)
        return lift.step(lifted, self._column(column), rows)

    def lift_at(self, lifted: Lift, column: int, row: int | None = None) -> Lift:
        """Move lifted cards to the stage with this index, keeping lane and row unless given."""
        column = max(0, min(column, len(self.shown.stages) - 1))
        _, lane = self.over(lifted)
        return lift.to_stage(lifted, self.cells, column * self.depth + lane, row)

    def lift_end(self, lifted: Lift, *, last: bool) -> Lift:
        """Move lifted cards to the first or last place of their stage."""
        return lift.to_end(lifted, self._column(self.over(lifted)[0]), last=last)

    def kept_lift(self, lifted: Lift, previous: "Grid", ids: Mapping[int, int]) -> Lift | None:
        """Lifted cards over this grid instead of another; None if one of them is gone."""
        column, lane = previous.over(lifted)
        stage_id = previous.shown.stages[column].id
        stage_id = ids.get(stage_id, stage_id)
        stages = [stage.id for stage in self.shown.stages]
        is_there = self.cells.stage(lifted.renamed(ids).stage_id) is not None
        if not is_there and stage_id in stages:
            cell = stages.index(stage_id) * self.depth + self._lane_like(previous, lane, ids)
            lifted = replace(lifted, stage_id=self.cells.stages[cell].id)
        return lift.kept_between(lifted, previous.cells, self.cells, ids)

    def _column(self, column: int) -> BoardView:
        start = column * self.depth
        return replace(self.cells, stages=self.cells.stages[start : start + self.depth])

    def _lane_like(self, previous: "Grid", lane: int, renamed: Mapping[int, int]) -> int:
        """The index of the lane that has an index in another grid, else the nearest."""
        same = previous.lanes[lane].id if lane < len(previous.lanes) else None
        ids = [swimlane.id for swimlane in self.lanes]
        same = renamed.get(same or 0, same)
        return ids.index(same) if same in ids else min(lane, self.depth - 1)

    def _stops(self, column: int) -> list[int]:
        """On how many places the cursor can be in each cell of a stage; at least one in each."""
        return [
            1 if self.is_folded(lane) else max(1, len(self.cells.in_stage(cell.id)))
            for lane, cell in enumerate(self._column(column).stages)
        ]

    def _at_stop(self, column: int, stop: int) -> Cursor:
        """The cursor on a place of a stage, counted from its first card."""
        stops = self._stops(column)
        if stop == TITLE:
            return Cursor(column * self.depth, TITLE)
        stop, lane = min(stop, sum(stops) - 1), 0
        while stop >= stops[lane]:
            stop, lane = stop - stops[lane], lane + 1
        return Cursor(column * self.depth + lane, stop).on(self.cells)


def grid(shown: BoardView, by: Lanes | None = None, folded: frozenset[int] = frozenset()) -> Grid:
    """The shown cards of a board by stage, and by lane if a grouping is given."""
    if by is None:
        return Grid(shown, shown)
    tasks: dict[int, list[Task]] = {}
    used = set()
    for stage in shown.stages:
        for task in shown.in_stage(stage.id):
            for lane_id in by.lanes_of(task):
                used.add(lane_id)
                tasks.setdefault(_cell_id(stage.id, lane_id), []).append(task)
    lanes = tuple(lane for lane in by.all if lane.id in used)
    if not lanes:
        return Grid(shown, shown)
    cells = tuple(
        replace(stage, id=_cell_id(stage.id, lane.id)) for stage in shown.stages for lane in lanes
    )
    by_cell = {cell_id: tuple(of_cell) for cell_id, of_cell in tasks.items()}
    return Grid(shown, replace(shown, stages=cells, tasks=by_cell), by, lanes, folded)


def _cell_id(stage_id: int, lane_id: int) -> int:
    # Both ids fit into 64 bits with their sign (local ones are negative), so no two cells collide.
    return (stage_id << 64) + lane_id
