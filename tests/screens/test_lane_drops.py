"""A drop on swimlanes: the cards are where the ghosts were drawn, in their other lanes too."""

from functools import reduce

from hypothesis import given, strategies as st

from tests.fakes.boards import NOW
from tests.model.test_lanes import boards
from tui.model.board import BoardView
from tui.model.moving import lift
from tui.model.moving.grid import Grid, grid
from tui.model.moving.lanes import Grouping, lanes
from tui.model.moving.lift import Lift, RowKind
from tui.screens.board.carrying import drop, drop_words
from tui.store.operations.base import Operation

BY = st.sampled_from((Grouping.PERSON, Grouping.LABEL, Grouping.PRIORITY))


def laned(view: BoardView, by: Grouping) -> Grid:
    """The board in lanes."""
    return grid(view, lanes(view, by, NOW))


def lanes_of(view: BoardView, by: Grouping) -> dict[int, set[int]]:
    """The lanes of each card."""
    found = lanes(view, by, NOW)
    return {task.id: set(found.lanes_of(task)) for task in view.all_tasks()}


@st.composite
def carried(draw: st.DrawFn) -> tuple[BoardView, Grouping, Lift]:
    """A board in lanes, and some cards that were lifted from any of their cells and carried."""
    view, by = draw(boards().filter(lambda view: any(view.all_tasks()))), draw(BY)
    cells = laned(view, by)
    ids = [task.id for task in view.all_tasks()]
    at = draw(st.sampled_from(ids))
    lane_id = draw(st.sampled_from(sorted(lanes_of(view, by)[at])))
    chosen = draw(st.sets(st.sampled_from(ids), max_size=2)) | {at}
    lifted = cells.lift(chosen, cells.find(at, lane_id))
    assert lifted is not None
    assert lifted.lane_id == lane_id
    assert sorted(lifted.task_ids) == sorted(chosen)
    for _ in range(draw(st.integers(0, 3))):
        stages, rows = draw(st.integers(-1, 1)), draw(st.integers(-4, 4))
        lifted = cells.step_lift(lifted, stages=stages, rows=rows)
    return view, by, lifted


def applied(view: BoardView, operations: list[Operation]) -> BoardView:
    """The board after operations."""
    return reduce(lambda board, operation: operation.apply(board), operations, view)


@given(carried())
def test_the_cards_are_where_their_ghosts_were_and_stay_in_their_other_lanes(
    case: tuple[BoardView, Grouping, Lift],
) -> None:
    view, by, lifted = case
    cells = laned(view, by)
    drawn = [
        row.task.id
        for row in lift.rows(lifted, cells.cells, lifted.stage_id)
        if row.kind is not RowKind.OUTLINE
    ]
    after = applied(view, drop(lifted, cells, view))
    assert [task.id for task in laned(after, by).cells.in_stage(lifted.stage_id)] == drawn
    assert sorted(task.id for task in after.all_tasks()) == sorted(
        task.id for task in view.all_tasks()
    )
    target = cells.lane_of(lifted)
    assert target is not None
    previous, lane_ids = lanes_of(view, by), lanes_of(after, by)
    for task_id, own in previous.items():
        if task_id not in lifted.task_ids:
            assert lane_ids[task_id] == own
        elif target.id == 0 and own != {0}:
            assert lane_ids[task_id] in ({0}, own)
        else:
            assert target.id in lane_ids[task_id]
            assert len(own - lane_ids[task_id]) <= 1
    assert bool(drop_words(lifted, cells)) == (previous != lane_ids)


@given(carried())
def test_a_drop_is_undone(case: tuple[BoardView, Grouping, Lift]) -> None:
    view, by, lifted = case
    now, backwards = view, list[Operation]()
    for operation in drop(lifted, laned(view, by), view):
        backwards = [*operation.inverse(now), *backwards]
        now = operation.apply(now)
    restored = applied(now, backwards)
    assert lanes_of(restored, by) == lanes_of(view, by)
    assert [task.id for task in restored.all_tasks()] == [task.id for task in view.all_tasks()]


@given(carried())
def test_a_card_in_the_hand_is_drawn_as_a_ghost_and_as_outlines_alone(
    case: tuple[BoardView, Grouping, Lift],
) -> None:
    view, by, lifted = case
    cells = laned(view, by).cells
    rows = {cell.id: list(lift.rows(lifted, cells, cell.id)) for cell in cells.stages}
    for cell_id, own in rows.items():
        solid = [row.task.id for row in own if row.kind is RowKind.CARD]
        assert solid == [
            task.id for task in cells.in_stage(cell_id) if task.id not in lifted.task_ids
        ]
        ghosts = [row.task.id for row in own if row.kind is RowKind.GHOST]
        assert ghosts == (list(lifted.task_ids) if cell_id == lifted.stage_id else [])
        assert {row.kind for row in own} <= {RowKind.CARD, RowKind.GHOST, RowKind.OUTLINE}
