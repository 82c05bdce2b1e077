"""Which fields of a task have changes that the service has not accepted.

Only changes that are drawn count; those that were refused are told elsewhere.
"""

from collections.abc import Iterable

from tui.model.detail import RowKey
from tui.store.events import Waiting, WaitingState

_DRAWN = (WaitingState.WAITING, WaitingState.SENDING, WaitingState.UNSURE)


def fields_waiting(waiting: Iterable[Waiting], task_id: int) -> frozenset[RowKey]:
    """The rows of a task that changes on their way are about."""
    return frozenset(
        each.operation.row
        for each in waiting
        if each.state in _DRAWN
        and each.operation.task_id == task_id
        and each.operation.row is not None
    )
