"""Swimlanes: a task is in those of all its people or labels, and in one that it is moved into."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from tests.fakes.boards import ANN, API, AUTH, BUG, COLOUR, JON, MIRA, NOW, relaunch, task
from tui.model.board import Board, BoardView, Stage
from tui.model.moving.grid import grid
from tui.model.moving.lanes import NONE, Grouping, lanes
from tui.model.task import Label, Person, Priority, Status, Task

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


def named(by: Grouping, own: Task) -> tuple[Person | Label, ...]:
    """What puts a task into more than one lane."""
    if by is Grouping.PERSON:
        return own.assignees
    return own.labels if by is Grouping.LABEL else ()


@given(boards(), st.sampled_from(Grouping))
def test_every_task_is_in_all_its_lanes_and_the_order_of_its_stage_stays(
    view: BoardView, by: Grouping
) -> None:
    found = lanes(view, by, NOW)
    cells = grid(view, found)
    ids = [lane.id for lane in found.all]
    assert len(set(ids)) == len(ids)
    for each in view.all_tasks():
        lane_ids = found.lanes_of(each)
        if by in (Grouping.PERSON, Grouping.LABEL):
            assert set(lane_ids) == ({thing.id for thing in named(by, each)} or {NONE})
        assert len(lane_ids) == max(1, len(named(by, each)))
        assert list(lane_ids) == [lane_id for lane_id in ids if lane_id in lane_ids]
    assert sorted(each.id for each in cells.cells.all_tasks()) == sorted(
        each.id for each in view.all_tasks() for _ in found.lanes_of(each)
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
            assert all(lane.id in found.lanes_of(each) for each in own)
    used = {lane_id for each in view.all_tasks() for lane_id in found.lanes_of(each)}
    assert [lane.id for lane in cells.lanes] == [each for each in ids if each in used]


@given(boards(), st.sampled_from(Grouping), st.data())
def test_a_task_moved_to_a_lane_belongs_to_it_or_it_is_said_why_not(
    view: BoardView, by: Grouping, data: st.DataObject
) -> None:
    found = lanes(view, by, NOW)
    for each in view.all_tasks():
        lane = data.draw(st.sampled_from(found.all))
        own = found.lanes_of(each)
        source = data.draw(st.sampled_from(own))
        moved = found.moved(each, source, lane.id)
        assert bool(found.why_not(each, lane.id)) == (moved is None)
        assert found.words(each, source, lane.id)
        if source == lane.id:
            assert moved == each
        elif moved is None:
            assert by is Grouping.DUE
            assert each.is_closed or lane.title in ("Overdue", "Closed")
        elif lane.id == NONE:
            assert found.lanes_of(moved) == (NONE,)
        else:
            assert set(found.lanes_of(moved)) == {*own, lane.id} - {source}


@given(boards(), st.sampled_from((Grouping.PERSON, Grouping.LABEL)), st.data())
def test_a_task_moved_from_where_it_is_not_leaves_its_first_unless_it_is_there_already(
    view: BoardView, by: Grouping, data: st.DataObject
) -> None:
    found = lanes(view, by, NOW)
    for each in view.all_tasks():
        own = found.lanes_of(each)
        lane = data.draw(st.sampled_from(found.all))
        source = data.draw(st.sampled_from([None, *(one.id for one in found.all)]))
        if source not in own:
            first = named(by, each)[0].id if named(by, each) else NONE
            moved = found.moved(each, source, lane.id)
            assert moved == (each if lane.id in own else found.moved(each, first, lane.id))


def titled(view: BoardView, by: Grouping, now: datetime = NOW) -> dict[str, list[int]]:
    """The ids of the tasks by the titles of their lanes."""
    found = lanes(view, by, now)
    all_tasks = list(view.all_tasks())
    return {
        lane.title: ids
        for lane in found.all
        if (ids := [each.id for each in all_tasks if lane.id in found.lanes_of(each)])
    }


def test_lanes_are_in_the_order_of_the_board_with_the_rest_last() -> None:
    view = relaunch()
    assert titled(view, Grouping.PERSON) == {
        "Ann Keller": [412, 398, 341],
        "Mira Novak": [398],
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
         "assigned to Ann Keller, Mira Novak"),
        (Grouping.PERSON, {}, "Jon Reyes", "assigned to Jon Reyes"),
        (Grouping.PERSON, {"assignees": (ANN, JON)}, "Unassigned", "unassigned"),
        (Grouping.LABEL, {"labels": (BUG, API)}, "auth", "label auth, api"),
        (Grouping.LABEL, {"labels": (AUTH, BUG)}, "api", "label api, bug"),
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
        (Grouping.DUE, {}, "Closed", "x to close a card"),
        (Grouping.DUE, {"status": Status.CLOSED}, "Today",
         "closed cards have no due date: reopen it first"),
    ],
)  # fmt: skip
def test_what_a_card_becomes_in_a_lane_is_said(
    by: Grouping, before: dict[str, object], lane: str, words: str
) -> None:
    found = lanes(relaunch(), by, NOW)
    lane_id = next(each.id for each in found.all if each.title == lane)
    assert found.words(task(1, "x", 1, **before), None, lane_id) == words


def test_a_card_that_is_moved_to_a_lane_where_it_is_already_leaves_the_other_one() -> None:
    found = lanes(relaunch(), Grouping.PERSON, NOW)
    card = task(1, "x", assignees=(MIRA, ANN, JON))
    for source, to, names in (
        (MIRA, ANN, "Ann Keller, Jon Reyes"),
        (JON, ANN, "Mira Novak, Ann Keller"),
        (ANN, ANN, "Mira Novak, Ann Keller, Jon Reyes"),
    ):
        assert found.words(card, source.id, to.id) == f"assigned to {names}"


def test_late_in_the_evening_today_is_until_midnight() -> None:
    evening = NOW.replace(hour=20)
    found = lanes(relaunch(), Grouping.DUE, evening)
    today = next(each.id for each in found.all if each.title == "Today")
    moved = found.moved(task(1, "x", due_at=evening - timedelta(2)), None, today)
    assert moved is not None
    assert moved.due_at == evening.replace(hour=23, minute=59)
