"""What the bar of a timeline counts."""

from collections.abc import Iterable
from datetime import datetime

from tui.model.relations import Relations
from tui.model.timeline.rows import DatedRow
from tui.model.urgency import is_overdue
from tui.text.clean import counted
from tui.widgets import glyphs
from tui.widgets.painted import Line


def counts_of(rows: Iterable[DatedRow], now: datetime, relations: Relations) -> Line:
    """How many cards are in the rows, each counted once, and how many are overdue and blocked."""
    tasks = {row.task.id: row.task for row in rows}.values()
    late = sum(is_overdue(task, now) for task in tasks)
    blocked = sum(map(relations.is_blocked, tasks))
    counts = [(counted(len(tasks), "card"), "text")]
    if late:
        counts.append((f"{late} overdue", "bad"))
    if blocked:
        counts.append((f"{glyphs.BLOCKED} {blocked} blocked", "alert"))
    return tuple(counts)
