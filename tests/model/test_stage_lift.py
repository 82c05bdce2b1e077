"""A lifted column: wherever it is moved, a drop puts the stage there."""

from dataclasses import replace

from hypothesis import given, strategies as st

from tui.model.board import Board, BoardView, Stage
from tui.model.moving import stage_lift
from tui.store.operations import MoveStage


def board(*ids: int) -> BoardView:
    return BoardView(Board(1, "b"), tuple(Stage(one, 1, f"s{one}") for one in ids))


def order(view: BoardView) -> list[int]:
    return [stage.id for stage in view.stages]


IDS = st.lists(st.integers(1, 50), min_size=1, max_size=7, unique=True)


@given(IDS, st.data())
def test_a_drop_puts_the_stage_where_it_is_drawn(ids: list[int], data: st.DataObject) -> None:
    view = board(*ids)
    lifted = stage_lift.lift(view, data.draw(st.sampled_from(ids)))
    assert lifted is not None
    index = data.draw(st.integers(-2, 9))
    lifted = stage_lift.to_index(lifted, view, index)
    expected = [one for one in ids if one != lifted.stage_id]
    expected.insert(max(0, min(index, len(ids) - 1)), lifted.stage_id)
    assert order(stage_lift.arranged(lifted, view)) == expected
    place = stage_lift.place(lifted, view)
    assert (place is None) == (expected == ids)
    if place is not None:
        stage = view.stage(lifted.stage_id)
        assert stage is not None
        assert order(MoveStage.on(stage, place).apply(view)) == expected


@given(IDS, IDS, st.data())
def test_it_stays_right_of_the_same_stage_when_others_change(
    ids: list[int], later: list[int], data: st.DataObject
) -> None:
    before, after = board(*ids), board(*later)
    lifted = stage_lift.lift(before, data.draw(st.sampled_from(ids)))
    assert lifted is not None
    lifted = stage_lift.to_index(lifted, before, data.draw(st.integers(0, 6)))
    settled = stage_lift.settle(lifted, before, after, {})
    assert (settled is None) == (lifted.stage_id not in later)
    if settled is None:
        return
    drawn = order(stage_lift.arranged(settled, after))
    assert sorted(drawn) == sorted(later)
    left = order(stage_lift.arranged(lifted, before))[lifted.index - 1] if lifted.index else None
    if left is None:
        assert drawn[0] == lifted.stage_id
    elif left in later:
        assert drawn[drawn.index(lifted.stage_id) - 1] == left


def test_it_is_known_by_its_new_id_once_the_service_made_it() -> None:
    before = board(1, 2, -7)
    lifted = stage_lift.lift(before, -7)
    assert lifted is not None
    lifted = stage_lift.to_index(lifted, before, 1)
    settled = stage_lift.settle(lifted, before, board(1, 2, 9), {-7: 9})
    assert settled == replace(lifted, stage_id=9)


def test_a_stage_that_is_not_there_is_not_lifted() -> None:
    assert stage_lift.lift(board(1), 2) is None
    assert stage_lift.lift(board(), None) is None
