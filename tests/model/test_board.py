"""A view is never written to, and a place means the same among other neighbours."""

import pytest
from hypothesis import given, strategies as st

from tui.model.board import Board, BoardView, Place, Stage
from tui.model.task import Priority, Status, Task

OPEN, REVIEW, DONE = 1, 2, 3
STAGES = (
    Stage(OPEN, 1, "Open"),
    Stage(REVIEW, 1, "Review"),
    Stage(DONE, 1, "Done", default_status=Status.CLOSED),
)


def task(task_id: int, stage_id: int | None = OPEN) -> Task:
    status = Status.CLOSED if stage_id == DONE else Status.OPEN
    return Task(task_id, 1, stage_id, f"Task {task_id}", status=status)


def view_of(lanes: dict[int, list[int]]) -> BoardView:
    tasks = {stage: tuple(task(one, stage) for one in ids) for stage, ids in lanes.items()}
    return BoardView(Board(1, "Board"), STAGES, tasks)


def ids_in(view: BoardView) -> dict[int, list[int]]:
    return {stage.id: [one.id for one in view.in_stage(stage.id)] for stage in STAGES}


@st.composite
def views(draw: st.DrawFn) -> BoardView:
    """A board with a few tasks spread over its stages; a stage may be missing if empty."""
    lanes: dict[int, list[int]] = {stage.id: [] for stage in STAGES}
    for task_id in draw(st.lists(st.integers(-3, 20), unique=True, max_size=10)):
        lanes[draw(st.sampled_from(STAGES)).id].append(task_id)
    named = draw(st.sets(st.sampled_from([OPEN, REVIEW, DONE])))
    return view_of({stage: ids for stage, ids in lanes.items() if ids or stage in named})


IDS = st.lists(st.integers(1, 9), unique=True, max_size=6)


@given(IDS, st.none() | st.integers(1, 9), st.none() | st.integers(1, 9))
def test_a_place_is_always_within_its_stage(
    ids: list[int], above: int | None, below: int | None
) -> None:
    index = Place(above, below).index_in(ids)
    assert 0 <= index <= len(ids)
    if above in ids:
        assert ids[index - 1] == above
    elif below in ids:
        assert ids[index] == below


@pytest.mark.parametrize(
    ("place", "index"),
    [
        (Place(), 0),
        (Place(below=4), 0),
        (Place(above=6), 3),
        (Place(4, 5), 1),
        (Place(4, 6), 1),
        (Place(99, 6), 2),
        (Place(4, 99), 1),
        (Place(99, 98), 3),
        (Place(None, 99), 0),
        (Place(99, None), 3),
    ],
)
def test_a_place_is_found_by_the_neighbours_that_are_left(place: Place, index: int) -> None:
    assert place.index_in([4, 5, 6]) == index


@given(views(), st.data())
def test_a_task_taken_out_and_put_back_leaves_the_board_as_it_was(
    view: BoardView, data: st.DataObject
) -> None:
    tasks = list(view.all_tasks())
    if not tasks:
        return
    taken = data.draw(st.sampled_from(tasks))
    found = view.place_of(taken.id)
    assert found is not None
    stage_id, place = found
    assert view.without_task(taken.id).with_task_at(taken, stage_id, place) == view


@given(views(), st.data())
def test_a_move_keeps_every_task_once_and_the_order_of_the_others(
    view: BoardView, data: st.DataObject
) -> None:
    tasks = list(view.all_tasks())
    if not tasks:
        return
    moved = data.draw(st.sampled_from(tasks))
    stage_id = data.draw(st.sampled_from(STAGES)).id
    others = [one.id for one in view.in_stage(stage_id) if one.id != moved.id]
    index = data.draw(st.integers(0, len(others)))
    above = others[index - 1] if index else None
    below = others[index] if index < len(others) else None
    after = ids_in(view.with_task_at(moved, stage_id, Place(above, below)))
    expected = {
        stage: [one for one in ids if one != moved.id] for stage, ids in ids_in(view).items()
    }
    expected[stage_id].insert(index, moved.id)
    assert after == expected


@given(views(), st.sampled_from(STAGES))
def test_a_new_task_can_be_put_anywhere(view: BoardView, stage: Stage) -> None:
    after = view.with_task_at(task(99, None), stage.id, Place())
    assert ids_in(after)[stage.id] == [99, *ids_in(view)[stage.id]]
    put = after.task(99)
    assert put is not None
    assert put.stage_id == stage.id
    assert put.is_closed == (stage.id == DONE)


@given(views(), st.integers(-5, 25))
def test_taking_a_task_out_takes_that_one_alone(view: BoardView, task_id: int) -> None:
    after = view.without_task(task_id)
    assert after.task(task_id) is None
    assert ids_in(after) == {
        stage: [one for one in ids if one != task_id] for stage, ids in ids_in(view).items()
    }


@given(views(), st.integers(-5, 25), st.sampled_from(STAGES))
def test_a_view_is_never_written_to(view: BoardView, task_id: int, stage: Stage) -> None:
    before = ids_in(view)
    view.with_task_at(task(task_id, stage.id), stage.id, Place())
    view.without_task(task_id)
    view.with_task(task(task_id, stage.id))
    assert ids_in(view) == before


def test_a_closing_stage_closes_what_comes_into_it() -> None:
    view = view_of({OPEN: [1], DONE: [2]})
    after = view.with_task_at(task(1), DONE, Place(above=2)).task(1)
    assert after is not None
    assert after.status is Status.CLOSED


def test_a_task_reopened_in_a_closing_stage_stays_open_when_moved_within() -> None:
    reopened = Task(2, 1, DONE, "Task 2")
    view = BoardView(Board(1, "Board"), STAGES, {DONE: (task(1, DONE), reopened)})
    after = view.with_task_at(reopened, DONE, Place(below=1)).task(2)
    assert after is not None
    assert after.status is Status.OPEN


def test_a_closed_task_stays_closed_in_an_open_stage() -> None:
    view = view_of({DONE: [2]})
    after = view.with_task_at(task(2, DONE), OPEN, Place()).task(2)
    assert after is not None
    assert after.status is Status.CLOSED


def test_a_stage_that_is_gone_takes_nothing() -> None:
    view = view_of({OPEN: [1]})
    assert view.with_task_at(task(1), 99, Place()) is view


def test_new_values_take_the_place_of_the_old() -> None:
    view = view_of({OPEN: [1, 2, 3]})
    changed = Task(2, 1, OPEN, "Other title", priority=Priority.HIGH)
    assert view.with_task(changed).in_stage(OPEN) == (task(1), changed, task(3))
    assert view.with_task(task(9)) == view
    assert view.with_task(task(1, REVIEW)) == view


def test_places_are_told_by_neighbours() -> None:
    view = view_of({OPEN: [1, 2, 3], REVIEW: [4]})
    assert view.place_of(1) == (OPEN, Place(None, 2))
    assert view.place_of(2) == (OPEN, Place(1, 3))
    assert view.place_of(3) == (OPEN, Place(2, None))
    assert view.place_of(4) == (REVIEW, Place())
    assert view.place_of(9) is None


def test_stages_are_counted_also_before_all_is_loaded() -> None:
    view = view_of({OPEN: [1, 2]})
    assert view.count(OPEN) == 2
    assert view.count(REVIEW) == 0
    part = BoardView(Board(1, "B"), STAGES, view.tasks, complete=False, totals={OPEN: 50})
    assert (part.count(OPEN), part.count(REVIEW)) == (50, 0)


def test_stages_and_pending_tasks_are_found() -> None:
    view = view_of({OPEN: [1]})
    assert view.stage(REVIEW) == STAGES[1]
    assert view.stage(None) is None
    assert view.with_pending([1]).pending == {1}
