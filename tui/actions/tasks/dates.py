"""Moving the start and the due date of cards by days."""

from collections.abc import Sequence

from tui.actions.tasks.cards import Cards, named
from tui.model.task import Task
from tui.model.timeline.shift import Shift, dates_in_words
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted


async def move_dates(cards: Cards, tasks: Sequence[Task], shift: Shift) -> bool:
    """Move the dates of tasks as one step; whether anything was stored."""
    operations: list[Operation] = []
    for task in tasks:
        moved = shift.of(task)
        if moved.started_at != task.started_at:
            operations.append(change.set_start(task, moved.started_at))
        if moved.due_at != task.due_at:
            operations.append(change.set_due(task, moved.due_at))
    if not operations:
        return False
    return await cards.change(operations, f"moved {moved_words(tasks, shift)}")


def moved_words(tasks: Sequence[Task], shift: Shift) -> str:
    """What moves, and to which days, or with several tasks by how many: `#4 to Fri 20 Nov`."""
    first = tasks[0]
    if len(tasks) == 1:
        name = named(tasks) if first.is_local else f"#{first.id}"
        return f"{name} to {dates_in_words([shift.of(first)])}"
    days = counted(abs(shift.days), "day")
    return f"{named(tasks)} {days} {'earlier' if shift.days < 0 else 'later'}"
