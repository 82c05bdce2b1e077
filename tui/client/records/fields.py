"""Custom fields of boards, and their values on tasks (section 2.8)."""

from pydantic import Field

from tui.client.records.base import Dated, Record
from tui.client.records.values import (
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


class FieldRecord(Dated):
    """A custom field of a board (section 2.8)."""

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
