"""Which fields of a task have changes that the service has not accepted.

Only changes that are drawn count; those that were refused are told elsewhere.
"""

from collections.abc import Iterable

from tui.model.detail import RowKey
from tui.store.events import PendingChange, PendingState

_DRAWN = (PendingState.WAITING, PendingState.SENDING, PendingState.UNSURE)


def fields_waiting(waiting: Iterable[PendingChange], task_id: int) -> frozenset[RowKey]:
    """The rows of a task that changes on their way are about."""
    return frozenset(
        each.operation.row
        for each in waiting
        if each.state in _DRAWN
        and each.operation.task_id == task_id
        and each.operation.row is not None
    )
