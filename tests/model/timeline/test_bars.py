"""Bars begin and end at the days of their cards, at every zoom and in every width."""

from datetime import timedelta

from hypothesis import given

from tests.fakes.boards import NOW, task
from tests.model.timeline.cards import SCALES, cards
from tui.model.task import Task
from tui.model.timeline.bars import bar_of
from tui.model.timeline.scale import Scale
from tui.model.urgency import is_overdue


@given(cards(), SCALES)
def test_a_bar_begins_and_ends_at_its_days(card: Task, scale: Scale) -> None:
    bar, start, due = bar_of(card, scale, NOW), card.started_at, card.due_at
    if start is None and due is None:
        assert bar is None
        return
    assert bar is not None
    assert bar.begin <= bar.end
    if due is not None:
        assert bar.end in (scale.cell_of(due.date()), scale.end_of(due.date()))
        assert not bar.is_open_ended
    if start is not None and (due is None or start <= due):
        assert bar.begin == scale.cell_of(start.date())
    if start is not None and due is None:
        assert bar.end == scale.end_of(max(start, NOW).date())
        assert bar.is_open_ended
    assert bar.is_point <= (bar.begin == bar.end)


@given(cards(), SCALES)
def test_an_overdue_card_has_days_until_today(card: Task, scale: Scale) -> None:
    bar = bar_of(card, scale, NOW)
    if bar is not None:
        assert (bar.late_until is not None) is is_overdue(card, NOW)
        assert bar.late_until in (None, scale.cell_of(NOW.date()))


@given(SCALES)
def test_a_card_that_is_due_before_it_starts_is_a_point_at_its_due_date(scale: Scale) -> None:
    card = task(1, "a", started_at=NOW, due_at=NOW - timedelta(days=3))
    bar = bar_of(card, scale, NOW)
    assert bar is not None
    assert bar.is_point
    assert bar.begin == scale.cell_of((NOW - timedelta(days=3)).date())
