"""The card to take next: the first of those that anyone in the user's place may take."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, strategies as st

from tests.fakes.boards import ANN, JON, MIRA, NOW, small, task
from tui.model.blocked_by import Blocker
from tui.model.board import Board, BoardView, Stage
from tui.model.people import Account
from tui.model.relations import related
from tui.model.task import Label, Priority, Status, Task
from tui.model.work.next_card import candidates, next_card

ME = Account("ann")
BLOCKED = Label(9, "blocked")
STAGES = ("Ideas", "To do", "Doing", "Review", "Done")
TAKEN_FROM = (1, 2, 3)
"""The backlog, and the first active stage."""

TASKS = st.lists(
    st.builds(
        Task,
        st.integers(1, 60),
        board_id=st.just(1),
        stage_id=st.integers(1, 5),
        title=st.just("x"),
        status=st.sampled_from(Status),
        priority=st.sampled_from(Priority),
        labels=st.sampled_from([(), (), (BLOCKED,)]),
        due_at=st.none() | st.timedeltas(timedelta(-3), timedelta(6)).map(lambda by: NOW + by),
        assignees=st.sampled_from([(), (ANN,), (MIRA,), (JON, ANN)]),
        is_template=st.sampled_from([False, False, True]),
    ),
    max_size=14,
    unique_by=lambda one: one.id,
)


def board(tasks: Iterable[Task], number: int = 1) -> BoardView:
    """A board of five stages with these cards."""
    stages = tuple(Stage(at, number, title, float(at)) for at, title in enumerate(STAGES, 1))
    held = tuple(tasks)
    lanes = {at: tuple(one for one in held if one.stage_id == at) for at in range(1, 6)}
    return BoardView(Board(number, f"Board {number}"), stages, lanes, people=(ANN, MIRA, JON))


def may_be_taken(one: Task) -> bool:
    """Whether a card may be taken, in the words of the help alone."""
    is_free = not one.assignees or ANN in one.assignees
    is_work = one.status is Status.OPEN and not one.is_template
    return is_work and is_free and BLOCKED not in one.labels and one.stage_id in TAKEN_FROM


@given(TASKS)
def test_each_card_that_may_be_taken_is_in_order_and_no_other(tasks: list[Task]) -> None:
    view = board(tasks)
    found, left_out = candidates([view], ME)
    assert {one.task.id for one in found} == {one.id for one in tasks if may_be_taken(one)}
    still_open = sum(one.status is Status.OPEN and not one.is_template for one in tasks)
    assert len(found) + sum(left_out.values()) == still_open
    ranks = [Priority.HIGH, Priority.MEDIUM, Priority.LOW]
    keys = [
        (
            one.task.due_at or NOW + timedelta(99),
            ranks.index(one.task.priority),
            -(one.task.stage_id or 0),
        )
        for one in found
    ]
    assert keys == sorted(keys)
    chosen = next_card([view], ME, NOW)
    assert chosen.task == (found[0].task if found else None)
    assert chosen.why
    if not found:
        assert ("no card to take" in chosen.why) == bool(still_open)


@given(TASKS, st.integers(0, 59))
def test_taking_away_what_is_next_leaves_the_order_of_the_others(
    tasks: list[Task], closed: int
) -> None:
    found = [one.task.id for one in candidates([board(tasks)], ME)[0]]
    remaining = [one for one in tasks if one.id != closed]
    assert [one.task.id for one in candidates([board(remaining)], ME)[0]] == [
        task_id for task_id in found if task_id != closed
    ]


SOON = task(11, "a", due_at=NOW + timedelta(days=1))


@pytest.mark.parametrize(
    ("tasks", "number", "why"),
    [
        ([SOON], 11, "due tomorrow, the only card to take, unassigned"),
        ([task(12, "b"), SOON], 11, "due tomorrow, the earliest of 2 cards, unassigned"),
        (
            [replace(SOON, due_at=NOW - timedelta(days=2)), task(12, "b", assignees=(ANN,))],
            11,
            "2d overdue, the earliest of 2 cards, unassigned",
        ),
        (
            [task(11, "a"), task(12, "b", priority=Priority.HIGH, assignees=(ANN,))],
            12,
            "high priority, the highest of 2 cards, assigned to you",
        ),
        (
            [task(11, "a"), task(21, "c", 3), task(22, "d", 3)],
            21,
            "the first in “Doing”, of 3 cards, unassigned",
        ),
        (
            [
                task(11, "a", labels=(BLOCKED,)),
                task(12, "b", 4),
                task(13, "c", 2, assignees=(MIRA,)),
                task(14, "d", 5),
            ],
            None,
            "no card to take: 1 blocked, 1 assigned to others, 2 in later stages",
        ),
        ([task(11, "a", status=Status.CLOSED)], None, "no open cards"),
    ],
)
def test_the_reason_is_what_decides(tasks: list[Task], number: int | None, why: str) -> None:
    found = next_card([board(tasks)], ME, NOW)
    assert (found.task and found.task.id, found.why) == (number, why)


def test_what_an_open_card_blocks_is_taken_after_it() -> None:
    waiting, first = replace(SOON, blockers=(Blocker(12),)), task(12, "b")
    chosen = next_card([board([waiting, first])], ME, NOW, related([waiting, first]))
    assert chosen.task == first
    done = replace(first, status=Status.CLOSED)
    assert next_card([board([waiting, done])], ME, NOW, related([waiting, done])).task == waiting


def test_the_due_date_goes_before_the_board() -> None:
    other = replace(small(), tasks={1: (replace(SOON, id=31),), 2: (), 3: ()})
    found = next_card([board([task(11, "a")]), other], ME, NOW)
    assert found.task is not None
    assert (found.task.id, found.view) == (31, other)
