"""The figures of a view are those of its boards, added up."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, strategies as st

from tests.fakes.boards import API, BUG, small, task
from tui.model.board import Board, BoardView
from tui.model.events.history import BEGINNING, BoardHistory, Event, EventKind
from tui.model.standup.insight import Insight, insight
from tui.model.standup.report import BoardSource
from tui.model.standup.view_insight import view_insight

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
_STEPS = st.lists(
    st.tuples(
        st.integers(1, 6),
        st.sampled_from([EventKind.MOVED, EventKind.CLOSED, EventKind.REOPENED]),
        st.sampled_from(["To do", "Doing", "Done"]),
        st.integers(0, 27 * 24),
    ),
    max_size=20,
)


def source(board_id: int, steps: list[tuple[int, EventKind, str, int]]) -> BoardSource:
    """A board whose events happened so many hours before now; half of its cards are bugs."""
    view = small()
    first = 10 * board_id
    cards = [
        task(first + number, f"card {number}", 1 + number % 3, labels=((BUG, API)[number // 4],))
        for number in range(1, 7)
    ]
    tasks = {stage: tuple(card for card in cards if card.stage_id == stage) for stage in (1, 2, 3)}
    events = sorted(
        (
            Event(
                board_id, first + number, kind, NOW - timedelta(hours=hours),
                old="To do" if kind is EventKind.MOVED else "",
                new=stage if kind is EventKind.MOVED else "",
            )
            for number, kind, stage, hours in steps
        ),
        key=lambda event: event.at,
    )  # fmt: skip
    named = replace(view, board=Board(board_id, f"Board {board_id}"), tasks=tasks)
    history = BoardHistory(board_id, tuple(events), BEGINNING, records_moves=True)
    return BoardSource(named, history)


def of_view(*sources: BoardSource, bugs: bool = False) -> Insight:
    """The figures of all cards of boards, or of those that are bugs."""
    return view_insight(
        "All",
        sources,
        NOW,
        4,
        matches=(lambda card: BUG in card.labels) if bugs else None,
        matches_past=(lambda card: BUG in card.labels) if bugs else None,
    )


@given(_STEPS)
def test_a_view_of_one_board_has_the_figures_of_the_board(
    steps: list[tuple[int, EventKind, str, int]],
) -> None:
    one = source(1, steps)
    alone, shown = insight(one.view, one.history, NOW, 4), of_view(one)
    assert replace(shown, board_id=alone.board_id, title=alone.title, boards=()) == alone


@given(_STEPS, _STEPS)
def test_figures_of_two_boards_are_added_up(
    first: list[tuple[int, EventKind, str, int]], second: list[tuple[int, EventKind, str, int]]
) -> None:
    sources = source(1, first), source(2, second)
    parts = [insight(each.view, each.history, NOW, 4) for each in sources]
    shown = of_view(*sources)
    assert [board.id for board in shown.boards] == [1, 2]
    for weeks in ("weeks", "earlier"):
        totals = zip(*(getattr(part, weeks) for part in parts), strict=True)
        assert [week.closed for week in getattr(shown, weeks)] == [
            sum(week.closed for week in same) for same in totals
        ]
    counts = {stage.title: stage.counts[-1] for stage in shown.flow}
    assert counts == {"To do": 4, "Doing": 4, "Done": 4}
    assert sorted(shown.work) == sorted((*parts[0].work, *parts[1].work))
    bugs = of_view(*sources, bugs=True)
    assert sum(stage.cards for stage in bugs.ages) == sum(stage.cards for stage in shown.ages) / 2
    assert sum(week.closed for week in bugs.weeks) <= sum(week.closed for week in shown.weeks)
    assert bugs.known_since == shown.known_since


def test_stages_in_which_no_card_of_the_view_ever_was_are_left_out() -> None:
    site = source(1, [])
    bugs = of_view(site, bugs=True)
    assert [stage.title for stage in bugs.flow] == ["To do", "Doing", "Done"]
    alone = {
        stage: tuple(card for card in cards if card.id == 11 or BUG not in card.labels)
        for stage, cards in site.view.tasks.items()
    }
    one_bug = BoardSource(site.view.holding(alone), site.history)
    shown = of_view(one_bug, bugs=True)
    assert [stage.title for stage in shown.flow] == ["Doing"]
    assert [stage.title for stage in shown.ages] == ["Doing"]
    none = view_insight("", [one_bug], NOW, 4, matches=lambda _: False, matches_past=None)
    assert [stage.title for stage in none.ages] == ["To do", "Doing"]


def test_what_is_not_known_of_one_board_is_not_known_of_the_view() -> None:
    known, unknown = source(1, []), source(2, [])
    shown = of_view(known, BoardSource(unknown.view, BoardHistory(2)))
    assert shown.known_since is None
    assert not any(week.is_known for week in shown.weeks)
    assert {count for stage in shown.flow for count in stage.counts[:-1]} == {None}
    assert [stage.counts[-1] for stage in shown.flow] == [4, 4, 4]


def test_stages_of_other_titles_are_beside_each_other_and_the_last_ones_last() -> None:
    site, other = source(1, []), source(2, [])
    stages = tuple(
        replace(stage, title=title)
        for stage, title in zip(site.view.stages, ("Inbox", "Doing", "Shipped"), strict=True)
    )
    desk: BoardView = replace(other.view, stages=stages)
    shown = of_view(site, BoardSource(desk, other.history))
    assert [(stage.title, stage.counts[-1]) for stage in shown.flow] == [
        ("Inbox", 2), ("To do", 2), ("Doing", 4), ("Done", 2), ("Shipped", 2),
    ]  # fmt: skip
