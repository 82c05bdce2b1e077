"""What the columns of a board show: their headings, and the rows of their cards and lanes."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from tui.model.board import BoardView
from tui.model.moving import lift
from tui.model.moving.grid import Grid
from tui.model.moving.lift import Lift, Row, RowKind, Rows
from tui.model.task import Task
from tui.screens.board.card import Look
from tui.screens.board.column import ColumnFace
from tui.screens.board.lane_rows import ColumnRow, LaneHeading, LaneRows


class Gap(NamedTuple):
    """The empty card in which a new title is typed: its cell and row."""

    cell_id: int
    row: int


def column_face(
    index: int,
    whole: BoardView,
    shown: BoardView,
    rows: Sequence[ColumnRow],
    *,
    look: Look,
    marks: frozenset[int],
    news: Collection[int],
    is_lifted: bool,
    outside: tuple[int, int],
) -> ColumnFace:
    """The contents of the column at this index."""
    stage = shown.stages[index]
    total = whole.count(stage.id)
    seen = len(shown.in_stage(stage.id))
    count = str(total) if shown.tasks is whole.tasks else f"{seen} of {total}"
    over = stage.limit is not None and total > stage.limit
    if stage.limit is not None:
        count = f"{count}/{stage.limit}"
    return ColumnFace(
        number=index + 1,
        stage_id=stage.id,
        title=stage.title,
        count=count,
        rows=rows,
        look=look,
        marks=marks,
        pending=whole.pending,
        news=news,
        over_limit=over,
        color=stage.color,
        is_lifted=is_lifted,
        is_hiding=seen < total and shown.tasks is not whole.tasks,
        outside=outside,
    )


def column_rows(
    grid: Grid, lifted: Lift | None, gap: Gap | None, view: Sequence[int], folded: Collection[int]
) -> Mapping[int, Sequence[ColumnRow]]:
    """The rows of the columns in `view` by their indexes; a lane is as high as its longest cell.

    A lane without cards in view is its heading alone.

    The cards of `folded` columns are not drawn. The lane that cards are lifted over is.
    """
    depth = grid.depth
    cells = {
        index: [
            _cell_rows(grid, cell.id, lifted, gap)
            for cell in grid.cells.stages[index * depth : (index + 1) * depth]
        ]
        for index in view
    }
    if not grid.lanes:
        return {index: rows for index, (rows,) in cells.items()}
    drawn = [index for index in view if index not in folded]
    over = grid.over(lifted)[1] if lifted is not None else None
    closed = [grid.is_folded(lane) and lane != over for lane in range(depth)]
    heights = [
        0 if closed[lane] else max((len(cells[index][lane]) for index in drawn), default=0)
        for lane in range(depth)
    ]
    return {
        index: LaneRows(
            _headings(grid, index, closed, has_titles=index == (drawn or view)[0]),
            rows if index in drawn else [()] * depth,
            heights,
        )
        for index, rows in cells.items()
    }


def _cell_rows(grid: Grid, cell_id: int, lifted: Lift | None, gap: Gap | None) -> Rows:
    """The rows of a cell, with the gap if it is there."""
    rows = lift.rows(lifted, grid.cells, cell_id)
    if gap is None or gap.cell_id != cell_id:
        return rows
    blank = Row(Task(0, grid.cells.board.id, None, ""), RowKind.GAP)
    return Rows(rows.lane, start=gap.row, end=gap.row, inserted=(blank,))


def _headings(
    grid: Grid, index: int, closed: Sequence[bool], *, has_titles: bool
) -> list[LaneHeading]:
    """The headings of all lanes in a column: with titles and the numbers of cards of the lanes.

    Elsewhere a folded lane has its number of cards in this column.
    """
    cells = [len(grid.cells.in_stage(cell.id)) for cell in grid.cells.stages]
    return [
        LaneHeading(lane.title, lane.color, str(sum(cells[place :: grid.depth])), closed[place])
        if has_titles
        else LaneHeading(
            "", "", str(cells[index * grid.depth + place] or "") * closed[place], False
        )
        for place, lane in enumerate(grid.lanes)
    ]
