"""A template is counted nowhere as a card to work on."""

from dataclasses import replace
from datetime import UTC, timedelta

from tests.fakes.boards import ANN, NOW, packed, small, task
from tui.model.board import BoardView
from tui.model.events.history import BoardHistory
from tui.model.people import Account
from tui.model.query.language import QueryContext, check
from tui.model.query.matching import filtered
from tui.model.standup.insight import insight
from tui.model.standup.report import BoardSource, standup
from tui.model.task import Label, Task
from tui.model.urgency import is_overdue, is_upcoming
from tui.model.work.my_work import my_work

_LATE = NOW - timedelta(days=2)
_BLOCKED = Label(9, "Blocked")


def template() -> Task:
    """A template with all that would call for attention on a card."""
    return task(
        31, "Template", 2, is_template=True, due_at=_LATE, labels=(_BLOCKED,), assignees=(ANN,)
    )


def board() -> BoardView:
    """A board with a card of Ann and a template in each of two forms of its lane."""
    card = task(32, "Card", 2, due_at=_LATE, assignees=(ANN,))
    view = replace(small(), people=(ANN,))
    return replace(view, tasks={1: (), 2: (template(), card), 3: ()})


def test_it_is_not_open_late_or_due_in_any_form() -> None:
    assert not is_overdue(template(), NOW)
    assert not is_upcoming(replace(template(), due_at=NOW + timedelta(hours=1)), NOW)
    for lane in (board().in_stage(2), packed(board().in_stage(2))):
        assert (lane.tally.open, lane.tally.blocked, lane.late[NOW]) == (1, 0, 1)
    assert [each.is_template for each in packed(board().in_stage(2))] == [True, False]


def test_it_is_in_no_standup_insight_my_work_or_filter_of_open_cards() -> None:
    view, now = board(), NOW.replace(tzinfo=UTC)
    history = BoardHistory(1)
    report = standup([BoardSource(view, history)], now, now - timedelta(days=1))
    sections = [*report.walk, *(each for person in report.people for each in person.sections)]
    assert {row.task.title for section in sections for row in section.rows} == {"Card"}
    assert sum(stage.cards for stage in insight(view, history, now, 2).ages) == 1
    mine = my_work([view], Account("ann"), NOW, {})
    assert [work.task.title for work in mine] == ["Card"]
    about = QueryContext.of([view], Account("ann"), NOW)
    shown = filtered(view, check("is:open", about), about)
    assert [each.title for each in shown.all_tasks()] == ["Card"]
