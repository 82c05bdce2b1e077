"""What a service says, as typed records (section 2)."""

from tui.client.records.base import Dated, Part, Record
from tui.client.records.boards import (
    BoardRecord,
    FolderRecord,
    FoundUserRecord,
    LabelRecord,
    StageRecord,
)
from tui.client.records.comments import CommentRecord, ImageRecord
from tui.client.records.fields import FieldRecord, FieldValueRecord
from tui.client.records.people import BoardRoleRecord, PivotRecord, UserRecord
from tui.client.records.tasks import ActivityRecord, SubtaskGroupRecord, TaskRecord
from tui.client.records.webhooks import AcceptedField, WebhookRecord, WebhookTarget

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
"""Every kind of record, those that others are made of first."""

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
    """Build the validators now, off the event loop; otherwise the first answer waits for them."""
    for kind in KINDS:
        kind.model_rebuild()
