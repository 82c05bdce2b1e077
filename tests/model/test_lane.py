"""A lane is a tuple of tasks in every respect but how long things take."""

from bisect import insort
from datetime import date, datetime
from typing import cast

import pytest
from hypothesis import given, settings, strategies as st

from tests.harness.effort import effort
from tui.model.board import Board, BoardView, Place, Stage
from tui.model.lane import Lane, Tally, lane_of, order
from tui.model.moving import lift
from tui.model.moving.cursor import find
from tui.model.task import Task
from tui.model.urgency import summary

_MANY = 2_000
"""More than fit into a few chunks."""
NOW = datetime(2026, 11, 26, 9)  # noqa: DTZ001  wall clock


def task(number: int, title: str = "") -> Task:
    return Task(number, 1, 1, title or f"Task {number}", position=float(number))


@st.composite
def tasks(draw: st.DrawFn) -> list[Task]:
    """Tasks in any order: few, or enough for several chunks."""
    count = draw(st.sampled_from([0, 1, 5, 256, 513, 1_500]))
    ids = list(range(count))
    draw(st.randoms()).shuffle(ids)
    return [task(number) for number in ids]


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(tasks(), st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2_000)), max_size=40))
def test_it_changes_like_a_plain_list(plain: list[Task], changes: list[tuple[int, int]]) -> None:
    lane = lane_of(plain)
    for kind, number in changes:
        before, ids = tuple(plain), [one.id for one in plain]
        if kind == 0 and number not in ids:
            row = number % (len(plain) + 1)
            longer = lane.inserted(row, task(number))
            plain.insert(row, task(number))
        elif kind == 1:
            gone = {number, number + 1}
            longer = lane.without(gone)
            plain = [one for one in plain if one.id not in gone]
        else:
            longer = lane.replaced(task(number, "New"))
            plain = [task(number, "New") if one.id == number else one for one in plain]
        assert lane == before
        lane = longer
    ids = [one.id for one in plain]
    assert lane == tuple(plain)
    assert hash(lane) == hash(tuple(plain))
    assert list(lane) == [lane[row] for row in range(len(lane))] == plain
    assert list(lane.ids) == ids
    assert [lane.row_of(one) for one in ids] == list(range(len(ids)))
    assert lane[3:9] == tuple(plain[3:9])
    assert lane[::-1] == tuple(plain[::-1])
    assert lane.ids[-2:] == tuple(ids[-2:])
    for number in (0, 7, 5_000):
        assert lane.task(number) == next((one for one in plain if one.id == number), None)
        assert (number in lane.ids) == (number in ids)
        assert Place.of(number, lane.ids) == Place.of(number, ids)


@settings(max_examples=40, deadline=None)
@given(tasks(), st.lists(st.integers(2_000, 2_010) | st.integers(-50, -1), unique=True))
def test_tasks_are_merged_in_order(some: list[Task], more: list[int]) -> None:
    plain = sorted(some, key=order)
    lane = lane_of(plain).merged(map(task, more))
    for number in more:
        insort(plain, task(number), key=order)
    assert lane == tuple(plain)


@given(st.sets(st.integers(0, 600)), st.integers(0, 600))
def test_tasks_are_chosen_in_order(ids: set[int], count: int) -> None:
    lane = lane_of(map(task, reversed(range(count))))
    assert [one.id for one in lane.among(ids)] == [one.id for one in lane if one.id in ids]


def test_there_is_nothing_outside() -> None:
    lane = lane_of([task(1), task(2)])
    for row in (2, -3):
        with pytest.raises(IndexError):
            lane[row]
    with pytest.raises(ValueError, match="9"):
        lane.ids.index(9)
    with pytest.raises(ValueError, match="1"):
        lane.ids.index(1, 1)
    assert lane[-1] == task(2)
    assert lane != (task(1), task(3))
    assert lane != [task(1), task(2)]
    assert Lane() == ()
    assert not Lane()
    assert Lane().merged([]).chunks == ()


def test_a_lane_that_is_filled_and_emptied_card_by_card_keeps_few_chunks() -> None:
    lane = Lane()
    for number in range(_MANY):
        lane = lane.inserted(number // 2, task(number))
    assert len(lane.chunks) <= _MANY // 200
    for number in range(_MANY - 1):
        lane = lane.without({number})
    assert len(lane.chunks) == 1


def test_a_change_shares_what_it_does_not_concern() -> None:
    lane = lane_of(map(task, range(_MANY)))
    changed = lane.without({700}).inserted(0, task(700)).replaced(task(5, "New"))
    assert len(set(lane.chunks) - set(changed.chunks)) == 2
    assert lane != changed
    assert lane == lane.replaced(task(5, "New")).replaced(task(5))


class Compared(datetime):
    """A time that counts how often one is compared with another."""

    comparisons = 0

    def __lt__(self, other: date) -> bool:
        Compared.comparisons += 1
        return super().__lt__(cast("datetime", other))


def test_the_late_ones_of_many_parts_are_counted_without_putting_all_in_order() -> None:
    due = [[Compared(2026, 11, 26, day % 24, part % 60) for day in range(24)] for part in range(80)]
    whole = Tally.sum_of(Tally(len(part), 1, part) for part in due)
    assert (whole.open, whole.blocked) == (80 * 24, 80)
    assert Compared.comparisons == 0
    assert whole.late(NOW) == 80 * NOW.hour
    assert Compared.comparisons <= 80 * 6
    both = Tally.sum_of([whole, Tally(2, 0, [datetime(2026, 1, 1), NOW])])  # noqa: DTZ001
    assert both.late(NOW) == 80 * NOW.hour + 1


def test_a_day_on_which_a_task_of_any_part_is_due_is_known() -> None:
    days = [datetime(2026, 11, day, hour) for day, hour in ((3, 0), (5, 23), (9, 12))]  # noqa: DTZ001
    whole = Tally.sum_of([Tally(2, 0, days[:2]), Tally(1, 0), Tally(1, 0, days[2:])])
    found = [day for day in range(1, 31) if whole.is_due_on(date(2026, 11, day))]
    assert found == [3, 5, 9]
    assert Tally(1, 0, days[:1]).is_due_on(date(2026, 11, 3))


def board(cards: int) -> BoardView:
    """Three stages with so many cards each."""
    stages = tuple(Stage(number, 1, f"Stage {number}") for number in (1, 2, 3))
    lanes = {
        stage.id: tuple(
            Task(stage.id * 100_000 + number, 1, stage.id, "Card", position=float(number))
            for number in range(cards)
        )
        for stage in stages
    }
    return BoardView(Board(1, "Board"), stages, lanes)


def moved(view: BoardView) -> None:
    """What a key that moves a card asks and changes."""
    card = view.in_stage(2)[len(view.in_stage(2)) // 2]
    lifted = lift.lift(view, [card.id], card.id)
    assert lifted is not None
    lifted = lift.step(lift.to_stage(lifted, view, 2), view, 1)
    assert not lift.is_at_home(lifted, view, view.in_stage(3))
    [(one, place)] = lift.places(lifted, view)
    after = view.with_task_at(one, 3, place)
    assert after.place_of(card.id) == (3, place)
    assert find(after, card.id) is not None
    summary(after, NOW)
    assert after.without_task(card.id).task(card.id) is None


def test_a_move_is_as_much_work_on_a_large_board_as_on_one_of_a_tenth() -> None:
    counts = []
    for cards in (512, 5_120):
        view = board(cards)
        moved(view)  # what is computed about a chunk is computed once
        with effort() as count:
            moved(view)
        counts.append(count.lines)
    assert counts[1] <= counts[0] * 1.25, counts
