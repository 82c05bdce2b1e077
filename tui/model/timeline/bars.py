"""Where the bar of a card is on a timeline."""

from datetime import datetime
from typing import NamedTuple

from tui.model.task import Task
from tui.model.timeline.scale import Scale
from tui.model.urgency import is_overdue


class TimelineBar(NamedTuple):
    """The cells of a bar, which may be out of sight, from its start to its due date.

    Without a start it is a point; without a due date it is `open_ended` and reaches until today.
    """

    begin: int
    end: int
    is_point: bool
    is_open_ended: bool
    is_started: bool
    late_until: int | None
    """The cell of today, if the card is overdue."""


def bar_of(task: Task, scale: Scale, now: datetime) -> TimelineBar | None:
    """The bar of a task; None if it has no dates.

    One that is due before it starts is a point at its due date.
    """
    start, due = task.started_at, task.due_at
    first = start or due
    if first is None:
        return None
    last = due or max(first, now)
    if due is not None and first > due:
        first = due
    begin, end = scale.cell_of(first.date()), scale.end_of(last.date())
    is_point = due is not None and (start is None or first == due or begin >= end)
    if is_point:
        begin = end = scale.cell_of(last.date())
    return TimelineBar(
        begin,
        max(begin, end),
        is_point,
        is_open_ended=due is None,
        is_started=first.date() <= now.date(),
        late_until=scale.cell_of(now.date()) if is_overdue(task, now) else None,
    )
