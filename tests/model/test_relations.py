"""Which cards block which: directly, through others, and in circles."""

from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from typing import Any

from hypothesis import given, strategies as st

from tests.fakes.boards import task
from tui.model.blocked_by import Blocker
from tui.model.board import Board
from tui.model.relations import Relations, Standing, related
from tui.model.task import Label, Status, Task


def card(number: int, *blockers: int, **values: Any) -> Task:
    """A card that names others."""
    return task(number, f"Card {number}", blockers=tuple(map(Blocker, blockers)), **values)


def ids(cards: tuple[Task, ...]) -> list[int]:
    """The numbers of cards."""
    return [one.id for one in cards]


def test_a_card_is_blocked_while_one_of_those_that_it_names_is_open() -> None:
    closed = card(3, status=Status.CLOSED)
    archived = card(4, archived_at=datetime(2026, 11, 2))  # noqa: DTZ001  wall clock
    blocked = card(1, 2, 3, 4, 99, 1)
    relations = related([blocked, card(2), closed, archived])
    assert ids(relations.blocking(blocked)) == [2]
    assert [relations.standing(number) for number in (2, 3, 4, 99)] == [
        Standing.OPEN, Standing.CLOSED, Standing.ARCHIVED, Standing.UNKNOWN,
    ]  # fmt: skip
    assert relations.is_blocked(blocked)
    done = related([blocked, card(2, status=Status.CLOSED), closed, archived])
    assert not done.is_blocked(blocked)
    assert [(one.id, by.id) for one, by in done.unblocked_since(relations)] == [(1, 2)]
    assert not relations.is_blocked(replace(blocked, status=Status.CLOSED))


def test_a_label_blocks_too_and_is_counted_once() -> None:
    labelled = card(1, 2, labels=(Label(9, "blocked"),))
    relations = related([labelled, card(2), card(3, 2)])
    assert relations.is_blocked(replace(labelled, blockers=()))
    assert relations.blocked_on(1) == 1
    assert relations.blocked_on(2) == 0


def test_a_card_holds_up_those_that_wait_for_it_directly_or_through_others() -> None:
    cards = [card(1), card(2, 1), card(3, 2), card(4, 3, 1), card(5, 4, status=Status.CLOSED)]
    relations = related(cards)
    assert ids(relations.held_up(cards[0])) == [2, 4, 3]
    assert ids(relations.held_up(cards[3])) == []
    assert ids(relations.held_up(replace(cards[0], status=Status.CLOSED))) == []


def test_the_chain_leads_from_a_blocker_to_the_card_that_it_waits_for() -> None:
    relations = related([card(403, 412), card(412, 84), card(84), card(7)])
    assert relations.chain(84, 403) == (403, 412, 84)
    assert relations.chain(403, 403) == (403,)
    assert relations.chain(403, 7) == ()
    assert relations.chain(403, 84) == ()


@given(
    st.dictionaries(
        st.integers(1, 6), st.lists(st.integers(1, 7), max_size=3, unique=True), max_size=6
    ),
    st.integers(1, 6),
    st.integers(1, 7),
)
def test_a_blocker_without_a_chain_makes_no_circle(
    named: dict[int, list[int]], card_id: int, blocker_id: int
) -> None:
    relations = Relations({number: card(number, *named.get(number, ())) for number in range(1, 7)})
    path = relations.chain(card_id, blocker_id)
    if path:
        assert (path[0], path[-1]) == (blocker_id, card_id)
        steps = pairwise(path)
        assert all(to in relations.blockers_of(one) for one, to in steps)
    waits = relations.held_up(relations.cards[card_id])
    assert (blocker_id in ids(waits) or blocker_id == card_id) == bool(path)


def test_it_is_said_how_it_stands_with_each_card_that_is_named() -> None:
    boards = Board(1, "Shop"), Board(2, "Support, EU"), Board(3, "Help desk")
    named = (
        *(Blocker(2), Blocker(3), Blocker(4), Blocker(5, "Support EU"), Blocker(6, "Shop")),
        *(Blocker(7, "Old name"), Blocker(98), Blocker(99)),
    )
    waiting = replace(card(1), blockers=named)
    moved = replace(card(4, status=Status.CLOSED), board_id=2)
    places = {5: 2, 6: 3, 7: 3}
    elsewhere = [replace(card(one), board_id=board) for one, board in places.items()]
    known = related([waiting, card(2), card(3, status=Status.CLOSED), moved, *elsewhere])
    relations = Relations(known.cards, {98})
    assert [relations.named(waiting, one, boards) for one in named] == [
        ("#2", ""),
        ("#3", "closed"),
        ("#4", "now on Support EU, closed"),
        ("Support EU #5", ""),
        ("Shop #6", "now on Help desk"),
        ("Help desk #7", ""),
        ("#98", "deleted"),
        ("#99", "not found"),
    ]
    assert relations != known
