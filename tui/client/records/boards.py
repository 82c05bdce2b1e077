"""Boards with their stages and labels (sections 2.3, 2.4, 2.7)."""

from pydantic import Field

from tui.client.records.base import Dated, Many, One, Record
from tui.client.records.fields import FieldRecord
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
    Text,
    WallTime,
)


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


class StageRecord(Dated):
    """A stage of a board (section 2.4)."""

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
