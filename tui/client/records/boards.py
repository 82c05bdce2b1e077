"""Boards with their stages, labels and custom fields; folders of boards, and webhooks into them.

Sections 2.3, 2.4, 2.7, 2.8, 2.9 and 2.13.
"""

from pydantic import Field

from tui.client.records.base import Dated, Many, One, Part, Record
from tui.client.records.people import PivotRecord, UserRecord
from tui.client.records.values import (
    Count,
    Flag,
    Ids,
    Instant,
    Number,
    Object,
    OptionalText,
    OtherId,
    Raw,
    Text,
    WallTime,
    as_text,
    as_texts,
)


class BoardPartRecord(Dated):
    """What stages, labels and custom fields of a board have in common: a row of one table."""

    board_id: OtherId = None
    title: Text = ""
    slug: OptionalText = None
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

    @property
    def field_type(self) -> str | None:
        """`text`, `select`, `checkbox`, `date` or another word of the service's own."""
        return as_text(self.settings.get("custom_field_type"))

    @property
    def options(self) -> tuple[str, ...]:
        """What a select offers; the specification leaves open where services put it."""
        return tuple(as_texts(self.settings.get("select_options") or self.settings.get("options")))


class FieldValueRecord(Record):
    """What a task has in a custom field (section 2.8)."""

    object_id: OtherId = None
    object_type: OptionalText = None
    foreign_id: OtherId = None
    settings: Object = Field(default_factory=dict)
    preferences: Raw = None
    created_at: Instant = None
    updated_at: Instant = None

    @property
    def value(self) -> Raw:
        """The value as the service wrote it: text, a boolean, or None."""
        return self.settings.get("value")


class LabelRecord(Dated):
    """A label of a board (section 2.7); default labels have no title."""

    board_id: OtherId = None
    title: OptionalText = None
    slug: OptionalText = None
    type: OptionalText = None
    position: Number = 0.0
    color: OptionalText = None
    bg_color: OptionalText = None
    archived_at: WallTime = None
    created_at: Instant = None
    updated_at: Instant = None
    pivot: One[PivotRecord] = None


class StageRecord(BoardPartRecord):
    """A stage of a board (section 2.4)."""

    created_by: OtherId = None


class BoardRecord(Dated):
    """A board (section 2.3); `pivot` is there where boards are read through a person."""

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
    owner: One[UserRecord] = None
    users: Many[UserRecord] = Field(default_factory=list)
    stages: Many[StageRecord] = Field(default_factory=list)
    labels: Many[LabelRecord] = Field(default_factory=list)
    custom_fields: Many[FieldRecord] = Field(default_factory=list)
    pivot: One[PivotRecord] = None
    synced_at: OptionalText = None


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
    """What a webhook is called, where its tasks go, and its address (section 2.13).

    The address holds the key, and whoever has it can make tasks: never log it.
    """

    name: Text = ""
    board: OtherId = None
    stage: OtherId = None
    query_timestamp: OptionalText = None
    url: OptionalText = None


class WebhookRecord(Record):
    """A webhook: its `value` tells what it is (section 2.13)."""

    object_id: OtherId = None
    object_type: OptionalText = None
    key: OptionalText = None
    value: One[WebhookTarget] = None
    created_at: Instant = None
    updated_at: Instant = None


class AcceptedText(Part):
    """How a webhook understands a field, in the service's words (section 2.13)."""

    field: Text = ""
    type: Text = ""
    rules: Text = ""
    description: Text = ""


class AcceptedField(Part):
    """A field of a task that webhooks take (section 2.13)."""

    key: Text
    field: One[AcceptedText] = None

    @property
    def is_required(self) -> bool:
        """Whether a webhook refuses a task without it."""
        return self.field is not None and self.field.rules == "required"
