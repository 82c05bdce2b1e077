"""Tasks, and the groups that subtasks are in (sections 2.2, 2.11)."""

from pydantic import Field

from tui.client.records.base import Dated, Many, One, Record
from tui.client.records.boards import BoardRecord, LabelRecord, StageRecord
from tui.client.records.comments import ImageRecord
from tui.client.records.fields import FieldValueRecord
from tui.client.records.people import UserRecord
from tui.client.records.values import (
    Count,
    Flag,
    Instant,
    Number,
    Object,
    OptionalCount,
    OptionalNumber,
    OptionalText,
    OtherId,
    Text,
    WallTime,
    as_integer,
)


class TaskRecord(Dated):
    """A task or, with a `parent_id`, a subtask (section 2.2)."""

    parent_id: OtherId = None
    board_id: OtherId = None
    stage_id: OtherId = None
    crm_contact_id: OtherId = None
    title: Text = ""
    slug: OptionalText = None
    type: OptionalText = None
    status: OptionalText = None
    priority: OptionalText = None
    description: OptionalText = None
    lead_value: OptionalNumber = None
    created_by: OtherId = None
    position: Number = 0.0
    comments_count: Count = 0
    issue_number: OptionalCount = None
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
    next_stage: OptionalText = Field(
        default=None, validation_alias="nextStage", serialization_alias="nextStage"
    )
    assignees: Many[UserRecord] = Field(default_factory=list)
    watchers: Many[UserRecord] = Field(default_factory=list)
    labels: Many[LabelRecord] = Field(default_factory=list)
    attachments: Many[ImageRecord] = Field(default_factory=list)
    task_custom_fields: Many[FieldValueRecord] = Field(default_factory=list)
    board: One[BoardRecord] = None
    stage: One[StageRecord] = None

    @property
    def subtask_group_id(self) -> int | None:
        """The group that a subtask is in; None if the service does not say."""
        return as_integer(self.meta.get("subtask_group_id"))


class SubtaskGroupRecord(Record):
    """A group of subtasks of a task; `value` is its title (section 2.11)."""

    task_id: OtherId = None
    key: OptionalText = None
    value: Text = ""
    created_at: Instant = None
    updated_at: Instant = None
    subtasks: Many[TaskRecord] = Field(default_factory=list)


class ActivityRecord(Record):
    """Something that was done to a task or a board (section 2.12)."""

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
