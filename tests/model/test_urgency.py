"""What is late or due soon comes first, and is counted."""

from contextvars import copy_context
from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import given, strategies as st

from tui.model.board import Board, BoardView, Stage
from tui.model.people import Account
from tui.model.query.language import QueryContext, parse
from tui.model.query.matching import filtered
from tui.model.task import Label, Priority, Status, Task
from tui.model.urgency import (
    is_overdue,
    is_upcoming,
    summary,
    urgency,
)
from tui.text.dates import Customs, customs

NOW = datetime.fromisoformat("2026-11-25 10:30")

TASKS = st.builds(
    Task,
    st.integers(-5, 50),
    board_id=st.just(1),
    stage_id=st.just(1),
    title=st.just("x"),
    status=st.sampled_from(Status),
    priority=st.sampled_from(Priority),
    due_at=st.none() | st.timedeltas(timedelta(-9), timedelta(9)).map(lambda ahead: NOW + ahead),
)


def task(
    task_id: int,
    days: float | None = None,
    priority: Priority = Priority.LOW,
    status: Status = Status.OPEN,
) -> Task:
    due_at = None if days is None else NOW + timedelta(days=days)
    return Task(task_id, 1, 1, "x", status=status, priority=priority, due_at=due_at)


def test_the_most_urgent_comes_first() -> None:
    ordered = [
        task(1, days=-5),
        task(2, days=-1, priority=Priority.HIGH),
        task(3, days=1),
        task(4, days=2, priority=Priority.HIGH),
        task(5, days=9, priority=Priority.HIGH),
        task(6, priority=Priority.HIGH),
        task(7, priority=Priority.MEDIUM),
        task(8, days=5),
        task(9, days=6),
        task(10),
        task(11),
        task(12, days=-9, priority=Priority.HIGH, status=Status.CLOSED),
    ]
    shuffled = ordered[::-1]
    assert sorted(shuffled, key=lambda task: urgency(task, NOW)) == ordered


@given(TASKS, TASKS)
def test_late_comes_before_soon_and_soon_before_the_rest(one: Task, other: Task) -> None:
    if one.is_closed < other.is_closed or (
        one.is_closed == other.is_closed
        and (is_overdue(one, NOW), is_upcoming(one, NOW))
        > (is_overdue(other, NOW), is_upcoming(other, NOW))
    ):
        assert urgency(one, NOW) < urgency(other, NOW)


@given(TASKS)
def test_no_task_is_both_late_and_upcoming(one: Task) -> None:
    assert not (is_overdue(one, NOW) and is_upcoming(one, NOW))


def test_a_task_is_upcoming_from_now_and_late_after() -> None:
    assert is_upcoming(task(1, days=0), NOW)
    assert not is_overdue(task(1, days=0), NOW)
    assert is_overdue(task(1, days=-0.001), NOW)
    assert not is_upcoming(task(1, days=3), NOW)


def test_open_and_late_tasks_are_counted() -> None:
    view = BoardView(
        Board(1, "Board"),
        stages=(Stage(1, 1, "Doing"), Stage(2, 1, "Done", default_status=Status.CLOSED)),
        tasks={
            1: (task(1, days=-1), task(2), task(3, status=Status.CLOSED)),
            2: (task(4, days=-1, status=Status.CLOSED), task(5, days=-2)),
        },
    )
    assert summary(view, NOW) == (3, 0, 2, 0, 0)


def test_blocked_cards_what_is_due_until_sunday_and_full_stages_are_counted() -> None:
    assert f"{NOW:%a}" == "Wed"
    blocked = replace(task(1), labels=(Label(1, " BLOCKED", "#ff0000"),))
    view = BoardView(
        Board(1, "Board"),
        stages=(Stage(1, 1, "Doing", limit=3), Stage(2, 1, "Done", limit=3)),
        tasks={
            1: (blocked, replace(blocked, id=2, status=Status.CLOSED), task(3, days=1), task(4)),
            2: (task(5, days=4), task(6, days=5), task(7)),
        },
    )
    assert summary(view, NOW) == (6, 1, 0, 2, 1)


@given(st.lists(TASKS, max_size=9), st.integers(0, 6), st.integers(0, 7 * 24))
def test_what_is_due_this_week_is_what_the_filter_shows(
    tasks: list[Task], first_day: int, hours: int
) -> None:
    now = NOW + timedelta(hours=hours)
    view = BoardView(Board(1, "Board"), stages=(Stage(1, 1, "Doing"),), tasks={1: tuple(tasks)})
    context = copy_context()
    context.run(customs.set, Customs(first_day=first_day))
    about = QueryContext.of([view], Account(), now)
    shown = context.run(filtered, view, parse("is:open due:week"), about)
    counted = context.run(summary, view, now).due_this_week
    assert len(list(shown.all_tasks())) == counted
    week = (now.date() - timedelta(days=(now.weekday() - first_day) % 7)).toordinal()
    assert counted == sum(
        one.due_at is not None
        and one.due_at >= now.replace(second=0, microsecond=0)
        and one.due_at.toordinal() < week + 7
        for one in tasks
        if not one.is_closed
    )


@given(st.lists(st.lists(TASKS, max_size=4), max_size=3), st.integers(0, 2))
def test_counting_again_after_a_change_counts_the_change(
    lanes: list[list[Task]], changed: int
) -> None:
    stages = tuple(Stage(number, 1, "S") for number in range(len(lanes)))
    view = BoardView(Board(1, "B"), stages, {n: tuple(lane) for n, lane in enumerate(lanes)})
    for _ in range(2):
        tasks = list(view.all_tasks())
        counts = summary(view, NOW)
        assert counts.open == sum(not one.is_closed for one in tasks)
        assert counts.late == sum(is_overdue(one, NOW) for one in tasks)
        shorter = {n: lane[1:] if n == changed else lane for n, lane in view.tasks.items()}
        view = replace(view, tasks=shorter)
