"""What is news: the differences between two views of a board, and what is for the user."""

import unicodedata
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from tests.fakes.boards import ANN, JON, MIRA, NOW, small, task
from tui.model.board import BoardView, Place
from tui.model.comment import Comment, Thread, threaded
from tui.model.events.remote_changes import ChangeKind
from tui.model.people import Account
from tui.model.task import Label, Person, Priority, Status, Task
from tui.model.work.news import (
    CardDifference,
    News,
    Reason,
    addressed,
    assigned,
    detail_of,
    differences,
    due_soon,
    summary,
)
from tui.text.cells import width

ME = Account("ann")
AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
BOARD = replace(small(), people=(ANN, MIRA, JON))

TASKS = st.lists(
    st.builds(
        Task,
        st.integers(1, 30),
        board_id=st.just(1),
        stage_id=st.sampled_from([1, 2, 3]),
        title=st.sampled_from(["x", "y"]),
        status=st.sampled_from(Status),
        comments_count=st.integers(0, 3),
        due_at=st.none() | st.integers(-60, 180).map(lambda by: NOW + timedelta(minutes=by)),
        assignees=st.sampled_from([(), (ANN,), (MIRA,), (JON, ANN)]),
    ),
    max_size=12,
    unique_by=lambda one: one.id,
)


def board(tasks: list[Task]) -> BoardView:
    lanes = {id_: tuple(one for one in tasks if one.stage_id == id_) for id_ in (1, 2, 3)}
    return replace(BOARD, tasks=lanes)


def changed(after: BoardView) -> dict[int, tuple[ChangeKind, ...]]:
    """What differs from the small board."""
    return {each.task.id: each.kinds for each in differences(BOARD, after)}


@given(TASKS, TASKS)
def test_exactly_the_cards_that_differ_are_found(before: list[Task], after: list[Task]) -> None:
    old, new = ({each.id: each for each in tasks} for tasks in (before, after))
    found = {each.task.id: each for each in differences(board(before), board(after))}
    same = {id_ for id_ in old.keys() & new.keys() if _looks_same(old[id_], new[id_])}
    assert found.keys() == (old.keys() | new.keys()) - same
    for id_, each in found.items():
        assert (each.kinds == (ChangeKind.NEW,)) == (id_ not in old)
        assert (each.kinds == (ChangeKind.GONE,)) == (id_ not in new)


def _looks_same(before: Task, now: Task) -> bool:
    fewer = before.comments_count >= now.comments_count
    return replace(before, comments_count=0) == replace(now, comments_count=0) and fewer


@pytest.mark.parametrize(
    ("values", "kinds"),
    [
        ({"title": "b"}, (ChangeKind.RENAMED,)),
        ({"status": Status.CLOSED}, (ChangeKind.CLOSED,)),
        ({"priority": Priority.HIGH, "due_at": NOW}, (ChangeKind.DUE, ChangeKind.PRIORITY)),
        ({"labels": (Label(1, "bug"),)}, (ChangeKind.LABELS,)),
        ({"assignees": (ANN,)}, (ChangeKind.PEOPLE,)),
        ({"comments_count": 2}, (ChangeKind.COMMENTED,)),
        ({"subtasks_total": 1}, (ChangeKind.SUBTASKS,)),
        ({"attachments_count": 1}, (ChangeKind.FILES,)),
        ({"description": "<p>x</p>"}, (ChangeKind.DESCRIBED,)),
        ({"position": 9.0, "updated_at": AT}, ()),
    ],
)
def test_what_differs_is_named(values: dict[str, object], kinds: tuple[ChangeKind, ...]) -> None:
    after = BOARD.with_task(replace(BOARD.in_stage(1)[0], **values))  # type: ignore[arg-type]
    assert changed(after) == ({11: kinds} if kinds else {})


def test_a_card_moved_to_a_stage_that_closes_is_moved_and_no_more() -> None:
    moved = BOARD.with_task_at(BOARD.in_stage(1)[0], 3, Place())
    assert changed(moved) == {11: (ChangeKind.MOVED,)}
    (difference,) = differences(BOARD, moved)
    assert detail_of(difference, ChangeKind.MOVED, moved) == "“Done”"


def test_a_card_that_is_not_sent_yet_is_none_until_it_is() -> None:
    local = replace(BOARD, tasks={**BOARD.tasks, 2: (task(-5, "new", 2),)})
    assert changed(local) == {21: (ChangeKind.GONE,), 22: (ChangeKind.GONE,)}
    sent = replace(BOARD, tasks={**local.tasks, 2: (task(23, "new", 2),)})
    assert [each.task.id for each in differences(local, sent)] == [23]


@given(TASKS)
def test_my_open_cards_of_the_next_hour_are_due_soon(tasks: list[Task]) -> None:
    due = {each.task.id for each in due_soon(board(tasks), ME, NOW)}
    assert due == {
        each.id
        for each in tasks
        if each.due_at is not None
        and timedelta() <= each.due_at - NOW < timedelta(hours=1)
        and ANN in each.assignees
        and each.status is Status.OPEN
    }


def comment(number: int, text: str, by: Person = MIRA, under: int | None = None) -> Comment:
    written = AT + timedelta(minutes=number)
    return Comment(number, 11, text, under, by, written)


def for_me(thread: Thread, count: int, since: datetime = AT) -> list[tuple[Reason, str, str]]:
    """The news of a card on which there are so many more comments."""
    before = BOARD.in_stage(1)[0]
    difference = CardDifference(
        replace(before, comments_count=count), before, (ChangeKind.COMMENTED,)
    )
    return [
        (each.reason, each.who, each.text)
        for each in addressed(difference, thread, since, BOARD, ME)
    ]


def test_mentions_and_replies_among_the_new_comments_are_for_me() -> None:
    thread = threaded(
        [
            comment(1, "@ann old"),
            comment(2, "mine", ANN),
            comment(3, "not for you"),
            comment(4, "so?", JON, under=2),
            comment(5, "@ann please\nlook"),
        ]
    )
    assert for_me(thread, 3) == [
        (Reason.REPLIED, "Jon Reyes", "so?"),
        (Reason.MENTIONED, "Mira Novak", "@ann please look"),
    ]
    assert for_me(thread, 1) == [(Reason.MENTIONED, "Mira Novak", "@ann please look")]
    assert for_me(thread, 3, since=AT + timedelta(hours=1)) == []


def test_what_i_have_answered_is_no_news() -> None:
    thread = threaded([comment(1, "@ann?"), comment(2, "yes", ANN)])
    assert for_me(thread, 2) == []


def test_a_card_becomes_mine_once() -> None:
    before = BOARD.in_stage(1)[0]
    mine = replace(before, assignees=(ANN,), updated_at=AT)
    is_mine = (ChangeKind.PEOPLE,)
    assert CardDifference(mine, before, is_mine).is_assigned_now(ME)
    assert CardDifference(mine, None, (ChangeKind.NEW,)).is_assigned_now(ME)
    assert not CardDifference(mine, mine, (ChangeKind.MOVED,)).is_assigned_now(ME)
    again = replace(mine, updated_at=AT + timedelta(hours=1))
    assert assigned(mine, BOARD, "").key != assigned(again, BOARD, "").key
    assert assigned(mine, BOARD, "").words == "#11 “a”: Someone assigned you"


@given(st.lists(st.tuples(st.sampled_from(Reason), st.text(), st.text()), min_size=1, max_size=5))
def test_a_summary_is_one_short_line_that_begins_with_a_card_or_a_number(
    texts: list[tuple[Reason, str, str]],
) -> None:
    news = [
        News(reason, task(7, title), "Small", str(number), "--help", text)
        for number, (reason, title, text) in enumerate(texts)
    ]
    line = summary(news)
    assert line.startswith("#7 " if len(news) == 1 else f"{len(news)} updates: #7 ")
    assert not any(unicodedata.category(sign) == "Cc" for sign in line)
    assert width(line) <= 200
