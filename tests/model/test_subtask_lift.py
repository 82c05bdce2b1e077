"""Subtasks in the hand: wherever they are carried, a drop puts them where the ghost was drawn."""

from dataclasses import replace
from functools import reduce

from hypothesis import given, strategies as st

from tests.fakes.subtasks import detailed, subtask
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.moving import lift
from tui.model.moving.lift import Lift, RowKind
from tui.model.moving.subtasks import lanes, new_ids, rows, to_group
from tui.screens.task.subtask_view import moves


@st.composite
def tasks(draw: st.DrawFn) -> TaskDetail:
    """A task with at least one subtask, in groups of which some may be empty."""
    numbers = iter(range(101, 999))
    sizes = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4).filter(any))
    groups = tuple(
        SubtaskGroup(
            index, f"g{index}", tuple(subtask(next(numbers), f"t{index}") for _ in range(size))
        )
        for index, size in enumerate(sizes, 1)
    )
    return replace(detailed(), groups=groups)


@st.composite
def carried(draw: st.DrawFn) -> tuple[TaskDetail, Lift]:
    """A task, and some of its subtasks carried somewhere."""
    detail = draw(tasks())
    shown = lanes(detail)
    ids = [one.id for one in detail.subtasks()]
    chosen = draw(st.sets(st.sampled_from(ids), min_size=1, max_size=3))
    lifted = lift.lift(shown, chosen, draw(st.sampled_from(ids)))
    assert lifted is not None
    for kind in draw(st.lists(st.integers(0, 2), max_size=4)):
        if kind == 0:
            lifted = lift.step(lifted, shown, draw(st.integers(-9, 9)))
        elif kind == 1:
            lifted = to_group(lifted, shown, draw(st.integers(-2, 2)))
        else:
            lifted = lift.to_end(lifted, shown, last=draw(st.booleans()))
    return detail, lifted


def order(detail: TaskDetail) -> dict[int, list[int]]:
    """The ids in each group."""
    return {group.id: [one.id for one in group.subtasks] for group in detail.groups or ()}


def dropped(detail: TaskDetail, lifted: Lift) -> TaskDetail:
    """The task after the drop."""
    return reduce(lambda now, move: move.apply_detail(now), moves(detail, lifted), detail)


@given(carried())
def test_a_drop_is_a_permutation_that_gives_what_the_ghost_showed(
    case: tuple[TaskDetail, Lift],
) -> None:
    detail, lifted = case
    after = dropped(detail, lifted)
    assert sorted(one.id for one in after.subtasks()) == sorted(one.id for one in detail.subtasks())
    drawn: dict[int, list[int]] = {group.id: [] for group in detail.groups or ()}
    for row in rows(detail, lanes(detail), lifted):
        if row.subtask is not None and row.group is not None and row.kind is not RowKind.OUTLINE:
            drawn[row.group.id].append(row.subtask.id)
    assert order(after) == drawn
    count = len(moves(detail, lifted))
    assert count == (0 if order(after) == order(detail) else len(lifted.tasks))


@given(carried())
def test_steps_go_through_every_place_and_come_back(case: tuple[TaskDetail, Lift]) -> None:
    detail, lifted = case
    shown = lanes(detail)
    rest = sum(1 for _ in detail.subtasks()) - len(lifted.tasks)
    top, end = lift.to_end(lifted, shown, last=False), lift.to_end(lifted, shown, last=True)
    places = rest + len(shown.stages)
    assert lift.step(top, shown, places - 1) == end
    assert lift.step(end, shown, 1 - places) == top
    assert lift.step(end, shown, 1) == end


def test_local_ids_that_got_names_of_the_service_are_recognised() -> None:
    before = replace(
        detailed(),
        groups=(SubtaskGroup(-1, "New", (subtask(-5, "x"), subtask(-6, "x"), subtask(101, "p"))),),
    )
    after = replace(
        detailed(),
        groups=(SubtaskGroup(7, "New", (subtask(301, "x"), subtask(-6, "x"), subtask(101, "p"))),),
    )
    assert new_ids(before, after) == {-1: 7, -5: 301}
    assert new_ids(before, before) == new_ids(None, after) == {}
    lifted = lift.lift(lanes(before), [-5], -5)
    assert lifted is not None
    again = lifted.renamed({-1: 7, -5: 301})
    assert lift.settle(again, lanes(after)) == lift.lift(lanes(after), [301], 301)
    below = lift.to_row(lifted, lanes(before), 1)
    kept = lift.kept_between(below, lanes(before), lanes(after), {-1: 7, -5: 301})
    assert kept is not None
    assert (kept.stage_id, kept.row) == (7, 1)
