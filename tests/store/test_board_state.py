"""The truth follows the service a task at a time, and is always in order."""

from dataclasses import replace
from datetime import datetime

from hypothesis import given, strategies as st

from tests.store.lanes import lanes
from tui.model.board import Board, BoardView, Stage
from tui.model.task import Task
from tui.store.views.board_state import Truth

FRAME = BoardView(Board(1, "Site"), (Stage(1, 1, "Open"), Stage(2, 1, "Done")))


def task(number: int, stage_id: int | None = 1, position: float = 0.0) -> Task:
    return Task(number, 1, stage_id, f"Task {number}", position=position)


_TASKS = st.lists(
    st.builds(task, st.integers(1, 8), st.sampled_from([1, 2]), st.sampled_from([0.5, 1.0, 2.0])),
    max_size=20,
)


@given(_TASKS, st.lists(st.integers(1, 8)))
def test_it_is_always_what_sorting_anew_gives(puts: list[Task], drops: list[int]) -> None:
    truth = Truth(FRAME)
    known: dict[int, Task] = {}
    for one in puts:
        assert truth.put(one) == (known.get(one.id) != one)
        known[one.id] = one
    for number in drops:
        assert truth.drop(number) == (known.pop(number, None) is not None)
    sorted_anew = lanes(known.values())
    assert {key: lane for key, lane in truth.view.tasks.items() if lane} == sorted_anew


def test_what_is_not_on_the_board_leaves_it() -> None:
    truth = Truth(FRAME, newest_id=5)
    truth.put(task(5))
    assert truth.put(replace(task(5), archived_at=datetime(2026, 11, 20)))  # noqa: DTZ001  wall clock
    assert truth.view.in_stage(1) == ()
    assert not truth.put(replace(task(6), parent_id=5))
    assert not truth.put(task(9, stage_id=None))
    assert truth.newest_id == 9


def test_tasks_of_a_stage_that_is_gone_are_not_drawn_and_come_back_with_it() -> None:
    truth = Truth(FRAME, newest_id=5)
    truth.put(task(5))
    assert truth.reframe(replace(FRAME, stages=FRAME.stages[1:]))
    assert list(truth.view.all_tasks()) == []
    assert truth.reframe(FRAME)
    assert not truth.reframe(FRAME)
    assert [one.id for one in truth.view.all_tasks()] == [5]


def test_a_task_that_is_read_twice_because_it_was_moved_meanwhile_stands_where_it_came_last() -> (
    None
):
    truth = Truth(FRAME)
    first, last = (stage.id for stage in (FRAME.stages[0], FRAME.stages[-1]))
    for stage_id in (first, last):
        truth.put(task(5, stage_id=stage_id))
    assert [one.id for one in truth.view.all_tasks()] == [5]
    assert truth.put(replace(task(5, stage_id=last), title="New"))
    assert [one.title for one in truth.view.in_stage(last)] == ["New"]
    assert truth.view.in_stage(first) == ()
