"""Each open card with dates is in one row of a timeline, and on its days in an agenda."""

from collections import Counter
from datetime import date

from hypothesis import given, strategies as st

from tests.fakes.boards import NOW
from tests.model.timeline.cards import cards
from tui.model.task import Task
from tui.model.timeline.rows import AgendaDay, DateKind, agenda_rows, timeline_rows, undated_rows
from tui.model.timeline.shift import dates_of
from tui.model.urgency import is_overdue

BOARDS = st.lists(
    st.lists(cards(), max_size=5), max_size=4
).map(lambda lanes: [(f"stage {number}", lane) for number, lane in enumerate(lanes)])  # fmt: skip
Board = list[tuple[str, list[Task]]]


@given(BOARDS)
def test_every_open_card_with_dates_is_in_one_row_and_the_others_are_counted(board: Board) -> None:
    rows, others = timeline_rows(board), undated_rows(board)
    still_open = [id(task) for _, lane in board for task in lane if task.is_open]
    shown = Counter(id(row.task) for row in (*rows, *others))
    assert shown == Counter(still_open)
    assert all(dates_of(row.task) for row in rows)
    assert not any(dates_of(row.task) for row in others)


@given(BOARDS)
def test_groups_keep_their_order_and_cards_stand_by_their_first_date(board: Board) -> None:
    rows = timeline_rows(board)
    order = [name for name, _ in board]
    keys = [(order.index(row.place), min(dates_of(row.task))) for row in rows]
    assert keys == sorted(keys)


@given(BOARDS)
def test_an_agenda_has_each_card_on_its_days_from_today_on(board: Board) -> None:
    rows = agenda_rows(board, NOW)
    for row in rows:
        start, due = row.task.started_at, row.task.due_at
        if row.group is AgendaDay.OVERDUE:
            assert is_overdue(row.task, NOW)
        elif row.group is AgendaDay.STARTED:
            assert due is None
        else:
            at = due if row.kind is DateKind.DUE else start
            assert at is not None
            assert at.date() == row.group
            assert at.date() >= NOW.date()
    dated = {id(row.task) for row in timeline_rows(board)}
    assert {id(row.task) for row in rows} == dated
    days = [row.group for row in rows if isinstance(row.group, date)]
    assert days == sorted(days)
