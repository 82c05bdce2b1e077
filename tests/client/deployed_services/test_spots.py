"""Places told by neighbours."""

import pytest

from tui.client.decoding import decode
from tui.client.editions.moving import TaskSpot
from tui.client.lanes import StageLane
from tui.schema.tasks import Task

STAGE = 11
SPOT = TaskSpot.at(9, 2, [1, 2, 3])


def _lane(fresh: bool = True, **positions: float) -> StageLane:
    known = {int(name[1:]): position for name, position in positions.items()}
    return StageLane(STAGE, known, frozenset(known) if fresh else frozenset())


@pytest.mark.parametrize(
    ("index", "above", "below"),
    [(1, (), (1, 2)), (2, (1,), (2,)), (3, (1, 2), ()), (9, (1, 2), ()), (0, (), (1, 2))],
)
def test_a_place_is_between_neighbours(
    index: int, above: tuple[int, ...], below: tuple[int, ...]
) -> None:
    assert TaskSpot.at(9, index, [1, 2]) == TaskSpot(9, above, below)


@pytest.mark.parametrize(
    ("lane", "index"),
    [
        (_lane(t1=1, t2=2, t3=3), 2),
        (_lane(t1=1, t9=5, t2=2, t3=3), 2),
        (_lane(t7=0.5, t1=1, t2=2, t3=3), 3),
        (_lane(t2=2, t3=3), 1),
        (_lane(t3=3), 1),
        (_lane(t2=1, t1=2), 3),
        (_lane(), 1),
        (_lane(t7=1, t8=2), 2),
    ],
)
def test_the_number_goes_by_who_is_there(lane: StageLane, index: int) -> None:
    assert SPOT.index_in(lane) == index


@pytest.mark.parametrize(
    ("lane", "is_right"),
    [
        (_lane(t1=1, t9=1.5, t2=2), True),
        (_lane(t1=1, t9=1, t2=2), True),
        (_lane(t1=1, t9=2, t2=2), False),
        (_lane(t1=1, t9=2.5, t2=2), False),
        (_lane(t1=1, t2=2), False),
        (_lane(fresh=False, t1=1, t9=2.5, t2=2), None),
        (_lane(fresh=False, t1=1, t9=1.5, t2=2), True),
        (_lane(t2=1, t1=2, t9=3), True),
        (_lane(t9=0.5, t2=1, t1=2), True),
        (_lane(t9=7), True),
    ],
)
def test_where_it_came_to_stand(lane: StageLane, is_right: bool | None) -> None:
    assert SPOT.is_right(lane) is is_right


@pytest.mark.parametrize(
    ("lane", "is_cramped"),
    [
        (_lane(t1=1, t2=2), False),
        (_lane(t1=1, t2=1), True),
        (_lane(t1=1, t2=1.01), True),
        (_lane(t1=1, t2=1.02), False),
        (_lane(t2=0.01), True),
        (_lane(t2=0.02), False),
        (_lane(t1=1), False),
    ],
)
def test_whether_there_is_room(lane: StageLane, is_cramped: bool) -> None:
    assert SPOT.is_cramped(lane) is is_cramped


def test_a_shared_position_is_a_tie() -> None:
    assert SPOT.is_tied(_lane(t1=1, t9=1, t2=2))
    assert not SPOT.is_tied(_lane(t1=1, t9=1.5, t2=2))


def test_a_lane_follows_what_is_told() -> None:
    lane = _lane(fresh=False, t1=1, t2=2, t3=3).after(
        decode(Task, row)
        for row in (
            {"id": 1, "stage_id": STAGE, "position": "1.50"},
            {"id": 2, "stage_id": 99, "position": "1.00"},
            {"id": 3, "stage_id": STAGE, "position": 0, "archived_at": "2026-11-21 12:00:00"},
            {"id": 4, "stage_id": STAGE, "position": 4},
            {"id": 5, "stage_id": STAGE},
            {"id": 6, "stage_id": STAGE, "position": 6, "parent_id": 4},
        )
    )
    assert lane.positions == {1: 1.5, 4: 4.0}
    assert lane.fresh == {1, 4}
