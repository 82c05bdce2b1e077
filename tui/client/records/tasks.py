"""Records of tasks, subtask groups, comments, images and activities.

Sections 2.2, 2.5, 2.6, 2.11 and 2.12.
"""

from typing import Annotated

from pydantic import BeforeValidator, Field

from tui.client.documents import Document
from tui.client.records.base import Dated, Many, One, Record
from tui.client.records.boards import (
    BoardRecord,
    FieldValueRecord,
    LabelRecord,
    StageRecord,
    UserRecord,
)
from tui.client.records.values import (
    Count,
    Flag,
    Instant,
    Number,
    Object,
    OptionalNumber,
    OptionalText,
    OtherId,
    Raw,
    Text,
    WallTime,
    as_other_id,
)

ParentId = Annotated[
    int | None, BeforeValidator(lambda value: 0 if value is False else as_other_id(value))
]
"""The parent of a reply; 0 where a service stored a reply to nothing."""


class ImageRecord(Record):
    """An uploaded image, or an attachment of a task (section 2.6).

    `object_id` is 0 until a comment uses it; `secure_url` is signed: never log it.
    """

    object_id: OtherId = None
    object_type: OptionalText = None
    attachment_type: OptionalText = None
    title: Text = ""
    full_url: OptionalText = None
    file_size: OptionalText = None
    settings: Raw = None
    status: OptionalText = None
    created_at: Instant = None
    updated_at: Instant = None
    secure_url: OptionalText = None
    public_url: OptionalText = None


class CommentRecord(Record):
    """A comment on a task, or a reply to one (section 2.5).

    `task` is only in the reply to a creation.
    """

    board_id: OtherId = None
    task_id: OtherId = None
    parent_id: ParentId = None
    type: OptionalText = None
    privacy: OptionalText = None
    status: OptionalText = None
    author_name: OptionalText = None
    description: Text = ""
    created_by: OtherId = None
    settings: Object = Field(default_factory=dict)
    created_at: Instant = None
    updated_at: Instant = None
    user: One[UserRecord] = None
    images: Many[ImageRecord] = Field(default_factory=list)
    replies: "Many[CommentRecord]" = Field(default_factory=list)
    task: "One[TaskRecord]" = None


class TaskRecord(Dated):
    """A task or, with a `parent_id`, a subtask (section 2.2)."""

    parent_id: OtherId = None
    board_id: OtherId = None
    stage_id: OtherId = None
    crm_contact_id: OtherId = None
    title: Text = ""
    type: OptionalText = None
    status: OptionalText = None
    priority: OptionalText = None
    description: OptionalText = None
    lead_value: OptionalNumber = None
    created_by: OtherId = None
    position: Number = 0.0
    comments_count: Count = 0
    source: OptionalText = None
    source_id: OptionalText = None
    reminder_type: OptionalText = None
    remind_at: WallTime = None
    started_at: WallTime = None
    due_at: WallTime = None
    last_completed_at: WallTime = None
    archived_at: WallTime = None
    created_at: Instant = None
    updated_at: Instant = None
    settings: Object = Field(default_factory=dict)
    meta: Object = Field(default_factory=dict)
    is_watching: Flag = None
    assignees: Many[UserRecord] = Field(default_factory=list)
    watchers: Many[UserRecord] = Field(default_factory=list)
    labels: Many[LabelRecord] = Field(default_factory=list)
    attachments: Many[ImageRecord] = Field(default_factory=list)
    task_custom_fields: Many[FieldValueRecord] = Field(default_factory=list)
    board: One[BoardRecord] = None
    stage: One[StageRecord] = None

    def document(self) -> Document:
        """The document of the task, without its board and stage; it is not its own parent."""
        document = super().document()
        document.pop("board", None)
        document.pop("stage", None)
        if self.parent_id == self.id:
            document["parent_id"] = None
        return document


class SubtaskGroupRecord(Record):
    """A group of subtasks of a task; `value` is its title (section 2.11)."""

    task_id: OtherId = None
    key: OptionalText = None
    value: Text = ""
    created_at: Instant = None
    updated_at: Instant = None
    subtasks: Many[TaskRecord] = Field(default_factory=list)


class ActivityRecord(Record):
    """An activity of a task or a board (section 2.12)."""

    object_id: OtherId = None
    object_type: OptionalText = None
    action: Text = ""
    column: Text = ""
    old_value: OptionalText = None
    new_value: OptionalText = None
    description: OptionalText = None
    created_by: OtherId = None
    settings: Object = Field(default_factory=dict)
    created_at: Instant = None
    user: One[UserRecord] = None
