"""The rows of a view: each card once, in the groups as people read them, sorted within each."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import groupby, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.fakes.boards import ANN, API, BUG, JON, MIRA, NOW, small
from tui.model.board import Board, BoardView
from tui.model.people import Account
from tui.model.task import Priority, Status, Task
from tui.model.work.saved_view import SavedView, ViewGroup, ViewSort
from tui.model.work.view_rows import DueGroup, view_rows

ME = Account(ANN.login, ANN.id)
DAYS = st.integers(-9, 9).map(lambda days: NOW + timedelta(days=days, hours=1))
MOMENTS = st.none() | DAYS.map(lambda day: day.replace(tzinfo=UTC))
TASKS = st.builds(
    Task,
    st.integers(1, 40),
    st.sampled_from([1, 2]),
    st.sampled_from([1, 2, 3]),
    st.sampled_from(["a", "B", "b", "é", ""]),
    st.sampled_from(Status),
    st.sampled_from(Priority),
    due_at=st.none() | DAYS,
    created_at=MOMENTS,
    updated_at=MOMENTS,
    labels=st.sampled_from([(), (BUG,), (BUG, API), (API,)]),
    assignees=st.sampled_from([(), (ANN,), (JON, ANN), (MIRA,), (MIRA, JON)]),
)
CARDS = st.lists(TASKS, unique_by=lambda task: task.id, max_size=12)
HOW = st.builds(
    SavedView,
    st.just("x"),
    group=st.sampled_from(ViewGroup),
    sort=st.sampled_from(ViewSort),
    is_reversed=st.booleans(),
)


def on_boards(tasks: list[Task]) -> list[BoardView]:
    """Two boards with these cards."""
    return [
        replace(
            small(),
            board=Board(number, f"Board {number}"),
            tasks={
                stage: tuple(
                    task for task in tasks if (task.board_id, task.stage_id) == (number, stage)
                )
                for stage in (1, 2, 3)
            },
        )
        for number in (1, 2)
    ]


@given(CARDS, HOW)
def test_each_card_is_there_once_and_each_group_in_one_piece(
    tasks: list[Task], how: SavedView
) -> None:
    rows = view_rows(on_boards(tasks), how, ME, NOW)
    assert sorted(row.task.id for row in rows) == sorted(task.id for task in tasks)
    groups = [group for group, _ in groupby(row.group for row in rows)]
    assert len(groups) == len(set(groups))


@given(CARDS, HOW, st.randoms())
def test_the_order_does_not_depend_on_how_cards_were_read(
    tasks: list[Task], how: SavedView, random: Random
) -> None:
    rows = view_rows(on_boards(tasks), how, ME, NOW)
    shuffled = [*tasks]
    random.shuffle(shuffled)
    assert [*view_rows(on_boards(shuffled), how, ME, NOW)] == [*rows]
    assert [rows[at] for at in range(len(rows))] == [*rows] == rows[:]
    assert rows.ids == [row.task.id for row in rows]
    assert rows.in_group == Counter(row.group for row in rows)


@given(CARDS, HOW)
def test_cards_of_a_group_are_sorted_and_those_without_a_value_are_last(
    tasks: list[Task], how: SavedView
) -> None:
    values: dict[ViewSort, Callable[[Task], Any]] = {
        ViewSort.DUE: lambda task: task.due_at,
        ViewSort.PRIORITY: lambda task: ["high", "medium", "low"].index(task.priority),
        ViewSort.AGE: lambda task: task.created_at and NOW.replace(tzinfo=UTC) - task.created_at,
        ViewSort.UPDATED: lambda task: (
            task.updated_at and NOW.replace(tzinfo=UTC) - task.updated_at
        ),
        ViewSort.TITLE: lambda task: task.title.lower().replace("é", "e"),
    }
    rows = view_rows(on_boards(tasks), how, ME, NOW)
    for _, group in groupby(rows, key=lambda row: row.group):
        found = [values[how.sort](row.task) for row in group]
        for first, second in pairwise(found):
            if first is None:
                assert second is None
            elif second is not None:
                assert first >= second if how.is_reversed else first <= second


@pytest.mark.parametrize(
    ("hours", "status", "group"),
    [
        (-24, Status.OPEN, DueGroup.OVERDUE),
        (-1, Status.OPEN, DueGroup.OVERDUE),
        (0, Status.OPEN, DueGroup.TODAY),
        (1, Status.OPEN, DueGroup.TODAY),
        (49, Status.OPEN, DueGroup.WEEK),
        (73, Status.OPEN, DueGroup.LATER),
        (-24, Status.CLOSED, DueGroup.EARLIER),
        (-1, Status.CLOSED, DueGroup.TODAY),
        (1, Status.CLOSED, DueGroup.TODAY),
        (None, Status.OPEN, DueGroup.NONE),
        (None, Status.CLOSED, DueGroup.NONE),
    ],
)
def test_groups_by_due_date(hours: int | None, status: Status, group: DueGroup) -> None:
    due = None if hours is None else NOW + timedelta(hours=hours)  # NOW is a Friday
    views = on_boards([Task(1, 1, 1, "x", status, due_at=due)])
    (row,) = view_rows(views, SavedView("x", group=ViewGroup.DUE), ME, NOW)
    assert row.group == group


def test_groups_by_person_begin_with_my_own_and_end_with_nobodys() -> None:
    own = [(), (MIRA,), (JON, ANN), (JON,)]
    tasks = [Task(number, 1, 1, "x", assignees=people) for number, people in enumerate(own, 1)]
    rows = view_rows(on_boards(tasks), SavedView("x", group=ViewGroup.PERSON), ME, NOW)
    assert [row.group for row in rows] == ["Ann Keller", "Jon Reyes", "Mira Novak", "Unassigned"]


def test_groups_by_stage_follow_the_boards() -> None:
    tasks = [Task(1, 1, 3, "x"), Task(2, 2, 1, "y"), Task(3, 1, 2, "z")]
    rows = view_rows(on_boards(tasks), SavedView("x", group=ViewGroup.STAGE), ME, NOW)
    assert [row.group for row in rows] == ["To do", "Doing", "Done"]
    rows = view_rows(on_boards(tasks), SavedView("x", group=ViewGroup.BOARD), ME, NOW)
    assert [row.group for row in rows] == ["Board 1", "Board 1", "Board 2"]
    assert isinstance(NOW, datetime)
