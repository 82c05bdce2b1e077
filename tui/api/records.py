"""What a service says, as typed records (section 2).

The rule it keeps: a record is the raw word of the service. Text is neither cleaned nor changed,
unknown fields stay, and what did not come is not in `document()`, so that the short reply to a
create never blanks what an earlier read knew.
"""

from datetime import datetime
from functools import cache
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from tui.api.values import (
    Count,
    Flag,
    Instant,
    Number,
    Object,
    OptionalCount,
    OptionalNumber,
    OptionalText,
    OtherId,
    OwnId,
    Role,
    Rows,
    Text,
    WallTime,
    as_record,
    as_records,
)

_WALL = "%Y-%m-%d %H:%M:%S"


class Record(BaseModel):
    """A thing with an id. Fields that cannot be understood are as if they were absent."""

    model_config = ConfigDict(
        extra="allow", defer_build=True, populate_by_name=True, protected_namespaces=()
    )

    id: OwnId

    def document(self) -> dict[str, Any]:
        """The record as a plain JSON object, under the names of the interface.

        Ids are integers, decimals are numbers, moments ISO 8601 in UTC, wall times
        `YYYY-MM-DD HH:MM:SS`. Unknown fields are as they came. The inner objects are the record's
        own: copy them before changing them.
        """
        names = _names(type(self))
        values = self.__dict__
        known = {
            names[name]: _plain(values[name]) for name in names if name in self.model_fields_set
        }
        return {**(self.__pydantic_extra__ or {}), **known}


@cache
def _names(record: type[Record]) -> dict[str, str]:
    """The name of each field in the interface."""
    return {name: field.serialization_alias or name for name, field in record.model_fields.items()}


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.strftime(_WALL) if value.tzinfo is None else value.isoformat()
    if isinstance(value, Record):
        return value.document()
    if isinstance(value, list):
        return [_plain(element) for element in value]
    return value


class UserRecord(Record):
    """A user or a member of a board (section 2.10)."""

    id: OwnId = Field(validation_alias=AliasChoices("ID", "id"), serialization_alias="ID")
    user_login: Text = ""
    display_name: Text = ""
    user_email: OptionalText = None
    email: OptionalText = None
    photo: OptionalText = None
    role: Role = None
    is_super: Flag = None
    is_wpadmin: Flag = None


class LabelRecord(Record):
    """A label of a board (section 2.7); default labels have no title."""

    board_id: OtherId = None
    title: OptionalText = None
    slug: OptionalText = None
    position: Number = 0.0
    color: OptionalText = None
    bg_color: OptionalText = None
    archived_at: WallTime = None
    created_at: Instant = None
    updated_at: Instant = None


class StageRecord(Record):
    """A stage of a board (section 2.4)."""

    board_id: OtherId = None
    title: Text = ""
    slug: OptionalText = None
    position: Number = 0.0
    color: OptionalText = None
    bg_color: OptionalText = None
    settings: Object = Field(default_factory=dict)
    archived_at: WallTime = None
    created_at: Instant = None
    updated_at: Instant = None
    created_by: OtherId = None


Users = Annotated[list[UserRecord], BeforeValidator(as_records)]
Labels = Annotated[list[LabelRecord], BeforeValidator(as_records)]
Stages = Annotated[list[StageRecord], BeforeValidator(as_records)]
OneUser = Annotated[UserRecord | None, BeforeValidator(as_record)]
OneStage = Annotated[StageRecord | None, BeforeValidator(as_record)]


class BoardRecord(Record):
    """A board (section 2.3)."""

    parent_id: OtherId = None
    title: Text = ""
    description: OptionalText = None
    type: OptionalText = None
    currency: OptionalText = None
    background: Object = Field(default_factory=dict)
    settings: Object = Field(default_factory=dict)
    meta: Object = Field(default_factory=dict)
    completed_tasks_count: Count = 0
    created_by: OtherId = None
    archived_at: WallTime = None
    created_at: Instant = None
    updated_at: Instant = None
    is_user_only_viewer: Flag = Field(
        default=None,
        validation_alias="isUserOnlyViewer",
        serialization_alias="isUserOnlyViewer",
    )
    owner: OneUser = None
    users: Users = Field(default_factory=list)
    stages: Stages = Field(default_factory=list)
    labels: Labels = Field(default_factory=list)
    custom_fields: Rows = Field(default_factory=list)
    synced_at: OptionalText = None


OneBoard = Annotated[BoardRecord | None, BeforeValidator(as_record)]


class TaskRecord(Record):
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
    assignees: Users = Field(default_factory=list)
    watchers: Users = Field(default_factory=list)
    labels: Labels = Field(default_factory=list)
    attachments: Rows = Field(default_factory=list)
    board: OneBoard = None
    stage: OneStage = None


class CommentRecord(Record):
    """A comment on a task, or a reply to one (section 2.5)."""

    board_id: OtherId = None
    task_id: OtherId = None
    parent_id: OtherId = None
    type: OptionalText = None
    privacy: OptionalText = None
    status: OptionalText = None
    author_name: OptionalText = None
    author_email: OptionalText = None
    description: Text = ""
    created_by: OtherId = None
    settings: Object = Field(default_factory=dict)
    created_at: Instant = None
    updated_at: Instant = None
    replies_count: Count = 0
    avatar: OptionalText = None
    user: OneUser = None
    images: Rows = Field(default_factory=list)
    replies: "Annotated[list[CommentRecord], BeforeValidator(as_records)]" = Field(
        default_factory=list
    )


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
    user: OneUser = None


_KINDS: tuple[type[Record], ...] = (
    UserRecord,
    LabelRecord,
    StageRecord,
    BoardRecord,
    TaskRecord,
    CommentRecord,
    ActivityRecord,
)


def prepare() -> None:
    """Build the validators now, off the event loop; otherwise the first answer waits for them."""
    for kind in _KINDS:
        kind.model_rebuild()
