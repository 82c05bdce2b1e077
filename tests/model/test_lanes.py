"""Swimlanes: each task is in exactly one, and a task that is moved into one belongs to it."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from tests.boards import ANN, API, AUTH, BUG, COLOUR, JON, MIRA, NOW, relaunch, task
from tui.model.board import Board, BoardView, Stage
from tui.model.moving.grid import grid
from tui.model.moving.lanes import Grouping, lanes
from tui.model.task import Person, Priority, Status, Task

LEFT = Person(9, "Lee Marsh")
"""Somebody with tasks who is no member any more."""


def some(values: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    """Up to three different ones, in any order."""
    return st.lists(values, max_size=3, unique=True).map(tuple)


@st.composite
def boards(draw: st.DrawFn) -> BoardView:
    """Three stages of tasks that differ in all that tasks are grouped by."""
    numbers = iter(range(1, 100))
    dues = st.none() | st.datetimes(NOW - timedelta(10), NOW + timedelta(20))

    def drawn(stage: int) -> Task:
        return task(
            next(numbers),
            "t",
            stage,
            priority=draw(st.sampled_from(Priority)),
            status=draw(st.sampled_from(Status)),
            due_at=draw(dues),
            labels=draw(some(st.sampled_from((BUG, AUTH, API, COLOUR)))),
            assignees=draw(some(st.sampled_from((ANN, MIRA, JON, LEFT)))),
        )

    tasks = {
        stage: tuple(drawn(stage) for _ in range(draw(st.integers(0, 4)))) for stage in (1, 2, 3)
    }
    stages = tuple(Stage(each, 1, f"s{each}") for each in tasks)
    return BoardView(Board(1, "b"), stages, tasks, labels=(BUG, AUTH, API), people=(ANN, MIRA, JON))


@given(boards(), st.sampled_from(Grouping))
def test_every_task_is_in_one_lane_and_the_order_of_its_stage_stays(
    view: BoardView, by: Grouping
) -> None:
    found = lanes(view, by, NOW)
    cells = grid(view, found)
    ids = [lane.id for lane in found.all]
    assert len(set(ids)) == len(ids)
    assert sorted(each.id for each in cells.cells.all_tasks()) == sorted(
        each.id for each in view.all_tasks()
    )
    for index, stage in enumerate(view.stages):
        order = [each.id for each in view.in_stage(stage.id)]
        for lane, cell in zip(
            cells.lanes,
            cells.cells.stages[index * cells.depth : (index + 1) * cells.depth],
            strict=False,
        ):
            own = cells.cells.in_stage(cell.id)
            assert [each.id for each in own] == [one for one in order if one in {o.id for o in own}]
            assert {found.lane_of(each) for each in own} <= {lane.id}
    used = {found.lane_of(each) for each in view.all_tasks()}
    assert [lane.id for lane in cells.lanes] == [each for each in ids if each in used]


@given(boards(), st.sampled_from(Grouping), st.data())
def test_a_task_moved_to_a_lane_belongs_to_it_or_it_is_said_why_not(
    view: BoardView, by: Grouping, data: st.DataObject
) -> None:
    found = lanes(view, by, NOW)
    for each in view.all_tasks():
        lane = data.draw(st.sampled_from(found.all))
        moved = found.moved(each, lane.id)
        assert bool(found.why_not(each, lane.id)) == (moved is None)
        assert found.words(each, lane.id)
        if moved is not None:
            assert found.lane_of(moved) == lane.id
        if found.lane_of(each) == lane.id:
            assert moved == each
        if moved is None:
            assert by is Grouping.DUE
            assert each.is_closed or lane.title in ("Overdue", "Closed")


def titled(view: BoardView, by: Grouping, now: datetime = NOW) -> dict[str, list[int]]:
    """The ids of the tasks by the titles of their lanes."""
    found = lanes(view, by, now)
    all_tasks = list(view.all_tasks())
    return {
        lane.title: ids
        for lane in found.all
        if (ids := [each.id for each in all_tasks if found.lane_of(each) == lane.id])
    }


def test_lanes_are_in_the_order_of_the_board_with_the_rest_last() -> None:
    view = relaunch()
    assert titled(view, Grouping.PERSON) == {
        "Ann Keller": [412, 398, 341],
        "Jon Reyes": [415, 403, 377],
        "Unassigned": [418, 421, 425, 430, 407, 381, 352],
    }
    assert titled(view, Grouping.PRIORITY) == {
        "High priority": [412, 398],
        "Medium priority": [415, 407],
        "Low priority": [418, 421, 425, 430, 403, 377, 381, 341, 352],
    }
    assert list(titled(view, Grouping.LABEL)) == ["bug", "auth", "api", "purple", "No label"]
    assert titled(view, Grouping.DUE) == {
        "Overdue": [412],
        "Today": [398],
        "Next 7 days": [425, 381],
        "No due date": [415, 418, 421, 430, 403, 407, 377],
        "Closed": [341, 352],
    }


@pytest.mark.parametrize(
    ("by", "before", "lane", "words"),
    [
        (Grouping.PERSON, {"assignees": (ANN, JON)}, "Mira Novak",
         "assigned to Mira Novak, Jon Reyes"),
        (Grouping.PERSON, {"assignees": (JON, MIRA)}, "Ann Keller",
         "assigned to Ann Keller, Jon Reyes"),
        (Grouping.PERSON, {"assignees": (MIRA, ANN)}, "Jon Reyes", "assigned to Jon Reyes"),
        (Grouping.PERSON, {"assignees": (ANN, JON)}, "Unassigned", "assigned to nobody"),
        (Grouping.LABEL, {"labels": (BUG, API)}, "auth", "label auth, api"),
        (Grouping.LABEL, {"labels": (BUG, AUTH)}, "api", "label api"),
        (Grouping.LABEL, {"labels": (BUG,)}, "No label", "no label"),
        (Grouping.PRIORITY, {}, "High priority", "priority high"),
        (Grouping.DUE, {}, "Today", "due today 17:00"),
        (Grouping.DUE, {}, "Next 7 days", "due 27 nov"),
        (Grouping.DUE, {"due_at": NOW - timedelta(3)}, "Today", "due today 17:00"),
        (Grouping.DUE, {"due_at": NOW - timedelta(3)}, "Next 7 days", "due tomorrow"),
        (Grouping.DUE, {"due_at": NOW + timedelta(30)}, "Next 7 days", "due 27 nov"),
        (Grouping.DUE, {"due_at": NOW}, "Later", "due 28 nov"),
        (Grouping.DUE, {"due_at": NOW}, "No due date", "no due date"),
        (Grouping.DUE, {"due_at": NOW}, "Overdue", "a card cannot be made overdue"),
        (Grouping.DUE, {}, "Closed", "x closes a card"),
        (Grouping.DUE, {"status": Status.CLOSED}, "Today",
         "a closed card is not due: reopen it first"),
    ],
)  # fmt: skip
def test_what_a_card_becomes_in_a_lane_is_said(
    by: Grouping, before: dict[str, object], lane: str, words: str
) -> None:
    found = lanes(relaunch(), by, NOW)
    lane_id = next(each.id for each in found.all if each.title == lane)
    assert found.words(task(1, "x", 1, **before), lane_id) == words


def test_late_in_the_evening_today_is_until_midnight() -> None:
    evening = NOW.replace(hour=20)
    found = lanes(relaunch(), Grouping.DUE, evening)
    today = next(each.id for each in found.all if each.title == "Today")
    moved = found.moved(task(1, "x", due_at=evening - timedelta(2)), today)
    assert moved is not None
    assert moved.due_at == evening.replace(hour=23, minute=59)
