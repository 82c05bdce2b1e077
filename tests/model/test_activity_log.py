"""The activity of several boards, merged; its kinds; and what happened to a board itself."""

import pytest
from hypothesis import given, strategies as st

from tui.model.events.activity import Activity, what_on_board
from tui.model.work.activity_log import (
    BOARD,
    CARDS,
    FIELDS,
    MOVES,
    SUBTASKS,
    ActivityEntry,
    ActivityLog,
    ActivityPage,
    kind,
    titles,
)

PAGE = 3
Boards = dict[int, list[int]]
"""The ids of the activities of each board, newest first."""


@st.composite
def boards(draw: st.DrawFn) -> Boards:
    """Up to four boards, whose activities share the ids of the service."""
    owners = draw(st.lists(st.integers(1, 4), max_size=40))
    found: Boards = {board_id: [] for board_id in {*owners, 1}}
    for activity_id, board_id in enumerate(owners, start=1):
        found[board_id].insert(0, activity_id)
    return found


def page(of: Boards, board_id: int, number: int) -> ActivityPage:
    """A page as the service sends it."""
    ids = of[board_id]
    part = ids[(number - 1) * PAGE : number * PAGE]
    return ActivityPage(tuple(Activity(one, "x") for one in part), number * PAGE >= len(ids))


@given(of=boards(), later=st.lists(st.integers(1, 4), max_size=8))
def test_it_has_no_gap_at_any_time_and_ends_with_everything(of: Boards, later: list[int]) -> None:
    log = ActivityLog()
    for board_id in of:
        log.add_newest(board_id, page(of, board_id, 1))
    pages = len(of)
    assert_no_gap(log, of)
    newest = max((ids[0] for ids in of.values() if ids), default=0)
    while (asked := log.next_page()) is not None:
        log.add_older(asked[0], page(of, *asked))
        assert_no_gap(log, of)
        pages += 1
        if later:  # somebody does something: later pages begin further down
            newest += 1
            of.setdefault(later[-1], []).insert(0, newest)
            board_id = later.pop()
            log.add_newest(board_id, page(of, board_id, 1))
            assert pages < 1_000
    for board_id in of:
        log.add_newest(board_id, page(of, board_id, 1))
    assert_no_gap(log, of)
    while (asked := log.next_page()) is not None:
        log.add_older(asked[0], page(of, *asked))
    assert ids_of(log) == sorted((one for ids in of.values() for one in ids), reverse=True)


def ids_of(log: ActivityLog) -> list[int]:
    return [entry.activity.id for entry in log.entries()]


def assert_no_gap(log: ActivityLog, of: Boards) -> None:
    """The entries are those of the boards that were read, without one left out in between."""
    shown = ids_of(log)
    there = [one for board_id in log.board_ids for one in of[board_id]]
    assert shown == sorted((one for one in there if one >= min(shown, default=0)), reverse=True)


@pytest.mark.parametrize(
    ("action", "column", "task_id", "expected"),
    [
        ("created", "task", 1, CARDS),
        ("changed", "status", 1, CARDS),
        ("moved", "stage", 1, MOVES),
        ("moved", "position", 1, MOVES),
        ("updated", "stage", 1, MOVES),
        ("converted", "task", 1, SUBTASKS),
        ("deleted", "subtask_group", 1, SUBTASKS),
        ("added", "comment", 1, "comments"),
        ("changed", "reply", 1, "comments"),
        ("joined", "assignee", 1, "assignees"),
        ("removed", "label", 1, "labels"),
        ("changed", "due_at", 1, FIELDS),
        ("changed", "stage", None, BOARD),
        ("deleted", "label", None, BOARD),
        ("moved", "task", None, MOVES),
    ],
)
def test_kinds(action: str, column: str, task_id: int | None, expected: str) -> None:
    assert kind(Activity(1, action, column, task_id=task_id)) == expected


@pytest.mark.parametrize(
    ("activity", "words"),
    [
        (Activity(1, "created", "stage", new="Doing"), "created the stage “Doing”"),
        (Activity(1, "changed", "stage", "Do", "Doing"), "changed the stage “Do” to “Doing”"),
        (Activity(1, "archived", "board"), "archived the board"),
        (Activity(1, "changed", "title", "A", "B"), "renamed the board to “B”"),
        (Activity(1, "added", "admin", new="Bob"), "added Bob as manager"),
        (Activity(1, "removed", "viewer", "Bob"), "removed Bob as viewer"),
        (
            Activity(1, "changed", "role", "member", "viewer", "Bob"),
            "changed the role of Bob from member to viewer",
        ),
        (Activity(1, "moved", "task", "Card", "Other"), "moved “Card” to the board Other"),
        (Activity(1, "deleted", "webhook", "Form"), "deleted the webhook “Form”"),
        (Activity(1, "Patched", "core"), "patched core"),
    ],
)
def test_what_happened_to_a_board(activity: Activity, words: str) -> None:
    assert what_on_board(activity) == words


def test_titles_are_the_latest_that_are_told() -> None:
    entries = [
        ActivityEntry(1, Activity(4, "deleted", "task", old="C", task_id=8)),
        ActivityEntry(1, Activity(3, "changed", "title", "A", "B", task_id=7)),
        ActivityEntry(1, Activity(2, "added", "comment", new="Hello", task_id=9)),
        ActivityEntry(1, Activity(1, "created", "task", new="A", task_id=7)),
    ]
    assert titles(entries) == {7: "B", 8: "C"}
