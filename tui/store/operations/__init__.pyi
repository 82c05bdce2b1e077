from tui.store.operations.archiving import ArchiveTask, RestoreTask
from tui.store.operations.base import Finding, Footing, Operation
from tui.store.operations.creating import CreateTask, DeleteTask, new_local_id
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
    "load",
    "new_local_id",
]

def load() -> None: ...
