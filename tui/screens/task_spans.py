"""What cards and subtasks show alike, as spans; pure functions."""

from datetime import datetime

from tui.model.people import Initials, in_initials
from tui.model.task import Priority, Task
from tui.model.urgency import is_overdue, is_upcoming
from tui.text.dates import relative
from tui.widgets import glyphs
from tui.widgets.painted import Span


def edge(*, is_current: bool, is_marked: bool) -> Span:
    """The first cell of a line: the bar of the cursor, a mark, or a blank."""
    if is_current:
        return glyphs.BAR, "mark" if is_marked else "bar"
    return (glyphs.MARK, "mark") if is_marked else (" ", "meta")


def priority(task: Task) -> list[Span]:
    """The sign of the priority; none for low, the usual one."""
    if task.priority is Priority.HIGH:
        return [(glyphs.HIGH, "high")]
    return [(glyphs.MEDIUM, "meta")] if task.priority is Priority.MEDIUM else []


def due(task: Task, now: datetime) -> list[Span]:
    """The due date relative to now; none for a closed task."""
    if task.due_at is None or task.is_closed:
        return []
    when = relative(task.due_at, now)
    if is_overdue(task, now):
        return [(f"·{when}·", "late")]
    return [(when, "soon" if is_upcoming(task, now) else "meta")]


def people(task: Task, initials: Initials, most: int) -> list[Span]:
    """The initials of the first assignees, and the number of others; none without any."""
    named = in_initials(task.assignees[:most], initials)
    more = len(task.assignees) - len(named)
    return [(" ".join(named) + (f"+{more}" if more else ""), "people")] if named else []
