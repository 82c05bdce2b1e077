"""Records of boards, people, stages, labels, custom fields, folders and webhooks.

Sections 2.3, 2.4, 2.7, 2.8, 2.9, 2.10 and 2.13.
"""

from typing import Self

from pydantic import AliasChoices, Field, model_validator

from tui.client.records.base import Dated, Many, One, Part, Record
from tui.client.records.values import (
    Count,
    Flag,
    Flags,
    Ids,
    Instant,
    Number,
    Object,
    OptionalText,
    OtherId,
    OwnId,
    Raw,
    Role,
    Text,
    WallTime,
    as_flags,
)


class PivotRecord(Part):
    """The relation between two things: a member and a board, a task and a label (section 2.10).

    `settings` are raw, mostly in PHP's serialised notation.
    """

    object_id: OtherId = None
    foreign_id: OtherId = None
    settings: Raw = None
    created_at: Instant = None
    updated_at: Instant = None

    @property
    def settings_flags(self) -> Flags:
        """The values of `is_admin` and `is_viewer_only`, as far as they are there."""
        return as_flags(self.settings)

    @property
    def role(self) -> str | None:
        """The role of a member that the settings tell; None if they do not."""
        flags = self.settings_flags
        if "is_admin" not in flags:
            return None
        is_viewer = flags.get("is_viewer_only")
        return "admin" if flags["is_admin"] else "viewer" if is_viewer else "member"


class BoardRoleRecord(Record):
    """A board of a user with their role; in the list of all users."""

    title: Text = ""
    role: Role = None


class UserRecord(Record):
    """A user, or a member of a board with a role (section 2.10).

    `boards` is only in the list of all users, `is_admin` and `is_board_admin` in replies to a
    change of role, `pivot` in lists of a board's members.
    """

    id: OwnId = Field(validation_alias=AliasChoices("ID", "id"), serialization_alias="ID")
    user_login: Text = ""
    display_name: Text = ""
    user_email: OptionalText = None
    email: OptionalText = None
    role: Role = None
    is_super: Flag = None
    is_wpadmin: Flag = None
    is_admin: Flag = None
    is_board_admin: Flag = None
    boards: Many[BoardRoleRecord] = Field(default_factory=list)
    pivot: One[PivotRecord] = None

    @model_validator(mode="after")
    def _take_role_of_pivot(self) -> Self:
        """Old services tell the role of a board's member by the settings of the pivot only."""
        if self.pivot is not None and not self.role and self.pivot.role:
            self.role = self.pivot.role
        return self


class BoardPartRecord(Dated):
    """The common fields of stages, labels and custom fields, which are stored in one table."""

    board_id: OtherId = None
    title: OptionalText = None
    type: OptionalText = None
    position: Number = 0.0
    color: OptionalText = None
    bg_color: OptionalText = None
    settings: Object = Field(default_factory=dict)
    archived_at: WallTime = None
    created_at: Instant = None
    updated_at: Instant = None


class FieldRecord(BoardPartRecord):
    """A custom field of a board (section 2.8)."""

    title: Text = ""


class FieldValueRecord(Record):
    """The value of a custom field of a task (section 2.8)."""

    object_id: OtherId = None
    object_type: OptionalText = None
    foreign_id: OtherId = None
    settings: Object = Field(default_factory=dict)
    created_at: Instant = None
    updated_at: Instant = None


class LabelRecord(BoardPartRecord):
    """A label of a board (section 2.7); default labels have no title."""

    pivot: One[PivotRecord] = None


class StageRecord(BoardPartRecord):
    """A stage of a board (section 2.4); `board` is only in some replies to a change."""

    title: Text = ""
    created_by: OtherId = None
    board: "One[BoardRecord]" = None


class BoardRecord(Dated):
    """A board (section 2.3); `pivot` is only in lists of a user's boards.

    `role` is that of the pivot, which may be the only place where it is told.
    """

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
    users: Many[UserRecord] = Field(default_factory=list)
    stages: Many[StageRecord] = Field(default_factory=list)
    labels: Many[LabelRecord] = Field(default_factory=list)
    custom_fields: Many[FieldRecord] = Field(default_factory=list)
    pivot: One[PivotRecord] = None
    role: Role = None
    synced_at: OptionalText = None

    @model_validator(mode="after")
    def _take_role_of_pivot(self) -> Self:
        if self.pivot is not None and not self.role and self.pivot.role:
            self.role = self.pivot.role
        return self


class FoundUserRecord(UserRecord):
    """A person found by a search, with the boards they belong to (sections 2.10, 4.9)."""

    which_boards: Many[BoardRecord] = Field(default_factory=list)


class FolderRecord(Record):
    """A folder of boards (section 2.9)."""

    title: Text = ""
    created_by: OtherId = None
    boards_ids: Ids = Field(default_factory=list)
    created_at: Instant = None
    updated_at: Instant = None


class WebhookTarget(Part):
    """The name, target and address of a webhook (section 2.13).

    The address is a secret that allows creating tasks: never log it.
    """

    name: Text = ""
    board: OtherId = None
    stage: OtherId = None
    url: OptionalText = None


class WebhookRecord(Record):
    """A webhook; `value` holds its properties (section 2.13)."""

    object_id: OtherId = None
    object_type: OptionalText = None
    key: OptionalText = None
    value: One[WebhookTarget] = None
    created_at: Instant = None
    updated_at: Instant = None


class AcceptedText(Part):
    """A field that a webhook accepts, described by the service (section 2.13)."""

    field: Text = ""
    type: Text = ""
    rules: Text = ""
    description: Text = ""


class AcceptedField(Part):
    """A field of a task that webhooks accept (section 2.13)."""

    key: Text
    field: One[AcceptedText] = None

    @property
    def is_required(self) -> bool:
        """Whether a webhook refuses tasks without it."""
        return self.field is not None and self.field.rules == "required"
