"""Finds the fields of a task with pending changes.

Only changes that are drawn count; refused changes and conflicts are shown elsewhere.
"""

from collections.abc import Iterable

from tui.model.detail import RowKey
from tui.store.events import PendingChange, PendingState

_DRAWN = (PendingState.WAITING, PendingState.SENDING, PendingState.UNSURE)


def fields_waiting(waiting: Iterable[PendingChange], task_id: int) -> frozenset[RowKey]:
    """The rows of a task that have pending changes."""
    return frozenset(
        each.operation.row
        for each in waiting
        if each.state in _DRAWN
        and each.operation.task_id == task_id
        and each.operation.row is not None
    )
