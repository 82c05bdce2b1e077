"""The service's objects as typed records (section 2)."""

from tui.client.records.base import Dated, Part, Record
from tui.client.records.boards import (
    AcceptedField,
    BoardRecord,
    BoardRoleRecord,
    FieldRecord,
    FieldValueRecord,
    FolderRecord,
    FoundUserRecord,
    LabelRecord,
    PivotRecord,
    StageRecord,
    UserRecord,
    WebhookRecord,
    WebhookTarget,
)
from tui.client.records.tasks import (
    ActivityRecord,
    CommentRecord,
    ImageRecord,
    SubtaskGroupRecord,
    TaskRecord,
)

KINDS: tuple[type[Part], ...] = (
    PivotRecord,
    BoardRoleRecord,
    UserRecord,
    FieldRecord,
    FieldValueRecord,
    LabelRecord,
    StageRecord,
    BoardRecord,
    FoundUserRecord,
    ImageRecord,
    CommentRecord,
    TaskRecord,
    SubtaskGroupRecord,
    ActivityRecord,
    FolderRecord,
    WebhookTarget,
    WebhookRecord,
    AcceptedField,
)
"""Every kind of record, in the order of dependency."""

__all__ = [
    "KINDS",
    "AcceptedField",
    "ActivityRecord",
    "BoardRecord",
    "BoardRoleRecord",
    "CommentRecord",
    "Dated",
    "FieldRecord",
    "FieldValueRecord",
    "FolderRecord",
    "FoundUserRecord",
    "ImageRecord",
    "LabelRecord",
    "Part",
    "PivotRecord",
    "Record",
    "StageRecord",
    "SubtaskGroupRecord",
    "TaskRecord",
    "UserRecord",
    "WebhookRecord",
    "WebhookTarget",
    "prepare",
]


def prepare() -> None:
    """Build the validators now, off the event loop, so that the first response is not delayed."""
    for kind in KINDS:
        kind.model_rebuild()
