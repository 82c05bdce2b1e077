"""The changes a person can make, as data.

An operation waits in the outbox until the service accepts it. Until then the board is drawn as if
it had been.
"""

from tui.store.operations.archiving import ArchiveTask, RestoreTask
from tui.store.operations.base import Finding, Footing, Operation
from tui.store.operations.creating import CreateTask, DeleteTask
from tui.store.operations.moving import MoveTask
from tui.store.operations.setting import SetDescription, SetDue, SetPriority, SetStatus, SetTitle

__all__ = [
    "ArchiveTask",
    "CreateTask",
    "DeleteTask",
    "Finding",
    "Footing",
    "MoveTask",
    "Operation",
    "RestoreTask",
    "SetDescription",
    "SetDue",
    "SetPriority",
    "SetStatus",
    "SetTitle",
]
