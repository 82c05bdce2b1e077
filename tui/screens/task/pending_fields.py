"""Which fields of a task have changes that the service has not accepted.

The rule it keeps: only changes that are drawn count; those that were refused are told elsewhere.
"""

from collections.abc import Iterable

from tui.model.fields.row import RowKey, TaskField
from tui.store import operations as change
from tui.store.events import Waiting, WaitingState
from tui.store.operations.base import Operation

_DRAWN = (WaitingState.WAITING, WaitingState.SENDING, WaitingState.UNSURE)


def fields_waiting(waiting: Iterable[Waiting], task_id: int) -> frozenset[RowKey]:
    """The rows of a task that changes on their way are about."""
    return frozenset(
        key
        for each in waiting
        if each.state in _DRAWN and each.operation.task_id == task_id
        for key in _keys(each.operation)
    )


def _keys(operation: Operation) -> Iterable[RowKey]:
    """The rows that a change of a task is about."""
    if isinstance(operation, change.SetFieldValue):
        yield TaskField.CUSTOM, operation.field.id
    for field, kinds in _changes().items():
        if isinstance(operation, kinds):
            yield field, 0


def _changes() -> dict[TaskField, type[Operation] | tuple[type[Operation], ...]]:
    """The kinds of changes that rows are about; named when asked for, because they load slowly."""
    return {
        TaskField.STAGE: (change.MoveTask, change.MoveTaskToBoard),
        TaskField.STATUS: change.SetStatus,
        TaskField.PRIORITY: change.SetPriority,
        TaskField.ASSIGNEES: change.SetAssignees,
        TaskField.LABELS: (change.AddLabel, change.RemoveLabel),
        TaskField.DUE: change.SetDue,
        TaskField.START: change.SetStart,
        TaskField.REMINDER: change.SetReminder,
        TaskField.WATCHING: change.Watch,
        TaskField.TEMPLATE: change.SetTemplate,
        TaskField.COVER: change.SetCover,
        TaskField.CONTACT: change.SetContact,
    }
