from tui.store.operations.archiving import ArchiveTask, RestoreTask
from tui.store.operations.base import Finding, Footing, Operation
from tui.store.operations.board_keeping import ArchiveBoard, DeleteBoard, RestoreBoard
from tui.store.operations.board_labels import CreateLabel, EditLabel
from tui.store.operations.boards import CreateBoard, RenameBoard
from tui.store.operations.cloning import CloneParts, CloneTask, MoveTaskToBoard
from tui.store.operations.comment_changes import DeleteComment, EditComment
from tui.store.operations.comments import CreateComment
from tui.store.operations.converting import ConvertToSubtask, ConvertToTask
from tui.store.operations.creating import CreateTask, DeleteTask, new_local_id
from tui.store.operations.dates import SetStart
from tui.store.operations.fields import SetFieldValue
from tui.store.operations.groups import CreateGroup, DeleteGroup, RenameGroup
from tui.store.operations.images import UploadImage
from tui.store.operations.label_deletion import DeleteLabel
from tui.store.operations.labels import AddLabel, RemoveLabel
from tui.store.operations.moving import MoveTask
from tui.store.operations.people import SetAssignees, Watch
from tui.store.operations.reminders import SetReminder
from tui.store.operations.setting import SetDescription, SetDue, SetPriority, SetStatus, SetTitle
from tui.store.operations.stage_keeping import ArchiveStage, MoveStage, RestoreStage
from tui.store.operations.stages import CreateStage, RenameStage, SetStageStatus
from tui.store.operations.subtask_moves import CloneSubtask, MoveSubtask
from tui.store.operations.subtasks import CreateSubtask, DeleteSubtask, made_again
from tui.store.operations.traits import SetContact, SetCover, SetTemplate

__all__ = [
    "AddLabel",
    "ArchiveBoard",
    "ArchiveStage",
    "ArchiveTask",
    "CloneParts",
    "CloneSubtask",
    "CloneTask",
    "ConvertToSubtask",
    "ConvertToTask",
    "CreateBoard",
    "CreateComment",
    "CreateGroup",
    "CreateLabel",
    "CreateStage",
    "CreateSubtask",
    "CreateTask",
    "DeleteBoard",
    "DeleteComment",
    "DeleteGroup",
    "DeleteLabel",
    "DeleteSubtask",
    "DeleteTask",
    "EditComment",
    "EditLabel",
    "Finding",
    "Footing",
    "MoveStage",
    "MoveSubtask",
    "MoveTask",
    "MoveTaskToBoard",
    "Operation",
    "RemoveLabel",
    "RenameBoard",
    "RenameGroup",
    "RenameStage",
    "RestoreBoard",
    "RestoreStage",
    "RestoreTask",
    "SetAssignees",
    "SetContact",
    "SetCover",
    "SetDescription",
    "SetDue",
    "SetFieldValue",
    "SetPriority",
    "SetReminder",
    "SetStageStatus",
    "SetStart",
    "SetStatus",
    "SetTemplate",
    "SetTitle",
    "UploadImage",
    "Watch",
    "load",
    "made_again",
    "new_local_id",
]

def load() -> None: ...
