"""The hand: whatever is carried anywhere, a drop puts the cards where the ghost was drawn."""

from functools import reduce

from hypothesis import assume, given, strategies as st

from tests.fakes.boards import NOW, small, task
from tui.model.board import Board, BoardView, Stage
from tui.model.moving import lift
from tui.model.moving.lift import Lift, RowKind
from tui.model.query.language import Query, QueryContext, Term
from tui.model.query.matching import filtered
from tui.model.query.terms import TermKind

STAGES = st.integers(1, 4)


@st.composite
def boards(draw: st.DrawFn) -> BoardView:
    """A board of a few stages with a few tasks each."""
    count = draw(STAGES)
    numbers = iter(range(1, 1000))
    tasks = {
        stage: tuple(
            task(next(numbers), f"t{stage}", stage) for _ in range(draw(st.integers(0, 5)))
        )
        for stage in range(1, count + 1)
    }
    return BoardView(Board(1, "b"), tuple(Stage(i, 1, f"s{i}") for i in tasks), tasks)


@st.composite
def carried(draw: st.DrawFn) -> tuple[BoardView, Lift]:
    """A board with at least one task, and some of its tasks carried somewhere."""
    view = draw(boards().filter(lambda view: any(view.all_tasks())))
    ids = [each.id for each in view.all_tasks()]
    at = draw(st.sampled_from(ids))
    chosen = draw(st.sets(st.sampled_from(ids), min_size=1, max_size=3))
    lifted = lift.lift(view, chosen, at)
    assert lifted is not None
    for _ in range(draw(st.integers(0, 4))):
        if draw(st.booleans()):
            lifted = lift.to_stage(lifted, view, draw(st.integers(-1, 5)))
        else:
            lifted = lift.to_row(lifted, view, draw(st.integers(-2, 8)))
    return view, lifted


def dropped(view: BoardView, lifted: Lift, shown: BoardView | None = None) -> BoardView:
    """The board after the drop."""
    placed = lift.places(lifted, shown or view)
    return reduce(
        lambda board, each: board.with_task_at(each[0], lifted.stage_id, each[1]), placed, view
    )


def ids_in(view: BoardView, stage_id: int) -> list[int]:
    """The ids in a stage, in order."""
    return [each.id for each in view.in_stage(stage_id)]


@given(carried())
def test_a_drop_puts_the_cards_where_the_ghost_is_drawn(case: tuple[BoardView, Lift]) -> None:
    view, lifted = case
    drawn = [
        row.task.id
        for row in lift.rows(lifted, view, lifted.stage_id)
        if row.kind is not RowKind.OUTLINE
    ]
    assert ids_in(dropped(view, lifted), lifted.stage_id) == drawn


@given(carried())
def test_no_card_is_lost_or_doubled(case: tuple[BoardView, Lift]) -> None:
    view, lifted = case
    before = sorted(each.id for each in view.all_tasks())
    assert sorted(each.id for each in dropped(view, lifted).all_tasks()) == before


@given(carried())
def test_at_home_means_that_a_drop_changes_nothing(case: tuple[BoardView, Lift]) -> None:
    view, lifted = case
    after = dropped(view, lifted)
    same = all(ids_in(after, each.id) == ids_in(view, each.id) for each in view.stages)
    assert lift.is_at_home(lifted, view, view.in_stage(lifted.stage_id)) == same


@given(carried())
def test_every_card_is_drawn_once_and_the_hand_as_ghosts(case: tuple[BoardView, Lift]) -> None:
    view, lifted = case
    rows = [row for stage in view.stages for row in lift.rows(lifted, view, stage.id)]
    solid = sorted(row.task.id for row in rows if row.kind is RowKind.CARD)
    ghosts = [row.task.id for row in rows if row.kind is RowKind.GHOST]
    assert ghosts == list(lifted.task_ids)
    assert sorted([*solid, *ghosts]) == sorted(each.id for each in view.all_tasks())


@st.composite
def number_queries(draw: st.DrawFn, ids: list[int]) -> Query:
    """A query that shows some cards of a board: by number, or by stage, or all but some."""
    some = draw(st.sets(st.sampled_from(ids), min_size=1))
    terms = st.sampled_from(
        [
            tuple(Term(TermKind.NUMBER, str(one)) for one in some),
            tuple(Term(TermKind.NUMBER, str(one), is_not=True) for one in some),
            (Term(TermKind.STAGE, "s1"),),
            (
                Term(TermKind.STAGE, "s1", is_not=True),
                Term(TermKind.NUMBER, str(min(some)), is_not=True),
            ),
            (Term(TermKind.WORD, "t2", is_not=True),),
        ]
    )
    return Query(draw(terms))


@given(carried(), st.integers(0, 3), st.integers(0, 8))
def test_the_ghost_is_drawn_in_the_row_that_is_pointed_at(
    case: tuple[BoardView, Lift], index: int, row: int
) -> None:
    view, lifted = case
    there = lift.to_drawn_row(lifted, view, index, row)

    def drawn(hand: Lift) -> int:
        rows = lift.rows(hand, view, hand.stage_id)
        return next(at for at, each in enumerate(rows) if each.kind is RowKind.GHOST)

    is_last = there == lift.to_row(there, view, there.row + 1)
    assert drawn(there) >= row or is_last
    assert drawn(there) == row or is_last or drawn(lift.to_row(there, view, there.row - 1)) < row


@given(carried(), st.data())
def test_under_a_filter_a_drop_puts_the_cards_between_what_is_shown(
    case: tuple[BoardView, Lift], data: st.DataObject
) -> None:
    whole, _ = case
    query = data.draw(number_queries([each.id for each in whole.all_tasks()]))
    shown = filtered(whole, query, QueryContext(NOW, stages=whole.stages))
    kept = [each.id for each in shown.all_tasks()]
    assume(kept)
    at = data.draw(st.sampled_from(kept))
    chosen = data.draw(st.sets(st.sampled_from(kept), max_size=3)) | {at}
    lifted = lift.lift(shown, chosen, at)
    assert lifted is not None
    lifted = lift.to_stage(
        lifted, shown, data.draw(st.integers(0, 4)), data.draw(st.integers(0, 6))
    )
    after, stage_id = dropped(whole, lifted, shown), lifted.stage_id
    order = ids_in(after, stage_id)
    drawn = [
        row.task.id for row in lift.rows(lifted, shown, stage_id) if row.kind is not RowKind.OUTLINE
    ]
    assert [one for one in order if one in kept] == drawn
    assert [one for one in order if one not in chosen] == [
        one for one in ids_in(whole, stage_id) if one not in chosen
    ]
    spot = lift.place(lifted, shown)
    start = 0 if spot.above is None else order.index(spot.above) + 1
    end = len(order) if spot.below is None else order.index(spot.below)
    hidden = [one for one in order[start:end] if one not in kept]
    assert lift.hidden_between(lifted, shown, whole.in_stage(stage_id)) == len(hidden)
    if spot.above is not None:
        assert order[start] == lifted.task_ids[0]


@given(carried(), boards())
def test_news_leave_the_hand_on_the_board_or_empty(
    case: tuple[BoardView, Lift], news: BoardView
) -> None:
    before, lifted = case
    settled = lift.kept_between(lifted, before, news, {})
    present = {each.id for each in news.all_tasks()}
    assert (settled is None) == (not set(lifted.task_ids) <= present)
    if settled is not None:
        assert 0 <= settled.row <= len(lift.others(settled, news, settled.stage_id))


def test_the_ghost_stays_below_the_card_it_was_below() -> None:
    view = small()
    lifted = lift.lift(view, [11], 11)
    assert lifted is not None
    lifted = lift.to_row(lifted, view, 1)
    more = BoardView(view.board, view.stages, {**view.tasks, 1: (task(10, "new"), *view.tasks[1])})
    settled = lift.kept_between(lifted, view, more, {})
    assert settled is not None
    assert lift.place(settled, more) == lift.place(lifted, view)


def test_hidden_cards_between_the_neighbours_are_counted() -> None:
    whole = small()
    shown = BoardView(
        whole.board, whole.stages, {**whole.tasks, 1: (whole.tasks[1][0], whole.tasks[1][2])}
    )
    lifted = lift.lift(shown, [21], 21)
    assert lifted is not None
    counts = [
        lift.hidden_between(lift.to_stage(lifted, shown, 0, row), shown, whole.in_stage(1))
        for row in range(3)
    ]
    assert counts == [0, 1, 0]


def test_nothing_to_lift_is_no_hand() -> None:
    assert lift.lift(small(), [], 11) is None
    assert lift.lift(small(), [999], 11) is None
