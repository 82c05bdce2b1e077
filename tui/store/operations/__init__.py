"""The changes a person can make, as data.

An operation waits in the outbox until the service accepts it. Until then the board is drawn as if
it had been.

The operations are imported when they are first named, as `operations.MoveTask`: a board is painted
before anybody changes it, and making their classes takes a tenth of the time until then.
"""

from importlib import import_module

_HOMES = {
    "AddLabel": "labels",
    "ArchiveBoard": "board_keeping",
    "ArchiveStage": "stage_keeping",
    "ArchiveTask": "archiving",
    "CloneParts": "cloning",
    "CloneSubtask": "subtask_moves",
    "CloneTask": "cloning",
    "ConvertToSubtask": "converting",
    "ConvertToTask": "converting",
    "CreateBoard": "boards",
    "CreateComment": "comments",
    "CreateGroup": "groups",
    "CreateLabel": "board_labels",
    "CreateStage": "stages",
    "CreateSubtask": "subtasks",
    "CreateTask": "creating",
    "DeleteBoard": "board_keeping",
    "DeleteComment": "comment_changes",
    "DeleteGroup": "groups",
    "DeleteLabel": "label_deletion",
    "DeleteSubtask": "subtasks",
    "DeleteTask": "creating",
    "EditComment": "comment_changes",
    "EditLabel": "board_labels",
    "Finding": "base",
    "Footing": "base",
    "MoveStage": "stage_keeping",
    "MoveSubtask": "subtask_moves",
    "MoveTask": "moving",
    "MoveTaskToBoard": "cloning",
    "Operation": "base",
    "RemoveLabel": "labels",
    "RenameBoard": "boards",
    "RenameGroup": "groups",
    "RenameStage": "stages",
    "RestoreBoard": "board_keeping",
    "RestoreStage": "stage_keeping",
    "RestoreTask": "archiving",
    "SetAssignees": "people",
    "SetContact": "traits",
    "SetCover": "traits",
    "SetDescription": "setting",
    "SetDue": "setting",
    "SetFieldValue": "fields",
    "SetPriority": "setting",
    "SetReminder": "reminders",
    "SetStageStatus": "stages",
    "SetStart": "dates",
    "SetStatus": "setting",
    "SetTemplate": "traits",
    "SetTitle": "setting",
    "UploadImage": "images",
    "Watch": "people",
    "made_again": "subtasks",
    "new_local_id": "creating",
}


def __getattr__(name: str) -> object:
    """The operation of this name, imported now."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def load() -> None:
    """Import every operation now, so that the first change of a person need not wait for it."""
    for name in _HOMES:
        __getattr__(name)
