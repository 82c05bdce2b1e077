"""The cells of stages and lanes: cursor and lifted cards reach every place in order."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given, strategies as st

from tests.fakes.boards import NOW, small, task
from tests.model.test_lanes import boards
from tui.model.board import BoardView
from tui.model.moving import lift
from tui.model.moving.cursor import TITLE, Cursor, find
from tui.model.moving.grid import Grid, grid
from tui.model.moving.lanes import Grouping, Swimlane, lanes
from tui.model.task import Priority

GROUPINGS = st.none() | st.sampled_from(Grouping)


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """A board with lanes or without, some of them folded."""
    view, by = draw(boards()), draw(GROUPINGS)
    found = lanes(view, by, NOW) if by is not None else None
    folded = frozenset(lane.id for lane in (found.all if found else ()) if draw(st.booleans()))
    return grid(view, found, folded)


def walked(begin: Cursor, step: Callable[[Cursor], Cursor]) -> list[Cursor]:
    """The cursors of a key that is pressed until nothing changes any more."""
    seen = [begin]
    while (after := step(seen[-1])) != seen[-1]:
        seen.append(after)
    return seen


@given(grids(), st.integers(0, 2))
def test_down_and_up_go_through_all_cards_of_a_stage(cells: Grid, column: int) -> None:
    start = cells.end(Cursor(column * cells.depth), last=False)
    down = walked(start, lambda at: cells.step(at, rows=1))
    drawn = [
        each.id
        for lane, cell in enumerate(
            cells.cells.stages[column * cells.depth : (column + 1) * cells.depth]
        )
        for each in cells.cells.in_stage(cell.id)
        if not cells.is_folded(lane)
    ]
    seen = [
        found.id
        for at in down
        if not cells.is_folded(at.stage % cells.depth) and (found := at.task(cells.cells))
    ]
    assert seen == drawn
    if cells.lanes:
        assert [at.stage % cells.depth for at in down] == sorted(
            at.stage % cells.depth for at in down
        )
        assert {at.stage % cells.depth for at in down} == set(range(cells.depth))
    assert down[-1] == cells.end(start, last=True)
    up = walked(down[-1], lambda at: cells.step(at, rows=-1))
    assert up[: len(down)] == down[::-1]
    assert up[-1] == Cursor(column * cells.depth, TITLE)
    assert cells.step(down[-1], rows=-1000) == (start if len(down) > 1 else up[-1])


@given(grids(), st.integers(0, 8), st.integers(-2, 2), st.integers(0, 5))
def test_left_and_right_stay_in_the_lane(cells: Grid, at: int, by: int, row: int) -> None:
    begin = Cursor(at % len(cells.cells.stages), row).on(cells.cells)
    column, lane = cells.place_of(begin.stage)
    after = cells.step(begin, stages=by)
    assert cells.place_of(after.stage) == (max(0, min(column + by, 2)), lane)
    assert after == cells.at(begin, column + by) == after.on(cells.cells)


@given(grids(), st.data())
def test_a_lifted_card_reaches_every_place_of_its_stage(cells: Grid, data: st.DataObject) -> None:
    ids = [each.id for each in cells.shown.all_tasks()]
    if not ids:
        return
    own = data.draw(st.sampled_from(ids))
    lifted = cells.lift([own], cells.find(own))
    assert lifted is not None
    column, lane = cells.over(lifted)
    assert cells.stage_of(lifted).id == cells.shown.stages[column].id
    assert cells.over(cells.step_lift(lifted, stages=1)) == (min(column + 1, 2), lane)
    top, end = (cells.lift_end(lifted, last=last) for last in (False, True))
    places = sum(
        len(lift.others(lifted, cells.cells, cell.id)) + 1
        for cell in cells.cells.stages[column * cells.depth : (column + 1) * cells.depth]
    )
    seen = [top]
    while (after := cells.step_lift(seen[-1], rows=1)) != seen[-1]:
        seen.append(after)
    assert (len(seen), seen[-1]) == (places, end)
    assert cells.step_lift(end, rows=-1000) == top


def lane_at(cells: Grid, cursor: Cursor) -> Swimlane | None:
    """The lane of a cursor."""
    return cells.lanes[cells.place_of(cursor.stage)[1]] if cells.lanes else None


def is_in(cells: Grid, task_id: int, lane: Swimlane | None) -> bool:
    """Whether a task is drawn in a lane."""
    spots = (cells.find(task_id, one.id) for one in cells.lanes if one == lane)
    return any(spot is not None and lane_at(cells, spot) == lane for spot in spots)


@given(grids(), boards(), GROUPINGS, st.integers(0, 20), st.integers(-1, 4))
def test_after_news_the_cursor_is_in_its_stage_and_on_its_card_while_that_is_there(
    before: Grid, view: BoardView, by: Grouping | None, at: int, row: int
) -> None:
    begin = Cursor(at % len(before.cells.stages), row).on(before.cells)
    if row == TITLE:
        begin = Cursor(begin.stage - begin.stage % before.depth, TITLE)
    after = grid(view, lanes(view, by, NOW) if by is not None else None)
    kept = after.kept(begin, before, {})
    column = before.place_of(begin.stage)[0]
    assert after.place_of(kept.stage)[0] == column
    assert kept == kept.on(after.cells)
    held = begin.task(before.cells)
    found = find(after.cells, held.id) if held is not None else None
    if held is not None and found is not None and after.place_of(found.stage)[0] == column:
        own = kept.task(after.cells)
        assert own is not None
        assert own.id == held.id
        lane = lane_at(before, begin)
        assert lane_at(after, kept) == lane or not is_in(after, held.id, lane)
    elif begin.row == TITLE:
        assert kept == Cursor(column * after.depth, TITLE)
    elif (lane := lane_at(before, begin)) in after.lanes:
        assert lane_at(after, kept) == lane


def test_lifted_cards_stay_in_their_stage_when_the_lane_below_them_is_gone() -> None:
    by = Grouping.PRIORITY
    view = replace(
        small(),
        tasks={
            1: (task(11, "a", priority=Priority.HIGH), task(12, "b", priority=Priority.MEDIUM)),
            2: (task(21, "d", 2), task(22, "e", 2)),
        },
    )
    before = grid(view, lanes(view, by, NOW))
    lifted = before.lift([22], before.find(22))
    assert lifted is not None
    lifted = before.step_lift(before.lift_end(lifted, last=False), rows=1)
    assert before.lane_of(lifted) == before.lanes[1]
    view = view.with_task(task(12, "b"))
    after = grid(view, lanes(view, by, NOW))
    kept = after.kept_lift(lifted, before, {})
    assert kept is not None
    assert after.over(kept) == (1, 1)


def test_lifted_cards_keep_their_stage_when_it_gets_its_id() -> None:
    view = small()
    local = replace(
        view,
        stages=(view.stages[0], replace(view.stages[1], id=-2), view.stages[2]),
        tasks={1: view.in_stage(1), -2: view.in_stage(2), 3: ()},
    )
    before = grid(local)
    lifted = before.lift([11], before.find(11))
    assert lifted is not None
    lifted = before.lift_at(lifted, 1, 1)
    kept = grid(view).kept_lift(lifted, before, {-2: 2})
    assert kept is not None
    assert (kept.stage_id, kept.row) == (2, 1)


def test_lifted_cards_find_a_place_when_the_cards_of_their_lane_are_gone() -> None:
    by = Grouping.PRIORITY
    high = Priority.HIGH
    view = replace(
        small(),
        tasks={
            1: (task(11, "a", priority=high), task(12, "b", priority=high)),
            2: (task(21, "d", 2),),
        },
    )
    before = grid(view, lanes(view, by, NOW))
    lifted = before.lift([21], before.find(21))
    assert lifted is not None
    lifted = before.step_lift(before.lift_at(lifted, 0), rows=-1)
    assert before.lane_of(lifted) == before.lanes[0]
    assert lifted.row == 2
    view = replace(view, tasks={1: (), 2: (task(21, "d", 2),)})
    after = grid(view, lanes(view, by, NOW))
    kept = after.kept_lift(lifted, before, {})
    assert kept is not None
    assert after.over(kept) == (0, 0)


def test_the_cursor_stays_in_its_lane_when_its_card_is_gone() -> None:
    view = replace(
        small(), tasks={1: (task(11, "a", priority=Priority.HIGH), task(12, "b")), 2: ()}
    )
    before = grid(view, lanes(view, Grouping.PRIORITY, NOW))
    tasks = (task(11, "a", priority=Priority.HIGH), task(13, "c", priority=Priority.MEDIUM))
    view = replace(view, tasks={1: tasks, 2: (task(12, "b", 2),)})
    after = grid(view, lanes(view, Grouping.PRIORITY, NOW))
    assert after.kept(Cursor(1, 0), before, {}) == Cursor(2, 0)
    gone = grid(replace(view, tasks={1: tasks[:1], 2: ()}), after.by)
    assert gone.kept(Cursor(5, 0), after, {}) == Cursor(1, 0)
    low = grid(view.without_task(11).without_task(13), after.by)
    assert after.kept(Cursor(1, TITLE), low, {}) == Cursor(3, TITLE)


def test_a_card_with_others_of_its_stage_between_does_not_have_to_move() -> None:
    """Only its field changes, if it is between its new neighbours already."""
    view = small()
    tasks = (task(11, "a", priority=Priority.HIGH), task(12, "b"), task(13, "c"))
    view = replace(view, tasks={**view.tasks, 1: tasks})
    cells = grid(view, lanes(view, Grouping.PRIORITY, NOW))
    lifted = cells.lift([13], cells.find(13))
    assert lifted is not None
    homes = []
    for _ in range(4):
        homes.append((cells.over(lifted)[1], lift.is_at_home(lifted, cells.cells, tasks)))
        lifted = cells.step_lift(lifted, rows=-1)
    assert homes == [(1, True), (1, False), (0, True), (0, False)]
